"""Every subset of k variables that fits nearly as well as the best one, with proof that there is no other."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

import numpy as np

from relaxspca.applications.subset_problem import RegressionProblem, checked_size
from relaxspca.certificate.wording import subject_to
from relaxspca.errors import InputError, counted
from relaxspca.numerics.decimals import float_above
from relaxspca.numerics.linalg import Array, as_array, spread
from relaxspca.numerics.percent import exact_percent, percent_up
from relaxspca.problem.observations import whole_number
from relaxspca.results.digits import at_least
from relaxspca.results.near_optimal import NearOptimal
from relaxspca.search.limits import SearchLimits
from relaxspca.search.listing import list_ratios


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class NearOptimalSubsets(NearOptimal):
    r"""All subsets of k variables that fit nearly as well as the best one, with proof.

    The residual sum of squares s(T) of a subset T is the least :math:`\|y-Mw\|^2+\lambda\|w\|^2` of
    coefficients on T, with the best constant where there is an intercept; those with
    :math:`s(T)\le(1+\varepsilon)\min_T s(T)` are listed. The `values` of `NearOptimal` are what subsets
    explain, the sum of squares of y less s(T).

    Attributes
    ----------
    within : float
        The fraction :math:`\varepsilon` of the least residual sum of squares; the other fields that are not
        named here are those of `NearOptimal`.
    energy : Fraction
        The sum of squares of y, centred where there is an intercept.
    coefficients : (n,) array for each subset
    intercepts : float for each subset
    n : int
        Number of variables.
    data_words : str
        As of `SubsetSelection`.

    Examples
    --------
    >>> import numpy as np
    >>> from relaxspca.applications import near_optimal_subsets
    >>> M = np.array([[1.0, 0.0, 1.0], [0.0, 1.0, 1.0], [1.0, -1.0, 0.5]])
    >>> found = near_optimal_subsets(M, [1.0, 0.2, 1.0], 1, within=0.5)
    >>> found.supports, round(found.residuals[0][1], 9), round(found.others_at_least, 9)
    ((('x0',),), 0.04, 0.06)
    """

    energy: Fraction
    coefficients: tuple[Array, ...]
    intercepts: tuple[float, ...]
    n: int
    data_words: str = ""

    _measured = "residual"
    _behind = "more at most, %"
    _file = "near_optimal_subsets_k{0.k}"

    @property
    def residuals(self) -> tuple[tuple[float, float], ...]:
        """Proved bounds on the residual sum of squares of each subset, the least first."""
        return tuple((self._left(high), float_above(self.energy - Fraction(low))) for low, high in self.values)

    @property
    def others_at_least(self) -> float:
        """No subset that is not listed leaves a smaller residual sum of squares; infinity where all are."""
        return math.inf if self.upper == -math.inf else self._left(self.upper)

    @property
    def complete_within(self) -> float | None:
        """The largest fraction of the least residual within which the list is proved complete, or None."""
        most, rest = self.residuals[0][1], self.others_at_least
        if rest == math.inf:
            return math.inf
        if most <= 0 or rest < most:
            return self.within if self.is_complete else None
        found = -float_above(1 - Fraction(rest) / Fraction(most))
        return max(found, self.within) if self.is_complete else found

    @property
    def nearness(self) -> str:
        """How near to the best the listed subsets are, in words."""
        least = f"the least {'penalised ' * bool(self._fitted.ridge)}residual sum of squares"
        if not self.within:
            return f"within rounding of {least}"
        most = (1 + Fraction(self.within)) * min(Fraction(low) for low, _ in self.residuals)
        unsure = sum(Fraction(high) > most for _, high in self.residuals)
        but = f", {unsure} of them up to rounding" if unsure else ""
        return f"within {exact_percent(self.within)} % of {least}{but}"

    def to_records(self) -> list[dict[str, Any]]:
        """Return a dict for every subset, in full precision; bounds are true when read as decimals too."""
        rows = zip(super().to_records(), self.coefficients, self.indices, self.intercepts, strict=True)
        return [
            record | {"coefficients": " ".join(map(repr, w[list(used)].tolist())), "intercept": constant}
            for record, w, used, constant in rows
        ]

    def _left(self, explained: float) -> float:
        """Return what is left of the sum of squares of y, rounded down."""
        return max(-float_above(Fraction(explained) - self.energy), 0.0)

    @property
    def _fitted(self) -> Any:
        return self.certificate.subject

    @property
    def _about(self) -> str:
        constant = " and an intercept" if self._fitted.intercept else ", without a constant"
        among = f"{counted(self.n, 'variable')}{constant}{subject_to(self.meant)}"
        return f"least squares on {among}; {self.data_words}"

    @property
    def _others(self) -> str:
        return f"leaves at least {at_least(self.others_at_least)}"

    @property
    def _measures(self) -> tuple[tuple[float, float], ...]:
        return self.residuals

    def _short(self, at: int) -> str:
        """Return how much more than the least residual a subset leaves at most, in percent."""
        least = Fraction(self.residuals[0][0])
        return percent_up(Fraction(self.residuals[at][1]) / least - 1, 3) if least else ""


def near_optimal_subsets(
    M: Any,
    y: Any,
    k: int,
    *,
    within: float = 0.01,
    limit: int = 1000,
    intercept: bool = False,
    ridge: float = 0.0,
    time_limit: float | None = None,
    names: Sequence[str] | None = None,
    include: Any = (),
    exclude: Any = (),
) -> NearOptimalSubsets:
    r"""List every subset of k variables that fits nearly as well as the best, and prove the list complete.

    .. math:: \{T : |T|=k,\ s(T)\le(1+\varepsilon)\min_{|U|=k} s(U)\},\quad
        s(T)=\min_{w=0\text{ off }T}\|y-Mw\|^2+\lambda\|w\|^2

    Parameters
    ----------
    M : (p, n) array_like or DataFrame
        Variables by columns; none is constant, and none a multiple of another.
    y : (p,) array_like
        Response.
    k : int, from 1 to min(n, p), or to n with a ridge term
    within : float
        The fraction :math:`\varepsilon`, at least 0, of the least residual sum of squares s(k), the ridge term
        included: 0.01 lists subsets that leave at most 1 % more. With 0 ties are listed, up to 1e-9 of the sum
        of squares that the best explains.
    limit : int
        The search stops when so many subsets are listed.
    intercept, ridge, time_limit, names, include, exclude : as in `subset_selection`.

    Returns
    -------
    NearOptimalSubsets
        When `limit`, `time_limit` or Ctrl-C ended the search its list is not complete, and it says within which
        smaller fraction it is.

    Raises
    ------
    InputError
        As `subset_selection`; or a variable is constant, or equals another up to a factor: a list would have
        every subset twice.

    Notes
    -----
    What a subset explains is a ratio of two quadratic forms A and B (`subset_selection`); the subsets of a
    ratio above mu are those whose block of A - mu B has an eigenvalue above 0, and a search for all of these
    lists them. The list may hold a few subsets that miss the fraction by rounding.

    Examples
    --------
    >>> rng = np.random.default_rng(0)
    >>> M = rng.standard_normal((50, 5))
    >>> M[:, 4] = M[:, 0] + 0.05 * rng.standard_normal(50)
    >>> y = M[:, 0] + M[:, 1] + rng.standard_normal(50)
    >>> found = near_optimal_subsets(M, y, 2, within=0.05)
    >>> found.indices, found.core, found.is_complete
    (((1, 4), (0, 1)), ('x1',), True)
    """
    problem = RegressionProblem(M, y, names, intercept, ridge=ridge, include=include, exclude=exclude)
    pencil, k = problem.pencil, checked_size(k, problem)
    limits = SearchLimits.checked(within=within, time_limit=time_limit)
    limit = whole_number(limit, "limit", most=math.inf)
    dropped = np.setdiff1d(np.arange(len(problem.names)), [*problem.used, *problem.conditions.exclude])
    if len(dropped):
        name = problem.names[int(dropped[0])]
        raise InputError(
            f"{name} is constant, or equals another variable up to a factor, so that a list would hold many "
            f"subsets of one fit: leave it out, with exclude=[{name!r}]"
        )
    assert pencil is not None  # no variable that may be used is constant
    start, _ = problem.proposed(k, limits.deadline.part(2))
    energy = float(problem.energy * pencil.unit)
    bounds: dict[str, Any] = {"most": problem.highest_ratio, "least": pencil.least_form()}
    options: dict[str, Any] = {"longest": limit, "limits": limits, "conditions": problem.conditions_on_used}
    listed = list_ratios(
        pencil, k, start, lambda explained: within * max(energy - explained, 0.0), **bounds, **options
    )
    assert listed is not None  # no fit explains more than the sum of squares of y
    used, names = problem.used, problem.names
    vectors = [as_array(spread(found.loadings, used, len(names))) for found in listed.candidates]
    candidates = tuple(
        replace(found, indices=used[found.indices], loadings=vector, names=names)
        for found, vector in zip(listed.candidates, vectors, strict=True)
    )
    weights, constants = zip(*(problem.coefficients(found.indices) for found in candidates), strict=True)
    listed = replace(listed, within=float(within), candidates=candidates, meant=problem.meant)
    return NearOptimalSubsets(
        **vars(listed) | {"seconds": limits.deadline.elapsed},
        energy=problem.energy,
        coefficients=tuple(map(as_array, weights)),
        intercepts=constants,
        n=len(names),
        data_words=problem.data_words,
    )
