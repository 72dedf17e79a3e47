"""What a certificate of several components claims, in words that are true as printed."""

from __future__ import annotations

from itertools import groupby
from typing import TYPE_CHECKING

from relaxspca.certificate.statement import (
    bounds,
    code_span,
    judged,
    latex_name,
    latex_paragraph,
    matrix,
    shown,
)
from relaxspca.errors import counted, in_line

if TYPE_CHECKING:
    from relaxspca.certificate.table import TableCertificate

__all__ = ["latex", "line", "markdown", "matrix", "symbol", "words"]

MOST_EQUAL = 4  # cardinalities that are written one by one


def line(certificate: TableCertificate) -> str:
    """Return the claim in one line, its bounds rounded outwards."""
    return f"{bounds(certificate)} (n = {certificate.n}, {_kind(certificate)})"


def words(certificate: TableCertificate) -> tuple[str, ...]:
    """Return the claim in sentences: what is bounded, of which matrix, and who attains it."""
    return (
        bounds(certificate),
        f"{symbol(certificate)} is the largest sum of the variances x'Sx of {_vectors(certificate)}",
        f"S is the {matrix(certificate)}, {certificate.digest}",
        _attained([in_line([*map(shown, names)]) for names in certificate.support]),
    )


def symbol(certificate: TableCertificate) -> str:
    """Return ``w(5,2)``, ``w_disjoint(5,2)``, ``w_common(5,5)`` or ``w(9,8 x 6)``."""
    kind = "" if certificate.supports == "orthogonal" else f"_{certificate.supports}"
    return f"w{kind}({_sizes(certificate, ' x ')})"


def markdown(certificate: TableCertificate) -> str:
    """Return the claim as a short Markdown statement with the digest."""
    attained = _attained([", ".join(code_span(shown(name)) for name in names) for names in certificate.support])
    paragraphs = [
        f"**Certified bound.** For the {matrix(certificate)} with digest `{certificate.digest}`,",
        f"{bounds(certificate).replace('_', chr(92) + '_')},",
        f"the largest sum of the variances of {_vectors(certificate)}.",
        f"{attained[0].upper()}{attained[1:]}; {judged(certificate)}.",
    ]
    return "\n\n".join(paragraphs) + "\n"


def latex(certificate: TableCertificate) -> str:
    """Return the claim as a paragraph of LaTeX that needs no package and no theorem environment."""
    kind = "" if certificate.supports == "orthogonal" else f"_{{\\mathrm{{{certificate.supports}}}}}"
    sizes = _sizes(certificate, r"\times").replace("k", "k_")
    quantity = f"w{kind}({sizes})"
    attained = _attained(
        [", ".join(latex_name(shown(name)) for name in names) for names in certificate.support]
    )
    meaning = f"sum of the variances $x^\\top\\Sigma x$\nof {_vectors(certificate)}"
    return latex_paragraph(certificate, quantity, meaning, attained)


def _sizes(certificate: TableCertificate, times: str) -> str:
    """Return the cardinalities, many equal ones in short."""
    runs = ((k, len(list(equal))) for k, equal in groupby(certificate.sizes))
    return ",".join(f"{k}{times}{r}" if r > MOST_EQUAL else ",".join([str(k)] * r) for k, r in runs)


def _kind(certificate: TableCertificate) -> str:
    r = counted(len(certificate.sizes), "component")
    return {
        "orthogonal": f"{r}, orthogonal",
        "disjoint": f"{r}, no variable used twice",
        "common": f"{r} on one support",
    }[certificate.supports]


def _vectors(certificate: TableCertificate) -> str:
    """Return which vectors the claim is about."""
    sizes, r = certificate.sizes, len(certificate.sizes)
    orthogonal = "1 unit vector" if r == 1 else f"{r} orthogonal unit vectors"
    if certificate.supports == "common":
        return f"{orthogonal} that use at most {counted(sizes[0], 'variable')} all together"
    if len(set(sizes)) == 1:
        each = " each" if r > 1 else ""
        use = f"use at most {counted(sizes[0], 'variable')}{each}"
    else:
        use = f"use at most {', '.join(map(str, sizes[:-1]))} and {sizes[-1]} variables"
    apart = ", no variable used by two of them" if certificate.supports == "disjoint" and r > 1 else ""
    return f"{orthogonal} that {use}{apart}"


def _attained(supports: list[str]) -> str:
    if len(supports) > 1 and all(names == supports[0] for names in supports):
        return f"a table of {len(supports)} components of {supports[0]} attains the lower bound"
    return f"a table of {counted(len(supports), 'component')} attains the lower bound, of {'; '.join(supports)}"
