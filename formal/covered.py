"""Which claims the theorems speak of, as far as a file says it by its fields."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable
from itertools import islice

import numpy as np
from sizes import padded_sizes, sizes_of_total

from relaxspca.certificate import Certificate, RatioCertificate, TableCertificate

__all__ = ["MOST_VARIABLES", "NotCovered", "classes_of", "why_not"]

MOST_VARIABLES, MOST_PENALISED, MOST_TABLES, MOST_RATIOS = 400, 64, 100, 200
MOST_RESTRICTED = 200
MOST_SPLITS, MOST_PADDED = 1 << 15, 1 << 8
# What a claim is made of. A field that is not here, now or in times to come, may change its meaning.
CLAIM = {"n", "names", "matrix", "factor", "description", "k", "rho", "lower", "upper", "version",
         "include", "exclude", "others", "eliminated", "elimination", "restriction"}  # fmt: skip
EVIDENCE = {"indices", "loadings", "points", "tree", "made_by"}


class NotCovered(Exception):
    """The certificate is of a kind that the theorems do not speak of, or too large; the message says which."""


def why_not(certificate: Certificate | TableCertificate | RatioCertificate) -> str:
    """Say why the verified checker cannot speak of a certificate, or return an empty text."""
    if isinstance(certificate, RatioCertificate):
        if certificate.budgets:
            return "a claim about a ratio with budgets"
        return f"{certificate.n} variables, more than {MOST_RATIOS}" if certificate.n > MOST_RATIOS else ""
    if isinstance(certificate, TableCertificate):
        if _more_than(MOST_SPLITS, sizes_of_total(certificate)):
            return f"more than {MOST_SPLITS} ways to split a total"
        if _more_than(MOST_PADDED, padded_sizes(certificate)):
            return f"more than {MOST_PADDED} ways to fit disjoint supports together"
        return f"{certificate.n} variables, more than {MOST_TABLES}" if certificate.n > MOST_TABLES else ""
    if certificate.restriction is not None and certificate.n > MOST_RESTRICTED:
        return f"{certificate.n} variables, more than {MOST_RESTRICTED}"
    for field in dataclasses.fields(certificate):
        value = getattr(certificate, field.name)
        if field.name not in CLAIM | EVIDENCE and value is not None and np.size(value):
            return f"a claim with {field.name}"
    if certificate.eliminated is not None and (certificate.k is None or certificate.others is not None):
        return "a claim with eliminated variables that is of a penalty or has a list"
    most = MOST_VARIABLES if certificate.rho is None else MOST_PENALISED
    if certificate.n > most:
        return f"{certificate.n} variables, more than {most}"
    return ""


def classes_of(certificate: Certificate) -> list[int]:
    """Return a number for each variable, the same for those of one group."""
    classes = list(range(certificate.n))
    for group in [] if certificate.restriction is None else certificate.restriction.groups:
        for i in group:
            classes[i] = int(group[0])
    return classes


def _more_than(count: int, items: Iterable[list[int]]) -> bool:
    return next(islice(items, count, None), None) is not None
