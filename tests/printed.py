"""Printed results as rows of plain text, numbers as exact decimals; and small matrices to print results of."""

import csv
import io
import re
from fractions import Fraction
from functools import cache, lru_cache
from html import unescape

import numpy as np
from exact_tables import Tables

DIGITS = 6  # of a value, unless others are asked for
NUMBER = r"-?\d+(?:\.\d+)?(?:e-?\d+)?"
OPTIMUM = (
    rf"Largest variance (?:with at most (\d+)(?: of \d+)? variables?|less ({NUMBER}) for each variable used)"
)
OPTIMUM += r"(?:, of \d+ variables?)?(?:, subject to [^:]*)?: "
SHARED = re.compile(rf"{OPTIMUM}({NUMBER})(?: \((rounded|±{NUMBER})?)?")
BOTH = re.compile(rf"{OPTIMUM}between ({NUMBER}) and ({NUMBER})")
OPTIMAL = rf"ptimal \((relative gap|within) ({NUMBER})[,)]"
LARGER = rf"larger by at most ({NUMBER}) (%|\(variance\))"
GAIN = rf"({NUMBER}|inf) (%|of variance)"
UPPER = re.compile(rf"(?:{OPTIMUM}at most|no (\d+) variables? more than) ({NUMBER})")


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
    for k, rho, centre, how in SHARED.findall(text):
        half = half_unit(centre) if how == "rounded" else Fraction(how[1:] or 0)
        yield k, rho, Fraction(centre) - half, Fraction(centre) + half
    for k, rho, lower, upper in BOTH.findall(text):
        yield k, rho, Fraction(lower), Fraction(upper)
    for k, rho, size, upper in UPPER.findall(text):
        yield k or size, rho, None, Fraction(upper)


def half_unit(number):
    """Return half a unit of the last digit of a rounded number."""
    mantissa, _, exponent = number.partition("e")
    digits = len(mantissa.partition(".")[2])
    if "." not in mantissa and not exponent and len(mantissa.lstrip("-")) > DIGITS:
        digits = DIGITS - len(mantissa.lstrip("-"))  # the last ones are zeros
    return Fraction(10) ** (int(exponent or 0) - digits) / 2


@lru_cache(maxsize=2)
def forms(found):
    """Return every text in which a result is printed, as plain text: a row of a table is a line."""
    return (
        repr(found),
        found.statement,
        plain_of_html(found._repr_html_()),
        re.sub(r"\\(.)|  $", r"\1", found.to_markdown(), flags=re.MULTILINE),
        plain_of_latex(found.to_latex(caption=True)),
    )


def tables(found):
    """Return the forms that have tables: all but the statement, which LaTeX has in its caption."""
    _, statement, *_ = forms(found)
    return [text for text in forms(found) if text != statement]


def plain_of_html(html):
    """Return HTML as plain text."""
    for tag, text in (
        ("</p>", "\n"), ("<br>", "\n"),
        ("</td></tr>", " |\n"), ("<tr><td>", "| "), ("</td><td>", " | "),
        ("<tr><th>", "| "), ("</th><th>", " | "), ("</th></tr>", " |\n"),
    ):  # fmt: skip
        html = html.replace(tag, text)
    return unescape(re.sub(r"<[^>]*>", "", html))


def plain_of_latex(latex):
    """Return LaTeX as plain text."""
    latex = re.sub(rf"({NUMBER})\\cdot10\^\{{(-?\d+)\}}", r"\1e\2", latex)
    latex = re.sub(rf"\$({NUMBER}) \\pm ({NUMBER})\$", r"\1 (±\2)", latex)
    latex = re.sub(rf"\$({NUMBER})\$", r"\1", latex)
    latex = re.sub(rf"\$<({NUMBER})\$", r"< \1", latex)
    latex = latex.replace(r"$\pm$", "±").replace(r"$-$", "\N{MINUS SIGN}").replace(r"\_\allowbreak{}", "_")
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
    """Return the two bounds of a cell: a number with its width, a rounded number, or two numbers."""
    found = re.fullmatch(rf"({NUMBER}) \(±({NUMBER})\)|({NUMBER}) to ({NUMBER})|({NUMBER})", cell)
    assert found, cell
    centre, radius, low, high, alone = found.groups()
    if alone is not None:
        return Fraction(alone) - half_unit(alone), Fraction(alone) + half_unit(alone)
    if low is not None:
        return Fraction(low), Fraction(high)
    return Fraction(centre) - Fraction(radius), Fraction(centre) + Fraction(radius)


def claimed(text, what):
    """Return the two bounds of a sentence that begins in these words."""
    found = re.search(rf"{what}: ({NUMBER})(?: \((rounded|±({NUMBER}))?)?", text)
    if found is None:
        apart = re.search(rf"{what}: between ({NUMBER}) and ({NUMBER})", text)
        assert apart, text
        return Fraction(apart[1]), Fraction(apart[2])
    half = half_unit(found[1]) if found[2] == "rounded" else Fraction(found[3] or 0)
    return Fraction(found[1]) - half, Fraction(found[1]) + half


def gain(found, value):
    """Return how much a match of GAIN says, for a value that a percentage is of."""
    number, unit = found
    return Fraction(number) if unit == "of variance" else Fraction(number) / 100 * abs(value)


def width(text, value):
    """Say whether a text calls a value optimal, and return by how much the best exceeds it at most."""
    within, open_gap = re.search(OPTIMAL, text), re.search(LARGER, text)
    assert (within is None) != (open_gap is None), text
    if open_gap:
        return False, Fraction(open_gap[1]) * (1 if open_gap[2] != "%" else abs(value) / 100)
    is_relative = within[1] == "relative gap"
    assert not is_relative or Fraction(within[2]) < Fraction(1, 10**5)
    return True, Fraction(within[2]) * (abs(value) if is_relative else 1)


def records(found):
    """Return the rows of the CSV of a result."""
    return list(csv.DictReader(io.StringIO(found.to_csv())))
