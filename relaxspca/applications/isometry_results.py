"""Results for a design matrix: bounds on its restricted isometry constant, and recovery conditions."""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from relaxspca.applications.sparse_eigenvalues import Enclosure
from relaxspca.numerics.decimals import decimal_above, decimal_below
from relaxspca.problem.gap import relative_gap
from relaxspca.results.digits import between
from relaxspca.results.printable import Printable
from relaxspca.results.sentences import claim
from relaxspca.results.status import Status

__all__ = ["IsometryBounds", "RecoveryConditions"]

WORDS = {True: "below", False: "not below", None: "not decided whether below"}


@dataclass(frozen=True, eq=False, repr=False)
class IsometryBounds(Printable):
    r"""Bounds on :math:`\delta_S` and on the sparse eigenvalues that define it.

    Attributes
    ----------
    sparsity : int
        S.
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
        of = {"largest": self.largest, "smallest": self.smallest}
        ends = {
            f"{name}_{end}": read(getattr(value, end))
            for name, value in of.items()
            for end, read in (("lower", decimal_below), ("upper", decimal_above))
        }
        own = {"lower": decimal_below(self.lower), "upper": decimal_above(self.upper), "gap": self.gap}
        return [{"sparsity": self.sparsity} | own | {"status": str(self.status)} | ends]

    def _statement(self) -> list[str]:
        S = self.sparsity
        return [
            claim(f"Isometry constant delta_{S}", between(self.lower, self.upper)),
            *self.largest._statement()[:1],
            *self.smallest._statement()[:1],
        ]


@dataclass(frozen=True, eq=False, repr=False)
class RecoveryConditions(Printable):
    r"""Whether every S-sparse signal is the unique l1 solution, by two sufficient conditions.

    Attributes
    ----------
    sparsity : int
        S.
    constants : tuple of two floats
        Proved bounds on :math:`\delta_S+\theta_{S,S}+\theta_{S,2S}`.
    isometry : tuple of two floats
        Proved bounds on :math:`\delta_{2S}`.

    References
    ----------
    .. [1] E. J. Candes and T. Tao, Decoding by linear programming, IEEE Trans. Inform. Theory
       51:4203-4215, 2005.
    .. [2] T. T. Cai and A. Zhang, Sparse representation of a polytope and recovery of sparse signals and
       low-rank matrices, IEEE Trans. Inform. Theory 60:122-132, 2014.
    """

    sparsity: int
    constants: tuple[float, float]
    isometry: tuple[float, float]

    @property
    def candes_tao(self) -> bool | None:
        r"""Whether :math:`\delta_S+\theta_{S,S}+\theta_{S,2S}<1`; None if the bounds do not decide it."""
        return _below(*self.constants, Fraction(1))

    @property
    def cai_zhang(self) -> bool | None:
        r"""Whether :math:`\delta_{2S}<1/\sqrt2`; None if the bounds do not decide it."""
        return _below(*self.isometry, Fraction(1, 2))

    def to_records(self) -> list[dict[str, Any]]:
        """Return one dict per condition; `holds` is None if the bounds do not decide it."""
        S = self.sparsity
        return [
            {"condition": name, "sparsity": S, "lower": decimal_below(low), "upper": decimal_above(high)}
            | {"threshold": threshold, "holds": holds}
            for name, (low, high), threshold, holds in (
                ("Candes and Tao", self.constants, 1.0, self.candes_tao),
                ("Cai and Zhang", self.isometry, math.sqrt(0.5), self.cai_zhang),
            )
        ]

    def _statement(self) -> list[str]:
        S = self.sparsity
        said = f"Not decided whether every {S}-sparse signal is the unique l1 solution"
        if self.candes_tao or self.cai_zhang:
            said = f"Every {S}-sparse signal is the unique l1 solution"
        elif self.candes_tao is False and self.cai_zhang is False:
            said += ": neither condition holds, and both are only sufficient"
        sums, tao, zhang = between(*self.constants), WORDS[self.candes_tao], WORDS[self.cai_zhang]
        return [
            f"{said}.",
            claim(f"delta_{S} + theta_{S},{S} + theta_{S},{2 * S}", sums, f"{tao} 1; Candes and Tao 2005"),
            claim(f"delta_{2 * S}", between(*self.isometry), f"{zhang} 1/sqrt(2); Cai and Zhang 2014"),
        ]


def _below(lower: float, upper: float, squared: Fraction) -> bool | None:
    """Return whether a nonnegative number between two bounds is below sqrt(squared); None if undecided."""
    if math.isfinite(upper) and Fraction(upper) ** 2 < squared:
        return True
    return False if lower > 0 and Fraction(lower) ** 2 >= squared else None
