"""Bounds on the largest and the smallest eigenvalue of a Gram matrix over all supports of one size."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from relaxspca.errors import counted
from relaxspca.numerics.linalg import (
    UNDERFLOW,
    UNIT_ROUNDOFF,
    Array,
    eigenvalue_upper,
    norm_upper,
    product_radius,
)
from relaxspca.problem.checks import without_data_warnings
from relaxspca.problem.covariance import Covariance
from relaxspca.problem.gap import relative_gap
from relaxspca.results.claims import recorded
from relaxspca.results.digits import between
from relaxspca.results.printable import Printable
from relaxspca.results.sentences import claim
from relaxspca.results.status import Status
from relaxspca.tasks.solve import solve

__all__ = ["Enclosure", "largest_eigenvalue", "smallest_eigenvalue"]


@dataclass(frozen=True, eq=False, repr=False)
class Enclosure(Printable):
    r"""Bounds on an extreme eigenvalue of :math:`F_T'F_T` over all sets T of k columns of a matrix F.

    Attributes
    ----------
    extreme : str
        "largest" or "smallest".
    k : int
    lower, upper : float
        Proved bounds; the one on the side of the extreme is attained by the columns of `indices`.
    indices : tuple of int
        Columns of F, 0-based.
    status : Status
        How the search ended.
    """

    extreme: str
    k: int
    lower: float
    upper: float
    indices: tuple[int, ...]
    status: Status

    @property
    def gap(self) -> float:
        r"""Proved relative width, (upper - lower)/\|lower\|."""
        return relative_gap(self.lower, self.upper)

    def to_records(self) -> list[dict[str, Any]]:
        """Return the bounds as one dict; their decimals are rounded outwards."""
        return [
            {"extreme": self.extreme, "k": self.k}
            | recorded(self.lower, self.upper)
            | {"gap": self.gap}
            | {"status": str(self.status), "indices": " ".join(map(str, self.indices))}
        ]

    def _statement(self) -> list[str]:
        named = f"{self.extreme.capitalize()} eigenvalue of {counted(self.k, 'column')}"
        columns = f"Attained on columns {', '.join(map(str, self.indices))} ({self.status})."
        return [claim(named, between(self.lower, self.upper)), columns]


def largest_eigenvalue(F: Array, k: int, *, gap: float = 0.0, time_limit: float | None = None) -> Enclosure:
    r"""Enclose :math:`\max_{|T|=k}\lambda_{\max}(F_T'F_T)` for a matrix F."""
    result = solve(Covariance.from_factor(F), k, gap=gap, time_limit=time_limit)
    support = result.candidate.indices
    lower = _attained(F, support, largest=True)
    return Enclosure("largest", k, lower, result.upper, result.indices, result.status)


def smallest_eigenvalue(F: Array, k: int, *, gap: float = 0.0, time_limit: float | None = None) -> Enclosure:
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
    support = result.candidate.indices
    lower = (a - result.upper) - radius - 2 * UNIT_ROUNDOFF * (a + abs(result.upper))
    upper = _attained(F, support, largest=False)
    return Enclosure("smallest", k, max(lower, 0.0), upper, result.indices, result.status)


def _attained(F: Array, support: npt.NDArray[np.int64], *, largest: bool) -> float:
    """Return a rounded Rayleigh quotient of F_T'F_T: a lower bound on its largest or upper on its smallest."""
    A: Any = F[:, support]
    values, vectors = np.linalg.eigh(A.T @ A)
    x = vectors[:, -1 if largest else 0]
    image = A @ x
    value, size = float(image @ image), float(x @ x)
    # |Ax|^2 / |x|^2 with gamma_r |A||x| in every entry of Ax, and the two sums of squares.
    slack = 4 * (A.shape[0] + A.shape[1] + 4) * UNIT_ROUNDOFF
    spread = slack * float(np.square(np.abs(A) @ np.abs(x)).sum())
    if A[:, x != 0.0].any():
        spread += UNDERFLOW
    if largest:
        return float(max(0.0, (value - spread) / size * (1 - slack)))
    return float((value + spread) / size * (1 + slack))
