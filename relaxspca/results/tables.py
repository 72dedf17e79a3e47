"""Plain tables as CSV, Markdown, HTML and LaTeX."""

from __future__ import annotations

import csv
import io
import os
from collections.abc import Sequence
from html import escape
from pathlib import Path
from typing import Any

from relaxspca.errors import MissingExtra
from relaxspca.numerics.latex import latex_escaped
from relaxspca.runtime.files import replace

__all__ = [
    "csv_table",
    "data_frame",
    "html_table",
    "latex_table",
    "markdown_table",
    "saved",
]

Row = Sequence[str]


def data_frame(records: Sequence[dict[str, Any]]) -> Any:
    """Return records as a pandas DataFrame, or raise `MissingExtra` when pandas is not installed."""
    try:
        import pandas
    except ImportError:
        raise MissingExtra("a DataFrame needs pandas: pip install 'relaxspca[estimators]'") from None
    return pandas.DataFrame(records)


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


def latex_table(header: Row, rows: Sequence[Row], *, right: Sequence[int] = ()) -> str:
    r"""Return a LaTeX tabular with the rules of the booktabs package; header cells are taken as LaTeX.

    Examples
    --------
    >>> print(latex_table(["$k$", "by"], [["2", "psi_1"]], right=[0]))
    \begin{tabular}{rl}
    \toprule
    $k$ & by \\
    \midrule
    2 & psi\_1 \\
    \bottomrule
    \end{tabular}
    <BLANKLINE>
    """
    columns = "".join("r" if j in right else "l" for j in range(len(header)))
    body = [" & ".join(latex_escaped(cell) for cell in row) + r" \\" for row in rows]
    head = " & ".join(header) + r" \\"
    lines = [rf"\begin{{tabular}}{{{columns}}}", r"\toprule", head, r"\midrule", *body, r"\bottomrule"]
    return "\n".join([*lines, r"\end{tabular}", ""])
