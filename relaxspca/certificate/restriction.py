"""Hold which vectors a claim speaks of besides a cardinality: groups of variables, or loadings of one sign."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from relaxspca.certificate.values import Floats, Ints, checked_indices, checked_names, require, set_field

__all__ = ["RESTRICTIONS", "Restriction"]

RESTRICTIONS = ("one_of_each", "whole_groups", "nonnegative")
# What SPEC.md proves for such claims; other rules would need proofs of their own.
LEAVES = {
    "one_of_each": ("spectral", "support", "rowsum", "perron", "void"),
    "whole_groups": ("spectral", "support", "rowsum", "perron", "void"),
    "nonnegative": ("spectral", "support", "rowsum", "perron", "void", "collatz"),
}


@dataclass(frozen=True, eq=False)
class Restriction:
    """Hold the restriction of a claim about a cardinality.

    Parameters
    ----------
    kind : str
        "one_of_each": supports have at most one variable of each group. "whole_groups": they are unions of
        whole groups, which the cardinality then counts. "nonnegative": loadings are at least 0.
    names : sequence of str
        Names of the groups, distinct; none for "nonnegative".
    groups : sequence of ints
        Their variables; groups are disjoint, and none is empty.
    """

    kind: str
    names: tuple[str, ...] = ()
    groups: tuple[Ints, ...] = ()

    def __post_init__(self) -> None:
        require(self.kind in RESTRICTIONS, f"unknown restriction {self.kind!r}")
        groups = tuple(checked_indices("a group", group) for group in self.groups)
        set_field(self, "names", checked_names("names of groups", self.names, len(groups)))
        require(len(set(self.names)) == len(groups), "two groups have one name")
        require(bool(groups) == (self.kind != "nonnegative"), "groups are of claims about groups, one at least")
        require(all(len(group) for group in groups), "a group has no variable")
        members = [i for group in groups for i in group.tolist()]
        require(len(set(members)) == len(members), "a variable is in two groups")
        set_field(self, "groups", groups)

    @property
    def is_whole(self) -> bool:
        """Whether the cardinality counts groups."""
        return self.kind == "whole_groups"

    @property
    def is_signed(self) -> bool:
        """Whether loadings are at least 0."""
        return self.kind == "nonnegative"

    def labels(self, n: int) -> Ints:
        """Return (n,) the same number for variables of one group, and one of its own for every other."""
        labels = np.arange(n)
        for group in self.groups:
            labels[group] = group[0]
        return labels

    def check(self, n: int, k: int, include: Ints, exclude: Ints, indices: Ints, loadings: Floats) -> None:
        """Raise CertificateError unless the claim is about some vector, and the witness is one."""
        for group in self.groups:
            require(bool((group < n).all()), f"a group names a variable beyond n = {n}")
        if self.is_signed:
            require(not len(include), "a claim about nonnegative loadings includes no variable")
            require(bool((loadings >= 0).all()), "a loading is negative")
        elif self.is_whole:
            require(not len(include) and not len(exclude), "a claim about whole groups has no conditions")
            require(k <= len(self.groups), f"{k} of {len(self.groups)} groups cannot be chosen")
            outside = np.setdiff1d(indices, np.concatenate(self.groups))
            require(not len(outside), "the support has a variable that is in no group")
            used = sum(bool(np.isin(indices, group).any()) for group in self.groups)
            require(used <= k, f"the support has variables of {used} groups, more than {k}")
        else:
            labels = self.labels(n)
            for what, chosen in (("support", np.union1d(indices, include)), ("include", include)):
                kept = np.unique(labels[chosen])
                require(len(kept) == len(chosen), f"{what} has two variables of one group")
            left = len(np.unique(labels[np.setdiff1d(np.arange(n), exclude)]))
            require(k <= left, f"only {left} variables of different groups may be used, not {k}")
