"""What a claim about a ratio says, in words that are true as printed: a line, sentences, Markdown and LaTeX."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING

from relaxspca.certificate.pencil import LeastSquaresData
from relaxspca.certificate.statement import FEW, bounds, judged, latex_digest, shown
from relaxspca.errors import counted, in_line
from relaxspca.numerics.decimals import interval, rounded_down, rounded_up
from relaxspca.numerics.latex import latex_escaped

if TYPE_CHECKING:
    from relaxspca.certificate.ratio import RatioCertificate

__all__ = ["latex", "line", "markdown", "matrix", "supports_meant", "symbol", "words"]


def line(certificate: RatioCertificate) -> str:
    """Return the claim in one line, its bounds rounded outwards."""
    among = _among(certificate)
    return f"{bounds(certificate)} (n = {certificate.n}{', ' + among if among else ''})"


def words(certificate: RatioCertificate) -> tuple[str, ...]:
    """Return the claim in sentences: what is bounded, of which matrices, and who attains it."""
    size = f"at most {counted(certificate.k, 'variable')}"
    among = _among(certificate)
    size += f", {among}" if among else ""
    names = in_line([shown(certificate.names[i]) for i in certificate.indices])
    noun = "variable" if len(certificate.indices) == 1 else "variables"
    if isinstance(certificate.pencil, LeastSquaresData):
        about = (
            f"r_{certificate.k} is the most that a least-squares fit explains of the sum of squares of y which "
            f"uses {size}",
            f"X and y are the {matrix(certificate)}, {certificate.digest}",
            _residuals(certificate),
        )
    else:
        about = (
            f"r_{certificate.k} is the largest x'Ax / x'Bx of a vector x that uses {size}",
            f"A and B are the {matrix(certificate)}, {certificate.digest}",
            "B is positive definite",
        )
    attained = f"a vector of the {noun} {names} attains the lower bound"
    return (bounds(certificate), *about[:2], attained, *about[2:])


def symbol(certificate: RatioCertificate) -> str:
    """Return the symbol of what is bounded."""
    return f"r_{certificate.k}"


def matrix(certificate: RatioCertificate) -> str:
    """Return what the claim speaks of, with its size."""
    data, n = certificate.pencil, certificate.n
    if isinstance(data, LeastSquaresData):
        fitted = "a constant is fitted too" if data.intercept else "no constant is fitted"
        of = f"{counted(len(data.variables), 'observation')} of {counted(n, 'variable')} and a response"
        return f"{of} in the file ({fitted})"
    return f"two {n} x {n} symmetric matrices in the file"


def markdown(certificate: RatioCertificate) -> str:
    """Return the claim as a short Markdown statement with the digest."""
    said = words(certificate)
    sentences = "\n\n".join(f"{text[0].upper()}{text[1:]}." for text in said[1:])
    return f"**Certified bound.** {said[0]}, where\n\n{sentences}\n\n{_judged(certificate)}.\n"


def latex(certificate: RatioCertificate) -> str:
    """Return the claim as a paragraph of LaTeX that needs no package."""
    said = [f"{text[0].upper()}{text[1:]}." for text in words(certificate)[1:]]
    between = interval(certificate.lower, certificate.upper).latex(f"r_{{{certificate.k}}}")
    parts = f"{' '.join(said)} {_judged(certificate)}.".split(certificate.digest)
    written = latex_digest(certificate.digest).join(map(latex_escaped, parts))
    return f"{{\\sloppy\\noindent\\textbf{{Certified bound.}}\n\\[ {between}. \\]\n{written}\\par}}\n"


def supports_meant(
    include: Sequence[str], exclude: Sequence[str], budgets: Sequence[tuple[Sequence[str], int]]
) -> str:
    """Return which supports are meant, in words; nothing where all are.

    Examples
    --------
    >>> supports_meant(["a"], [], [(["a", "b"], 1), (["c"], 1)])
    'at most 1 of a, b and at most 1 of c, with a always among them'
    """
    parts = [" and ".join(f"at most {k} of {_listed(names)}" for names, k in budgets)]
    parts.append(f"with {_listed(include)} always among them" if include else "")
    parts.append(f"without {_listed(exclude)}" if exclude else "")
    return ", ".join(part for part in parts if part)


def _listed(names: Sequence[str]) -> str:
    found = [shown(name) for name in names]
    return in_line(found) if len(found) <= FEW else f"{len(found)} variables ({found[0]}, ..., {found[-1]})"


def _among(certificate: RatioCertificate) -> str:
    def named(indices: Iterable[int]) -> list[str]:
        return [certificate.names[int(i)] for i in indices]

    budgets = [(named(budget.variables), budget.k) for budget in certificate.budgets]
    return supports_meant(named(certificate.include), named(certificate.exclude), budgets)


def _residuals(certificate: RatioCertificate) -> str:
    """Return what follows for the residual sum of squares, true as printed."""
    assert isinstance(certificate.pencil, LeastSquaresData)
    total = certificate.pencil.energy
    least = max(total - Fraction(certificate.upper), Fraction(0))
    most = max(total - Fraction(certificate.lower), Fraction(0))
    return (
        f"every such fit leaves a residual sum of squares of at least {rounded_down(least, 12)}, and there is "
        f"one that leaves at most {rounded_up(most, 12)}"
    )


def _judged(certificate: RatioCertificate) -> str:
    return judged(certificate, it="The vector", exceeds="The largest ratio exceeds the lower bound")
