"""Hold a claim about a ratio against the reader's own two matrices, or own least-squares data, by value.

``certificates/SPEC.md``, section 12, states and proves the rule: (A' - mu B') - (A - mu B) is small, so that
x'A'x / x'B'x is hardly above mu. Nothing is taken on trust from either side.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import Any, ClassVar

import numpy as np

from relaxspca.certificate import Certificate, LeastSquares, Pencil
from relaxspca.checker.against import assessed
from relaxspca.checker.blocks import largest_eigenvalue, norm
from relaxspca.checker.exact import above, below, float_above
from relaxspca.checker.own_matrix import AgainstMatrix, another, another_number, matched
from relaxspca.checker.ratio import attained, forms, units


@dataclass(frozen=True, eq=False)
class OwnPencil:
    """The reader's pencil, and the names of its variables where it has some, to be held against ratios."""

    pencil: Pencil | LeastSquares
    names: tuple[str, ...] | None = None
    eliminated: None = None
    kinds: ClassVar[tuple[str, ...]] = ("ratio",)

    @property
    def n(self) -> int:
        """Number of variables."""
        return self.pencil.n

    def compare(self, certificate: Certificate, arithmetic: Any, proved: Any) -> AgainstMatrix:
        """Compare the forms, and say what follows from what is proved for those of the certificate."""
        if unequal := another_number(certificate, self):
            return another(unequal)
        at, faults = matched(certificate, self)
        assert at is not None  # nothing is eliminated from a pencil
        theirs = _in_order(self.pencil, at)
        lower, upper, spread, is_same = attained(certificate, theirs), float_above(proved.upper), 0.0, True
        order = "compared by position" if self.names is None or faults else "compared by names"
        note = f"what you gave is identical to what was certified ({order})"
        if not _is_equal(certificate.subject, theirs):
            upper, spread, is_same = _widened(certificate, theirs, upper, arithmetic)
            bounds = f"{below(lower, 12)} <= {certificate.symbol} <= {above(upper, 12)}"
            apart = f"by at most {above(spread, 3)} in spectral norm, in the units of the evidence"
            note = f"what you gave differs in A - mu B {apart} ({order}); for it {bounds}"
        return assessed(certificate, note, (spread, lower, upper), faults, is_same)


def _is_equal(own: Any, other: Any) -> bool:
    """Say whether both are the same to the last bit, but for names."""
    pairs = ((getattr(data, name) for data in (own, other)) for name in vars(own) if name != "names")
    return all(np.array_equal(a, b) for a, b in pairs)


def _in_order(pencil: Pencil | LeastSquares, at: list[int]) -> Pencil | LeastSquares:
    """Return the reader's pencil with the variables in the order of the certificate."""
    if isinstance(pencil, LeastSquares):
        return replace(pencil, variables=pencil.variables[:, at])
    block = np.ix_(at, at)
    return replace(pencil, numerator=pencil.numerator[block], denominator=pencil.denominator[block])


def _widened(
    certificate: Certificate, theirs: Pencil | LeastSquares, mu: float, arithmetic: Any
) -> tuple[float, float, bool]:
    """Return what bounds the reader's ratio, how far the forms at mu are apart, and whether that is rounding.

    Where x'Ax <= mu x'Bx, x'A'x <= mu x'B'x + e|z|^2 for x = Dz, and x'B'x >= beta |z|^2.
    """
    D = arithmetic.array(units(certificate))
    pair = zip(forms(certificate.subject, arithmetic), forms(theirs, arithmetic), strict=True)
    (A, theirs_A), (B, theirs_B) = ([M * (D[:, None] * D[None, :]) for M in both] for both in pair)
    changes = theirs_A - A, theirs_B - B
    is_same = all(
        norm(arithmetic, change) * 10**6 <= arithmetic.magnitude(M).max() < math.inf
        for change, M in zip(changes, (A, B), strict=True)
    )
    upper: Any = theirs.energy if isinstance(theirs, LeastSquares) else math.inf
    spread: Any = math.inf
    if mu < math.inf:
        spread = norm(arithmetic, changes[0] - arithmetic.array(np.full(A.shape, mu)) * changes[1])
        least = -largest_eigenvalue(arithmetic, -theirs_B)
        quotient = arithmetic.quotient_upper(arithmetic.array([spread]), arithmetic.array([least]))
        upper = min(upper, arithmetic.total([mu, *quotient]))
    return float_above(upper), float_above(spread), is_same
