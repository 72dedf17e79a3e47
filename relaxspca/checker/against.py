"""Hold a certificate against the reader's own matrix: by names and by value, with a proved distance.

``certificates/SPEC.md``, section 12, states and proves the rules. Nothing is taken on trust from either side:
bounds on the reader's matrix follow from those proved for the certificate's by Weyl's inequality.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any, ClassVar

import numpy as np

from relaxspca.certificate import Certificate, Deflation, Description, Eliminated
from relaxspca.checker.blocks import largest_eigenvalue, norm
from relaxspca.checker.component import attained_by
from relaxspca.checker.exact import LARGEST, above, below, exact_form, float_above, float_below
from relaxspca.checker.family import Defect
from relaxspca.checker.own_matrix import FORMS, AgainstMatrix, Side, another, another_number, deflated, matched
from relaxspca.checker.verdict import unmet_condition
from relaxspca.checker.witness import attained_together

# The reader's matrix counts as the certificate's where they differ by less than this part of the largest entry.
SAME = Fraction(1, 10**6)
CHUNK = 256  # rows at a time


@dataclass(frozen=True, eq=False)
class OwnMatrix:
    """The reader's matrix and what is known of it, to be held against components."""

    matrix: Any
    factor: Any
    names: tuple[str, ...] = ()
    description: Description = Description()
    eliminated: Eliminated | None = None
    kinds: ClassVar[tuple[str, ...]] = ("component", "components")

    @property
    def n(self) -> int:
        """Number of variables."""
        return int((self.factor if self.matrix is None else self.matrix).shape[1])

    def compare(self, certificate: Certificate, arithmetic: Any, proved: Any) -> AgainstMatrix:
        """Say what a certificate, with what is proved for its own matrix, says of this one."""
        if unequal := another_number(certificate, self):
            return another(unequal)
        places, faults = matched(certificate, self)
        reasons = _descriptions(certificate.description, self.description) + faults
        if places is None:
            return AgainstMatrix(math.inf, -math.inf, math.inf, faults[0], tuple(reasons))
        distance, side, is_plain = _nearest(certificate, self, places, arithmetic)
        more = _beyond(certificate, self, side, arithmetic)
        spread = distance if more == 0 else arithmetic.total([distance, more])
        # Every component may explain that much more or less.
        count = len(certificate.sizes) or 1
        widened = spread if count == 1 or spread == 0 else arithmetic.total([spread] * count)
        low = proved.lower - count * Fraction(distance) if distance < math.inf else -math.inf
        high = proved.upper if widened == 0 else arithmetic.total([proved.upper, widened])
        if is_plain:
            low = max(low, _attained(certificate, self, np.array(places)))
        if certificate.allows_none:
            low = max(low, Fraction(0))
        note = _note(certificate, self, is_plain, spread, low, high)
        if certificate.claim.listed is not None and proved.others > -math.inf and widened:
            beside = arithmetic.total([proved.others, widened])
            note += f", and no set of variables that is not listed explains more than {above(beside, 12)}"
        A = certificate.factor
        sizes = np.abs(certificate.matrix) if A is None else np.square(A).sum(axis=0)
        is_same = spread <= SAME * Fraction(min(float(sizes.max(initial=0.0)), LARGEST))
        found = assessed(certificate, note, (distance, low, high), reasons, is_same)
        return replace(found, is_false=found.is_false and not unmet_condition(self, arithmetic))


def assessed(
    certificate: Certificate, note: str, proved: tuple[Any, Any, Any], amiss: list[str], is_same: bool
) -> AgainstMatrix:
    """Return what was found, given the distance and the bounds that follow, and whether it is but rounding."""
    distance, low, high = proved
    is_false = not (amiss or is_same) and (low > certificate.upper or high < certificate.lower)
    more = [f"but {note}"] if amiss else []
    if not is_same:
        more = [f"{note}; that is more than rounding: the certificate is about another matrix"]
    bounds = float_above(distance), float_below(low), float_above(high)
    return AgainstMatrix(*bounds, note, (*amiss, *more), is_false)


def _descriptions(own: Description, other: Description) -> list[str]:
    """Say where two descriptions contradict each other; what one of them leaves open is no contradiction."""
    pairs = [(getattr(own, name), getattr(other, name)) for name in ("kind", "observations", "is_centred")]
    is_amiss = any(a != b and not {a, b} & {None, "matrix"} for a, b in pairs)
    said = [f"the certificate is about a {own.words}, yours is a {other.words}"] if is_amiss else []
    if own.deflation is None and other.deflation is not None:
        said.append(f"yours is a {other.words}, that of the certificate is a {own.words}")
    return said


def _nearest(
    certificate: Certificate, other: OwnMatrix, places: Any, arithmetic: Any
) -> tuple[Any, Side, bool]:
    """Return a bound on the spectral norm of the difference, from what, and whether that is the matrix given.

    What is compared is the reader's matrix or, where the certificate speaks of a deflated one and that is
    nearer, the reader's matrix after the same deflation.
    """
    own = Side(arithmetic, certificate.matrix, certificate.factor, range(certificate.n))
    plain = Side(arithmetic, other.matrix, other.factor, places, other.names)
    if _is_equal(certificate, other, places):
        return arithmetic.zero, plain, True
    distance, deflation = _distance(own, plain, arithmetic), certificate.description.deflation
    if deflation is not None and other.description.deflation is None:
        chained = _chained(certificate.names, deflation, plain, arithmetic)
        if chained is not None and (after := _distance(own, chained, arithmetic)) < distance:
            return after, chained, False
    return distance, plain, True


def _chained(own: tuple[str, ...], deflation: Deflation, plain: Side, arithmetic: Any) -> Side | None:
    """Return the reader's matrix after a deflation, or None where it cannot be followed."""
    if deflation.method not in FORMS or not {*deflation.names} <= {*plain.names}:
        return None
    at = [plain.names.index(name) for name in deflation.names]
    places = [deflation.names.index(name) for name in own]
    chained = Side(arithmetic, None, None, places, deflation.names)
    try:
        chained.whole = deflated(arithmetic, plain.block(at, at), deflation)
    except ZeroDivisionError:
        return None
    return chained


def _is_equal(certificate: Certificate, other: OwnMatrix, places: Any) -> bool:
    """Say whether both are the same to the last bit, which needs no arithmetic."""
    if certificate.matrix is not None and other.matrix is not None:
        return np.array_equal(certificate.matrix, other.matrix[np.ix_(places, places)])
    if certificate.factor is not None and other.factor is not None:
        return np.array_equal(certificate.factor, other.factor[:, places])
    return False


def _distance(own: Side, other: Side, arithmetic: Any) -> Any:
    """Bound the spectral norm of a difference, a few rows at a time."""
    slices = (slice(start, start + CHUNK) for start in range(0, len(own.places), CHUNK))
    return max(norm(arithmetic, own.rows(at) - other.rows(at)) for at in slices)


def _attained(certificate: Certificate, other: OwnMatrix, places: Any) -> Any:
    """Return what the vectors of a certificate attain on the reader's matrix."""
    form = exact_form(other)
    attained = attained_together if certificate.sizes else attained_by
    try:
        return attained(certificate, lambda T, z: form(places[T], z))
    except Defect:
        return -math.inf


def _beyond(certificate: Certificate, other: OwnMatrix, side: Side, arithmetic: Any) -> Any:
    """Return what the reader's own eliminated variables add to the upper bound."""
    own = certificate.eliminated
    if own is None:
        return arithmetic.zero
    found: dict[str, Any] = {}
    depth = arithmetic.zero
    if other.eliminated is not None:
        found = dict(zip(other.eliminated.names, other.eliminated.variances.tolist(), strict=True))
        depth = other.eliminated.shift
    elif side.whole is not None:
        depth = max(depth, largest_eigenvalue(arithmetic, -side.whole))
    for place in {*range(len(side.names))} - {*side.places.tolist()}:
        found[side.names[place]] = arithmetic.upper(side.block([place], [place])).max()
    stated = dict(zip(own.names, own.variances.tolist(), strict=True))
    excess = [arithmetic.total([found[name], -stated[name]]) for name in stated]
    each = arithmetic.total([max(excess), depth, -own.shift]) if excess else 0
    count = own.count if certificate.k is None else min(own.count, certificate.k)
    return arithmetic.total([each] * count) if each > 0 else arithmetic.zero


def _note(certificate: Certificate, other: OwnMatrix, is_plain: bool, widened: Any, low: Any, high: Any) -> str:
    """Say how the two were compared and what follows."""
    what = "your matrix" + ("" if is_plain else " after the same deflation")
    order = "compared by position"
    if {*certificate.names} <= {*other.names}:
        is_ordered = other.names[: certificate.n] == certificate.names
        order = "compared by names" + ("" if is_ordered else ", in another order")
    if widened == 0:
        return f"{what} is identical to the certified one ({order})"
    return (
        f"{what} differs from the certified one by at most {above(widened, 3)} in "
        f"spectral norm ({order}); for it {below(low, 12)} <= {certificate.symbol} <= {above(high, 12)}"
    )
