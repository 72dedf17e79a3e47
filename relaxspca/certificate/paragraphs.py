"""A claim as a paragraph of Markdown or LaTeX, with its digest, true as printed."""

from __future__ import annotations

import re
from collections.abc import Callable
from fractions import Fraction
from typing import TYPE_CHECKING

from relaxspca.certificate import wording
from relaxspca.errors import in_line
from relaxspca.numerics.decimals import interval, rounded_up
from relaxspca.numerics.latex import latex_escaped, latex_interval, latex_number
from relaxspca.numerics.percent import percent_up

if TYPE_CHECKING:
    from relaxspca.certificate.certificate import Certificate

# A component is called optimal when its claim is no wider than this fraction, and then with its width.
OPTIMAL = Fraction(1, 10**6)
FEW_TIMES = 10  # beyond which a percentage says nothing
LONG = 24  # letters of a name that LaTeX prints in one piece


def markdown(certificate: Certificate) -> str:
    """Return the claim as a short Markdown statement with the digest."""
    if certificate.claim.kind == "ratio":
        said = wording.words(certificate)
        sentences = "\n\n".join(f"{_capital(text)}." for text in said[1:])
        return f"**Certified bound.** {said[0]}, where\n\n{sentences}\n\n{_judged_ratio(certificate)}.\n"
    is_several = certificate.claim.kind == "components"
    names = [", ".join(map(code_span, names)) for names in _names(certificate)]
    bounds = wording.bounds(certificate).replace("_", r"\_" if is_several else "_")
    meant = re.sub(r"([^a-zA-Z0-9 ,-])", r"\\\1", wording.scope(certificate))
    over = "" if is_several else wording.subject_to(meant)
    vectors = [f"the largest sum of the variances of {wording.vectors(certificate)}."] if is_several else []
    paragraphs = [
        f"**Certified bound.** For the {wording.matrix(certificate)} with digest `{certificate.digest}`{over},",
        f"{bounds}{',' if is_several else '.'}",
        *vectors,
        f"{_capital(wording.attained(certificate, names))}; {judged(certificate)}.",
        *(f"{_capital(said)}." for said in wording.others(certificate)),
        *(f"Note: {condition}." for condition in wording.conditions(certificate)),
    ]
    return "\n\n".join(paragraphs) + "\n"


def latex(certificate: Certificate) -> str:
    """Return the claim as a paragraph of LaTeX that needs no package and no theorem environment."""
    if certificate.claim.kind == "ratio":
        said = [f"{_capital(text)}." for text in wording.words(certificate)[1:]]
        between = latex_interval(interval(certificate.lower, certificate.upper), f"r_{{{certificate.k}}}")
        parts = f"{' '.join(said)} {_judged_ratio(certificate)}.".split(certificate.digest)
        written = latex_digest(certificate.digest).join(map(latex_escaped, parts))
        return f"{{\\sloppy\\noindent\\textbf{{Certified bound.}}\n\\[ {between}. \\]\n{written}\\par}}\n"
    quantity, meaning = _quantity(certificate)
    attained = wording.attained(
        certificate, [", ".join(map(latex_name, names)) for names in _names(certificate)]
    )
    also = "".join(f" {latex_escaped(_capital(said))}." for said in wording.others(certificate))
    notes = "".join(f" Note: {latex_escaped(condition)}." for condition in wording.conditions(certificate))
    described = latex_escaped(wording.matrix(certificate).split(" ", 3)[3])
    return (
        "{\\sloppy\\noindent\\textbf{Certified bound.}\n"
        f"Let $\\Sigma$ be the ${certificate.n}\\times{certificate.n}$ {described}\n"
        f"with digest {latex_digest(certificate.digest)},\n"
        f"and ${quantity}$ the largest {meaning}. Then\n"
        f"\\[ {latex_interval(interval(certificate.lower, certificate.upper), quantity)}. \\]\n"
        f"{_capital(attained)}; {judged(certificate, latex_number)}.{also}{notes}\\par}}\n"
    )


def _quantity(certificate: Certificate) -> tuple[str, str]:
    """Return the symbol of what is bounded and what it is the largest of, in LaTeX."""
    claim, scope = certificate.claim, wording.scope(certificate)
    meant = wording.subject_to(latex_escaped(scope))
    if claim.kind == "components":
        kind = "" if claim.supports == "orthogonal" else f"_{{\\mathrm{{{claim.supports}}}}}"
        sizes = wording.sizes(certificate, r"\times")
        of = f"of {latex_escaped(wording.vectors(certificate))}"
        return f"w{kind}({sizes})", f"sum of the variances $x^\\top\\Sigma x$\n{of}"
    if claim.whole_groups:
        union = latex_escaped(wording.union(certificate))
        return f"w_{{{claim.k}}}(\\Sigma)", f"$x^\\top\\Sigma x$ of unit vectors $x$ that are 0 outside {union}"
    if claim.k is not None:
        size = "entry is" if claim.k == 1 else "entries are"
        which = f"of which at most {claim.k} {size} not 0{meant}"
        return f"v_{{{claim.k}}}(\\Sigma)", f"$x^\\top\\Sigma x$ of unit vectors $x$ {which}"
    penalty = wording.penalty(certificate)
    rho = latex_number(penalty.removeprefix("double(").removesuffix(")"))
    meaning = f"$x^\\top\\Sigma x-{rho}\\,\\mathrm{{Card}}(x)$ of vectors $x$ of length at most 1"
    if not claim.allows_none:
        which = "of sets $T$ of variables and unit vectors $x$ that are 0 outside $T$"
        meaning = f"$x^\\top\\Sigma x-{rho}\\,|T|$ {which}"
    meaning += meant
    if penalty.startswith("double"):
        meaning += f", where ${rho}$ stands for the double-precision number that it is read as"
    return f"\\varphi({rho})", meaning


def judged(
    certificate: Certificate,
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


def latex_digest(digest: str) -> str:
    """Return a digest in groups of digits with glue between them, so that lines may end there."""
    digits = digest.removeprefix("sha256:")
    groups = "\\hskip 0pt plus 2pt\\relax ".join(digits[i : i + 8] for i in range(0, len(digits), 8))
    return f"\\texttt{{sha256:{groups}}}"


def latex_name(name: str) -> str:
    """Return a name of a list as LaTeX; a long one may be broken after every twelve characters."""
    name = in_line([name])
    if len(name) <= LONG:
        return latex_escaped(name)
    return "\\allowbreak{}".join(latex_escaped(name[i : i + 12]) for i in range(0, len(name), 12))


def code_span(name: str) -> str:
    """Return a name as code in Markdown, whatever is in it."""
    fence = "`" * (1 + max(map(len, re.findall("`+", name)), default=0))
    return f"{fence} {name} {fence}" if len(fence) > 1 else f"`{name}`"


def _names(certificate: Certificate) -> list[list[str]]:
    components = certificate.witness.components
    return [[wording.shown(certificate.names[i]) for i in x.support] for x in components]


def _judged_ratio(certificate: Certificate) -> str:
    return judged(certificate, it="The vector", exceeds="The largest ratio exceeds the lower bound")


def _capital(text: str) -> str:
    return text[0].upper() + text[1:]
