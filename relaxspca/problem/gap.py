"""The relative gap between two bounds: one definition for every result."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from relaxspca.certificate import Certificate
from relaxspca.certificate.gap import Parts, is_zero, largest_usable, relative_width, usable_variables
from relaxspca.certificate.values import Ints
from relaxspca.problem.covariance import Covariance

__all__ = [
    "RELATIVE_WIDTH",
    "is_zero",
    "largest_entry",
    "largest_usable",
    "relative_gap",
    "relative_width",
    "usable_variables",
]

RELATIVE_WIDTH = 1e-9  # a search closes its nodes at it; `results.settle` says what is called optimal


def relative_gap(
    lower: float, upper: float, source: Covariance | Certificate | None = None, *, least: float = 0.0
) -> float:
    r"""Return :math:`(\text{upper}-\text{lower})/|\text{lower}|`, rounded up, and 0 where both bounds are 0.

    Parameters
    ----------
    lower, upper : float
        Proved bounds (variance).
    source : Covariance or Certificate, optional
        The matrix of the bounds: bounds no larger than its rounding errors count as 0. None takes no
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
    width = relative_width(lower, upper, least=least)
    if source is None or width < 1:  # a width below 1 is that of bounds beside which no rounding counts
        return width
    largest = largest_entry(source) if isinstance(source, Covariance) else source.scale
    return relative_width(lower, upper, largest=largest, least=least)


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
