"""Results of subset selection: a fit and a bound on all others, a path of fits, a verdict on a subset."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from relaxspca.certificate import Certificate
from relaxspca.certificate.wording import subject_to
from relaxspca.errors import counted, in_line
from relaxspca.numerics.decimals import exact_decimal, float_above, rounded, rounded_down, rounded_up
from relaxspca.numerics.linalg import Array
from relaxspca.numerics.percent import brief_up, decimal_above, decimal_below, percent_up
from relaxspca.problem.pencil import float_below
from relaxspca.results.claims import recorded, variables_used
from relaxspca.results.digits import between
from relaxspca.results.loadings import Loadings
from relaxspca.results.printable import ListOfRows, Printable
from relaxspca.results.sentences import OPENINGS, UNCHECKED, claim
from relaxspca.results.status import NARROW, Status
from relaxspca.results.tables import Table


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class Fit:
    """Least-squares coefficients with the names of their variables; fields as of `SubsetSelection`."""

    indices: tuple[int, ...]
    names: tuple[str, ...]
    coefficients: Array
    intercept: float
    has_intercept: bool
    ridge: float = 0.0
    data_words: str = ""

    @property
    def support(self) -> tuple[str, ...]:
        """Names of the variables used."""
        return tuple(self.names[i] for i in self.indices)

    @property
    def by_name(self) -> Loadings:
        """The coefficients by the name of their variable, the largest first."""
        return Loadings(self.names, self.coefficients)

    def _used(self) -> dict[str, Any]:
        """Return the variables and their coefficients as fields of a record."""
        used = variables_used(self.support, self.indices)
        used["coefficients"] = " ".join(repr(float(self.coefficients[i])) for i in self.indices)
        constant = {"intercept": self.intercept} if self.has_intercept else {}
        return used | constant | ({"ridge": self.ridge} if self.ridge else {})

    @property
    def _measured(self) -> str:
        """The name of the sum of squares that is minimised."""
        if not self.ridge:
            return "residual sum of squares"
        return f"|y - Mw|^2 + {exact_decimal(self.ridge)} |w|^2"

    def _tables(self) -> list[Table]:
        order = sorted(self.indices, key=lambda i: -abs(self.coefficients[i]))
        rows = [[self.names[i], rounded(float(self.coefficients[i]), 6)] for i in order]
        constant = [["intercept", rounded(self.intercept, 6)]] if self.has_intercept else []
        rule = len(rows) if constant else None
        return [Table(("variable", "coefficient"), rows + constant, (1,), rule=rule)]


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class SubsetSelection(Fit, Printable):
    r"""A least-squares fit with k variables and a proved bound on all others.

    Attributes
    ----------
    k : int
    indices : tuple of int
        The variables used, 0-based.
    names : tuple of n str
    coefficients : (n,) array
        w, zero off the support.
    intercept : float
        Constant added to Mw; 0 if none was asked for.
    has_intercept : bool
        Whether an intercept was fitted.
    ridge : float
        Lambda of the ridge term; 0 without one.
    data_words : str
        How many observations there are, and of what where the response has a name.
    lower, upper : float
        :math:`\text{lower}\le s(k)\le\text{upper}` (the unit of y, squared), the ridge term included. The
        coefficients attain `upper`, in exact arithmetic, with the best intercept where there is one.
    total : float
        The sum of squares of y, centred where there is an intercept, to working precision.
    status : Status
        "optimal", "time limit", "interrupted" or "open".
    steps : int
        Number of searches made.
    node_count : int
    method : str
        Name of the method that proposed the support.
    certificate : Certificate or None
        The claim of this k with its evidence and the data, to be saved and verified. Variables that are 0
        (constant, with an intercept), and repetitions of another up to a power of two, are left out there.
    meant : str
        The conditions on the subsets in words, if variables are to be included or excluded.

    Examples
    --------
    >>> import numpy as np
    >>> from relaxspca.applications import subset_selection
    >>> M = np.array([[1.0, 0.0, 1.0], [0.0, 1.0, 1.0], [1.0, -1.0, 0.5]])
    >>> subset_selection(M, [1.0, 1.0, 0.6], 1, names=["age", "weight", "height"])
    Least residual sum of squares with at most 1 of 3 variables: 0.00888889 (rounded; 3 observations).
    Proved optimal (to within ... of the sum of squares of y). Uniqueness not checked.
    Uses height; R squared about 0: 0.996234 (no constant is fitted).
    | variable | coefficient |
    | --- | ---: |
    | height | 1.02222 |
    """

    k: int
    lower: float
    upper: float
    total: float
    status: Status
    steps: int
    node_count: int
    method: str
    certificate: Certificate | None = None
    meant: str = ""

    _figure, _file = "plot_loadings", "subset_k{0.k}"

    @property
    def gap(self) -> float:
        """(upper - lower) / total, relative to the sum of squares of y because the residual may be near 0."""
        return part_of(self.upper, self.lower, self.total)

    @property
    def explained(self) -> tuple[float, float]:
        """1 - s / total (R squared without ridge): attained, and the most for k variables; rounded outwards."""
        # The total is the float nearest to the sum of squares.
        least, most = (Fraction(math.nextafter(self.total, to)) for to in (0.0, math.inf))
        attained = float_below(1 - Fraction(self.upper) / least) if least else -math.inf
        return attained, float_above(1 - Fraction(self.lower) / most)

    @property
    def is_optimal(self) -> bool:
        """Whether the bounds agree to 2e-9 of the sum of squares of y plus rounding."""
        return self.status is Status.OPTIMAL

    def to_records(self) -> list[dict[str, Any]]:
        """Return the fit as one flat dict in full precision; decimals of bounds are rounded outwards."""
        attained, most = self.explained
        name = "explained" if self.ridge else "r_squared"
        return [
            {"k": self.k, **recorded(self.lower, self.upper)}
            | {"gap": self.gap, name: decimal_below(attained), f"{name}_most": decimal_above(most)}
            | {"status": str(self.status)}
            | self._used()
            | {"method": self.method, "node_count": self.node_count, "steps": self.steps}
            | ({"meant": self.meant} if self.meant else {})
        ]

    def _statement(self) -> list[str]:
        what = f"Least {self._measured} with at most {self.k} of {self._among}"
        found = between(*self.explained, whole=1)
        value = found.brief if found.centre is not None else f"between {found.lower} and {found.upper}"
        how = "" if self.has_intercept or self.ridge else " (no constant is fitted)"
        return [
            claim(what, between(self.lower, self.upper), self.data_words),
            self._verdict(),
            f"Uses {in_line(self.support) or 'no variable'}; {self._about}: {value}{how}.",
        ]

    def _verdict(self) -> str:
        if self.is_optimal:
            return f"Proved optimal (to within {brief_up(self.gap)} of the sum of squares of y). {UNCHECKED}"
        open_part = f"{percent_up(self.gap)} % of the sum of squares of y"
        return f"{OPENINGS[self.status]}: the least is smaller by at most {open_part}."

    @property
    def _among(self) -> str:
        """What subsets are chosen from, and the conditions on them."""
        constant = " and an intercept" if self.has_intercept else ""
        return f"{counted(len(self.names), 'variable')}{constant}{subject_to(self.meant)}"

    @property
    def _about(self) -> str:
        """The name of the part that is explained."""
        if self.ridge:
            return "1 - least / (sum of squares of y)"
        return "R squared" if self.has_intercept else "R squared about 0"


@dataclass(frozen=True, eq=False, repr=False)
class SubsetPath(ListOfRows[SubsetSelection], Printable):
    """Fits of several sizes; indexed and counted like a list of `SubsetSelection`.

    Attributes
    ----------
    rows : tuple of SubsetSelection
    """

    rows: tuple[SubsetSelection, ...]

    _figure = "plot_selections"

    def to_records(self) -> list[dict[str, Any]]:
        """Return one flat dict per size, in full precision."""
        return [record for row in self.rows for record in row.to_records()]

    def _statement(self) -> list[str]:
        proved, first = sum(row.is_optimal for row in self.rows), self.rows[0]
        least = f"Least {first._measured}" if first.ridge else "Least squares"
        return [
            f"{least} on subsets of {first._among} ({first.data_words}): {proved} of "
            f"{counted(len(self.rows), 'subset')} proved optimal (to within 1e-6 of the sum of squares of y).",
            *([UNCHECKED] if proved else []),
            *([] if first.has_intercept else ["No constant is fitted."]),
        ]

    def _tables(self) -> list[Table]:
        columns = {
            "k": [str(row.k) for row in self],
            "least sum of squares": [between(row.lower, row.upper).brief for row in self],
            self.rows[0]._about: [between(*row.explained, whole=1).brief for row in self],
            "status": [str(row.status) for row in self],
            "variables": [in_line(row.support) for row in self],
        }
        return [Table.of(columns, (0, 1, 2), wrapped=(4,))]


def part_of(upper: float, lower: float, total: float) -> float:
    """Return (upper - lower) / total rounded up, where the total is exact to the nearest float."""
    width, least = Fraction(upper) - Fraction(lower), Fraction(math.nextafter(total, 0.0))
    if width <= 0:
        return 0.0
    return float_above(width / least) if least else math.inf


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class SubsetCertified(Fit, Printable):
    """Proved bounds on the loss of a given subset against the best one.

    Attributes
    ----------
    indices, names, coefficients, intercept, has_intercept, ridge, data_words
        As in `SubsetSelection`, of that subset.
    lower, upper : float
        Bounds on its residual sum of squares, the ridge term included.
    best : SubsetSelection
        The best subset of as many variables that was found, and the bound on all.

    Examples
    --------
    >>> import numpy as np
    >>> from relaxspca.applications import certify_subset
    >>> M = np.array([[1.0, 0.0, 1.0], [0.0, 1.0, 1.0], [1.0, -1.0, 0.5]])
    >>> judged = certify_subset(M, [1.0, 1.0, 0.6], ["age"], names=["age", "weight", "height"])
    >>> judged.status, judged.support, judged.best.support
    ('improvable', ('age',), ('height',))
    """

    lower: float
    upper: float
    best: SubsetSelection

    _figure = "plot_loadings"

    @property
    def k(self) -> int:
        """Number of variables of the subsets that it is compared with."""
        return self.best.k

    @property
    def loss(self) -> tuple[float, float]:
        """Bounds on its residual sum of squares less that of the best subset of k variables."""
        low = Fraction(self.lower) - Fraction(self.best.upper)
        high = Fraction(self.upper) - Fraction(self.best.lower)
        return max(float_below(low), 0.0), max(float_above(high), 0.0)

    @property
    def gap(self) -> float:
        """Upper bound on the loss, divided by the sum of squares of y."""
        return part_of(self.upper, self.best.lower, self.best.total)

    @property
    def is_optimal(self) -> bool:
        """Whether no subset of k variables is better by more than 1e-6 of the sum of squares of y."""
        return self.gap <= NARROW

    @property
    def status(self) -> Status:
        """Either "optimal", "improvable" (`best` is better by more than 1e-6), or the status of the search."""
        if self.is_optimal:
            return Status.OPTIMAL
        if self.loss[0] > NARROW * self.best.total:
            return Status.IMPROVABLE
        return Status.OPEN if self.best.status is Status.OPTIMAL else self.best.status

    @property
    def is_interrupted(self) -> bool:
        """Whether Ctrl-C ended the search for the best subset; the bounds hold."""
        return self.best.is_interrupted

    def _certificates(self) -> Mapping[str, Certificate]:
        return self.best._certificates()

    def to_records(self) -> list[dict[str, Any]]:
        """Return the result as one flat dict in full precision; decimals of bounds are rounded outwards."""
        least, most = self.loss
        return [
            {"k": self.k, **recorded(self.lower, self.upper)}
            | {"loss_least": decimal_below(least), "loss_most": decimal_above(most), "gap": self.gap}
            | {"status": str(self.status)}
            | self._used()
            | {"better": "" if self.is_optimal else in_line(self.best.support, "; ")}
            | recorded(self.best.lower, self.best.upper, of="best_")
        ]

    def _statement(self) -> list[str]:
        least, most = self.loss
        constant = " and a constant" if self.has_intercept else " (no constant is fitted)"
        what = f"{self._measured[0].upper()}{self._measured[1:]} of {in_line(self.support)}{constant}"
        lines = [claim(what, between(self.lower, self.upper), self.data_words)]
        of = counted(self.k, "variable") + subject_to(self.best.meant)
        if self.is_optimal:
            within = f"{brief_up(self.gap)} of the sum of squares of y"
            return [*lines, f"Proved optimal among subsets of {of} (to within {within}). {UNCHECKED}"]
        one, how = f"has a {self._measured} smaller by", f" ({self.status})"
        if self.status is Status.IMPROVABLE:
            better, how = in_line(self.best.support), ""
            lines.append(f"Not optimal: the subset {better} {one} {rounded_down(least, 6)} or more.")
        return [*lines, f"No subset of {of} {one} more than {rounded_up(most, 6)}{how}."]
