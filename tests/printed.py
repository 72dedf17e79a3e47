"""Printed results as rows of plain text, numbers as exact decimals; and small matrices to print results of."""

import csv
import io
import re
from fractions import Fraction
from functools import cache
from html import unescape

import numpy as np
from exact_tables import Tables

NUMBER = r"-?\d+(?:\.\d+)?(?:e-?\d+)?"
SYMBOL = rf"(?:v_(\d+)|phi\(({NUMBER})\))"
SHARED = re.compile(rf"{SYMBOL} = ({NUMBER})(?: \(±({NUMBER})\))?(?= for)")
BOTH = re.compile(rf"({NUMBER}) <= {SYMBOL} <= ({NUMBER})")
GAIN = rf"({NUMBER}|inf) (%|of variance)"
UPPER = re.compile(rf"(?<!<= ){SYMBOL} <= ({NUMBER})")


def correlation(rng, n):
    X = rng.normal(size=(12, n)) @ rng.normal(size=(n, n))
    return np.corrcoef(X, rowvar=False).round(3 if rng.random() < 0.5 else 17)


def matrices():
    rng = np.random.default_rng(0)
    for _ in range(20):
        yield correlation(rng, 4)
        A = rng.integers(-3, 4, size=(5, 4))
        yield (A.T @ A).astype(float) + np.eye(4)
        B = rng.normal(size=(4, 4))
        yield (B + B.T) / 2  # indefinite
    yield np.full((3, 3), 0.5) + 0.5 * np.eye(3)  # every pair of variables is best
    yield np.eye(4)
    yield np.ones((3, 3)) - np.eye(3)
    yield -np.eye(3)
    yield 0.1 * np.eye(3) + 0.2
    yield correlation(rng, 4) * 1e98
    yield correlation(rng, 4) * 1e-98
    yield np.diag([1.0, 1e-9, 1e-9]) + 1e-12


CASES = list(matrices())


@cache
def tables_of(case):
    """Return the truth about the tables of a case, counted once for all tests."""
    return Tables(CASES[case])


def claims(text):
    """Yield k, rho, lower (or None) and upper of every claim in a text."""
    for k, rho, centre, radius in SHARED.findall(text):
        middle, half = Fraction(centre), Fraction(radius or 0)
        yield k, rho, middle - half, middle + half
    for lower, k, rho, upper in BOTH.findall(text):
        yield k, rho, Fraction(lower), Fraction(upper)
    for k, rho, upper in UPPER.findall(text):
        yield k, rho, None, Fraction(upper)


def forms(found):
    """Yield every text in which a result is printed, in the notation of plain text, a row of a table a line."""
    yield repr(found)
    yield found.statement
    yield plain_of_html(found._repr_html_())
    yield re.sub(r"\\(.)|  $", r"\1", found.to_markdown(), flags=re.MULTILINE)
    yield plain_of_latex(found.to_latex(caption=True))


def tables(found):
    """Yield the forms that have tables: all but the statement, which LaTeX has in its caption."""
    yield from (text for text in forms(found) if text != found.statement)


def plain_of_html(html):
    """Return HTML as plain text."""
    for tag, text in (
        ("<i>v</i><sub>", "v_"), ("</sub>", ""), ("<i>&phi;</i>", "phi"), ("</p>", "\n"), ("<br>", "\n"),
        ("</td></tr>", " |\n"), ("<tr><td>", "| "), ("</td><td>", " | "),
        ("<tr><th>", "| "), ("</th><th>", " | "), ("</th></tr>", " |\n"),
    ):  # fmt: skip
        html = html.replace(tag, text)
    return unescape(re.sub(r"<[^>]*>", "", html).replace("&le;", "<="))


def plain_of_latex(latex):
    """Return LaTeX as plain text."""
    latex = re.sub(rf"({NUMBER})\\cdot10\^\{{(-?\d+)\}}", r"\1e\2", latex)
    latex = re.sub(rf"\$({NUMBER}) \\pm ({NUMBER})\$", r"\1 (±\2)", latex)
    latex = re.sub(rf"\$({NUMBER})\$", r"\1", latex)
    latex = re.sub(r"\$v_\{(\d+)\}\$", r"v_\1", latex).replace(r"$\varphi$", "phi")
    latex = latex.replace(r"$\le$", "<=").replace(r"$\pm$", "±").replace(r"\_\allowbreak{}", "_")
    lines = [
        "| " + line.removesuffix(r" \\").replace(" & ", " | ") + " |" if line.endswith(r" \\") else line
        for line in latex.splitlines()
    ]
    return re.sub(r"\\([%_&#$])", r"\1", "\n".join(lines))


def rows(text):
    """Return the rows of all tables in a text, each a list of cells; headers too."""
    lines = [line.strip() for line in text.splitlines() if line.startswith("|")]
    return [[cell.strip() for cell in line.strip("|").split(" | ")] for line in lines]


def bounds(cell):
    """Return the two bounds of a cell: digits with their width, digits alone, or two numbers."""
    found = re.fullmatch(rf"({NUMBER}) \(±({NUMBER})\)|({NUMBER}) to ({NUMBER})|({NUMBER})", cell)
    assert found, cell
    centre, radius, low, high, alone = found.groups()
    if alone is not None:
        return Fraction(alone), Fraction(alone)
    if low is not None:
        return Fraction(low), Fraction(high)
    return Fraction(centre) - Fraction(radius), Fraction(centre) + Fraction(radius)


def gain(found, value):
    """Return how much a match of GAIN says, for a value that a percentage is of."""
    number, unit = found
    return Fraction(number) if unit == "of variance" else Fraction(number) / 100 * abs(value)


def records(found):
    """Return the rows of the CSV of a result."""
    return list(csv.DictReader(io.StringIO(found.to_csv())))
