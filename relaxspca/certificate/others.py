"""Hold what a claim says of every support but some that it lists, as plain checked data."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from relaxspca.certificate.values import (
    Floats,
    Ints,
    checked_array,
    checked_indices,
    checked_number,
    require,
    set_field,
)

__all__ = ["Others"]


@dataclass(frozen=True, eq=False)
class Others:
    """Hold the claim that every support of k variables that is not listed explains at most `most`.

    Parameters
    ----------
    most : float
        What no other support exceeds (variance).
    indices : sequence of (k,) ints
        The supports listed, by position; distinct.
    lower, upper : (s,)
        Bounds on what each of them explains (variance).
    loadings : (s, k)
        Vectors that attain `lower`, an entry for each variable of the support.
    """

    most: float
    indices: tuple[Ints, ...]
    lower: Floats
    upper: Floats
    loadings: Floats

    def __post_init__(self) -> None:
        set_field(self, "most", checked_number("others: most", self.most))
        supports = tuple(checked_indices("a support listed", support) for support in self.indices)
        require(len(supports) > 0, "the list of supports is empty")
        sizes = {len(support) for support in supports}
        require(len(sizes) <= 1, "the supports listed are not all of one size")
        require(
            len({tuple(support.tolist()) for support in supports}) == len(supports), "a support is listed twice"
        )
        set_field(self, "indices", supports)
        count, size = len(supports), max(sizes, default=0)
        for name in ("lower", "upper"):
            set_field(
                self, name, checked_array(f"{name} of the supports listed", getattr(self, name), (count,))
            )
        require(bool((self.lower <= self.upper).all()), "a support is listed with lower above upper")
        set_field(self, "loadings", checked_array("loadings listed", self.loadings, (count, size)))
        require(bool(self.loadings.any(axis=1).all()), "a support is listed with loadings that are all 0")

    def check(self, n: int, k: int, include: Ints, exclude: Ints) -> None:
        """Raise CertificateError unless every support listed is one that the claim speaks of."""
        for support in self.indices:
            require(len(support) == k, f"a support listed has {len(support)} variables, not {k}")
            require(bool((support < n).all()), f"a support listed names a variable beyond n = {n}")
            require(bool(np.isin(include, support).all()), "a support listed misses a variable to include")
            require(not np.isin(exclude, support).any(), "a support listed has an excluded variable")
