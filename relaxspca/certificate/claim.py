"""Hold what a certificate claims: bounds on an optimum, and over which supports it is meant."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated, Any

import numpy as np

from relaxspca.certificate import fields
from relaxspca.certificate.fields import INDICES, NUMBER, TEXT, TRUTH, Declared, left_out, many, number, whole
from relaxspca.certificate.values import Ints, checked_indices, integers, require

# What a claim of each kind may say besides its bounds.
OPTIONS = {
    "component": ("k", "rho", "include", "exclude", "one_of_each", "whole_groups", "nonnegative", "listed"),
    "ratio": ("k", "include", "exclude", "one_of_each", "budgets", "listed"),
    "components": ("sizes", "supports", "include", "exclude"),
}
# Of conditions that exclude each other: with which options one may not stand.
APART = {
    "whole_groups": ("rho", "include", "exclude", "one_of_each", "nonnegative", "listed"),
    "nonnegative": ("rho", "include", "one_of_each", "listed"),
    "one_of_each": ("rho", "budgets"),
    "listed": ("rho",),
}


def _optional() -> Any:
    from relaxspca.certificate import optional

    return optional


BUDGET = fields.later(lambda: _optional().Budget)
LIST = fields.later(lambda: _optional().ListedSupports)


def _forced(value: object, what: str, scope: fields.Scope) -> Any:
    """Return the variables to include: of several components a list for each part."""
    if not (isinstance(value, list) and value and isinstance(value[0], list)):
        return integers(value, what)
    found = tuple(integers(part, what) for part in value)
    require(any(len(part) for part in found), f"{what} is empty: a claim without it leaves it out")
    return found


FORCED = fields.Codec(lambda value, what, scope: value, _forced)  # the claim checks it, by its kind


@dataclass(frozen=True, eq=False, kw_only=True)
class Claim(Declared):
    """Hold the claim that an optimum lies between two bounds.

    ``certificates/SPEC.md``, section 2, says of each kind what is bounded, and what a claim may say besides.

    Parameters
    ----------
    kind : str
        "component", "ratio" or "components".
    lower, upper : float
        The bounds.
    k : int or None
        Cardinality, or number of whole groups.
    rho : float or None
        Penalty, in the place of k.
    sizes : sequence of ints
        Cardinalities of several components, none larger than the one before.
    supports : str or None
        "orthogonal", "disjoint" or "common", of several components.
    include, exclude : ints
        Variables that every support has, and variables that none has. Of several components `include` has a
        list for each part.
    one_of_each : sequence of ints
        Groups of variables of which a support has at most one.
    whole_groups : sequence of ints
        Groups of variables, of k of which a support is the union.
    nonnegative : bool
        Whether loadings are at least 0.
    budgets : sequence of Budget
        Parts of the variables, every variable in one, and how many of each part a support has at most.
    listed : ListedSupports or None

    Raises
    ------
    CertificateError
        A field is wrong, or one that the kind does not have. That the bounds hold is for `relaxspca.verify`.

    Examples
    --------
    >>> Claim(kind="component", k=2, lower=1.0, upper=2.0).n_parts
    1
    """

    kind: Annotated[str, TEXT]
    k: Annotated[int | None, left_out(whole(least=1))] = None
    rho: Annotated[float | None, left_out(number(least=0.0))] = None
    sizes: Annotated[tuple[int, ...], left_out(many(whole(least=1)))] = ()
    supports: Annotated[str | None, left_out(TEXT)] = None
    lower: Annotated[float, NUMBER]
    upper: Annotated[float, NUMBER]
    include: Annotated[Ints, left_out(FORCED)] = ()  # type: ignore[assignment]
    exclude: Annotated[Ints, left_out(INDICES)] = ()  # type: ignore[assignment]
    one_of_each: Annotated[tuple[Ints, ...], left_out(many(INDICES))] = ()
    whole_groups: Annotated[tuple[Ints, ...], left_out(many(INDICES))] = ()
    nonnegative: Annotated[bool, left_out(TRUTH)] = False
    budgets: Annotated[tuple[Any, ...], left_out(many(BUDGET))] = ()
    listed: Annotated[Any, left_out(LIST, "list")] = None

    def __post_init__(self) -> None:
        super().__post_init__()
        known = ", ".join(map(repr, OPTIONS))
        require(self.kind in OPTIONS, f"unknown kind of claim {self.kind!r}: this reader knows {known}"[:300])
        require(self.lower <= self.upper, "the claimed lower bound is above the upper bound")
        if self.kind == "components":
            from relaxspca.certificate.several import checked_include

            include: Any = checked_include(self)
        else:
            is_sized = self.k is not None if self.kind == "ratio" else (self.k is None) != (self.rho is None)
            require(is_sized, "a ratio needs k" if self.kind == "ratio" else "give either k or rho")
            include = checked_indices("include", self.include)
        object.__setattr__(self, "include", include)
        for name in ("one_of_each", "whole_groups"):
            groups: Sequence[Ints] = getattr(self, name)
            require(all(len(group) for group in groups), f"a group of {name} has no variable")
            members = [i for group in groups for i in group.tolist()]
            require(len({*members}) == len(members), f"a variable is in two groups of {name}")
        is_less = self.listed is None or self.listed.others <= self.upper
        require(is_less, "more is claimed of other supports than of all")
        shared = np.isin(self.exclude, [i for part in self.forced for i in part])
        require(not shared.any(), "a variable is to be included and excluded")
        self._check_options()

    def _check_options(self) -> None:
        every = {name for names in OPTIONS.values() for name in names}
        told = {name for name in every if fields.says(getattr(self, name))}
        for name in sorted(told):
            require(name in OPTIONS[self.kind], f"a claim of the kind {self.kind!r} has no {name}")
            for other in APART.get(name, ()):
                require(other not in told, f"{name} does not stand with {other}")

    @property
    def n_parts(self) -> int:
        """Number of supports: of several components that of the components, 1 where they share one."""
        return len(self.sizes) if self.supports in ("orthogonal", "disjoint") else 1

    @property
    def forced(self) -> tuple[Ints, ...]:
        """The variables to include in the support of each part."""
        if self.kind != "components":
            return (self.include,)
        return tuple(self.include) if len(self.include) else (np.zeros(0, dtype=np.int64),) * self.n_parts

    @property
    def allows_none(self) -> bool:
        """Whether no variables at all, of value 0, are a support: at a penalty with none to include."""
        return self.rho is not None and not len(self.include)
