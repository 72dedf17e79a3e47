r"""Bounds on the restricted isometry constant of a design matrix, by sparse eigenvalues.

.. math:: (1-\delta_S)\|c\|^2 \le \|F_Tc\|^2 \le (1+\delta_S)\|c\|^2

for all T of at most S columns. With G = F'F,

.. math:: \delta_S=\max(v_S(G)-1,\;1-\min_T\lambda_{\min}(G_{TT})).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from relaxspca.errors import counted
from relaxspca.numerics.linalg import UNIT_ROUNDOFF, Array, eigenvalue_upper, norm_upper, product_radius
from relaxspca.problem.checks import without_data_warnings
from relaxspca.problem.covariance import Covariance
from relaxspca.problem.gap import relative_gap
from relaxspca.problem.observations import checked_dense, whole_number
from relaxspca.results.claims import recorded
from relaxspca.results.digits import between
from relaxspca.results.printable import Printable
from relaxspca.results.sentences import claim
from relaxspca.results.status import Status
from relaxspca.runtime.deadline import Deadline
from relaxspca.tasks.solve import solve


@dataclass(frozen=True, eq=False)
class Enclosure:
    r"""Proved bounds on an extreme eigenvalue of :math:`F_T'F_T` over all sets T of so many columns of F.

    Attributes
    ----------
    lower, upper : float
        The one on the side of the extreme is attained by the columns of `indices`.
    indices : tuple of int
        Columns of F, 0-based.
    status : Status
        How the search ended.
    """

    lower: float
    upper: float
    indices: tuple[int, ...]
    status: Status


@dataclass(frozen=True, eq=False, repr=False)
class IsometryBounds(Printable):
    r"""Bounds on :math:`\delta_S` and on the sparse eigenvalues that define it.

    Attributes
    ----------
    sparsity : int
        The number S of columns.
    lower, upper : float
        Bounds on :math:`\delta_S` (no unit).
    largest, smallest : Enclosure
        Of the extreme eigenvalues of :math:`F_T'F_T` over all T of S columns.
    """

    sparsity: int
    lower: float
    upper: float
    largest: Enclosure
    smallest: Enclosure

    @property
    def gap(self) -> float:
        r"""Proved relative width, (upper - lower)/\|lower\|."""
        return relative_gap(self.lower, self.upper)

    @property
    def status(self) -> Status:
        """Status of the two searches: the first that is not "optimal", else "optimal"."""
        return self.largest.status if self.largest.status is not Status.OPTIMAL else self.smallest.status

    def to_records(self) -> list[dict[str, Any]]:
        """Return the bounds as one dict."""
        own = recorded(self.lower, self.upper) | {"gap": self.gap, "status": str(self.status)}
        largest = recorded(self.largest.lower, self.largest.upper, of="largest_")
        smallest = recorded(self.smallest.lower, self.smallest.upper, of="smallest_")
        return [{"sparsity": self.sparsity} | own | largest | smallest]

    def _statement(self) -> list[str]:
        columns = counted(self.sparsity, "column")
        return [
            claim(f"Isometry constant delta_{self.sparsity}", between(self.lower, self.upper)),
            claim(f"Largest eigenvalue of {columns}", between(self.largest.lower, self.largest.upper)),
            claim(f"Smallest eigenvalue of {columns}", between(self.smallest.lower, self.smallest.upper)),
        ]


def isometry_bounds(
    F: Array, sparsity: int, *, gap: float = 0.0, time_limit: float | None = None
) -> IsometryBounds:
    r"""Enclose the restricted isometry constant :math:`\delta_S` of a design matrix.

    .. math:: \delta_S=\max_{|T|\le S}\|F_T'F_T-I\|_2

    Parameters
    ----------
    F : (q, n) array
        Design; the constants are about its columns as they are, so scale them first.
    sparsity : int
        S, from 1 to n.
    gap : float
        Relative gap at which the two eigenvalue problems stop; 0 asks for the exact constant.
    time_limit : float, optional
        Seconds for both problems.

    Returns
    -------
    IsometryBounds

    Raises
    ------
    InputError
        F is not a finite matrix, or S is not from 1 to n.

    Notes
    -----
    The bounds hold whether or not the two problems are closed: both come with certified bounds. Ctrl-C ends
    both.

    Examples
    --------
    >>> bounds = isometry_bounds([[1.0, 0.6], [0.0, 0.8]], 2)
    >>> bool(bounds.lower <= 0.6 <= bounds.upper), round(bounds.upper, 9)
    (True, 0.6)
    """
    F, _ = checked_dense(F, what="design matrix")
    sparsity = whole_number(sparsity, "sparsity S", most=F.shape[1], of=", the number of columns")
    deadline = Deadline.after(time_limit)
    found = solve(Covariance.from_factor(F), sparsity, gap=gap, time_limit=deadline.share(2))
    largest = Enclosure(found.lower, found.upper, found.indices, found.status)
    # A search keeps Ctrl-C to itself: after it the other one proves what takes no time.
    left = 0.0 if found.is_interrupted else deadline.left
    smallest = _smallest(F, sparsity, gap=gap, time_limit=left)
    lower = max(largest.lower - 1, 1 - smallest.upper, 0.0)
    upper = max(largest.upper - 1, 1 - smallest.lower, 0.0)
    room = 8 * UNIT_ROUNDOFF * (1 + largest.upper)
    return IsometryBounds(sparsity, max(lower - room, 0.0), upper + room, largest, smallest)


def _smallest(F: Array, k: int, *, gap: float = 0.0, time_limit: float | None = None) -> Enclosure:
    r"""Enclose :math:`\min_{|T|=k}\lambda_{\min}(F_T'F_T)=a-v_k(aI-F'F)`, for any a."""
    gram = F.T @ F
    radius = product_radius(F, F)
    a = eigenvalue_upper(gram, radius)
    H = -gram
    H[np.diag_indices_from(H)] += a
    radius += 4 * UNIT_ROUNDOFF * (a + norm_upper(gram))
    with without_data_warnings():  # it may be indefinite by a rounding error
        covariance = Covariance((H + H.T) / 2)
    result = solve(covariance, k, gap=gap, time_limit=time_limit)
    lower, upper = (
        (a - bound) + side * (radius + 2 * UNIT_ROUNDOFF * (a + abs(bound)))
        for side, bound in ((-1, result.upper), (1, result.lower))
    )
    return Enclosure(max(lower, 0.0), upper, result.indices, result.status)
