"""A set of components: supports, loadings, and a proved lower bound on what it explains."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from relaxspca.candidates.several.alternation import NOTHING, alternate_on_supports, are_disjoint
from relaxspca.numerics.linalg import UNIT_ROUNDOFF, Array, Indices, as_array, oriented, sum_upper
from relaxspca.problem.covariance import Covariance

# Products of digits for one vector: a second for the maker and for each checker, which refuse far more only.
MOST_WORK = 1.5e12

Vector = dict[int, int]  # a vector times some whole number
Step = tuple[Vector, int]  # what later vectors have to be orthogonal to, and the sum of its squares


@dataclass(frozen=True, eq=False)
class CandidateSet:
    """Several sparse unit vectors, orthogonal up to rounding, with exactly orthogonal ones beside them.

    Attributes
    ----------
    supports : variables of each, sorted; a loading may be 0 on its support.
    loadings : (n, r) array of unit columns.
    values : (r,) variance of each column.
    lower : what exactly orthonormal vectors on these supports are proved to explain together (variance).
    given : (n, r) array of the vectors that were made exactly orthogonal; a certificate holds these.
    order : (r,) the column in each place of a certificate; of supports of one size later columns give way.
    """

    supports: tuple[Indices, ...]
    loadings: Array
    values: Array
    lower: float
    given: Array
    order: tuple[int, ...]

    @classmethod
    def on(
        cls,
        cov: Covariance,
        supports: Sequence[Iterable[int]],
        *,
        start: Array | None = None,
        is_quick: bool = False,
    ) -> CandidateSet | None:
        """Return the best components found on given supports; None where there are none.

        Examples
        --------
        >>> import relaxspca as rs
        >>> table = CandidateSet.on(rs.datasets.load_pitprops(), [[0, 1], [2, 3]])
        >>> table.values.round(3).tolist(), round(table.lower, 3)
        ([1.954, 1.882], 3.836)
        """
        chosen = tuple(np.array(sorted(int(i) for i in support), dtype=np.int64) for support in supports)
        used = np.unique(np.concatenate(chosen))
        found = alternate_on_supports(
            cov.submatrix(used),
            _within(used, chosen),
            start=None if start is None else start[used],
            is_quick=is_quick,
        )
        if found is None:
            return None
        return cls.of(cov, chosen, used, found, may_shrink=True)

    @classmethod
    def of(
        cls,
        cov: Covariance,
        supports: tuple[Indices, ...],
        used: Indices,
        X: Array,
        *,
        may_shrink: bool = False,
    ) -> CandidateSet | None:
        """Return vectors on the variables used as components, exactly orthogonal; None if one vanishes.

        Beside a rounding error of 1e-20 that no other shared variable makes up for, a large loading of another
        vector would have to vanish. Where supports may shrink, they are tried without such variables too. The
        same happens to a vector that meets two others in the same two variables and comes after both: these are
        parallel there, and a rounding error apart from it. Then it comes before them.
        """
        if are_disjoint(supports):
            return cls._proved(cov, supports, used, X, X, range(len(supports)))
        trials = [(supports, X)]
        if may_shrink and any(
            (np.abs(X[np.searchsorted(used, T), t]) < NOTHING).any() for t, T in enumerate(supports)
        ):
            loaded = np.abs(X) >= NOTHING
            trials.append((tuple(used[column] for column in loaded.T), np.where(loaded, X, 0.0)))
        places = [len(support) for support in supports]
        found = cls._highest(cov, used, [(*trial, range(len(places))) for trial in trials])
        value = float(np.vdot(X, cov.submatrix(used) @ X))
        if found is not None and found.lower >= value - NOTHING * abs(value):
            return found
        order = _other_order(found, places)
        again = cls._highest(cov, used, [(*trial, order) for trial in trials])
        return max((table for table in (found, again) if table), key=lambda table: table.lower, default=None)

    @classmethod
    def _highest(
        cls,
        cov: Covariance,
        used: Indices,
        trials: Sequence[tuple[tuple[Indices, ...], Array, Sequence[int]]],
    ) -> CandidateSet | None:
        """Make vectors exactly orthogonal in each of some orders, and return the best result."""
        tables = []
        for supports, X, order in trials:
            inner = _within(used, supports)
            exact = exactly_orthogonal(X[:, order], [inner[t] for t in order])
            if exact is not None:
                exact = exact[:, np.argsort(order)]
                tables.append(cls._proved(cov, supports, used, X, exact, order))
        return max((table for table in tables if table), key=lambda table: table.lower, default=None)

    @classmethod
    def _proved(
        cls,
        cov: Covariance,
        supports: tuple[Indices, ...],
        used: Indices,
        X: Array,
        exact: Array,
        order: Sequence[int],
    ) -> CandidateSet | None:
        """Return vectors a rounding away from exactly orthogonal ones as components; None if one vanishes."""
        Sigma, r = cov.submatrix(used), len(supports)
        loadings, given = np.zeros((cov.n, r)), np.zeros((cov.n, r))
        given[used] = X
        values, proved = np.zeros(r), np.zeros(r)
        for t in range(r):
            length = float(np.linalg.norm(exact[:, t]))
            # A vector that shrank in orthogonalisation is mostly rounding error: it proves what it proves.
            if not 0 < length < np.inf:
                return None
            x = oriented(exact[:, t] / length)
            values[t] = x @ Sigma @ x
            proved[t] = _attained(Sigma, x, cov.rounding(used))
            loadings[used, t] = x
        lower = -sum_upper(-proved)
        return cls(supports, as_array(loadings), as_array(values), lower, as_array(given), tuple(order))


def _other_order(found: CandidateSet | None, places: Sequence[int]) -> list[int]:
    """Return an order, for each size first vectors that lost loadings, or the last if one vanished."""
    kept = -np.arange(len(places)) if found is None else np.abs((found.loadings * found.given).sum(axis=0))
    order = list(range(len(places)))
    for size in set(places):
        here = [t for t, room in enumerate(places) if room == size]
        for place, t in zip(here, sorted(here, key=lambda t: min(kept[t], 1 - NOTHING)), strict=True):
            order[place] = t
    return order


def _within(used: Indices, supports: Sequence[Indices]) -> list[Indices]:
    """Return the places of supports among the variables used."""
    return [np.searchsorted(used, support) for support in supports]


def _attained(Sigma: Array, x: Array, rounding: float) -> float:
    """Return a float below q'Sigma q / q'q, q the exact vector that x is rounded from.

    Rounding from rationals and normalising move every entry by a few units in its last place. Two inner
    products are evaluated in floats, and the norm of x is within 4k units of 1.
    """
    size = np.count_nonzero(x)
    moduli = float(np.abs(x) @ np.abs(Sigma) @ np.abs(x))
    error = (16 * (len(x) + 8) + 16 * size + 96) * UNIT_ROUNDOFF * moduli
    return float(x @ Sigma @ x) - error - rounding


def exactly_orthogonal(loadings: Array, supports: Sequence[Indices]) -> Array | None:
    r"""Return the floats nearest to vectors that are exactly orthogonal and stay on their supports.

    .. math:: x_t \leftarrow x_t - A(A'A)^{-1}A'x_t

    Each column of the (n, r) loadings is rounded from rationals, not normalised. None where a vector vanishes,
    or where its rationals would be too long: they are about three times as long as those of the vector before,
    if supports overlap and none holds the others.

    Notes
    -----
    A has the earlier vectors restricted to the support of x_t, as many of them as are independent. The vector
    on the smallest support is the first: one on a single variable cannot give way to the others. All of this
    is done in rationals, so that there *are* orthogonal vectors one rounding away from what is returned.

    Examples
    --------
    >>> X = np.array([[0.6, 0.8], [0.8, -0.6000001]])
    >>> exactly_orthogonal(X, [np.array([0, 1]), np.array([0, 1])]).round(6).tolist()
    [[0.6, 0.8], [0.8, -0.6]]
    """
    n, r = loadings.shape
    done: list[Step] = []
    rounded = np.zeros((n, r))
    for t in sorted(range(r), key=lambda t: len(supports[t])):
        variables = [int(i) for i in supports[t]]
        scale = max(float(value).as_integer_ratio()[1] for value in loadings[:, t])  # makes them whole numbers
        x = _whole(((i, loadings[i, t]) for i in variables), scale)
        steps = _steps(done, variables)
        for basis, square in steps or ():
            x, scale = _moved(x, scale, basis, square)
        if steps is None or not any(x.values()) or _is_too_long(x, len(variables) * len(steps)):
            return None
        done.append((x, _inner(x, x)))
        for i, value in x.items():
            rounded[i, t] = value / scale
    return rounded


def _steps(done: Sequence[Step], variables: Sequence[int]) -> list[Step] | None:
    """Return an orthogonal basis of earlier vectors on some variables; None if that takes too long."""
    here = set(variables)
    met = [step for step in done if any(step[0].get(i) for i in here)]
    if all(x.keys() <= here and square for x, square in met):
        return met
    basis: list[Step] = []
    for x, _ in met:
        rest = {i: value for i, value in x.items() if i in here}
        for along, square in basis:
            rest, _ = _moved(rest, 0, along, square)
        if _is_too_long(rest, len(variables) * len(met)):
            return None
        if any(rest.values()):
            basis.append((rest, _inner(rest, rest)))
    return basis


def _moved(x: Vector, scale: int, along: Vector, square: int) -> tuple[Vector, int]:
    """Return x/scale less its projection on a vector, in lowest terms."""
    inner = _inner(along, x)
    if inner == 0:
        return x, scale
    common = math.gcd(inner, square)  # half of the digits of both
    inner, square = inner // common, square // common
    moved = {i: x.get(i, 0) * square - along.get(i, 0) * inner for i in {*x, *along}}
    scale *= square
    divisor = math.gcd(scale, *moved.values()) or 1
    return {i: value // divisor for i, value in moved.items()}, scale // divisor


def _is_too_long(x: Vector, products: int) -> bool:
    """Say whether so many products of entries take too long: the time grows as the square of their digits."""
    return max(value.bit_length() for value in x.values()) ** 2 * products > MOST_WORK


def _whole(entries: Iterable[tuple[int, float]], scale: int) -> Vector:
    ratios = ((i, float(value).as_integer_ratio()) for i, value in entries)
    return {i: above * (scale // below) for i, (above, below) in ratios if above}


def _inner(a: Vector, b: Vector) -> int:
    return sum(value * b[i] for i, value in a.items() if i in b)
