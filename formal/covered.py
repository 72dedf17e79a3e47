"""Which claims the theorems speak of, as far as a file says it by its fields."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable
from itertools import islice

import numpy as np
from sizes import padded_sizes

from relaxspca.certificate import (
    Certificate,
    Eliminated,
    Others,
    RatioCertificate,
    Restriction,
    TableCertificate,
)

__all__ = ["MOST_VARIABLES", "NotCovered", "classes_of", "why_not"]

MOST_VARIABLES, MOST_PENALISED, MOST_TABLES, MOST_RATIOS = 400, 64, 100, 200
MOST_RESTRICTED = 200
MOST_PADDED = 1 << 8
MATRIX = {"names", "matrix", "factor", "description"}
BOUNDS = {"lower", "upper", "include", "exclude"}
EVIDENCE = {"indices", "loadings", "points", "tree", "made_by"}
# What is compared with the claim that was proved, or is evidence. Any other field may change what is claimed.
KNOWN = {
    Certificate: {"n", "k", "rho", "version", "others", "eliminated", "elimination", "restriction"}
    | MATRIX | BOUNDS | EVIDENCE,
    TableCertificate: {"supports", "sizes"} | MATRIX | BOUNDS | EVIDENCE,
    RatioCertificate: {"names", "pencil", "k", "budgets", "mu", "exponents", "fit"} | BOUNDS | EVIDENCE,
    Others: {"most", "lower", "upper", "indices", "loadings"},
    Eliminated: {"names", "variances", "shift"},
    Restriction: {"kind", "names", "groups"},
}  # fmt: skip


class NotCovered(Exception):
    """The certificate is of a kind that the theorems do not speak of, or too large; the message says which."""


def why_not(certificate: Certificate | TableCertificate | RatioCertificate) -> str:
    """Say why the verified checker cannot speak of a certificate, or return an empty text."""
    if unknown := _unknown_field(certificate):
        return f"a claim with {unknown}"
    if isinstance(certificate, RatioCertificate):
        if certificate.budgets:
            return "a claim about a ratio with budgets"
        return _too_many(certificate.n, MOST_RATIOS)
    if isinstance(certificate, TableCertificate):
        if certificate.n > MOST_TABLES:  # first, as lists of sizes are as long as there are components
            return _too_many(certificate.n, MOST_TABLES)
        if _more_than(MOST_PADDED, padded_sizes(certificate)):
            return f"more than {MOST_PADDED} ways to fit disjoint supports together"
        return ""
    if certificate.restriction is not None and certificate.n > MOST_RESTRICTED:
        return _too_many(certificate.n, MOST_RESTRICTED)
    if certificate.eliminated is not None and (certificate.k is None or certificate.others is not None):
        return "a claim with eliminated variables that is of a penalty or has a list"
    return _too_many(certificate.n, MOST_VARIABLES if certificate.rho is None else MOST_PENALISED)


def classes_of(certificate: Certificate) -> list[int]:
    """Return a number for each variable, the same for those of one group."""
    classes = list(range(certificate.n))
    for group in [] if certificate.restriction is None else certificate.restriction.groups:
        for i in group:
            classes[i] = int(group[0])
    return classes


def _unknown_field(part: object) -> str:
    """Return a field with a value that is not known here, of a certificate or of a part of its claim."""
    known: set[str] = next((known for kind, known in KNOWN.items() if isinstance(part, kind)), set())
    for field in dataclasses.fields(part):  # type: ignore[arg-type]
        value = getattr(part, field.name)
        if field.name not in known and value is not None and np.size(value):
            return field.name
        if isinstance(value, Others | Eliminated | Restriction) and (unknown := _unknown_field(value)):
            return unknown
    return ""


def _too_many(n: int, most: int) -> str:
    return f"{n} variables, more than {most}" if n > most else ""


def _more_than(count: int, items: Iterable[list[int]]) -> bool:
    return next(islice(items, count, None), None) is not None
