"""Numbers and text as LaTeX."""

from __future__ import annotations

__all__ = ["latex_escaped", "latex_number"]

SPECIAL = {"\\": r"\textbackslash{}", "~": r"\textasciitilde{}", "^": r"\textasciicircum{}"}
SPECIAL |= {"<": r"\textless{}", ">": r"\textgreater{}", "|": r"\textbar{}"}
SPECIAL |= {c: "\\" + c for c in "&%$#_{}"}


def latex_number(text: str) -> str:
    r"""Return a printed number for LaTeX's mathematics, a power of ten in place of an exponent.

    Examples
    --------
    >>> latex_number("1.5e-12"), latex_number("-2E+20"), latex_number("0.25")
    ('1.5\\cdot10^{-12}', '-2\\cdot10^{20}', '0.25')
    """
    mantissa, _, exponent = text.lower().partition("e")
    if mantissa.endswith("inf"):
        return mantissa.replace("inf", r"\infty")
    return f"{mantissa}\\cdot10^{{{int(exponent)}}}" if exponent else mantissa


def latex_escaped(text: str) -> str:
    r"""Return text with LaTeX's special characters escaped.

    Examples
    --------
    >>> latex_escaped("50% of x_1")
    '50\\% of x\\_1'
    """
    return "".join(SPECIAL.get(character, character) for character in text)
