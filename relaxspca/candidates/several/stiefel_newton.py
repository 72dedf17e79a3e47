"""Orthonormal vectors on given supports, all improved at once by Newton steps."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from relaxspca.candidates.spectrum import NOTHING
from relaxspca.numerics.linalg import HALVINGS, Array, Indices

LONGEST = 0.7  # a step is no longer than this; vectors have length 1
MET = 1e-10  # how far from 0 and 1 the inner products of components may be
NEAR = 1e-3  # the same, from which the gain of a step can be foretold
FLAT = 1e-4  # of the largest variance, the least curvature that a step counts with
SHIFTS = (0.0, 0.01, 0.04, 0.16, 0.64, 2.56, 10.24)  # times the largest variance


@dataclass(frozen=True, eq=False)
class Curvature:
    r"""Second derivatives of the sum of variances at vectors on supports.

    With multipliers :math:`\Lambda` of the inner products, the Lagrangian
    :math:`\tfrac12 \sum_t x_t^T \Sigma x_t - \sum_{s\le t} \Lambda_{st} c_{st}` has the Hessian H in the m
    entries on the supports. The constraints :math:`c_{st}=x_s^T x_t`, :math:`c_{tt}=(x_t^T x_t-1)/2` have the
    derivatives J.

    Attributes
    ----------
    multipliers : (r, r) symmetric array, Lambda.
    hessian : (m, m) array H.
    slopes : (p, m) array J, a row for each pair s <= t.
    kept, span : (p, q), (m, q) arrays; span = J'kept is an orthonormal base of the rows of J.
    inverse : (m, m) array: of -H among the steps that J maps to 0, and 0 elsewhere.
    """

    multipliers: Array
    hessian: Array
    slopes: Array
    kept: Array
    span: Array
    inverse: Array

    def back(self, missed: Array) -> Array:
        """Return the shortest step that restores the constraints to first order."""
        return np.asarray(-self.span @ (self.kept.T @ missed))


@dataclass(frozen=True, eq=False)
class StiefelNewton:
    """Orthonormal vectors on supports that no small change of all of them improves.

    Attributes
    ----------
    value : sum of the variances.
    X : (n, r) array of the vectors.
    rows, columns : (m,) arrays, where the entries on the supports are.
    curvature : second derivatives in these entries.
    scale : the largest variance of a variable.
    """

    value: float
    supports: tuple[Indices, ...]
    X: Array
    rows: Indices
    columns: Indices
    curvature: Curvature
    scale: float


def improved_together(
    Sigma: Array,
    X: Array,
    supports: Sequence[Indices],
    *,
    least: float = -np.inf,
) -> StiefelNewton | None:
    """Return orthonormal vectors on supports that no small change of all of them improves.

    None where steps end in no such vectors. Where two vectors share two variables, none of them can turn alone.
    X, (n, r), need not be orthonormal; only its entries on the supports count. Steps end as well where they are
    seen not to reach the sum of variances `least`.

    Notes
    -----
    A step is the best one for the Lagrangian's quadratic model under linear constraints, and is mended by one
    step back to the constraints. It is shortened until the sum of variances, less a penalty for what the inner
    products miss, grows (sequential quadratic programming with an exact penalty).

    Examples
    --------
    >>> X, both = np.array([[1.0, 0.3], [0.2, 1.0], [0.0, 0.0]]), np.array([0, 1])
    >>> found = improved_together(np.diag([3.0, 2.0, 1.0]), X, [both, both])
    >>> round(found.value, 9)
    5.0
    """
    work = _Work(Sigma, supports)
    entries = X[work.rows, work.columns]
    lengths = np.sqrt(np.bincount(work.columns, weights=entries**2, minlength=len(supports)))
    if lengths.min() == 0 or not np.isfinite(lengths).all():
        return None
    return work.improved(entries / lengths[work.columns], least)


class _Work:
    """The Newton steps on given supports."""

    def __init__(self, Sigma: Array, supports: Sequence[Indices]) -> None:
        self.supports, self.n, self.r = tuple(supports), len(Sigma), len(supports)
        self.rows = np.concatenate(self.supports)
        self.columns = np.repeat(np.arange(self.r), [len(support) for support in supports])
        self.Sigma = Sigma[np.ix_(self.rows, self.rows)] * (self.columns[:, None] == self.columns)
        self.is_one = self.rows[:, None] == self.rows
        self.scale = float(np.abs(Sigma.diagonal()).max()) or 1.0
        self.pairs = np.triu_indices(self.r)
        self.is_length = self.pairs[0] == self.pairs[1]
        self.first, self.second = ((self.columns == a[:, None]).astype(float) for a in self.pairs)
        self.second[self.is_length] = 0.0

    def improved(self, x: Array, least: float) -> StiefelNewton | None:
        missed, value = self.missed(x), self.value(x)
        for _ in range(HALVINGS):
            derivatives = self.derivatives(x)
            if derivatives is None:
                return None
            slope = self.Sigma @ x
            back = derivatives.back(missed)
            rise = slope + derivatives.hessian @ back
            along = derivatives.inverse @ rise
            gain, far = float(rise @ along), float(np.abs(missed).max())
            if far < MET and gain < NOTHING * self.scale:
                break
            if far < NEAR and value + 2 * gain + 2 * float(slope @ back) < least:
                return None
            stepped = self.stepped(x, missed, value, back + along, derivatives)
            if stepped is None:
                break
            x, missed, value = stepped
        if derivatives is None or np.abs(missed).max() > MET:
            return None
        return StiefelNewton(
            value, self.supports, self.full(x), self.rows, self.columns, derivatives, self.scale
        )

    def stepped(
        self, x: Array, missed: Array, value: float, d: Array, derivatives: Curvature
    ) -> tuple[Array, Array, float] | None:
        """Return entries after a step, what they miss of the constraints, and their sum; None if none helps."""
        multiplier = 4 * float(np.abs(derivatives.multipliers).max()) + 2 * self.scale
        least = value - multiplier * float(np.abs(missed).sum())
        d = d * min(1.0, LONGEST / (float(np.linalg.norm(d)) or 1.0))
        for at in range(HALVINGS):
            y = x + 0.5**at * d
            y = y + derivatives.back(self.missed(y))
            missed, value = self.missed(y), self.value(y)
            if value - multiplier * float(np.abs(missed).sum()) > least:
                return y, missed, value
        return None

    def derivatives(self, x: Array) -> Curvature | None:
        """Return multipliers and second derivatives; None where the sum of variances has no best step."""
        X = self.full(x)
        J = (self.first * X[self.rows][:, self.pairs[1]].T) + (self.second * X[self.rows][:, self.pairs[0]].T)
        J[self.is_length] = self.first[self.is_length] * x
        sizes, U = np.linalg.eigh(J @ J.T)
        # Vectors that share no variable are orthogonal: such a row is 0, and others may depend on each other.
        kept = sizes > NOTHING * sizes[-1]
        U = U[:, kept] / np.sqrt(sizes[kept])
        span = J.T @ U
        multipliers = np.zeros((self.r, self.r))
        multipliers[self.pairs] = U @ (span.T @ (self.Sigma @ x))
        multipliers = multipliers + np.triu(multipliers, 1).T
        lengths = multipliers.diagonal()
        mixed = multipliers - np.diag(lengths)
        H = self.Sigma - mixed[np.ix_(self.columns, self.columns)] * self.is_one
        H -= np.diag(lengths[self.columns])
        inverse = self.inverse(H, span)
        return None if inverse is None else Curvature(multipliers, H, J, U, span, inverse)

    def inverse(self, H: Array, span: Array) -> Array | None:
        """Return the inverse of -H across the span, shifted as far as it takes to be positive definite."""
        across = np.eye(len(H)) - span @ span.T
        curved, along = -across @ H @ across, self.scale * span @ span.T
        for shift in SHIFTS:
            bent = curved + along + shift * self.scale * across
            try:
                L = np.linalg.cholesky(bent)
            except np.linalg.LinAlgError:
                continue
            if L.diagonal().min() ** 2 < FLAT * self.scale:
                continue
            half = np.linalg.inv(L)
            return np.asarray(across @ (half.T @ half) @ across)
        return None

    def full(self, x: Array) -> Array:
        X = np.zeros((self.n, self.r))
        X[self.rows, self.columns] = x
        return X

    def missed(self, x: Array) -> Array:
        X = self.full(x)
        products = X.T @ X
        products[np.diag_indices(self.r)] = ((X * X).sum(axis=0) - 1) / 2
        return np.asarray(products[self.pairs])

    def value(self, x: Array) -> float:
        return float(x @ self.Sigma @ x)
