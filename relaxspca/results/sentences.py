"""Every sentence that results print more than once: text, HTML, LaTeX and reports share them.

A sentence begins with a capital and ends in a full stop. Values are printed by `relaxspca.results.digits`.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from fractions import Fraction

from relaxspca.certificate.wording import subject_to
from relaxspca.errors import counted, in_line
from relaxspca.numerics.decimals import Interval
from relaxspca.numerics.percent import brief_up, percent_up
from relaxspca.results.digits import MOST
from relaxspca.results.status import Status

AS_FIRST = "Assessed as a first component."
AFTER = "To assess a later component, pass the earlier ones with after= (--after)."
NONE_FOUND = "No component was found that is worth its penalty; that there is none is not proved."
WORTHLESS = "No variable is worth its penalty."
NO_SHARE = "No share of the total variance is given where it is above 100 %: the matrix is indefinite."
UNCHECKED = "Uniqueness not checked."
ZERO = "both bounds count as 0 beside the largest entry"
OPENINGS = {
    Status.WITHIN_GAP: "Stopped at the requested gap",
    Status.TIME_LIMIT: "Stopped at the time limit",
    Status.NODE_LIMIT: "Stopped at the node limit",
    Status.ELIMINATION: "Not proved (not all variables could be searched)",
    Status.INTERRUPTED: "Interrupted",
    Status.IMPROVABLE: "Not optimal (a better one is known)",
    Status.OPEN: "Optimality not established",
    Status.UNPROVED: "Optimality not established",
}
PROOFS = {
    "kkt": "KKT conditions",
    "rowsum": "row sums",
    "search": "branch and bound",
    "spectral": "the largest eigenvalue",
    "trace": "the trace",
}


def largest_variance(k: int, n: int, scope: str = "", *, penalty: str = "") -> str:
    """Return which optimum is bounded, the subject of every claim about one component.

    Examples
    --------
    >>> largest_variance(5, 18), largest_variance(5, 18, "Telcm included")
    ('Largest variance with at most 5 of 18 variables', '... 18 variables, subject to Telcm included')
    >>> largest_variance(0, 18, penalty="0.2")
    'Largest variance less 0.2 for each variable used, of 18 variables'
    """
    what = f"less {penalty} for each variable used, of" if penalty else f"with at most {k} of"
    what = "of" if penalty == "0" else what
    return f"Largest variance {what} {counted(n, 'variable')}{subject_to(scope)}"


def claim(what: str, bounds: Interval, about: str = "") -> str:
    """Return a bounded value as a sentence that is true as printed.

    Examples
    --------
    >>> from relaxspca.numerics.decimals import interval
    >>> claim("Largest variance", interval(2.649021606, 2.649021607, 6), "correlation matrix")
    'Largest variance: 2.64902 (rounded; correlation matrix).'
    >>> claim("Largest variance", interval(2.5, 2.75, 6))
    'Largest variance: between 2.5000 and 2.7500.'
    """
    if bounds.centre is None:
        is_bounded = bounds.upper != "inf"
        value = f"between {bounds.lower} and {bounds.upper}" if is_bounded else f"at least {bounds.lower}"
        how = ""
    else:
        how = "" if bounds.radius == "0" else ("rounded" if bounds.is_rounded else f"±{bounds.radius}")
        value = bounds.centre
    note = "; ".join(text for text in (how, about) if text)
    return f"{what}: {value}{f' ({note})' if note else ''}."


def verdict(
    status: Status, lower: float, upper: float, gap: float, *, of: str = "", unit: str = "variance"
) -> str:
    """Return what the bounds and the status say of what was found and attains the lower bound.

    `of` is what is optimal, where that is not one component: "These components are jointly". The bounds are of
    a ratio where the unit says so.

    Examples
    --------
    >>> verdict(Status.OPTIMAL, 1.0, 1.0 + 2e-12, 2e-12)
    'Proved optimal (relative gap 2e-12). Uniqueness not checked.'
    >>> verdict(Status.TIME_LIMIT, 1.0, 1.1, 0.1)
    'Stopped at the time limit: the optimum is larger by at most 11 %.'
    """
    if status is Status.OPTIMAL:
        return f"{optimal(lower, upper, gap, of=of)} {UNCHECKED}"
    # Of a lower bound that is 0, or almost, no percentage says anything.
    is_wide = gap > MOST and math.isfinite(upper) and math.isfinite(lower)
    most = f"{brief_up(Fraction(upper) - Fraction(lower))} ({unit})" if is_wide else f"{percent_up(gap)} %"
    return f"{OPENINGS[status]}: the optimum is larger by at most {most}."


def optimal(lower: float, upper: float, gap: float, *, of: str = "") -> str:
    """Return that what was found is optimal, with the relative gap that is left."""
    within = f"relative gap {brief_up(gap)}"
    if gap == 0 and upper > lower:  # both are 0 but for rounding, and no width is a fraction of that
        within = f"within {brief_up(Fraction(upper) - Fraction(lower))}, {ZERO}"
    return f"{of or 'Proved'} optimal ({within})."


def others_attain(ties: Sequence[Sequence[str]]) -> str:
    """Name one of the sets of variables that attain as much as the best."""
    one = in_line(ties[0])
    several = f"{len(ties)} other sets of variables, such as {one}, attain"
    others = f"the set {one} attains" if len(ties) == 1 else several
    return f"Perhaps not the only optimum: {others} as much to a relative 1e-9."


def proof_words(name: str) -> str:
    """Return what proved a bound, in words: the name of a relaxation where that is a term of its own."""
    return PROOFS.get(name, f"the relaxation {name}")


def components_of(r: int, *, counts: bool = False) -> str:
    """Return r orthogonal components in words; of one there is nothing to be orthogonal to.

    Examples
    --------
    >>> components_of(3), components_of(1), components_of(1, counts=True)
    ('3 orthogonal components', 'component', '1 component')
    """
    return f"{r} orthogonal components" if r > 1 else f"{'1 ' * counts}component"


def no_more_than(r: int, most: str, *, is_restricted: bool = False) -> str:
    """Return the bound on what r orthogonal components explain together, in percent of the total.

    With `is_restricted` it is about those that meet conditions, which a sentence before it says.

    Examples
    --------
    >>> no_more_than(3, "60.15")
    'no 3 orthogonal components of these sizes can explain more than 60.15 % in total'
    """
    these = "of these sizes" if r > 1 else "of this size"
    under = " under these conditions" if is_restricted else ""
    return f"no {components_of(r)} {these}{under} can explain more than {most} % in total"


def sizes_in_words(sizes: Sequence[int]) -> str:
    """Return cardinalities in words.

    Examples
    --------
    >>> sizes_in_words([4, 4]), sizes_in_words([7, 4, 1])
    ('4 variables each', '7, 4 and 1 variables')
    """
    if len(set(sizes)) == 1:
        return f"{counted(sizes[0], 'variable')}{' each' * (len(sizes) > 1)}"
    return ", ".join(map(str, sizes[:-1])) + f" and {sizes[-1]} variables"
