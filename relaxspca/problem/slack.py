r"""A bound on what a checker's roundings add to an upper bound: the slack that certificates leave for it.

The slack is no part of a proof. If it were too small, a checker would reject a true claim; if it is large, the
printed gap is larger than need be.

**Derivation.** The checker, in floats rounded outwards, bounds a leaf anew from the same numbers. Let
:math:`u=2^{-53}`, and let c be at least the bound, the entries and the norms of the blocks that the leaf needs.

*Eigenvalues.* Of a block M of m variables the checker has :math:`\lambda_{\max}(M)\le\tau+\|E\|` with
:math:`\tau I-M=LL'+E`. The squares of row i of L add up to :math:`d_i=\tau-M_{ii}\le c` (2c where variances are
negative), so that row sums of :math:`|L||L'|` are at most mc. The residual of Cholesky is at most mu of that,
and the enclosure of :math:`LL'` as much: :math:`2m^2uc`. The checker takes :math:`\tau` above the estimate by
:math:`2(m+2)u\sum_id_i\le2m(m+2)uc` and by 8mu row sums of :math:`|M|`, which are at most
:math:`\sqrt m\,c`. Together that is :math:`4m^2uc` and lower terms: at most :math:`8m^2uc` from m = 7 on.

*Entries.* A block of k variables of a factor with :math:`r\le n` rows errs by :math:`2kruc` at most, and
:math:`2kr\le8k^2+r^2/8`; in practice it is far less, since roundings do not add up.

Where the checker forms all entries of two matrices as sums of p terms, and their difference, n entries of a row
err by 3npuc at most.

*Sums.* Row sums, charges and traces have at most n terms of at most c, each off by a few u, and are added
exactly: the rest, 256 n u c, holds them and the lower terms above.
"""

from __future__ import annotations

from collections.abc import Sequence

from relaxspca.certificate import FactorPoint, Point, RowsPoint
from relaxspca.numerics.linalg import UNDERFLOW, UNIT_ROUNDOFF

ROOM = 2.0**10 * UNDERFLOW  # absolute slack, for a bound of 0


def slack(size: float, *, n: int, points: Sequence[Point] = (), block: int = 0, terms: int = 0) -> float:
    """Return a bound on what the checker's roundings add to an upper bound.

    The bound and the entries that its evidence uses are of modulus `size` at most. The checker computes
    eigenvalues for some kinds of dual `points`, and of another `block` of so many rows; where entries of two
    matrices are not given, it forms them by sums of so many `terms`.

    Examples
    --------
    >>> slack(1.0, n=13) < slack(1.0, n=13, block=13) < 1e-12
    True
    """
    rows = max([block, *map(_rows, points)])
    return UNIT_ROUNDOFF * (8 * rows**2 + (256 + 3 * terms) * n) * size + ROOM


def _rows(point: Point) -> int:
    """Return the order of the matrix whose eigenvalue the bound of a dual point uses; 0 if none."""
    if isinstance(point, FactorPoint):
        return int(point.vectors.shape[0])
    return len(point.P) if isinstance(point, RowsPoint) and point.P is not None else 0
