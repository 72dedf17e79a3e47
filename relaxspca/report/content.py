"""What a report says of a path, a result or a comparison: statement, table, figures and proofs."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from html import escape
from typing import Any

from relaxspca.certificate import Certificate, wording
from relaxspca.errors import InputError
from relaxspca.plotting import (
    plot_comparison,
    plot_components,
    plot_loadings,
    plot_path,
    plot_progress,
    plot_supports,
)
from relaxspca.results.certified_table import CertifiedTable
from relaxspca.results.comparison import Comparison
from relaxspca.results.component_table import ComponentTable
from relaxspca.results.loadings import loading_text
from relaxspca.results.path_table import Path
from relaxspca.results.printable import Printable
from relaxspca.results.result import Result
from relaxspca.results.tables import Table

Figure = tuple[str, Callable[[], Any]]  # a caption, and what draws the figure

INTERVALS = (
    "A single number is rounded: both bounds agree with it to its last digit. “<i>a</i> to <i>b</i>” are the "
    "two bounds, rounded outwards. "
)
SHARES = (
    "“Cumulative” is what the span of the components so far explains (Shen and Huang 2008), for orthogonal "
    "components the sum of their variances; “adjusted” counts what each score adds to the previous ones (Zou, "
    "Hastie and Tibshirani 2006; see Camacho et al., arXiv 1907.03989, for a criticism). "
)


@dataclass(frozen=True)
class Content:
    """What a report says of a result: statement as HTML, table, figures with captions, proofs by name, a note.

    The statement is what is proved; the note says how numbers are to be read and ends in a space.
    """

    statement: str
    table: Table
    figures: Sequence[Figure]
    certificates: Mapping[str, Certificate]
    note: str = ""


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
        "any"
        if row.is_any
        else ", ".join(f"{name} {loading_text(value, 3)}" for name, value in row.loadings.items())
        for row in path.rows
    ]
    cells = [[*row[:1], *row[2:], lines] for row, lines in zip(table.rows, loadings, strict=True)]
    header = (*table.header[:1], *table.header[2:], "loadings")
    shown = Table(header, cells, tuple(at - (at > 1) for at in table.right))
    return Content(claim, shown, _figures_of_path(path), path._certificates(), INTERVALS + _notes(path))


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
    figures: list[Figure] = [("Bounds during the search.", lambda: plot_progress(result).figure)]
    if len(certificate.indices):
        figures.insert(0, ("Loadings of the component.", lambda: plot_loadings(result).figure))
    table = Table(("variable", "loading"), result.loadings.cells(), (1,))
    return Content(claim, table, figures, result._certificates())


def _of_comparison(comparison: Comparison) -> Content:
    claim = f"{_matrix(comparison.result.certificate)} {escape(' '.join(comparison._statement()))}"
    caption = "Gap of every method to the proved bound, with its time."
    figures = [(caption, lambda: plot_comparison(comparison).figure)]
    (table,) = comparison._tables()
    return Content(claim, table, figures, comparison._certificates(), _notes(comparison))


def _of_components(found: ComponentTable) -> Content:
    lines, certificates = [*map(escape, found.statement.splitlines())], found._certificates()
    certificate = next(iter(certificates.values()), None)
    if certificate is not None:
        lines.append(f"The matrix has the digest <code>{certificate.digest}</code>.")
    # What is said of each component stands below its loadings.
    judged = found._verdicts() if isinstance(found, CertifiedTable) else {}
    table = found._loadings_table(more=[*found._below(), *([title, *cells] for title, cells in judged.items())])
    figures: list[Figure] = [("Loadings of the components.", lambda: plot_components(found).figure)]
    return Content("<br>".join(lines), table, figures, certificates, SHARES)


def _notes(found: Printable) -> str:
    return "".join(f"{escape(note)} " for note in found._notes())


CONTENTS: dict[type, Callable[[Any], Content]] = {
    Path: _of_path,
    Result: _of_result,
    Comparison: _of_comparison,
    ComponentTable: _of_components,
}


def _matrix(certificate: Certificate) -> str:
    """Name the matrix, with its digest and all that the claim presupposes, as HTML."""
    described = escape(wording.matrix(certificate)).replace(" x ", " &times; ", 1)
    notes = "".join(f" Note: {escape(condition)}." for condition in wording.conditions(certificate))
    return f"Let &Sigma; be the {described}, with digest <code>{certificate.digest}</code>.{notes}"
