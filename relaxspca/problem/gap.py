"""The relative gap between two bounds, and the size beside which a bound is 0: one definition for results."""

from __future__ import annotations

import math
from collections.abc import Sequence
from fractions import Fraction

import numpy as np

from relaxspca.certificate import Certificate
from relaxspca.certificate.values import Floats, Ints
from relaxspca.numerics.decimals import float_above
from relaxspca.numerics.linalg import round_up
from relaxspca.problem.covariance import Covariance

Parts = Sequence[tuple[Sequence[int] | Ints, int]]  # of the variables, and how many of each are used at most

RELATIVE_WIDTH = 1e-9  # a search closes its nodes at it; `results.settle` says what is called optimal
TINY = 2.0**-900  # of the largest entry of all: below it no entry is of account


def relative_gap(lower: float, upper: float, source: Covariance | Certificate | None = None) -> float:
    r"""Return :math:`(\text{upper}-\text{lower})/|\text{lower}|`, rounded up, and 0 where both bounds are 0.

    Parameters
    ----------
    lower, upper : float
        Proved bounds (variance).
    source : Covariance or Certificate, optional
        The matrix of the bounds: bounds no larger than its rounding errors count as 0. None takes no
        rounding into account.

    Notes
    -----
    A semidefinite matrix has no component of cardinality k and variance 0, but the optimum of an indefinite
    one (an adjacency matrix, k = 1) or of a penalised problem may be 0, where no width is a fraction of it.

    Examples
    --------
    >>> relative_gap(-2.0, -1.0), relative_gap(0.0, 0.0), relative_gap(0.0, 1.0)
    (0.5, 0.0, inf)
    """
    width = relative_width(lower, upper)
    if source is None or width < 1:  # a width below 1 is that of bounds beside which no rounding counts
        return width
    largest = largest_entry(source) if isinstance(source, Covariance) else scale_of(source)
    return relative_width(lower, upper, largest=largest)


def relative_width(lower: float, upper: float, *, largest: float = 0.0) -> float:
    """Return `relative_gap` beside the largest modulus of an entry: bounds may be 0 up to its rounding."""
    if lower >= upper:
        return 0.0
    if math.isinf(lower) or math.isinf(upper):
        return math.inf
    width, scale = Fraction(upper) - Fraction(lower), Fraction(abs(lower))
    if width >= scale and is_zero(max(abs(lower), abs(upper)), largest):
        return 0.0
    return float_above(width / scale) if scale > 0 else math.inf


def is_zero(value: float, largest: float) -> bool:
    """Say whether a value is as near to 0 as a search comes, for a matrix with that largest entry."""
    return abs(value) <= 2 * RELATIVE_WIDTH * largest


def largest_entry(
    cov: Covariance,
    parts: Parts | None = None,
    include: Ints | Sequence[int] = (),
    exclude: Ints | Sequence[int] = (),
) -> float:
    """Return the largest modulus of the entries usable by a support (`largest_usable`); all by default.

    It is a variance where the matrix is semidefinite.
    """
    entries = cov.matrix if cov.shift else cov.diagonal
    return largest_usable(entries, parts or [(np.arange(cov.n), cov.n)], include, exclude)


def scale_of(certificate: Certificate) -> float:
    """Return the largest modulus of the entries that a support of a claim may hold; 0 for a ratio."""
    claim, A = certificate.claim, certificate.factor
    entries = certificate.matrix if A is None else np.einsum("ri,ri->i", A, A)
    if entries is None:
        return 0.0
    every = np.arange(len(entries))
    if claim.kind == "components" or claim.whole_groups:
        return largest_usable(entries, [(every, len(every))])
    most = len(every) if claim.k is None else claim.k
    return largest_usable(entries, [(every, most)], claim.include, claim.exclude)


def largest_usable(
    entries: Floats,
    parts: Parts,
    include: Ints | Sequence[int] = (),
    exclude: Ints | Sequence[int] = (),
) -> float:
    """Return the largest modulus of the entries that a support may hold: the scale beside which a value is 0.

    An entry is held by supports that have its row and its column; what no support can hold says nothing of the
    size of a value. Of a matrix with no larger entries elsewhere, the diagonal is enough.

    Examples
    --------
    >>> M = np.array([[1.0, 7.0], [7.0, 2.0]])
    >>> [largest_usable(M, [([0, 1], k)]) for k in (1, 2)], largest_usable(M, [([0, 1], 1)], exclude=[1])
    ([2.0, 7.0], 1.0)
    """
    used, single = usable_variables(len(entries), parts, include, exclude)
    sizes = np.abs(entries)
    whole = float(sizes.max(initial=0.0))
    for axis in range(entries.ndim):
        sizes = sizes.take(used, axis=axis)
    if entries.ndim == 2 and (single >= 0).any():
        never = (single[:, None] >= 0) & (single[:, None] == single[None, :])
        np.fill_diagonal(never, False)
        sizes = np.where(never, 0.0, sizes)
    return max(float(sizes.max(initial=0.0)), TINY * whole)


def usable_variables(
    n: int, parts: Parts, include: Ints | Sequence[int] = (), exclude: Ints | Sequence[int] = ()
) -> tuple[Ints, Ints]:
    """Return the variables that a support may hold, as in `largest_usable`.

    Beside them stands the number of a part of which no support holds another such variable, or -1.
    """
    loose, single, usable = np.ones(n, dtype=bool), np.full(n, -1), np.zeros(n, dtype=bool)
    loose[np.asarray(include, dtype=int)] = False
    for number, (variables, most) in enumerate(parts):
        at = np.asarray(variables, dtype=int)
        places = most - np.count_nonzero(~loose[at])
        usable[at] = (places > 0) | ~loose[at]
        single[at[loose[at]]] = number if places == 1 else -1
    usable[np.asarray(exclude, dtype=int)] = False
    used = np.flatnonzero(usable)
    return used, single[used]


def penalty_line(value: float, rho: float, k: int) -> float:
    r"""Return :math:`d+\rho k` rounded upwards: a bound on :math:`v_k` if :math:`\phi(\rho)\le d`.

    Examples
    --------
    >>> round(penalty_line(1.0, 0.5, 3), 9)
    2.5
    """
    return round_up(value + round_up(rho * k))
