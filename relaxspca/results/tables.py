"""Plain tables as CSV, Markdown, HTML and LaTeX."""

from __future__ import annotations

import csv
import io
import math
import os
from collections.abc import Sequence
from decimal import ROUND_CEILING, ROUND_FLOOR, Decimal, localcontext
from html import escape
from pathlib import Path
from typing import Any

from relaxspca.errors import MissingExtra
from relaxspca.runtime.files import replace

__all__ = [
    "csv_table",
    "data_frame",
    "html_table",
    "latex_escaped",
    "latex_table",
    "markdown_table",
    "rounded_down",
    "rounded_up",
    "saved",
]

Row = Sequence[str]

SPECIAL = {"\\": r"\textbackslash{}", "~": r"\textasciitilde{}", "^": r"\textasciicircum{}"}
SPECIAL |= {c: "\\" + c for c in "&%$#_{}"}


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


def latex_escaped(text: str) -> str:
    r"""Return text with LaTeX's special characters escaped.

    Examples
    --------
    >>> latex_escaped("50% of x_1")
    '50\\% of x\\_1'
    """
    return "".join(SPECIAL.get(character, character) for character in text)


def rounded_down(value: float, digits: int = 7) -> str:
    """Return a lower bound in decimals that is still a lower bound.

    Examples
    --------
    >>> rounded_down(2 / 3), rounded_down(2.0), rounded_down(-2 / 3, 3)
    ('0.6666666', '2.000000', '-0.667')
    """
    return _rounded(value, digits, ROUND_FLOOR)


def rounded_up(value: float, digits: int = 7) -> str:
    """Return an upper bound in decimals that is still an upper bound.

    Examples
    --------
    >>> rounded_up(2 / 3), rounded_up(-0.0), rounded_up(12345678.9, 3)
    ('0.6666667', '0', '12400000')
    """
    return _rounded(value, digits, ROUND_CEILING)


def _rounded(value: float, digits: int, rounding: str) -> str:
    """Return the significant digits of the exact binary value, rounded one way."""
    if value == 0 or not math.isfinite(value):
        return f"{value + 0.0:g}"
    exact = Decimal(value)
    with localcontext(prec=digits + 2):
        decimal = exact.quantize(Decimal(1).scaleb(exact.adjusted() + 1 - digits), rounding=rounding)
    return format(decimal, "f") if -6 <= exact.adjusted() <= 15 else format(decimal, "e")
