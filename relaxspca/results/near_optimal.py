"""What `near_optimal` returns: every support within a fraction of the best, and what holds of all others."""

from __future__ import annotations

import math
from collections import Counter
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, ClassVar

from relaxspca.certificate import Certificate
from relaxspca.certificate.subject import Matrix
from relaxspca.certificate.wording import subject_to
from relaxspca.errors import counted, in_line
from relaxspca.numerics.decimals import float_above, interval, rounded_down, rounded_up
from relaxspca.numerics.percent import brief_up, exact_percent, percent_down, percent_up
from relaxspca.problem.candidate import Candidate
from relaxspca.problem.gap import RELATIVE_WIDTH
from relaxspca.results.claims import about_matrix, recorded, variables_used
from relaxspca.results.digits import at_most, between
from relaxspca.results.duplicates import duplicates_of, duplicates_reported
from relaxspca.results.printable import Printable
from relaxspca.results.status import Status
from relaxspca.results.tables import Table

SHOWN = 20  # supports and variables in a printed table; files have all
CUT = f"The first {SHOWN} are shown"
ZERO = 1e-6  # loadings below it do not count as used


@dataclass(frozen=True, eq=False, repr=False)
class NearOptimal(Printable):
    r"""All supports of k variables that explain more than a fraction of the best, with proof.

    Of two matrices A and B, what is a variance here is the ratio x'Ax / x'Bx; there are no costs.

    Attributes
    ----------
    k : int
    within : float
        The fraction that was asked for; 0 stands for ties, up to a relative 1e-9. Where the best is so small
        beside the largest entry, of variables that are not excluded, that 1e-9 of that is more, what is listed
        is within that.
    candidates : tuple of Candidate
        The component of every support in the list, of k variables each, the best first.
    values : tuple of (float, float)
        Proved bounds on what each support explains (variance).
    target : float
        What was searched for: supports above it (variance).
    upper : float
        No support of k variables that is not listed explains more (variance); minus infinity where all are.
    status : Status
        "complete", or what stopped the search.
    certificate : Certificate
        The proof of the values and of the bound on all others; `relaxspca.verify` checks it.
    node_count : int
    costs : dict of (float, float)
        For each variable, when asked for: bounds on what is lost (variance) by leaving it out, where it is in
        the best support, or by forcing it in, where it is not.
    seconds : float
    open_costs : tuple of str
        Variables whose loss is not closed, because a limit or Ctrl-C stopped a search: both bounds hold, but
        they are wider than what a longer search proves.
    meant : str
        Of a ratio: the conditions on the supports in words, if variables are to be included or excluded.

    Examples
    --------
    >>> import relaxspca as rs
    >>> found = rs.near_optimal(rs.datasets.load_pitprops(), 10, within=0.01)
    >>> len(found.supports), found.is_complete, found.optional
    (5, True, ('moist', 'ovensg', 'clear', 'knots', 'diaknot'))
    """

    k: int
    within: float
    candidates: tuple[Candidate, ...]
    values: tuple[tuple[float, float], ...]
    target: float
    upper: float
    status: Status
    certificate: Certificate
    node_count: int
    seconds: float = 0.0
    costs: dict[str, tuple[float, float]] = field(default_factory=dict)
    open_costs: tuple[str, ...] = ()
    meant: str = ""

    @property
    def supports(self) -> tuple[tuple[str, ...], ...]:
        """The supports, as names, the best first."""
        return tuple(candidate.support for candidate in self.candidates)

    @property
    def indices(self) -> tuple[tuple[int, ...], ...]:
        """The supports, as positions."""
        return tuple(tuple(int(i) for i in candidate.indices) for candidate in self.candidates)

    @property
    def lower(self) -> float:
        """Proved variance of the best support."""
        return self.values[0][0]

    @property
    def runner_up(self) -> float:
        """Proved upper bound on the variance of every support but the best."""
        return max([self.upper, *(high for _, high in self.values[1:])])

    @property
    def is_complete(self) -> bool:
        """Whether every support within the fraction is listed."""
        return self.status is Status.COMPLETE

    @property
    def complete_within(self) -> float | None:
        """The largest fraction within which the list is proved complete; None if there is none."""
        if self.upper == -math.inf:
            return math.inf
        # The best lies between these; below others that are negative the larger end is the nearer in fractions.
        ends = [Fraction(self.lower), Fraction(max([self.upper, *(high for _, high in self.values)]))]
        if ends[0] <= self.upper or 0 in ends:
            return self.within if self.is_complete else None
        found = -float_above(-min((end - Fraction(self.upper)) / abs(end) for end in ends))
        return max(found, self.within) if self.is_complete else found

    @property
    def counts(self) -> dict[str, int]:
        """Number of supports that each used variable is in, the largest first."""
        return dict(Counter(name for support in self.supports for name in support).most_common())

    @property
    def core(self) -> tuple[str, ...]:
        """Variables that every support in the list has."""
        counts = self.counts
        return tuple(name for name in self.certificate.names if counts.get(name) == len(self.supports))

    @property
    def optional(self) -> tuple[str, ...]:
        """Variables that some supports in the list have and others have not."""
        counts = self.counts
        return tuple(name for name in self.certificate.names if 0 < counts.get(name, 0) < len(self.supports))

    @property
    def is_unique(self) -> bool | None:
        """Whether the best support is the only one.

        True where that is proved. False where the list of ties is complete and has more than one: supports as
        good as the best to the width of ties, which does not say that they are so to the last digit. Else None.
        """
        if self.lower > self.runner_up:
            return True
        return False if len(self.values) > 1 and self.is_complete and self.within == 0 else None

    @property
    def components(self) -> tuple[tuple[str, ...], ...]:
        """The distinct sets of variables with a loading that is not 0; other supports only add idle ones."""
        used = [
            tuple(c.names[i] for i in c.indices if abs(float(c.loadings[i])) > ZERO) for c in self.candidates
        ]
        return tuple(dict.fromkeys(used))

    @property
    def radius(self) -> float:
        """Spectral norm of a change of the matrix up to which the best support stays best (variance).

        It is half the distance to the second best, rounded down, and 0 where the best is not proved unique, or
        of two matrices; `relaxspca.stability` says more.
        """
        if not self._is_of_variances:
            return 0.0
        if self.runner_up == -math.inf:
            return math.inf
        half = (Fraction(self.lower) - Fraction(self.runner_up)) / 2
        return max(math.nextafter(float(half), -math.inf), 0.0)

    def to_records(self) -> list[dict[str, Any]]:
        """Return a dict for every support, in full precision; bounds are true when read as decimals too."""
        rows = enumerate(zip(self._measures, self.supports, self.indices, strict=True), start=1)
        return [
            {"rank": rank, **recorded(*bounds), **variables_used(names, at)}
            for rank, (bounds, names, at) in rows
        ]

    def _statement(self) -> list[str]:
        count, about = len(self.supports), self._about
        sets = f"{counted(count, 'set')} of {counted(self.k, 'variable')}"
        near = f"{'comes' if count == 1 else 'come'} {self.nearness}"
        if self.upper == -math.inf:
            lines = [f"{sets} {near}, and there is no other ({about})."]
        elif self.is_complete:
            lines = [f"Exactly {sets} {near} (proved; {about}). Any other set {self._others}."]
        else:
            within, complete = "not proved complete for any tolerance.", self.complete_within
            if complete is not None:
                within = f"complete within {percent_down(complete, 2)} %: any other set {self._others}."
            lines = [f"{sets} {near} so far ({about}); {self.status.how}.", f"The list is {within}"]
        if len(self.components) < count:
            many = counted(len(self.components), "distinct component")
            lines.append(f"They have {many}: the other sets add variables with loadings below {ZERO:g}.")
        if count > 1:
            lines.append(f"Common to all: {in_line(self.core) or 'no variable'}.")
        if self.is_unique and self.runner_up > -math.inf:
            safe = (
                ", and remains so for any perturbation of the matrix with spectral norm below "
                f"{rounded_down(self.radius, 3)} (half its lead; stability, where ties are allowed, may "
                "find more)"
            )
            lines.append(f"The best set is the only optimum{safe if self._is_of_variances else ''}.")
        if self._is_of_variances:
            used = sorted({i for support in self.indices for i in support})
            lines += duplicates_reported(duplicates_of(self.certificate, used))
        if self.open_costs:
            many = f"{len(self.open_costs)} of {counted(len(self.costs), 'variable')}"
            lines.append(f"The losses of {many} are known only between bounds: a search was stopped.")
        return lines

    @property
    def _about(self) -> str:
        """What the sets are of."""
        if self._is_of_variances:
            return about_matrix(self.certificate)
        many = counted(len(self.certificate.names), "variable")
        return f"ratio x'Ax / x'Bx of {many}{subject_to(self.meant)}"

    @property
    def _is_of_variances(self) -> bool:
        return isinstance(self.certificate.subject, Matrix)

    @property
    def _others(self) -> str:
        """What holds of a set that is not listed."""
        what = "explains" if self._is_of_variances else "has a ratio of"
        return f"{what} at most {at_most(self.upper)}"

    def _notes(self, *, on_paper: bool = False) -> list[str]:
        is_cut = max(len(self.supports), len({*self.counts, *self.costs})) > SHOWN
        return [f"{CUT}; --latex (to_latex) has all."] if is_cut and not on_paper else []

    @property
    def nearness(self) -> str:
        """How near to the best the listed sets are, in words."""
        best, slack = Fraction(self.lower), Fraction(self.lower) - Fraction(self.target)
        asked = max(Fraction(self.within), Fraction(RELATIVE_WIDTH)) * abs(best)
        is_zero = slack > asked + abs(best) / 2**51  # by more than the target is rounded
        said = slack if is_zero else Fraction(self.within or RELATIVE_WIDTH) * abs(best)
        unsure = sum(Fraction(value) < best - said for value, _ in self.values)
        but = f", {unsure} of them up to rounding" if unsure else ""
        if is_zero:
            return f"within {brief_up(slack)} of the best, which is 0 up to rounding{but}"
        if not self.within:
            return f"within a relative 1e-9 of the best{but}"
        return f"within {exact_percent(self.within)} % of the best{but}"

    def _tables(self) -> list[Table]:
        return [self._supports(SHOWN), self._variables(SHOWN)]

    def _paper_tables(self) -> list[Table]:
        return [self._supports(len(self.supports)), self._variables(len(self.certificate.names))]

    def _supports(self, most: int) -> Table:
        core = set(self.core) if len(self.supports) > 1 else set()
        rows = []
        for at, (low, high) in enumerate(self._measures[:most]):
            rest = [name for name in self.supports[at] if name not in core]
            rows.append([f"{at + 1}", between(low, high).brief, self._short(at) if at else "", in_line(rest)])
        beyond = "variables not common to all" if core else "variables"
        return Table(("rank", self._measured, self._behind, beyond), rows, (0, 1, 2), wrapped=(3,))

    @property
    def _measures(self) -> tuple[tuple[float, float], ...]:
        """Proved bounds on what is printed of each support, the best first."""
        return self.values

    def _short(self, at: int) -> str:
        """Return how far below the first of the list a support is at most, in percent of it."""
        first, most = self.values[0]
        loss = Fraction(most) - Fraction(self.values[at][0])
        if first <= 0 <= most:
            return f"{rounded_up(max(loss, Fraction(0)), 2)} of {self._measured}"
        return percent_up(loss / min(abs(Fraction(first)), abs(Fraction(most))), 3)

    def _variables(self, most: int) -> Table:
        counts, best = self.counts, set(self.supports[0])
        names = list(dict.fromkeys([*counts, *self.costs]))[:most]
        rows = [[name, f"{counts.get(name, 0)} of {len(self.supports)}"] for name in names]
        if not self.costs:
            return Table(("variable", "in sets"), rows, (1,), wrapped=(0,))
        losses = {name: interval(*bounds, 4).brief for name, bounds in self.costs.items()}
        for name, row in zip(names, rows, strict=True):
            row += ["out" if name in best else "in", losses[name]] if name in losses else ["", ""]
        return Table(("variable", "in sets", "forced", "loss (variance)"), rows, (1, 3), wrapped=(0,))

    _figure = "plot_near_optimal"
    _behind: ClassVar[str] = "shortfall, %"

    @property
    def _measured(self) -> str:
        return "variance" if self._is_of_variances else "ratio"

    @property
    def _file(self) -> str:  # type: ignore[override]
        return "near_optimal_k{0.k}" if self._is_of_variances else "near_optimal_ratio_k{0.k}"
