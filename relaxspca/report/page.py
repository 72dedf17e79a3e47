"""A result as one page of HTML: statement, table, figures, verified certificates, command."""

from __future__ import annotations

import base64
import io
import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from html import escape
from pathlib import Path as FilePath
from typing import Any

import relaxspca
from relaxspca.certificate import Certificate
from relaxspca.checker import verify
from relaxspca.errors import InputError, counted
from relaxspca.numerics.decimals import rounded_down, rounded_up
from relaxspca.plotting import (
    plot_comparison,
    plot_intervals,
    plot_loadings,
    plot_path,
    plot_progress,
    plot_supports,
    plot_tree,
)
from relaxspca.results.path_table import Path
from relaxspca.results.result import Result
from relaxspca.results.tables import saved
from relaxspca.tasks.compare import Comparison

__all__ = ["write_report"]

STYLE = """
body { font: 16px/1.5 Georgia, serif; color: #1a1a1a; max-width: 58rem; margin: 2rem auto; padding: 0 1rem; }
h1, h2 { font-weight: normal; line-height: 1.2; }
table { border-collapse: collapse; border-top: 2px solid; border-bottom: 2px solid; font-size: .9rem; }
th { border-bottom: 1px solid; font-weight: normal; font-style: italic; text-align: left; }
th, td { padding: .2rem .8rem .2rem 0; vertical-align: top; }
table + .small { margin-top: .4rem; }
.statement { margin: 1.5rem 0; border-left: 3px solid #0072B2; padding: .1rem 1rem; background: #f4f7fa; }
.failed { color: #b00020; font-weight: bold; }
.small { font-size: .85rem; color: #444; overflow-wrap: anywhere; }
figure { margin: 1.5rem 0; } figure img { max-width: 100%; } figcaption { font-size: .9rem; color: #333; }
pre { background: #f6f6f6; padding: .7rem; overflow-x: auto; font-size: .9rem; }
@media print { body { margin: 0; max-width: none; } figure, table { break-inside: avoid; } }
"""


@dataclass(frozen=True)
class _Content:
    """What a report says of one kind of result."""

    statement: str
    header: Sequence[str]
    cells: Sequence[Sequence[str]]
    figures: Sequence[tuple[str, Any]]
    certificates: dict[str, Certificate]


def write_report(
    found: Path | Result | Comparison,
    folder: str | os.PathLike[str],
    *,
    title: str = "Sparse principal components",
    command: str | None = None,
) -> FilePath:
    """Write a report that needs no other file to be read, with tables and certificates beside it.

    Parameters
    ----------
    found : Path, Result or Comparison
    folder : path
        Made if need be. It gets ``index.html``, ``table.csv``, ``table.md``, ``table.tex`` and one
        certificate for each claim in ``certificates``.
    title : str
    command : str, optional
        What reproduces the report, for the reader.

    Returns
    -------
    pathlib.Path
        Of ``index.html``.

    Raises
    ------
    InputError
        `found` is none of the three.
    MissingExtra
        matplotlib is not installed.

    Notes
    -----
    Every certificate is written, read again and verified before the page says so; one that does not
    verify is shown as such, with the checker's reason. Bounds in the table are rounded outwards.

    Examples
    --------
    >>> import tempfile
    >>> result = relaxspca.solve(relaxspca.datasets.load_pitprops(), 5)
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     "verified" in write_report(result, folder).read_text()
    True
    """
    build = next((build for kind, build in CONTENTS.items() if isinstance(found, kind)), None)
    if build is None:
        raise InputError(f"a report is about a Path, a Result or a Comparison, not {type(found).__name__}")
    content = build(found)
    target = FilePath(folder)
    (target / "certificates").mkdir(parents=True, exist_ok=True)
    for suffix, table in (("csv", found.to_csv()), ("md", found.to_markdown()), ("tex", found.to_latex())):
        saved(table, target / f"table.{suffix}")
    proofs = [_proof(target, name, certificate) for name, certificate in content.certificates.items()]
    page = target / "index.html"
    saved(_page(title, content, proofs, command), page)
    return page


def _path_content(path: Path) -> _Content:
    over_k = path.over == "k"
    first = path.rows[0].certificate
    quantity = "<i>v<sub>k</sub></i>" if over_k else "<i>&phi;</i>(<i>&rho;</i>)"
    proved = sum(row.certified for row in path.rows)
    statement = (
        f"{_matrix(first)} For every row of the table, lower &le; {quantity} &le; upper, and the variables of "
        f"the row attain the lower bound. In {proved} of {counted(len(path.rows), 'row')} the bounds agree to "
        f"within a relative {path.tol:.0e}."
    )
    cells = [
        [
            f"{row.k if row.rho is None else row.rho:g}",
            ", ".join(row.support) or "none",
            rounded_down(row.lower),
            rounded_up(row.upper),
            f"{100 * row.gap:.2g}",
            row.by,
        ]
        for row in path.rows
    ]
    figures = [
        ("The value of the component found and the proved upper bound; below, the gap.", plot_path(path)),
        (
            "Which variables enter and leave; the area is the modulus of the loading.",
            plot_supports(path).figure,
        ),
        ("Penalties at which a support meets the first-order conditions.", plot_intervals(path).figure),
    ]
    header = ["k" if over_k else "ρ", "variables", "lower", "upper", "gap, %", "proved by"]
    named = {f"{path.over}{key:g}": certificate for key, certificate in path.certificates.items()}
    return _Content(statement, header, cells, figures, named)


def _result_content(result: Result) -> _Content:
    certificate = result.certificate
    if certificate.cardinality is not None:
        symbol = f"<i>v</i><sub>{certificate.cardinality}</sub>"
    else:
        symbol = f"<i>&phi;</i>({certificate.penalty:g})"
    statement = (
        f"{_matrix(certificate)} Then {rounded_down(result.lower, 12)} &le; {symbol} &le; "
        f"{rounded_up(result.upper, 12)}, and {{{escape(', '.join(result.support))}}} attains the lower bound: "
        f"it is optimal to within a relative {result.gap:.1e}."
    )
    figures = [
        ("Bounds during the search.", plot_progress(result).figure),
        ("The tree that proves the upper bound.", plot_tree(certificate).figure),
    ]
    if len(result.candidate.indices):
        # Where variables were eliminated, the certificate numbers those that are left.
        shown = replace(
            result.candidate,
            indices=certificate.support,
            names=certificate.names,
            loadings=certificate.loadings,
        )
        loadings = plot_loadings(shown, certificate.names)
        figures.insert(0, ("Loadings of the component.", loadings.figure))
    order = sorted(certificate.support, key=lambda i: -abs(certificate.loadings[i]))
    cells = [[certificate.names[i], f"{certificate.loadings[i]:.4f}"] for i in order]
    return _Content(statement, ["variable", "loading"], cells, figures, {"component": certificate})


def _comparison_content(comparison: Comparison) -> _Content:
    judge = comparison.result
    upper = rounded_up(comparison.upper, 10)
    statement = f"No component of {counted(comparison.k, 'variable')} explains more than {upper}."
    if judge is not None:
        statement = f"{_matrix(judge.certificate)} {statement}"
    cells = [
        [
            row.method,
            rounded_down(row.candidate.value),
            f"{100 * row.gap:.2g}",
            f"{row.seconds:.3f}",
            ", ".join(row.support),
        ]
        for row in comparison.rows
    ]
    figures = [("Gap of every method to the proved bound, with its time.", plot_comparison(comparison).figure)]
    certificates = {} if judge is None else {"bound": judge.certificate}
    header = ["method", "value", "gap, %", "seconds", "variables"]
    return _Content(statement, header, cells, figures, certificates)


CONTENTS: dict[type, Callable[[Any], _Content]] = {
    Path: _path_content,
    Result: _result_content,
    Comparison: _comparison_content,
}


def _matrix(certificate: Certificate) -> str:
    n = certificate.n
    beyond = ""
    if certificate.eliminated is not None:
        beyond = f" and {certificate.eliminated.count} further variables of which only the variances are known"
    return f"Let &Sigma; be the {n} &times; {n} matrix with digest <code>{certificate.digest}</code>{beyond}."


def _proof(target: FilePath, name: str, certificate: Certificate) -> list[str]:
    """Save a certificate, verify the file, and return a row of the table of proofs (as HTML)."""
    file = target / "certificates" / f"{name}.json"
    certificate.save(file)
    verdict = verify(file)
    state = "verified"
    if not verdict:
        failed = verdict.outcome.name.lower()
        state = f'<span class="failed">{failed}</span>: {escape("; ".join(verdict.reasons))}'
    link = f'<a href="certificates/{escape(file.name)}">{escape(file.name)}</a>'
    return [link, escape(verdict.claim), state, verdict.arithmetic]


def _image(figure: Any, caption: str) -> str:
    """Return a figure as an SVG image inside the page."""
    import matplotlib

    drawn = io.BytesIO()
    # A fixed salt and no date: the same result gives the same page.
    with matplotlib.rc_context({"svg.hashsalt": "relaxspca"}):
        figure.savefig(drawn, format="svg", metadata={"Date": None})
    data = base64.b64encode(drawn.getvalue()).decode("ascii")
    image = f'<img alt="{escape(caption)}" src="data:image/svg+xml;base64,{data}">'
    return f"<figure>{image}<figcaption>{escape(caption)}</figcaption></figure>"


def _table(header: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """Return a table; cells are HTML."""
    head = "".join(f"<th>{cell}</th>" for cell in header)
    body = "".join("<tr>" + "".join(f"<td>{cell}</td>" for cell in row) + "</tr>\n" for row in rows)
    return f"<table><tr>{head}</tr>\n{body}</table>"


def _page(title: str, content: _Content, proofs: Sequence[Sequence[str]], command: str | None) -> str:
    cells = [[escape(cell) for cell in row] for row in content.cells]
    sections = [
        f"<h1>{escape(title)}</h1>",
        f'<div class="statement"><p><b>Certified bounds.</b> {content.statement}</p></div>',
        _table([escape(cell) for cell in content.header], cells),
        '<p class="small">Lower bounds and values are rounded down, upper bounds up. The same table: '
        '<a href="table.csv">CSV</a>, <a href="table.tex">LaTeX</a>, <a href="table.md">Markdown</a>.</p>',
        *(_image(figure, caption) for caption, figure in content.figures),
    ]
    if proofs:
        sections += [
            "<h2>Proofs</h2>",
            _table(["certificate", "claim", "checked", "arithmetic"], proofs),
            "<p>Check them again with a program that shares no code with what made them:</p>",
            "<pre>relaxspca verify certificates</pre>",
        ]
    if command is not None:
        sections += ["<h2>To reproduce</h2>", f"<pre>{escape(command)}</pre>"]
    sections.append(f'<p class="small">Made by relaxspca {relaxspca.__version__}.</p>')
    body = "\n".join(sections)
    return (
        f'<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8"><title>{escape(title)}</title>\n'
        f"<style>{STYLE}</style></head>\n<body>\n{body}\n</body></html>\n"
    )
