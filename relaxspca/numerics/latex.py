"""Numbers and text in LaTeX."""

from __future__ import annotations

import re
import unicodedata
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from relaxspca.numerics.decimals import Interval

SPECIAL = {"\\": r"\textbackslash{}", "~": r"\textasciitilde{}", "^": r"\textasciicircum{}"}
SPECIAL |= {"<": r"\textless{}", ">": r"\textgreater{}", "|": r"\textbar{}"}
SPECIAL |= {c: "\\" + c for c in "&%$#_{}"}
SPECIAL |= {c: f"{{{c}}}" for c in "[]*"}  # at the start of a row LaTeX would read them as an argument
SPECIAL |= {"\N{MINUS SIGN}": "$-$", "≤": r"$\le$", "≥": r"$\ge$", "ς": r"$\varsigma$"}
GREEK = re.compile(r"GREEK (SMALL|CAPITAL) LETTER (\w+)")
LATIN = {"alpha": "A", "beta": "B", "epsilon": "E", "zeta": "Z", "eta": "H", "iota": "I", "kappa": "K"}
LATIN |= {"mu": "M", "nu": "N", "omicron": "O", "rho": "P", "tau": "T", "chi": "X"}  # no commands
RAISED = {"<sub>": "_", "<super>": "^"}


def latex_number(text: str) -> str:
    r"""Return a printed number in LaTeX's mathematics, with a power of ten in place of an exponent.

    Examples
    --------
    >>> latex_number("1.5e-12"), latex_number("-2E+20"), latex_number("0.25")
    ('1.5\\cdot10^{-12}', '-2\\cdot10^{20}', '0.25')
    """
    mantissa, _, exponent = text.lower().partition("e")
    if mantissa.endswith("inf"):
        return mantissa.replace("inf", r"\infty")
    return f"{mantissa}\\cdot10^{{{int(exponent)}}}" if exponent else mantissa


def latex_interval(found: Interval, symbol: str) -> str:
    r"""Return the claim of `Interval.text` in LaTeX's mathematics: ``v_5 = 3.4062 \pm 1.4\cdot10^{-5}``."""
    if found.centre is None or found.radius is None:
        return f"{latex_number(found.lower)} \\le {symbol} \\le {latex_number(found.upper)}"
    if found.radius == "0":
        return f"{symbol} = {latex_number(found.centre)}"
    return f"{symbol} = {latex_number(found.centre)} \\pm {latex_number(found.radius)}"


def latex_escaped(text: str) -> str:
    r"""Return text with LaTeX's special characters escaped, Greek letters and small digits as mathematics.

    Examples
    --------
    >>> print(latex_escaped("50% of x_1"), latex_escaped("β-CO₂"))
    50\% of x\_1 $\beta$-CO$_{2}$
    >>> print(latex_escaped("[a]--*b"))
    {[}a{]}-{}-{*}b
    """
    escaped = "".join(SPECIAL.get(c) or (c if c.isascii() else _beyond_ascii(c)) for c in text)
    return escaped.replace("--", "-{}-")  # two hyphens would be set as a dash


def _beyond_ascii(character: str) -> str:
    """Return LaTeX for a Greek letter or a raised or lowered digit; other characters are unchanged."""
    kind, _, code = unicodedata.decomposition(character).partition(" ")
    if kind in RAISED and len(code) == 4:
        small = chr(int(code, 16)).replace("\N{MINUS SIGN}", "-")
        return f"${RAISED[kind]}{{{small}}}$" if small.isascii() else character
    greek = GREEK.fullmatch(unicodedata.name(character, ""))
    if greek is None:
        return character
    name = greek[2].lower().replace("lamda", "lambda")
    if greek[1] == "SMALL":
        return f"$\\{name}$" if name != "omicron" else "o"
    return LATIN.get(name) or f"$\\{name.capitalize()}$"
