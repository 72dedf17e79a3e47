"""What a report says of a path, a result or a comparison: statement, table, figures and proofs."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
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
from relaxspca.results.path_table import Path, any_will_do
from relaxspca.results.result import Result
from relaxspca.results.tables import Table

Figure = tuple[str, Callable[[], Any]]  # a caption, and what draws the figure
FIGURES: dict[type, dict[str, Callable[[Any], Any]]] = {
    Path: {
        "Variance of the component and the proved upper bound; below, their relative gap: below the "
        "dotted line a row counts as optimal.": plot_path,
        "Which variables enter and leave; the area is the modulus of the loading.": plot_supports,
    },
    Result: {"Loadings of the component.": plot_loadings, "Bounds during the search.": plot_progress},
    Comparison: {"Gap of every method to the proved bound, with its time.": plot_comparison},
    ComponentTable: {"Loadings of the components.": plot_components},
}

NOTES: dict[type, str] = {
    Path: "A single number is rounded: both bounds agree with it to its last digit. “<i>a</i> to <i>b</i>” are "
    "the two bounds, rounded outwards. ",
    ComponentTable: "“Cumulative” is what the span of the components so far explains (Shen and Huang 2008), "
    "for orthogonal components the sum of their variances; “adjusted” counts what each score adds to the "
    "previous ones (Zou, Hastie and Tibshirani 2006; see Camacho et al., arXiv 1907.03989, for a criticism). ",
}


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
    kind = next((kind for kind in FIGURES if isinstance(found, kind)), None)
    if kind is None:
        raise InputError(
            f"a report is about a Path, a Result, a Comparison or components, not {type(found).__name__}"
        )
    figures: list[Figure] = [
        (caption, partial(draw, found))
        for caption, draw in FIGURES[kind].items()
        if draw is not plot_loadings or getattr(found, "support", True)
    ]
    note = "".join(f"{escape(note)} " for note in found._notes())
    table, certificates = _table(found), found._certificates()
    return Content(_statement(found), table, figures, certificates, NOTES.get(kind, "") + note)


def _statement(found: Path | Result | Comparison | ComponentTable) -> str:
    """Return what is proved, and of which matrix, as HTML."""
    certificate = next(iter(found._certificates().values()), None)
    if isinstance(found, ComponentTable) or certificate is None:
        lines = [*map(escape, found.statement.splitlines())]
        if certificate is not None:
            lines.append(f"The matrix has the digest <code>{certificate.digest}</code>.")
        return "<br>".join(lines)
    lines = [*found._paper_statement()]
    if isinstance(found, Path) and found.is_interrupted:
        lines.append("Rows that were not reached are missing.")
    return f"{_matrix(certificate)} {escape(' '.join(lines))}"


def _table(found: Path | Result | Comparison | ComponentTable) -> Table:
    """Return the table of a page: a path has the loadings of its rows, components what is said of each."""
    if isinstance(found, ComponentTable):
        judged = found._verdicts() if isinstance(found, CertifiedTable) else {}
        return found._loadings_table(
            more=[*found._below(), *([title, *cells] for title, cells in judged.items())]
        )
    table = found._tables()[0]
    if not isinstance(found, Path):
        return table
    loadings = [
        "any"
        if any_will_do(row)
        else ", ".join(f"{name} {loading_text(value, 3)}" for name, value in row.loadings.items())
        for row in found.rows
    ]
    cells = [[*row[:1], *row[2:], lines] for row, lines in zip(table.rows, loadings, strict=True)]
    header = (*table.header[:1], *table.header[2:], "loadings")
    return Table(header, cells, tuple(at - (at > 1) for at in table.right))


def _matrix(certificate: Certificate) -> str:
    """Name the matrix, with its digest and all that the claim presupposes, as HTML."""
    described = escape(wording.matrix(certificate)).replace(" x ", " &times; ", 1)
    notes = "".join(f" Note: {escape(condition)}." for condition in wording.conditions(certificate))
    return f"Let &Sigma; be the {described}, with digest <code>{certificate.digest}</code>.{notes}"
