"""What was proved of a file, in sentences: of which matrix, on which conditions, with which list.

Nothing is said of the vector that attains the lower bound: the theorems say that there is one, and not which.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from relaxspca.certificate import (
    Certificate,
    Eliminated,
    Others,
    RatioCertificate,
    Restriction,
    TableCertificate,
)
from relaxspca.certificate.statement import FEW, above, below, conditions, others, shown
from relaxspca.errors import in_line

__all__ = ["said"]


def said(certificate: Certificate | TableCertificate | RatioCertificate) -> Iterator[str]:
    """Yield what the claim is about, its matrix with the digest, and what else was claimed and proved."""
    yield from certificate.wording.words(certificate)[1:3]
    if isinstance(certificate, TableCertificate):
        return
    # The claim itself names few variables one by one, and counts more of them.
    for what, some in (("always", certificate.include), ("never", certificate.exclude)):
        if len(some) > FEW:
            yield f"{what} among the variables of a support: {_listed(certificate, some)}"
    if isinstance(certificate, RatioCertificate):
        return
    if certificate.restriction is not None:
        yield from _groups(certificate, certificate.restriction)
    if certificate.others is not None:
        yield from _supports(certificate, certificate.others)
    yield from conditions(certificate)
    if certificate.eliminated is not None:
        yield _variances(certificate.eliminated)


def _groups(certificate: Certificate, restriction: Restriction) -> Iterator[str]:
    """Yield the members of every group; what it is called is in no theorem and in no digest."""
    for name, members in zip(restriction.names, restriction.groups, strict=True):
        yield f"the group that the maker calls {shown(name)} is {_listed(certificate, members)}"


def _supports(certificate: Certificate, found: Others) -> Iterator[str]:
    yield from others(certificate)
    for support, lower, upper in zip(found.indices, found.lower, found.upper, strict=True):
        bounds = f"at least {below(lower)} and at most {above(upper)}"
        yield f"listed: {_listed(certificate, support)}, which explain {bounds}"


def _variances(eliminated: Eliminated) -> str:
    largest = above(max(eliminated.variances, default=0.0))
    return f"no variance of an eliminated variable exceeds {largest}; the digest is of all of them"


def _listed(certificate: Certificate | RatioCertificate, indices: Iterable[int]) -> str:
    return in_line([shown(certificate.names[int(i)]) for i in indices])
