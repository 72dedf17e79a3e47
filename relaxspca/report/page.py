"""A result as one page of HTML: statement, table, figures, verified certificates, command."""

from __future__ import annotations

import datetime
import os
import platform
import warnings
from collections.abc import Mapping, Sequence
from html import escape
from importlib.metadata import version
from pathlib import Path as FilePath

import relaxspca
from relaxspca.certificate import Certificate
from relaxspca.checker import verify
from relaxspca.errors import InputError, MissingExtra
from relaxspca.report.content import Content, Figure, content_about
from relaxspca.report.html import claim_cell, document, image, self_check, table
from relaxspca.results.comparison import Comparison
from relaxspca.results.component_table import ComponentTable
from relaxspca.results.path_table import Path
from relaxspca.results.result import Result
from relaxspca.results.tables import saved

PROOFS = "certificates"


def write_report(
    found: Path | Result | Comparison | ComponentTable,
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
    content = content_about(found)
    check_report_folder(folder)
    target = FilePath(folder)
    (target / PROOFS).mkdir(parents=True, exist_ok=True)
    proofs = [_proof(target, name, certificate) for name, certificate in content.certificates.items()]
    for suffix, text in (("csv", found.to_csv()), ("md", found.to_markdown()), ("tex", found.to_latex())):
        saved(text, target / f"table.{suffix}")
    page = target / "index.html"
    files = {name: target / PROOFS / f"{name}.json" for name in content.certificates}
    saved(_page(title, content, proofs, files, command, data, date or datetime.date.today()), page)
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
    verdict = verify(file)
    state = "verified"
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
    content: Content,
    proofs: Sequence[Sequence[str]],
    files: Mapping[str, FilePath],
    command: str | None,
    data: str | None,
    date: datetime.date,
) -> str:
    header, *cells = [[escape(cell) for cell in row] for row in (content.table.header, *content.table.rows)]
    made_by = f"relaxspca {relaxspca.__version__}"
    sections = [f"<h1>{escape(title)}</h1>"]
    if data is not None:
        sections.append(f"<p>Data: {escape(data)}.</p>")
    sections += [
        f'<div class="statement"><p><b>Certified bounds.</b> {content.statement}</p></div>',
        table(header, cells, content.table.right, content.table.rule),
        f'<p class="small">{content.note}The same table: <a href="table.csv">CSV</a>, '
        '<a href="table.tex">LaTeX</a>, <a href="table.md">Markdown</a>.</p>',
        *_figures(content.figures),
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


def _figures(figures: Sequence[Figure]) -> list[str]:
    """Draw all figures, or say why there are none."""
    try:
        return [image(draw(), caption) for caption, draw in figures]
    except MissingExtra as error:
        warnings.warn(f"the report has no figures: {error}", UserWarning, stacklevel=4)
        return [f'<p class="small">There are no figures here: {escape(str(error))}.</p>']
