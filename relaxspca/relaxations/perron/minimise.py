r"""Minimise the Perron bound by quasi-Newton steps on a smoothed dual.

The constraint N_ij N_ji >= P_ij^2 disappears in the variables N_ij = B_ij^2, P_ij = B_ij B_ji, with B
any matrix that is zero on the diagonal:

    v_k  <=  lambda_max(Sigma - B o B' + Diag c),      c_i = the sum of the k - 1 largest B_ij^2.

These variables also make the problem well conditioned: in (P, log N) the same steps stall.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt

from relaxspca.certificate import RowsPoint
from relaxspca.numerics.linalg import FEW, Array, Mask, magnitude
from relaxspca.problem.covariance import Covariance
from relaxspca.problem.size import Cardinality, Size
from relaxspca.relaxations.perron.formula import perron_point, upper_bound
from relaxspca.relaxations.perron.weights import balance
from relaxspca.relaxations.soft_eigenvalue import soft_largest
from relaxspca.relaxations.soft_top import SoftTop
from relaxspca.runtime.deadline import FOREVER, Deadline
from relaxspca.runtime.threads import one_thread


def minimise(
    cov: Covariance,
    k: int,
    *,
    lower: float,
    tol: float = 1e-6,
    time_limit: float | None = None,
) -> tuple[RowsPoint, float]:
    """Minimise the Perron bound of a covariance; return the dual point and its proved bound.

    The smoothing is chosen by the distance to `lower`, the value of a candidate, and the bound is good enough
    within the fraction `tol` of it. The point has weights alone when balanced row sums are the best found.

    Examples
    --------
    >>> import relaxspca as rs
    >>> cov = rs.datasets.load_pitprops()
    >>> point, upper = minimise(cov, 4, lower=rs.candidate(cov, 4).value)
    >>> upper < 2.93748 * (1 + 1e-5)
    True
    """
    cov.check_complete("a bound")
    deadline = Deadline.after(time_limit)
    everything = np.arange(cov.n)
    size, inside = Cardinality(k), np.zeros(cov.n, dtype=bool)
    Sigma = cov.matrix
    weights = balance(Sigma, inside, size, iterations=60, deadline=deadline).weights
    point: RowsPoint = RowsPoint(variables=everything, weights=weights)
    upper = upper_bound(cov, point, k)
    scale = magnitude(Sigma, lower)
    B = start_from_weights(Sigma, weights)
    smoothing, stalled = 0.3 * max((upper - lower) / scale, tol), 0
    for _ in range(12):  # rounds of decreasing smoothing
        missing = upper - lower - tol * abs(lower)
        if missing <= 0 or stalled == 2 or deadline.is_over:
            break
        B = descend(Sigma, inside, size, B, scale=scale, smoothing=smoothing, iterations=200, deadline=deadline)
        found = to_point(everything, B)
        bound = upper_bound(cov, found, k)
        stalled = stalled + 1 if upper - bound < 0.03 * missing else 0
        if bound < upper:
            point, upper = found, bound
        smoothing /= 3
    return point, upper


def descend(
    Sigma: Array,
    inside: Mask,
    size: Size,
    B: Array,
    *,
    scale: float,
    smoothing: float,
    iterations: int = 50,
    enough: float = 0.0,
    deadline: Deadline = FOREVER,
) -> Array:
    r"""Minimise the smoothed bound of a block by quasi-Newton steps in B (square root of variance).

    .. math:: \mu\log\mathrm{tr}\,e^{(\Sigma-B\circ B'+\mathrm{Diag}\,c)/\mu},\qquad
              c_i=\sum_{j\in J}B_{ij}^2+\min_\tau\Big(s_i\tau+\sum_{j\in F}\mathrm{sp}(B_{ij}^2-\tau)\Big)

    Variables forced in are J, `inside`; the others are free, F. The problem is divided by the scale, the size
    of the optimum; in this unit the smoothing is :math:`\mu`, and the softplus sp has width :math:`\mu/4`.
    Steps end when five of them have lowered the smoothed bound by less than the fraction `enough` of
    :math:`\mu`. Any B proves a bound (`relaxations.perron.formula`), so it need not be optimal.

    Notes
    -----
    The smoothed bound exceeds the bound by at most :math:`\mu(\log m + n_{\mathrm{active}}/4)`.
    """
    rows, unit, least = SoftRows(inside, size.in_unit(scale), smoothing), Sigma / scale, enough * smoothing

    def objective(entries: Array) -> tuple[float, Array]:
        return rows(unit, rows.unpack(entries))[:2]

    begin = B[rows.off_diagonal] / np.sqrt(scale)
    found = stepped(objective, begin, len(Sigma), iterations=iterations, least=least, deadline=deadline)
    return np.asarray(rows.unpack(found) * np.sqrt(scale))


def stepped(
    objective: Callable[[Array], tuple[float, Array]],
    begin: Array,
    rows: int,
    *,
    iterations: int,
    least: float = 0.0,
    deadline: Deadline = FOREVER,
) -> Array:
    """Return entries after quasi-Newton steps on a function with gradient, until five win less than `least`."""
    met: list[float] = []

    def creeps(_: Array, value: float) -> bool:
        met.append(value)
        return len(met) > 5 and met[-6] - met[-1] < least

    memory = 20 if rows <= FEW else 8  # more would cost as much as an evaluation
    options: Any = {
        "maxiter": iterations,
        "maxcor": memory,
        "maxfun": 2 * iterations,
        "ftol": 1e-13,
        "gtol": 1e-10,
    }
    return quasi_newton(objective, begin, rows, deadline=deadline, ends=creeps, **options)


def quasi_newton(
    objective: Callable[[Array], tuple[float, Array]],
    begin: Array,
    rows: int,
    *,
    deadline: Deadline,
    ends: Callable[[Array, float], bool] = lambda entries, value: False,
    **options: Any,
) -> Array:
    """Return entries after L-BFGS steps with options of scipy, until time or what is met `ends` them."""
    # Importing scipy.optimize takes longer than the rest of the package.
    import scipy.optimize

    def pause(intermediate_result: Any) -> None:  # scipy looks for this parameter name
        if ends(intermediate_result.x, intermediate_result.fun) or deadline.is_over:
            raise StopIteration

    minimize: Any = scipy.optimize.minimize
    with one_thread(rows):
        found = minimize(objective, begin, jac=True, method="L-BFGS-B", callback=pause, options=options)
    return np.asarray(found.x)


def start_from_weights(Sigma: Array, weights: Array) -> Array:
    """Return the B that stands for weighted row sums: P is Sigma off the diagonal."""
    B = np.sqrt(np.abs(Sigma)) * np.sqrt(weights[None, :] / weights[:, None])
    # The sign of P_ij = B_ij B_ji is carried by the lower triangle.
    B = np.where(np.tri(len(B), k=-1, dtype=bool) & (Sigma < 0), -B, B)
    np.fill_diagonal(B, 0.0)
    return B


def start_from_point(P: Array, N: Array) -> Array:
    """Return the B that stands for P and N, the charges lowered to what P needs."""
    root = np.sqrt(N) * np.sqrt(N.T)
    B = np.sqrt(N * np.minimum(np.abs(P) / np.maximum(root, 1e-300), 1.0))
    return np.asarray(np.where(np.tri(len(B), k=-1, dtype=bool) & (P < 0), -B, B))


def to_point(variables: npt.ArrayLike, B: Array) -> RowsPoint:
    """Return the dual point of B: P = B o B', N = B o B."""
    return perron_point(variables, B * B.T, B * B)


class SoftRows:
    """The largest eigenvalue of M - B o B' + Diag c with soft maxima, as a function of M and B.

    Row i pays B_ij^2 for a partner j; where y is given it pays y_j besides, and y_i for itself. Where supports
    may be smaller (`is_at_most`), no row pays a free partner less than 0.
    """

    def __init__(self, inside: Mask, size: Size, width: float, *, is_at_most: bool = False) -> None:
        m = len(inside)
        self.off_diagonal, self.width = ~np.eye(m, dtype=bool), width
        payable = ~inside[None, :] & self.off_diagonal
        self.forced = (inside[None, :] & self.off_diagonal).astype(float)
        self.may_stay_out = ~inside[None, :] if is_at_most else None
        if size.classes is not None:
            payable &= size.classes[:, None] != size.classes[None, :]
        self.cost = size.penalty * (1 + self.forced.sum(axis=1))
        margin = size.penalty if size.is_penalised else None  # then it is the threshold of the sums itself
        self.sums = [
            SoftTop(payable & columns, slots, width / 4, threshold=margin, labels=size.classes)
            for columns, slots in size.groups(inside)
        ]

    def unpack(self, entries: Array) -> Array:
        """Return the B of entries off the diagonal."""
        B = np.zeros(self.off_diagonal.shape)
        B[self.off_diagonal] = entries
        return B

    def __call__(self, M: Array, B: Array, y: Array | float = 0.0) -> tuple[float, Array, Array, Array]:
        """Return the value, and its gradients in the entries of B, in M, and in what i pays for j."""
        paid = charges = B * B + y
        if self.may_stay_out is not None:
            paid = np.where(self.may_stay_out, np.maximum(charges, 0.0), charges)
        sums = [part(paid) for part in self.sums]
        share = sum(each[1] for each in sums)
        if self.may_stay_out is not None:
            share = np.where(self.may_stay_out & (charges < 0), 0.0, share)
        share = share + self.forced
        M = M - B * B.T
        c = y + sum(each[0] for each in sums) + (self.forced * charges).sum(axis=1) - self.cost
        M[np.diag_indices_from(M)] += c
        value, X = soft_largest(M, self.width)
        by_pair = np.diagonal(X)[:, None] * share
        return value, (2 * (B * by_pair - X * B.T))[self.off_diagonal], X, by_pair
