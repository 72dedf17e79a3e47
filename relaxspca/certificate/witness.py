"""Hold the vectors that attain the lower bound of a claim."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

from relaxspca.certificate.fields import INDICES, Declared, array, left_out, many, numbers, one
from relaxspca.certificate.values import Floats, Ints, require


@dataclass(frozen=True, eq=False)
class Vector(Declared):
    """Hold a vector by its entries that may be other than 0.

    Parameters
    ----------
    support : (s,) ints
    loadings : (s,)
        An entry for each variable of the support, not all of them 0.
    """

    support: Annotated[Ints, INDICES]
    loadings: Annotated[Floats, numbers("support")]

    def __post_init__(self) -> None:
        super().__post_init__()
        require(bool(self.loadings.any()) or not len(self.support), "loadings are all 0")


@dataclass(frozen=True, eq=False)
class Witness(Declared):
    """Hold the components that attain a lower bound, and a vector on each support that a claim lists.

    Parameters
    ----------
    components : sequence of Vector
        One, or of several components one for each.
    listed : (s, k) or None
        Loadings on the supports that are listed, a row for each.
    """

    components: Annotated[tuple[Vector, ...], many(one(Vector))]
    listed: Annotated[Floats | None, left_out(array("claim.listed.supports", "claim.k"), "list")] = None

    def __post_init__(self) -> None:
        super().__post_init__()
        is_sound = self.listed is None or bool(self.listed.any(axis=1).all())
        require(is_sound, "a support is listed with loadings that are all 0")
