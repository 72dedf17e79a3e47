"""Plain tables as CSV, Markdown, HTML and LaTeX."""

from __future__ import annotations

import csv
import io
import os
import re
from collections.abc import Sequence
from html import escape
from pathlib import Path
from typing import Any

from relaxspca.errors import MissingExtra
from relaxspca.numerics.latex import latex_escaped, latex_number
from relaxspca.runtime.files import replace

__all__ = [
    "csv_table",
    "data_frame",
    "html_table",
    "latex_float",
    "latex_note",
    "latex_table",
    "markdown_table",
    "saved",
]

Row = Sequence[str]


def data_frame(values: Any, **labels: Any) -> Any:
    """Return records, or an array with labels, as a pandas DataFrame; raise `MissingExtra` without pandas."""
    try:
        import pandas
    except ImportError:
        raise MissingExtra("a DataFrame needs pandas: pip install 'relaxspca[estimators]'") from None
    return pandas.DataFrame(values, **labels)


def saved(text: str, path: str | os.PathLike[str] | None) -> str:
    """Return a text, and write it when a path is given: the file appears whole or not at all."""
    if path is not None:
        replace(Path(path), text.encode("utf-8"))
    return text


def csv_table(header: Row, rows: Sequence[Row]) -> str:
    r"""Return comma-separated values with a header line.

    Examples
    --------
    >>> csv_table(["k", "names"], [["2", "a, b"]])
    'k,names\n2,"a, b"\n'
    """
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(header)
    writer.writerows(rows)
    return text.getvalue()


def markdown_table(header: Row, rows: Sequence[Row], *, right: Sequence[int] = ()) -> str:
    """Return a Markdown table; the columns in `right` are set flush right.

    Examples
    --------
    >>> print(markdown_table(["k", "by"], [["2", "psi"]], right=[0]))
    | k | by |
    | ---: | --- |
    | 2 | psi |
    <BLANKLINE>
    """
    rule = ["---:" if j in right else "---" for j in range(len(header))]
    lines = [header, rule, *([cell.replace("|", "\\|") for cell in row] for row in rows)]
    return "".join(f"| {' | '.join(line)} |\n" for line in lines)


def html_table(header: Row, rows: Sequence[Row]) -> str:
    """Return an HTML table.

    Examples
    --------
    >>> html_table(["k"], [["<2"]])
    '<table><tr><th>k</th></tr><tr><td>&lt;2</td></tr></table>'
    """
    head = "".join(f"<th>{escape(cell)}</th>" for cell in header)
    body = "".join("<tr>" + "".join(f"<td>{escape(cell)}</td>" for cell in row) + "</tr>" for row in rows)
    return f"<table><tr>{head}</tr>{body}</table>"


def latex_table(
    header: Row,
    rows: Sequence[Row],
    *,
    right: Sequence[int] = (),
    wrapped: Sequence[int] = (),
    rule: int | None = None,
) -> str:
    r"""Return a LaTeX table with the rules of booktabs, as wide as the line if columns are wrapped (tabularx).

    A rule is drawn above the row of number `rule`.

    Examples
    --------
    >>> print(latex_table(["k", "by"], [["2", "psi_1"]], right=[0]))
    \begin{tabular}{rl}
    \toprule
    k & by \\
    \midrule
    $2$ & psi\_1 \\
    \bottomrule
    \end{tabular}
    <BLANKLINE>
    """
    columns = ["r" if j in right else "l" for j in range(len(header))]
    kind, width = ("tabularx", r"{\linewidth}") if wrapped else ("tabular", "")
    for j in wrapped:
        columns[j] = r">{\raggedright\arraybackslash\hspace{0pt}}X"
    body = [
        " & ".join(_latex_cell(cell, is_text=j in wrapped) for j, cell in enumerate(row)) + r" \\"
        for row in rows
    ]
    if rule is not None and 0 < rule < len(body):
        body.insert(rule, r"\midrule")
    head = " & ".join(_latex_cell(cell) for cell in header) + r" \\"
    lines = [rf"\begin{{{kind}}}{width}{{{''.join(columns)}}}", r"\toprule", head, r"\midrule", *body]
    lines += [r"\bottomrule", rf"\end{{{kind}}}"]
    if not wrapped:
        return "\n".join([*lines, ""])
    tight = r"\small\setlength{\tabcolsep}{4pt}" if len(header) >= MANY else ""
    return "\n".join([rf"{{{tight}\noindent", *lines, r"\par}", ""])


def latex_float(tables: str, caption: str, label: str | None = None) -> str:
    """Return LaTeX tables in a float with a caption above them."""
    marks = [f"\\label{{{label}}}"] if label is not None else []
    lines = [
        r"\begin{table}[htbp]",
        r"\centering",
        f"\\caption{{{caption}}}",
        *marks,
        r"\smallskip",
        tables.rstrip(),
        r"\end{table}",
        "",
    ]
    return "\n".join(lines)


def latex_note(text: str) -> str:
    """Return a line of LaTeX to stand below a table."""
    return "\\smallskip\n" rf"{{\footnotesize\raggedright\noindent {text}\par}}" + "\n"


MANY = 3  # columns: set smaller and closer on paper, so that blocks of one table look alike
NUMBER = re.compile(r"-?(\d+(\.\d+)?(e-?\d+)?|inf)")
BETWEEN = re.compile(rf"{NUMBER.pattern} to {NUMBER.pattern}")
SHARED = re.compile(r"(\S+) \(±(\S+)\)")


def _latex_cell(cell: str, *, is_text: bool = False) -> str:
    """Return a cell; numbers, alone or with their width, are set as mathematics.

    Text may be broken after an underscore, as well as where it has spaces, and a name such as 1e5 stays one.
    """
    if is_text:
        return latex_escaped(cell).replace(r"\_", r"\_\allowbreak{}")
    if SHARED.fullmatch(cell):
        centre, radius = SHARED.fullmatch(cell).groups()  # type: ignore[union-attr]
        return f"${latex_number(centre)} \\pm {latex_number(radius)}$"
    if NUMBER.fullmatch(cell):
        return f"${latex_number(cell)}$"
    if cell.startswith("< ") and NUMBER.fullmatch(cell[2:]):
        return f"$<{latex_number(cell[2:])}$"
    if BETWEEN.fullmatch(cell):
        return " to ".join(f"${latex_number(end)}$" for end in cell.split(" to "))
    return latex_escaped(cell)
