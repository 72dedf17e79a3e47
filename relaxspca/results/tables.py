"""Plain tables as CSV, Markdown, HTML and LaTeX."""

from __future__ import annotations

import csv
import io
import os
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from html import escape
from itertools import pairwise
from pathlib import Path
from typing import Any

from relaxspca.numerics.latex import latex_escaped, latex_number
from relaxspca.runtime import files
from relaxspca.runtime.lazy import needed

Row = Sequence[str]

ON_A_PAGE = 36  # lines of a table on paper
MARKS = r"\`*_{}[]<>#|"  # of Markdown
LETTERS = 84  # that a line of a table on paper has, set small
NUMBER = r"(-?(?:\d+(?:\.\d+)?(?:e-?\d+)?|inf))"
FORMS = {  # of cells with numbers, and how they are set as mathematics
    NUMBER: "${}$",
    f"< {NUMBER}": "$<{}$",
    f"{NUMBER} to {NUMBER}": "${}$ to ${}$",
    r"(\S+) \(±(\S+)\)": r"${} \pm {}$",
}


@dataclass(frozen=True)
class Table:
    """A table as it is printed.

    Columns `right` are set flush right. On paper the text of columns `wrapped` is broken into lines, and they
    share the width that the others leave; a line is drawn above the row of number `rule`.
    """

    header: tuple[str, ...]
    rows: list[list[str]]
    right: tuple[int, ...] = ()
    wrapped: tuple[int, ...] = ()
    rule: int | None = None

    @classmethod
    def of(cls, columns: Mapping[str, Iterable[str]], right: tuple[int, ...] = (), **how: Any) -> Table:
        """Return a table of columns by their titles."""
        return cls((*columns,), [*map(list, zip(*columns.values(), strict=True))], right, **how)

    def pieces(self) -> list[Table]:
        """Return the same rows in tables that go on a page each; a row may take several lines."""
        ends, used = [0], 0
        for at, lines in enumerate(self._lines()):
            if used and used + lines > ON_A_PAGE:
                ends.append(at)
                used = 0
            used += lines
        return [
            replace(self, rows=self.rows[first:last], rule=None if self.rule is None else self.rule - first)
            for first, last in pairwise([*ends, len(self.rows)])
        ]

    def _lines(self) -> list[int]:
        """Return about how many lines every row takes on paper."""
        widths = [max(map(len, column)) for column in zip(self.header, *self.rows, strict=True)]
        left = LETTERS - sum(width + 2 for j, width in enumerate(widths) if j not in self.wrapped)
        share = max(left // max(len(self.wrapped), 1), 8)
        return [max([1, *(-(-len(row[j]) // share) for j in self.wrapped)]) for row in self.rows]

    def markdown(self, *, is_read_as_text: bool = False) -> str:
        """Return it in Markdown, whose marks are escaped in cells unless it is read as text.

        Examples
        --------
        >>> print(Table(("k", "by"), [["2", "psi"]], right=(0,)).markdown())
        | k | by |
        | ---: | --- |
        | 2 | psi |
        <BLANKLINE>
        """
        rule = ["---:" if j in self.right else "---" for j in range(len(self.header))]
        marks = "|" if is_read_as_text else MARKS
        rows = [[in_markdown(" ".join(cell.splitlines()), marks) for cell in row] for row in self.rows]
        lines = [self.header, rule, *rows]
        return "".join(f"| {' | '.join(line)} |\n" for line in lines)

    def html(self) -> str:
        """Return it in HTML."""
        head = "".join(f"<th>{escape(cell)}</th>" for cell in self.header)
        rows = ("".join(f"<td>{escape(cell)}</td>" for cell in row) for row in self.rows)
        return f"<table><tr>{head}</tr>{''.join(f'<tr>{row}</tr>' for row in rows)}</table>"

    def latex(self) -> str:
        r"""Return it in LaTeX with the rules of booktabs, as wide as the line if a column is wrapped.

        Examples
        --------
        >>> print(Table(("k", "by"), [["2", "psi_1"]], right=(0,)).latex())
        \noindent
        \begin{tabular}{rl}
        \toprule
        k & by \\
        \midrule
        $2$ & psi\_1 \\
        \bottomrule
        \end{tabular}
        <BLANKLINE>
        """
        columns = ["r" if j in self.right else "l" for j in range(len(self.header))]
        kind, width = ("tabularx", r"{\linewidth}") if self.wrapped else ("tabular", "")
        for j in self.wrapped:
            columns[j] = r">{\raggedright\arraybackslash\hspace{0pt}}X"
        body = [
            " & ".join(_latex_cell(cell, is_text=j in self.wrapped) for j, cell in enumerate(row)) + r" \\"
            for row in self.rows
        ]
        if self.rule is not None and 0 < self.rule < len(body):
            body.insert(self.rule, r"\midrule")
        head = " & ".join(_latex_cell(cell) for cell in self.header) + r" \\"
        lines = [rf"\begin{{{kind}}}{width}{{{''.join(columns)}}}", r"\toprule", head, r"\midrule", *body]
        lines += [r"\bottomrule", rf"\end{{{kind}}}"]
        if not self.wrapped:
            return "\n".join([r"\noindent", *lines, ""])
        return "\n".join([r"{\small\setlength{\tabcolsep}{4pt}\noindent", *lines, r"\par}", ""])


def data_frame(values: Any, **labels: Any) -> Any:
    """Return records, or an array with labels, as a pandas DataFrame; raise `MissingExtra` without pandas."""
    with needed("a DataFrame needs pandas", "estimators"):
        import pandas
    return pandas.DataFrame(values, **labels)


def saved(text: str, path: str | os.PathLike[str] | None) -> str:
    """Return a text, and write it when a path is given: the file appears whole or not at all."""
    if path is not None:
        files.replace(Path(path), text.encode("utf-8"))
    return text


def csv_table(header: Row, rows: Sequence[Row]) -> str:
    """Return comma-separated values with a header line."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(header)
    writer.writerows(rows)
    return text.getvalue()


def latex_float(tables: str, caption: str, label: str | None = None) -> str:
    """Return LaTeX tables in a float with a caption above them."""
    mark = "" if label is None else f"\\label{{{label}}}\n"
    head = f"\\begin{{table}}[htbp]\n\\centering\n\\caption{{{caption}}}\n{mark}\\smallskip\n"
    return f"{head}{tables.rstrip()}\n\\end{{table}}\n"


def latex_note(text: str) -> str:
    """Return a line of LaTeX to stand below a table."""
    return "\\smallskip\n" rf"{{\footnotesize\raggedright\noindent {text}\par}}" + "\n"


def in_markdown(text: str, marks: str = MARKS) -> str:
    r"""Return text with a backslash before what Markdown takes for marks.

    Examples
    --------
    >>> in_markdown("a_b <i>")
    'a\\_b \\<i\\>'
    """
    return re.sub(f"([{re.escape(marks)}])", r"\\\1", text)


def _latex_cell(cell: str, *, is_text: bool = False) -> str:
    """Return a cell; numbers, alone or with their width, are set as mathematics.

    Text may be broken after an underscore, as well as where it has spaces, and a name such as 1e5 stays one.
    """
    if is_text:
        return latex_escaped(cell).replace(r"\_", r"\_\allowbreak{}")
    for pattern, form in FORMS.items():
        if found := re.fullmatch(pattern, cell):
            return form.format(*map(latex_number, found.groups()))
    return latex_escaped(cell)
