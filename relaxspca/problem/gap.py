"""The relative gap between two bounds, one definition for every result."""

from __future__ import annotations

from collections.abc import Sequence

from relaxspca.certificate import Certificate
from relaxspca.certificate.gap import is_zero, largest_beside, largest_entry_of, relative_width
from relaxspca.certificate.values import Ints
from relaxspca.problem.covariance import Covariance

__all__ = ["RELATIVE_WIDTH", "is_zero", "largest_entry", "relative_gap"]

RELATIVE_WIDTH = 1e-9  # an optimum is proved when upper <= lower (1 + RELATIVE_WIDTH)


def relative_gap(
    lower: float, upper: float, source: Covariance | Certificate | None = None, *, least: float = 0.0
) -> float:
    r"""Return :math:`(\text{upper}-\text{lower})/|\text{lower}|`, rounded up, and 0 where both bounds are 0.

    Parameters
    ----------
    lower, upper : float
        Proved bounds (variance).
    source : Covariance or Certificate, optional
        The matrix that the bounds speak of: bounds no larger than its rounding errors count as 0. None takes no
        rounding into account.
    least : float
        Denominator where \|lower\| is smaller (variance).

    Notes
    -----
    A semidefinite matrix has no component of cardinality k and variance 0, but the optimum of an indefinite
    one (an adjacency matrix, k = 1) or of a penalised problem may be 0, where no width is a fraction of it.

    Examples
    --------
    >>> relative_gap(-2.0, -1.0), relative_gap(0.0, 0.0), relative_gap(0.0, 1.0)
    (0.5, 0.0, inf)
    """
    largest = 0.0 if source is None else largest_entry(source)
    return relative_width(lower, upper, largest=largest, least=least)


def largest_entry(source: Covariance | Certificate, outside: Ints | Sequence[int] = ()) -> float:
    """Return the largest modulus of the entries; it is a variance where the matrix is semidefinite.

    Variables `outside`, and those that a certificate excludes, do not count.
    """
    if isinstance(source, Covariance):
        return largest_beside(source.matrix if source.shift else source.diagonal, outside)
    return largest_entry_of(source.matrix, source.factor, getattr(source, "exclude", outside))
