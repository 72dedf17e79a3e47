"""What a report says of a path, a result or a comparison: statement, table, figures and proofs."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from html import escape
from typing import Any

from relaxspca.certificate import Certificate, TableCertificate, statement
from relaxspca.errors import InputError, counted, in_line, without_data_warnings
from relaxspca.numerics.decimals import brief_up, exact_decimal, rounded_down, rounded_up
from relaxspca.plotting import (
    plot_comparison,
    plot_graph,
    plot_intervals,
    plot_loadings,
    plot_path,
    plot_progress,
    plot_supports,
    plot_tree,
)
from relaxspca.problem.candidate import Candidate
from relaxspca.problem.covariance import Covariance
from relaxspca.report.several import table_content
from relaxspca.results.claims import claimed_interval
from relaxspca.results.comparison import Comparison
from relaxspca.results.component_table import ComponentTable
from relaxspca.results.duplicates import block_in_use
from relaxspca.results.path_table import Path
from relaxspca.results.relative_difference import gain_at_most, gap_cell
from relaxspca.results.result import Result

__all__ = ["Content", "content_about"]

Figure = tuple[str, Callable[[], Any]]  # a caption, and what draws the figure

LARGEST_GRAPH = 16  # vertices that stand apart
INTERVALS = (
    "“<i>a</i> to <i>b</i>” are the two bounds, rounded outwards; “<i>c</i> (±<i>d</i>)” says that both bounds "
    "are within <i>d</i> of <i>c</i>. "
)


@dataclass(frozen=True)
class Content:
    """What a report says of one kind of result.

    Attributes
    ----------
    statement : str
        What is proved, as HTML.
    header, cells : the main table; its header as HTML, its cells as plain text.
    numbers : positions of the columns that hold numbers, which no line may break.
    rule : a line is drawn above the row of this number.
    note : how the numbers are to be read, as HTML that ends in a space.
    figures : captions, and functions that draw.
    certificates : the proofs by name.
    """

    statement: str
    header: Sequence[str]
    cells: Sequence[Sequence[str]]
    numbers: Sequence[int]
    figures: Sequence[Figure]
    certificates: dict[str, Certificate] | dict[str, Certificate | TableCertificate]
    note: str = ""
    rule: int | None = None


def content_about(found: Path | Result | Comparison | ComponentTable) -> Content:
    """Return what a report says of a result; of anything else, raise `InputError`."""
    build = next((build for kind, build in CONTENTS.items() if isinstance(found, kind)), None)
    if build is None:
        raise InputError(
            f"a report is about a Path, a Result, a Comparison or components, not {type(found).__name__}"
        )
    return build(found)


def _of_path(path: Path) -> Content:
    over_k = path.over == "k"
    quantity = "<i>v<sub>k</sub></i>" if over_k else "<i>&phi;</i>(<i>&rho;</i>)"
    proved = sum(row.certified for row in path.rows)
    claim = (
        f"{_matrix(path.rows[0].certificate)} Every row of the table bounds {quantity} from both sides, and "
        f"its variables attain the lower bound. In {proved} of {counted(len(path.rows), 'row')} the bounds "
        f"agree to within a relative {brief_up(path.tol)}."
    )
    if path.is_interrupted:
        claim += " The work was interrupted: rows that were not reached are missing."
    cells = [
        [
            str(row.k) if row.rho is None else exact_decimal(row.rho),
            claimed_interval(row.certificate, 10).cell,
            gap_cell(row.lower, row.upper, row.gap),
            row.by,
            in_line(row.support) or "none",
        ]
        for row in path.rows
    ]
    header = ["k" if over_k else "&rho;", quantity, "gap, %", "proved by", "variables"]
    named = {f"{path.over}{key:g}": certificate for key, certificate in path.certificates.items()}
    gaps = "".join(f"{note[:1].upper()}{note[1:]}. " for note in path._notes())
    return Content(claim, header, cells, (0, 1, 2), _figures_of_path(path), named, INTERVALS + gaps)


def _figures_of_path(path: Path) -> list[Figure]:
    dot = "" if path.over == "k" else " The dot is the penalty of the row."
    return [
        (
            "The value of the component found and the proved upper bound; below, their relative gap, which "
            "counts as closed under the dotted line.",
            lambda: plot_path(path),
        ),
        (
            "Which variables enter and leave; the area is the modulus of the loading.",
            lambda: plot_supports(path).figure,
        ),
        (
            "When would a penalty choose the same variables? A bar spans the penalties ρ at which the row's "
            "variables meet the first-order conditions of max x'Σx − ρ Card(x), |x| = 1; at any other penalty "
            f"some other choice is at least as good. A cross: at every penalty some other choice is.{dot}",
            lambda: plot_intervals(path).figure,
        ),
    ]


def _of_result(result: Result) -> Content:
    certificate = result.certificate
    if certificate.k is not None:
        symbol = f"<i>v</i><sub>{certificate.k}</sub>"
    else:
        symbol = f"<i>&phi;</i>({exact_decimal(certificate.rho or 0.0)})"
    bounds = claimed_interval(certificate).html(symbol)
    claim = f"{_matrix(certificate)} Then {bounds}. {_verdict(result)}"
    figures: list[Figure] = [
        ("Bounds during the search.", lambda: plot_progress(result).figure),
        ("The tree that proves the upper bound.", lambda: plot_tree(certificate).figure),
    ]
    if len(certificate.indices):
        # Where variables were eliminated, the certificate numbers those that are left.
        shown = replace(
            result.candidate,
            indices=certificate.indices,
            names=certificate.names,
            loadings=certificate.loadings,
        )
        names = certificate.names
        figures.insert(0, ("Loadings of the component.", lambda: plot_loadings(shown, names).figure))
    if 2 <= len(certificate.indices) <= LARGEST_GRAPH:
        caption = (
            "How the variables of the component correlate; the area of a vertex is the modulus of its loading."
        )
        figures.insert(1, (caption, lambda: _graph(certificate)))
    order = sorted(certificate.indices, key=lambda i: -abs(certificate.loadings[i]))
    cells = [[certificate.names[i], f"{certificate.loadings[i]:.4f}"] for i in order]
    return Content(claim, ["variable", "loading"], cells, (1,), figures, {"component": certificate})


def _verdict(result: Result) -> str:
    """Say of the variables found whether they are the best, and never more than is proved."""
    is_optimal = result.status == "optimal"
    if not result.support:
        unproved = "No component was found that is worth its penalty; that there is none is not proved."
        return "No variable is worth its penalty." if is_optimal else unproved
    found = f"The variables {{{escape(in_line(result.support))}}} attain the lower bound"
    if is_optimal and result.gap == 0 and result.upper > result.lower:
        return f"{found}, so they are optimal: the optimum is 0 up to rounding."
    if is_optimal:
        return f"{found}, so they are optimal to within a relative {rounded_up(result.gap, 2)}."
    larger = f": the optimum may be up to {gain_at_most(result.upper, (result.lower, result.lower))} larger"
    return f"{found}; that they are optimal is not proved{larger if math.isfinite(result.upper) else ''}."


def _graph(certificate: Certificate) -> Any:
    """Draw the correlations among the variables in use."""
    T = certificate.indices
    block = block_in_use(certificate)
    with without_data_warnings():
        # That a matrix is not semidefinite has been said when it was read.
        cov = Covariance((block + block.T) / 2, names=[certificate.names[i] for i in T])
    return plot_graph(cov, Candidate.from_loadings(cov, certificate.loadings[T])).figure


def _of_comparison(comparison: Comparison) -> Content:
    judge = comparison.result
    upper = rounded_up(comparison.upper, 10)
    claim = f"No component of {counted(comparison.k, 'variable')} explains more than {upper}."
    if judge is not None:
        claim = f"{_matrix(judge.certificate)} {claim}"
    cells = [
        [
            row.method,
            rounded_down(row.lower),
            gap_cell(row.lower, comparison.upper, row.gap),
            f"{row.seconds:.3f}",
            in_line(row.support),
        ]
        for row in comparison.rows
    ]
    caption = "Gap of every method to the proved bound, with its time."
    certificates = {} if judge is None else {"bound": judge.certificate}
    header = ["method", "value", "gap, %", "seconds", "variables"]
    figures = [(caption, lambda: plot_comparison(comparison).figure)]
    return Content(claim, header, cells, (1, 2, 3), figures, certificates, "Values are rounded down, gaps up. ")


CONTENTS: dict[type, Callable[[Any], Content]] = {
    Path: _of_path,
    Result: _of_result,
    Comparison: _of_comparison,
    ComponentTable: lambda found: Content(**table_content(found)),
}


def _matrix(certificate: Certificate) -> str:
    """Name the matrix, with its digest and all that the claim presupposes, as HTML."""
    described = escape(statement.matrix(certificate)).replace(" x ", " &times; ", 1)
    notes = "".join(f" Note: {escape(condition)}." for condition in statement.conditions(certificate))
    return f"Let &Sigma; be the {described}, with digest <code>{certificate.digest}</code>.{notes}"
