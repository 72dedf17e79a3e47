r"""Several components together: a multiplier matrix Z between them, and one bound of Sigma - Z for each.

Let x_1, ..., x_r be orthonormal, x_t on T_t with |T_t| = k_t, and U the union of the T_t. The projection
P = x_1 x_1' + ... + x_r x_r' lives on U, so that P <= Diag(1_U). For Z with Z + delta I >= 0, delta >= 0,

    tr Z P  =  tr (Z + delta I) P - delta r  <=  sum_{j in U} (Z_jj + delta) - delta r.

With any multiplier y_j for every use of variable j, the u_j = #{t : j in T_t} components that use it pay
u_j y_j of this. Hence, M = Sigma - Z,

    sum_t x_t' Sigma x_t  <=  sum_t max_T [ lambda_max(M_TT) + y(T) ]
                              + sum_j max_u { (Z_jj + delta) [u >= 1] - u y_j }  -  delta r,             (1)

u over the numbers of components that may use j: 0 to r at first, where y >= 0 is best and the maximum is
(Z_jj + delta - y_j)_+. At a node (J_t forced into component t, F_t free) the least is the number of J_t with j,
the largest the number of J_t + F_t with j. Of the variables in no J_t at most the sum of the k_t - |J_t| are in
U. Disjoint supports use a variable at most once.

On one common support T, |T| = k, every variable is used r times: with any y,

    sum_t x_t' Sigma x_t  <=  r max_T [ lambda_max(M_TT) + y(T) ]
                              + the k largest (Z_jj + delta - r y_j)  -  delta r.                        (2)

Each maximum is found by trying all supports where they are few (`listed`), and else bounded by a Perron
point of M: for a unit x on T, x'Mx + y(T) = x'Mx + sum_i x_i^2 y(T), so that row i pays y_i for itself and
N_ij + y_j for its largest partners. The proofs with every rounding and every degenerate case are in
docs/theory/several.md.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import TYPE_CHECKING

import numpy as np

from relaxspca.certificate import RowsPoint
from relaxspca.numerics.linalg import (
    SMALLEST_DENORMAL,
    UNIT_ROUNDOFF,
    Array,
    Indices,
    eigenvalue_upper,
    eigenvalues_upper,
    norm_upper,
    round_up,
    sum_upper,
)
from relaxspca.problem.size import Cardinality, RowTotals
from relaxspca.relaxations.perron.formula import perron_point
from relaxspca.relaxations.several.shape import Part, Shape, use_ranges

if TYPE_CHECKING:
    from relaxspca.problem.covariance import Covariance

MOST = 4000  # supports, or choices of them, that are tried one by one


@dataclass(frozen=True, eq=False)
class MultiplierMatrix:
    r"""A dual point of several components.

    Attributes
    ----------
    variables : (m,) sorted int array, the variables that it speaks of.
    rest : (m, m) symmetric array, :math:`M`; :math:`Z=\Sigma-M` exactly, so no digit of Z is lost.
    multipliers : (m,) array, y: what a component pays for a variable.
    rows : a `RowsPoint` of M for each part; None where all its supports are tried.
    """

    variables: Indices
    rest: Array
    multipliers: Array
    rows: tuple[RowsPoint | None, ...]


@dataclass(frozen=True, eq=False)
class Rows:
    """A part whose bound is the largest eigenvalue of one matrix, M - P + Diag c.

    Attributes
    ----------
    matrix : (m, m) array on the variables of the part, c rounded upwards.
    radius : bound on the spectral norm by which it misses the exact one.
    pairs : (m, m) array, what row i pays for partner j.
    open_pairs : (m, m) array, the same where j may be left out.
    totals : RowTotals of those.
    largest : proved bound on the largest eigenvalue of the exact matrix.
    """

    matrix: Array
    radius: float
    pairs: Array
    open_pairs: Array
    totals: RowTotals
    largest: float


@dataclass(frozen=True, eq=False)
class Evaluated:
    """What a multiplier matrix proves at a node, and of what it is made up.

    Attributes
    ----------
    upper : proved bound on the sum of the variances of every table at the node.
    variables : (m,) union of the variables of the parts.
    multipliers : y on them.
    paid : proved bound on tr ZP less what the multipliers, which are in `values`, pay of it.
    own : (m,) each variable's Z_jj + delta, rounded upwards.
    delta : at least 0, so that Z + delta I is semidefinite.
    parts : how each part was bounded.
    """

    upper: float
    variables: Indices
    multipliers: Array
    paid: float
    own: Array
    delta: float
    parts: tuple[Rows | Listed, ...]

    @property
    def values(self) -> tuple[float, ...]:
        """A proved bound for each part, the multipliers of its variables included."""
        return tuple(how.largest for how in self.parts)


def upper_bound(cov: Covariance, point: MultiplierMatrix, shape: Shape, parts: Sequence[Part]) -> float:
    r"""Return a proved bound on the sum of the variances of all sets of components at a node.

    .. math:: \sum_t\max_{J_t\subseteq T\subseteq J_t\cup F_t,\,|T|=k_t}
              \big[\lambda_{\max}((\Sigma-Z)_{TT})+y(T)\big]
              +\sum_j\max_u\big\{Z_{jj}[u\ge1]-u\,y_j\big\}

    The point speaks of all variables of the parts. Any M, y and rows will do: entries of P that its charges do
    not pay for are lowered, and what Z lacks of being semidefinite is charged for. The bound is ``inf`` where a
    number overflows, ``-inf`` where a part has no support.

    Examples
    --------
    >>> import relaxspca as rs
    >>> cov = rs.Covariance([[2.0, 1.0], [1.0, 2.0]])
    >>> from relaxspca.relaxations.several.shape import everything
    >>> nothing = MultiplierMatrix(np.arange(2), cov.matrix, np.zeros(2), (None, None))
    >>> round(upper_bound(cov, nothing, Shape((2, 2)), everything(Shape((2, 2)), 2)), 9)
    6.0
    >>> all_of_it = MultiplierMatrix(np.arange(2), np.zeros((2, 2)), np.zeros(2), (None, None))
    >>> round(upper_bound(cov, all_of_it, Shape((2, 2)), everything(Shape((2, 2)), 2)), 9)
    4.0
    """
    return evaluated(cov, point, shape, parts).upper


@np.errstate(over="ignore", invalid="ignore")  # what overflows proves nothing, and says so by inf
def evaluated(cov: Covariance, point: MultiplierMatrix, shape: Shape, parts: Sequence[Part]) -> Evaluated:
    """Return `upper_bound` with what it is made up of; see there."""
    is_at_most = shape.is_at_most
    variables = np.unique(np.concatenate([part.variables for part in parts]))
    at = np.searchsorted(point.variables, variables)
    M, y = point.rest[np.ix_(at, at)], point.multipliers[at]
    if any(has_no_support(part, is_at_most=is_at_most) for part in parts):
        return Evaluated(-np.inf, variables, y, 0.0, np.zeros(len(y)), 0.0, ())
    if not (np.isfinite(M).all() and np.isfinite(y).all()):
        return Evaluated(np.inf, variables, y, np.inf, np.zeros(len(y)), 0.0, ())
    delta, own = charged_diagonal(cov, variables, M)
    kept: dict[tuple[object, int], Rows | Listed] = {}
    keys = [(part.key, id(rows)) for part, rows in zip(parts, point.rows, strict=True)]
    for key, part, rows in zip(keys, parts, point.rows, strict=True):
        if key not in kept:  # equal parts with the same rows, or with supports tried one by one
            here = np.searchsorted(variables, part.variables)
            kept[key] = _bounded(M[np.ix_(here, here)], y[here], rows, part, is_at_most=is_at_most)
    found = Evaluated(0.0, variables, y, 0.0, own, delta, tuple(kept[key] for key in keys))
    paid = paid_for(found, shape, parts)
    terms = np.array([paid, *found.values * shape.copies])
    return replace(found, paid=paid, upper=sum_upper(terms) if np.isfinite(terms).all() else np.inf)


def _bounded(M: Array, y: Array, rows: RowsPoint | None, part: Part, *, is_at_most: bool) -> Rows | Listed:
    if rows is not None:
        return _rows(M, y, rows, part, is_at_most=is_at_most)
    if count_supports(part, is_at_most=is_at_most) > MOST:
        raise ValueError(f"a part has more than {MOST} supports: give it rows")
    return listed(M, y, part, is_at_most=is_at_most)


def has_no_support(part: Part, *, is_at_most: bool) -> bool:
    """Say whether a part has no support."""
    least = 1 if is_at_most else part.size
    return len(part.inside) > part.size or len(part.inside) + len(part.free) < least


def charged_diagonal(cov: Covariance, variables: Indices, M: Array) -> tuple[float, Array]:
    """Return delta >= 0 with Z + delta I semidefinite, and Z_jj + delta rounded upwards."""
    Z = cov.submatrix(variables) - M
    radius = round_up(round_up(UNIT_ROUNDOFF * norm_upper(Z)) + cov.rounding(variables))
    delta = max(0.0, eigenvalue_upper(-Z, radius))
    return delta, np.nextafter(np.nextafter(np.diagonal(Z) + radius, np.inf) + delta, np.inf)


def paid_for(found: Evaluated, shape: Shape, parts: Sequence[Part]) -> float:
    """Return a bound on the sum over the variables in use of Z_jj + delta less multipliers, less delta r.

    The parts have no variables but those of the point evaluated.
    """
    own, y, variables = found.own, found.multipliers, found.variables
    least, most = use_ranges(variables, shape, parts)
    places = sum(part.size - len(part.inside) for part in parts)
    if shape.is_common:
        excess = _less(own, shape.copies, y)
    else:
        # Linear in u from the first use on: the largest is at an end.
        excess = np.maximum(_less(own, np.maximum(least, 1), y), _less(own, np.maximum(most, 1), y))
    is_used = least > 0
    others = np.sort(excess[~is_used])[::-1]
    chosen = others[: max(places, 0)]
    if not shape.is_common:
        chosen = np.maximum(chosen, 0.0)
    terms = np.concatenate([excess[is_used], chosen, np.full(shape.count, -found.delta)])
    return sum_upper(terms) if np.isfinite(terms).all() else np.inf


def _less(own: Array, count: int | Indices, y: Array) -> Array:
    """Return own - count y rounded upwards: the product misses at most one unit in its last place."""
    return np.nextafter(own - np.nextafter(count * y, -np.inf), np.inf)


def _rows(M: Array, y: Array, rows: RowsPoint, part: Part, *, is_at_most: bool) -> Rows:
    """Return M - P + Diag c of one part, with a bound on its rounding.

    Row i pays y_i for itself, N_ij + y_j for all of J, and the largest N_ij + y_j of as many free partners
    as fit. Where supports may be smaller, negative ones count as 0: the partner may be left out.
    """
    m = len(y)
    is_inside = np.isin(part.variables, part.inside)
    at = np.searchsorted(rows.variables, part.variables)
    kept = perron_point(part.variables, rows.P[np.ix_(at, at)], rows.N[np.ix_(at, at)])
    pairs = kept.N + y[None, :]
    open_pairs = np.where(is_inside, pairs, np.maximum(pairs, 0.0)) if is_at_most else pairs
    size = Cardinality(min(part.size, m) if is_at_most else part.size)
    totals = size.row_charges(open_pairs, is_inside)
    # Sums of at most m multipliers of any sign, each itself rounded once: relative to the sum of their moduli.
    moduli = np.abs(y) + size.row_charges(kept.N + np.abs(y)[None, :], is_inside).total
    base = M - kept.P
    base[np.diag_indices(m)] += y + totals.total + (8 * (m + 8) * UNIT_ROUNDOFF) * moduli + 2.0**-1000
    radius = round_up(4 * UNIT_ROUNDOFF * (norm_upper(M) + norm_upper(kept.P) + norm_upper(base)))
    return Rows(base, radius, pairs, open_pairs, totals, eigenvalue_upper(base, radius))


@dataclass(frozen=True, eq=False)
class Listed:
    """Every support of a part, and a proved bound on lambda_max(M_TT) + y(T) for each.

    Attributes
    ----------
    supports : arrays (count, size), one for each size; positions among the variables of the part.
    values : one (count,) array for each of them.
    """

    supports: tuple[Indices, ...]
    values: tuple[Array, ...]

    @property
    def largest(self) -> float:
        """Proved bound on the best support."""
        return max(float(values.max()) for values in self.values)


def count_supports(part: Part, *, is_at_most: bool = False) -> int:
    """Return how many supports a part has.

    Examples
    --------
    >>> count_supports(Part(2, np.array([3]), np.array([0, 1])))
    2
    """
    return sum(math.comb(len(part.free), more) for more in _added(part, is_at_most))


def listed(M: Array, y: Array, part: Part, *, is_at_most: bool = False) -> Listed:
    """Return all supports of a part, one at least and at most `MOST`, with their bounds."""
    supports, values = all_supports(part, is_at_most=is_at_most), []
    for some in supports:
        paid, moduli = y[some].sum(axis=1), np.abs(y[some]).sum(axis=1)
        paid = paid + 4 * (some.shape[1] + 4) * UNIT_ROUNDOFF * moduli + SMALLEST_DENORMAL
        values.append(np.nextafter(eigenvalues_upper(M[some[:, :, None], some[:, None, :]]) + paid, np.inf))
    return Listed(supports, tuple(values))


def all_supports(part: Part, *, is_at_most: bool) -> tuple[Indices, ...]:
    """Return the supports of each size, a row each: positions among the variables of the part."""
    inside = np.flatnonzero(np.isin(part.variables, part.inside))
    free = np.flatnonzero(np.isin(part.variables, part.free))
    chosen = [free[_combinations(len(free), more)] for more in _added(part, is_at_most)]
    return tuple(np.hstack([np.tile(inside, (len(some), 1)), some]) for some in chosen)


def _added(part: Part, is_at_most: bool) -> range:
    """Return how many free variables a support may have."""
    most = min(part.size - len(part.inside), len(part.free))
    if is_at_most:
        return range(0 if len(part.inside) else 1, most + 1)
    return range(part.size - len(part.inside), most + 1)


@lru_cache(maxsize=256)
def _combinations(m: int, size: int) -> Indices:
    chosen = np.array(list(itertools.combinations(range(m), size)), dtype=np.int64)
    return chosen.reshape(math.comb(m, size), size)
