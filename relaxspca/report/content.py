"""What a report says of a path, a result or a comparison: statement, table, figures and proofs."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from html import escape
from typing import Any

from relaxspca.certificate import Certificate, wording
from relaxspca.errors import InputError, without_data_warnings
from relaxspca.plotting import (
    plot_comparison,
    plot_graph,
    plot_loadings,
    plot_path,
    plot_progress,
    plot_supports,
    plot_tree,
)
from relaxspca.problem.candidate import Candidate
from relaxspca.problem.covariance import Covariance
from relaxspca.report.several import table_content
from relaxspca.results.comparison import Comparison
from relaxspca.results.component_table import ComponentTable
from relaxspca.results.duplicates import block_in_use
from relaxspca.results.path_table import Path
from relaxspca.results.result import Result

__all__ = ["Content", "content_about"]

Figure = tuple[str, Callable[[], Any]]  # a caption, and what draws the figure

LARGEST_GRAPH = 16  # vertices that stand apart
INTERVALS = (
    "A single number is rounded: both bounds agree with it to its last digit. “<i>a</i> to <i>b</i>” are the "
    "two bounds, rounded outwards. "
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
    certificates: dict[str, Certificate] | dict[str, Certificate]
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
    claim = f"{_matrix(path.rows[0].certificate)} {escape(' '.join(path._statement()))}"
    if path.is_interrupted:
        claim += " Rows that were not reached are missing."
    table = path._tables()[0]
    loadings = [
        "any" if row.is_any else ", ".join(f"{name} {value:.3f}" for name, value in row.loadings.items())
        for row in path.rows
    ]
    cells = [[*row[:1], *row[2:], lines] for row, lines in zip(table.rows, loadings, strict=True)]
    header = [escape(cell) for cell in (*table.header[:1], *table.header[2:], "loadings")]
    notes = "".join(f"{escape(note)} " for note in path._notes())
    numbers = [at - (at > 1) for at in table.right]
    return Content(
        claim, header, cells, numbers, _figures_of_path(path), dict(path._certificates()), INTERVALS + notes
    )


def _figures_of_path(path: Path) -> list[Figure]:
    return [
        (
            "Variance of the component and the proved upper bound; below, their relative gap: below the "
            "dotted line a row counts as optimal.",
            lambda: plot_path(path),
        ),
        (
            "Which variables enter and leave; the area is the modulus of the loading.",
            lambda: plot_supports(path).figure,
        ),
    ]


def _of_result(result: Result) -> Content:
    certificate = result.certificate
    claim = f"{_matrix(certificate)} {escape(' '.join(result._paper_statement()))}"
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
        figures.insert(0, ("Loadings of the component.", lambda: plot_loadings(shown).figure))
    if 2 <= len(certificate.indices) <= LARGEST_GRAPH:
        caption = (
            "How the variables of the component correlate; the area of a vertex is the modulus of its loading."
        )
        figures.insert(1, (caption, lambda: _graph(certificate)))
    order = sorted(certificate.indices, key=lambda i: -abs(certificate.loadings[i]))
    cells = [[certificate.names[i], f"{certificate.loadings[i]:.4f}"] for i in order]
    return Content(claim, ["variable", "loading"], cells, (1,), figures, {"component": certificate})


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
    claim = escape(" ".join(comparison._statement()))
    if judge is not None:
        claim = f"{_matrix(judge.certificate)} {claim}"
    table = comparison._tables()[0]
    notes = "".join(f"{escape(note)} " for note in comparison._notes())
    caption = "Gap of every method to the proved bound, with its time."
    certificates = {} if judge is None else {"bound": judge.certificate}
    header = [escape(cell) for cell in table.header]
    figures = [(caption, lambda: plot_comparison(comparison).figure)]
    return Content(claim, header, table.rows, table.right, figures, certificates, notes)


CONTENTS: dict[type, Callable[[Any], Content]] = {
    Path: _of_path,
    Result: _of_result,
    Comparison: _of_comparison,
    ComponentTable: lambda found: Content(**table_content(found)),
}


def _matrix(certificate: Certificate) -> str:
    """Name the matrix, with its digest and all that the claim presupposes, as HTML."""
    described = escape(wording.matrix(certificate)).replace(" x ", " &times; ", 1)
    notes = "".join(f" Note: {escape(condition)}." for condition in wording.conditions(certificate))
    return f"Let &Sigma; be the {described}, with digest <code>{certificate.digest}</code>.{notes}"
