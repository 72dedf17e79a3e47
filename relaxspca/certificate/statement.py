"""What a certificate claims, in words that are true as printed: a line, Markdown, LaTeX, and its conditions."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from decimal import Decimal
from fractions import Fraction
from typing import TYPE_CHECKING

from relaxspca.errors import counted, in_line
from relaxspca.numerics.decimals import exact_decimal, interval, percent_up, rounded_down, rounded_up
from relaxspca.numerics.latex import latex_escaped, latex_number

if TYPE_CHECKING:
    from relaxspca.certificate.certificate import Certificate
    from relaxspca.certificate.ratio import RatioCertificate
    from relaxspca.certificate.table import TableCertificate

__all__ = ["among", "conditions", "latex", "line", "markdown", "matrix", "symbol", "words"]

# A component is called optimal when its claim is no wider than this fraction, and then with its width.
OPTIMAL = Fraction(1, 10**6)
FEW = 8  # variables that are named one by one
FEW_TIMES = 10  # beyond which a percentage says nothing
LONG = 24  # letters of a name that LaTeX prints in one piece
PAID = " (paid for even where the loading is 0)"


def line(certificate: Certificate) -> str:
    """Return the claim in one line, its bounds rounded outwards."""
    beyond = "" if certificate.eliminated is None else f" and {certificate.eliminated.count} eliminated"
    meant = scope(certificate)
    return f"{bounds(certificate)} (n = {certificate.n}{beyond}{', ' + meant if meant else ''})"


def words(certificate: Certificate) -> tuple[str, ...]:
    """Return the claim in sentences: what is bounded, of which matrix, and who attains it."""
    if _is_whole(certificate):
        what = f"the largest x'Sx of a unit vector x that is 0 outside {_union(certificate)}"
    elif certificate.k is not None:
        size = f"at most {counted(certificate.k, 'variable')}"
        if scope(certificate):
            size += f", {scope(certificate)}"
        what = f"the largest x'Sx of a unit vector x that uses {size}"
    elif certificate.allows_none:
        what = f"the largest x'Sx - rho Card(x), rho = {penalty(certificate)}, of vectors x of length at most 1"
        if scope(certificate):
            what += f", {scope(certificate)}"
    else:
        what = (
            f"the largest x'Sx - rho |T|, rho = {penalty(certificate)}, of a set T of variables, "
            f"{scope(certificate)}, and a unit vector x that is 0 outside T"
        )
    return (
        bounds(certificate),
        f"{symbol(certificate)} is {what}",
        f"S is the {matrix(certificate)}, {certificate.digest}",
        _attained(certificate),
        *others(certificate),
    )


def scope(certificate: Certificate) -> str:
    """Return which supports are meant: "with a among them, without b"; nothing where all are."""
    parts = among(certificate.names, certificate.include.tolist(), certificate.exclude.tolist())
    found = certificate.restriction
    if certificate.rho is not None and len(certificate.include):
        parts[0] += PAID
    if found is not None and found.is_signed:
        parts.append("with no negative loading")
    elif found is not None and not found.is_whole:
        parts.append(f"with at most one variable of each of {_groups(certificate)}")
    return " and ".join(parts)


def among(names: Sequence[str], include: Sequence[int], exclude: Sequence[int]) -> list[str]:
    """Return two conditions on supports in words, those that there are."""
    texts = [
        in_line([shown(names[i]) for i in group]) if len(group) <= FEW else f"{len(group)} listed variables"
        for group in (include, exclude)
    ]
    parts = [f"with {texts[0]} always among them"] if include else []
    return parts + ([f"without {texts[1]}"] if exclude else [])


def _is_whole(certificate: Certificate) -> bool:
    return certificate.restriction is not None and certificate.restriction.is_whole


def _groups(certificate: Certificate) -> str:
    """Return the groups by name, or their number where they are many."""
    assert certificate.restriction is not None
    names = certificate.restriction.names
    noun = "group" if len(names) == 1 else "groups"
    return f"{len(names)} {noun}" if len(names) > FEW else f"the {noun} {in_line([*map(shown, names)])}"


def _union(certificate: Certificate) -> str:
    return f"at most {certificate.k} of {_groups(certificate)}"


def others(certificate: Certificate) -> tuple[str, ...]:
    """Return what is claimed of the supports that are not listed, if anything is."""
    if certificate.others is None:
        return ()
    count, of_k = len(certificate.others.indices), f"of {counted(certificate.k or 0, 'variable')}"
    meant = f" ({scope(certificate)})" if scope(certificate) else ""
    listed = "the one listed" if count == 1 else f"the {count} listed"
    return (f"no support {of_k}{meant} but {listed} explains more than {above(certificate.others.most)}",)


def conditions(certificate: Certificate) -> tuple[str, ...]:
    """Return what the claim presupposes, and what of the file is not bound by its digest."""
    found = []
    if certificate.eliminated is not None:
        count, shift = certificate.eliminated.count, certificate.eliminated.shift
        no_less = "0" if shift == 0 else f"-{rounded_down(shift, 3)}"
        found.append(
            f"the claim is about every symmetric matrix over all {certificate.n + count} variables that has "
            f"the block in the file, at most the variances stated for the {count} eliminated, and no "
            f"eigenvalue below {no_less}"
        )
    if certificate.version == 1:
        found.append("the certificate is of format version 1: its digest binds neither names nor description")
    return tuple(found)


def matrix(certificate: Certificate | TableCertificate) -> str:
    """Return the matrix in words, with its size: ``13 x 13 correlation matrix of 180 observations``."""
    described = f"{certificate.n} x {certificate.n} {certificate.description.words}"
    if certificate.eliminated is None:
        return described
    count = certificate.eliminated.count
    return f"{described} and {counted(count, 'further variable')} of which only the variances are known"


def symbol(certificate: Certificate) -> str:
    """Return ``v_5`` or ``phi(0.25)``, or the optimum in words where k counts groups."""
    if _is_whole(certificate):
        assert certificate.restriction is not None
        assert certificate.k is not None
        count = len(certificate.restriction.groups)
        return f"the optimum with at most {counted(certificate.k, 'whole group')} of {count}"
    if certificate.k is not None:
        return f"v_{certificate.k}"
    return f"phi({penalty(certificate)})"


def penalty(certificate: Certificate) -> str:
    """Return the penalty as the exact decimal where that is short, and else as the one that it is read from."""
    assert certificate.rho is not None
    exact = Decimal(certificate.rho).normalize()
    if len(exact.as_tuple().digits) <= 17:
        return exact_decimal(certificate.rho)
    return f"double({exact_decimal(certificate.rho)})"


def markdown(certificate: Certificate) -> str:
    """Return the claim as a short Markdown statement with the digest."""
    attained = _attained(certificate, names=", ".join(map(code_span, _names(certificate))))
    paragraphs = [
        f"**Certified bound.** For the {matrix(certificate)} with digest `{certificate.digest}`"
        f"{_markdown_scope(certificate)},",
        f"{bounds(certificate)}.",
        f"{attained[0].upper()}{attained[1:]}; {judged(certificate)}.",
        *(f"{said[0].upper()}{said[1:]}." for said in others(certificate)),
        *(f"Note: {condition}." for condition in conditions(certificate)),
    ]
    return "\n\n".join(paragraphs) + "\n"


def latex(certificate: Certificate) -> str:
    """Return the claim as a paragraph of LaTeX that needs no package and no theorem environment."""
    if _is_whole(certificate):
        quantity = f"w_{{{certificate.k}}}(\\Sigma)"
        union = latex_escaped(_union(certificate))
        meaning = f"$x^\\top\\Sigma x$ of unit vectors $x$ that are 0 outside {union}"
    elif certificate.k is not None:
        quantity = f"v_{{{certificate.k}}}(\\Sigma)"
        size = "entry is" if certificate.k == 1 else "entries are"
        which = f"of which at most {certificate.k} {size} not 0"
        if scope(certificate):
            which += f" (supports {latex_escaped(scope(certificate))})"
        meaning = f"$x^\\top\\Sigma x$ of unit vectors $x$ {which}"
    else:
        rho = latex_number(penalty(certificate).removeprefix("double(").removesuffix(")"))
        quantity = f"\\varphi({rho})"
        meaning = f"$x^\\top\\Sigma x-{rho}\\,\\mathrm{{Card}}(x)$ of vectors $x$ of length at most 1"
        if not certificate.allows_none:
            which = "of sets $T$ of variables and unit vectors $x$ that are 0 outside $T$"
            meaning = f"$x^\\top\\Sigma x-{rho}\\,|T|$ {which}"
        if scope(certificate):
            meaning += f" (supports {latex_escaped(scope(certificate))})"
        if penalty(certificate).startswith("double"):
            meaning += f", where ${rho}$ stands for the double-precision number that it is read as"
    also = "".join(f" {latex_escaped(said[0].upper() + said[1:])}." for said in others(certificate))
    notes = also + "".join(f" Note: {latex_escaped(condition)}." for condition in conditions(certificate))
    attained = _attained(certificate, names=", ".join(map(latex_name, _names(certificate))))
    return latex_paragraph(certificate, quantity, meaning, attained, notes)


def latex_paragraph(
    certificate: Certificate | TableCertificate, quantity: str, meaning: str, attained: str, notes: str = ""
) -> str:
    """Return a claim about a matrix in LaTeX: what is bounded, what that means, and who attains it."""
    described = latex_escaped(matrix(certificate).split(" ", 3)[3])
    return (
        "{\\sloppy\\noindent\\textbf{Certified bound.}\n"
        f"Let $\\Sigma$ be the ${certificate.n}\\times{certificate.n}$ {described}\n"
        f"with digest {latex_digest(certificate.digest)},\n"
        f"and ${quantity}$ the largest {meaning}. Then\n"
        f"\\[ {interval(certificate.lower, certificate.upper).latex(quantity)}. \\]\n"
        f"{attained[0].upper()}{attained[1:]}; {judged(certificate, latex_number)}.{notes}\\par}}\n"
    )


def latex_digest(digest: str) -> str:
    """Return a digest in groups of digits with glue between them, so that lines may end there."""
    digits = digest.removeprefix("sha256:")
    groups = "\\hskip 0pt plus 2pt\\relax ".join(digits[i : i + 8] for i in range(0, len(digits), 8))
    return f"\\texttt{{sha256:{groups}}}"


def below(value: float, digits: int = 12) -> str:
    """Return a lower bound in decimals, rounded down."""
    return rounded_down(value, digits)


def above(value: float, digits: int = 12) -> str:
    """Return an upper bound in decimals, rounded up."""
    return rounded_up(value, digits)


def shown(text: str) -> str:
    """Return text as it is if it can be printed, else with its odd characters escaped."""
    return text if text.isprintable() else text.encode("unicode_escape").decode("ascii")


def _names(certificate: Certificate) -> list[str]:
    return [shown(certificate.names[i]) for i in certificate.indices]


def bounds(certificate: Certificate | RatioCertificate | TableCertificate) -> str:
    """Return what is bounded between its bounds, rounded outwards."""
    return interval(certificate.lower, certificate.upper).text(certificate.symbol)


def _attained(certificate: Certificate, names: str | None = None) -> str:
    if not len(certificate.indices):
        return "no variables at all attain the lower bound"
    noun = "variable" if len(certificate.indices) == 1 else "variables"
    listed = in_line(_names(certificate)) if names is None else names
    return f"a component of the {noun} {listed} attains the lower bound"


def judged(
    certificate: Certificate | RatioCertificate | TableCertificate,
    number: Callable[[str], str] | None = None,
    *,
    it: str = "it",
    exceeds: str = "the optimum exceeds that bound",
) -> str:
    """Say how far from optimal the component can be, and "optimal" only with that distance beside it."""
    lower, upper = Fraction(certificate.lower), Fraction(certificate.upper)
    width = upper - lower
    if width == 0:
        return f"{it} is optimal"
    relative = width / abs(lower) if lower else None

    def printed(value: Fraction) -> str:
        found = rounded_up(value, 2)
        return f"${number(found)}$" if number is not None else found

    if relative is not None and relative <= OPTIMAL:
        return f"{it} is optimal to within a relative {printed(relative)}"
    if relative is not None and relative < FEW_TIMES:
        percent, sign = percent_up(relative, 3), "%" if number is None else r"\%"
        return f"{exceeds} by at most {percent} {sign} of it"
    return f"{exceeds} by at most {printed(width)}"


def latex_name(name: str) -> str:
    """Return a name of a list as LaTeX; a long one may be broken after every twelve characters."""
    name = in_line([name])
    if len(name) <= LONG:
        return latex_escaped(name)
    return "\\allowbreak{}".join(latex_escaped(name[i : i + 12]) for i in range(0, len(name), 12))


def _markdown_scope(certificate: Certificate) -> str:
    found = re.sub(r"([^a-zA-Z0-9 ,])", r"\\\1", scope(certificate))
    return f", over the supports {found}" if found else ""


def code_span(name: str) -> str:
    """Return a name as code in Markdown, whatever is in it."""
    fence = "`" * (1 + max(map(len, re.findall("`+", name)), default=0))
    return f"{fence} {name} {fence}" if len(fence) > 1 else f"`{name}`"
