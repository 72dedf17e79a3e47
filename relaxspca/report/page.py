"""A result as one page of HTML: statement, table, figures, verified certificates, command."""

from __future__ import annotations

import datetime
import os
import platform
import warnings
from collections.abc import Callable, Mapping, Sequence
from html import escape
from importlib.metadata import version
from pathlib import Path as FilePath
from typing import Any

import relaxspca
from relaxspca import plotting
from relaxspca.certificate import Certificate, wording
from relaxspca.checker import verify
from relaxspca.errors import InputError, MissingExtra
from relaxspca.report.html import claim_cell, document, image, self_check, table
from relaxspca.results.certified_table import CertifiedTable
from relaxspca.results.comparison import Comparison
from relaxspca.results.component_table import ComponentTable
from relaxspca.results.loadings import loading_text
from relaxspca.results.path_table import Path, any_will_do
from relaxspca.results.result import Result
from relaxspca.results.tables import Table, saved

Found = Path | Result | Comparison | ComponentTable
PROOFS = "certificates"
FIGURES: dict[type, dict[str, Callable[[Any], Any]]] = {
    Path: {
        "Variance of the component and the proved upper bound; below, their relative gap: below the "
        "dotted line a row counts as optimal.": plotting.plot_path,
        "Which variables enter and leave; the area is the modulus of the loading.": plotting.plot_supports,
    },
    Result: {
        "Loadings of the component.": plotting.plot_loadings,
        "Bounds during the search.": plotting.plot_progress,
    },
    Comparison: {"Gap of every method to the proved bound, with its time.": plotting.plot_comparison},
    ComponentTable: {"Loadings of the components.": plotting.plot_components},
}
NOTES: dict[type, str] = {
    Path: "A single number is rounded: both bounds agree with it to its last digit. “<i>a</i> to <i>b</i>” are "
    "the two bounds, rounded outwards. ",
    ComponentTable: "“Cumulative” is what the span of the components so far explains (Shen and Huang 2008), "
    "for orthogonal components the sum of their variances; “adjusted” counts what each score adds to the "
    "previous ones (Zou, Hastie and Tibshirani 2006; see Camacho et al., arXiv 1907.03989, for a criticism). ",
}


def write_report(
    found: Found,
    folder: str | os.PathLike[str],
    *,
    title: str = "Sparse principal components",
    command: str | None = None,
    data: str | None = None,
    date: datetime.date | None = None,
) -> FilePath:
    """Write a report that needs no other file to be read, with tables and certificates beside it.

    Parameters
    ----------
    found : Path, Result, Comparison, Components, JointComponents or CertifiedTable
    folder : path
        Made if need be. It gets ``index.html``, ``table.csv``, ``table.md``, ``table.tex`` and one
        certificate for each claim in ``certificates``, where there may be none yet.
    title : str
    command : str, optional
        What reproduces the report, for the reader.
    data : str, optional
        What the data were read as, such as "178 observations of 13 variables".
    date : datetime.date, optional
        When it was made; by default today.

    Returns
    -------
    pathlib.Path
        Of ``index.html``.

    Raises
    ------
    InputError
        `found` is none of these, or the folder holds certificates, which may be those of other data.

    Notes
    -----
    Every certificate is written, read again and verified before the page says so; one that does not
    verify is shown as such, with the checker's reason. What is printed is true as printed: bounds are rounded
    outwards, or stand as digits with the largest error beside them. Without matplotlib the page has no figures,
    says so, and a warning does too.

    Examples
    --------
    >>> import tempfile
    >>> result = relaxspca.solve(relaxspca.datasets.load_pitprops(), 5)
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     "verified" in write_report(result, folder).read_text()
    True
    """
    _kind_of(found)
    check_report_folder(folder)
    target = FilePath(folder)
    (target / PROOFS).mkdir(parents=True, exist_ok=True)
    certificates = found._certificates()
    proofs = [_proof(target, name, certificate) for name, certificate in certificates.items()]
    for ending in ("csv", "md", "tex"):
        found.save(target / f"table.{ending}")
    page = target / "index.html"
    files = {name: target / PROOFS / f"{name}.json" for name in certificates}
    saved(_page(title, found, proofs, files, command, data, date or datetime.date.today()), page)
    return page


def check_report_folder(folder: str | os.PathLike[str]) -> None:
    """Refuse a folder for a report that holds certificates: a reader would take them for the report's own."""
    proofs = FilePath(folder) / PROOFS
    if proofs.is_dir() and (there := sorted(proofs.iterdir())):
        raise InputError(
            f"{os.fspath(folder)} holds certificates of an earlier report ({PROOFS}/{there[0].name}), which "
            "would be taken for proofs of this one: name a new folder, or move that one away"
        )


def _proof(target: FilePath, name: str, certificate: Certificate) -> list[str]:
    """Save a certificate, verify the file, and return a row of the table of proofs (as HTML)."""
    file = target / PROOFS / f"{name}.json"
    certificate.save(file)
    verdict, state = verify(file), "verified"
    if not verdict:
        failed = verdict.outcome.name.lower()
        state = f'<span class="failed">{failed}</span>: {escape("; ".join(verdict.reasons))}'
    link = f'<a href="{PROOFS}/{escape(file.name)}">{escape(file.name)}</a>'
    # What the reader's browser says comes first: on a phone the rest scrolls out of sight.
    after = "".join(certificate.description.words.partition(" after ")[1:])
    claim = escape(f"{certificate.statement}{after}")
    return [link, claim_cell(name), claim, state, verdict.arithmetic]


def _page(
    title: str,
    found: Found,
    proofs: Sequence[Sequence[str]],
    files: Mapping[str, FilePath],
    command: str | None,
    data: str | None,
    date: datetime.date,
) -> str:
    whole, kind = _table(found), _kind_of(found)
    header, *cells = [[escape(cell) for cell in row] for row in (whole.header, *whole.rows)]
    note = "".join([NOTES.get(kind, ""), *(f"{escape(note)} " for note in found._notes())])
    made_by = f"relaxspca {relaxspca.__version__}"
    sections = [f"<h1>{escape(title)}</h1>"]
    if data is not None:
        sections.append(f"<p>Data: {escape(data)}.</p>")
    sections += [
        f'<div class="statement"><p><b>Certified bounds.</b> {_statement(found)}</p></div>',
        table(header, cells, whole.right, whole.rule),
        f'<p class="small">{note}The same table: <a href="table.csv">CSV</a>, '
        '<a href="table.tex">LaTeX</a>, <a href="table.md">Markdown</a>.</p>',
        *_figures(found, FIGURES[kind]),
    ]
    if proofs:
        sections += [
            "<h2>Proofs</h2>",
            table(["certificate", "in your browser", "claim", "checked", "arithmetic"], proofs),
            "<p>Check them again with a program that shares no code with what made them:</p>",
            f"<pre>relaxspca verify {PROOFS}</pre>",
            self_check(files),
        ]
    if command is not None:
        sections += ["<h2>To reproduce</h2>", f"<pre>{escape(command)}</pre>"]
    libraries = ", ".join(f"{name} {version(name)}" for name in ("numpy", "scipy", "cvxpy", "clarabel", "scs"))
    tools = f"Python {platform.python_version()}, {libraries}"
    sections.append(f'<p class="small">Made on {date.isoformat()} by {made_by} with {tools}.</p>')
    return document(title, made_by, sections)


def _figures(found: Found, captions: Mapping[str, Callable[[Any], Any]]) -> list[str]:
    """Draw all figures, or say why there are none; where no variable is used there are no loadings to draw."""
    left_out = () if getattr(found, "support", True) else (plotting.plot_loadings,)
    try:
        return [image(draw(found), caption) for caption, draw in captions.items() if draw not in left_out]
    except MissingExtra as error:
        warnings.warn(f"the report has no figures: {error}", UserWarning, stacklevel=4)
        return [f'<p class="small">There are no figures here: {escape(str(error))}.</p>']


def _kind_of(found: Found) -> type:
    """Return the kind of result that a report is about, or raise `InputError`."""
    kinds = "a Path, a Result, a Comparison or components"
    for kind in FIGURES:
        if isinstance(found, kind):
            return kind
    raise InputError(f"a report is about {kinds}, not {type(found).__name__}")


def _statement(found: Found) -> str:
    """Return what is proved, and of which matrix, with all that the claim presupposes, as HTML."""
    certificate = next(iter(found._certificates().values()), None)
    if isinstance(found, ComponentTable) or certificate is None:
        of = "" if certificate is None else f"<br>The matrix has the digest <code>{certificate.digest}</code>."
        return "<br>".join(map(escape, found.statement.splitlines())) + of
    lines = [*found._paper_statement()]
    if isinstance(found, Path) and found.is_interrupted:
        lines.append("Rows that were not reached are missing.")
    described = escape(wording.matrix(certificate)).replace(" x ", " &times; ", 1)
    notes = "".join(f" Note: {escape(condition)}." for condition in wording.conditions(certificate))
    named = f"Let &Sigma; be the {described}, with digest <code>{certificate.digest}</code>.{notes}"
    return f"{named} {escape(' '.join(lines))}"


def _table(found: Found) -> Table:
    """Return the table of a page: a path has the loadings of its rows, components what is said of each."""
    if isinstance(found, ComponentTable):
        judged = found._columns() if isinstance(found, CertifiedTable) else {}
        below = [*found._below(), *([title, *cells] for title, cells in judged.items())]
        return found._loadings_table(more=below)
    whole = found._tables()[0]
    if not isinstance(found, Path):
        return whole
    used = (", ".join(f"{name} {loading_text(x, 3)}" for name, x in row.loadings.items()) for row in found)
    loadings = ["any" if any_will_do(row) else said for row, said in zip(found, used, strict=True)]
    cells = [[row[0], *row[2:], said] for row, said in zip(whole.rows, loadings, strict=True)]
    header = (whole.header[0], *whole.header[2:], "loadings")
    return Table(header, cells, tuple(at - (at > 1) for at in whole.right))
