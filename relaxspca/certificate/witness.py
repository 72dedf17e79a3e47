"""Hold the vectors that attain the lower bound of a claim."""

from __future__ import annotations

from dataclasses import dataclass

from relaxspca.certificate.values import Floats, Ints, checked_array, checked_indices, require, set_field

__all__ = ["Vector", "Witness"]


@dataclass(frozen=True, eq=False)
class Vector:
    """Hold a vector by its entries that may be other than 0.

    Parameters
    ----------
    support : (s,) ints
    loadings : (s,)
        An entry for each variable of the support, not all of them 0.
    """

    support: Ints
    loadings: Floats

    def __post_init__(self) -> None:
        set_field(self, "support", checked_indices("support", self.support))
        set_field(self, "loadings", checked_array("loadings", self.loadings, (len(self.support),)))
        require(bool(self.loadings.any()) or not len(self.support), "loadings are all 0")


@dataclass(frozen=True, eq=False)
class Witness:
    """Hold the components that attain a lower bound, and a vector on each support that a claim lists.

    Parameters
    ----------
    components : sequence of Vector
        One, or of several components one for each.
    listed : (s, k) or None
        Loadings on the supports that are listed, a row for each.
    """

    components: tuple[Vector, ...]
    listed: Floats | None = None

    def __post_init__(self) -> None:
        set_field(self, "components", tuple(self.components))
        require(all(isinstance(x, Vector) for x in self.components), "a component is not of class Vector")
        if self.listed is not None:
            listed = checked_array("loadings listed", self.listed, (None, None))
            require(bool(listed.any(axis=1).all()), "a support is listed with loadings that are all 0")
            set_field(self, "listed", listed)
