"""Which claims the theorem speaks of: bounds on v_k over all supports of k variables, and nothing besides."""

from __future__ import annotations

import dataclasses

import numpy as np

from relaxspca.certificate import Certificate

__all__ = ["MOST_VARIABLES", "NotCovered", "why_not"]

MOST_VARIABLES = 256
# What a claim about v_k is made of. A field that is not here, now or in times to come, may change its meaning.
CLAIM = {"n", "names", "matrix", "factor", "description", "k", "lower", "upper", "version"}
EVIDENCE = {"indices", "loadings", "points", "tree", "made_by"}


class NotCovered(Exception):
    """The certificate is of a kind that the theorem does not speak of, or too large; the message says which."""


def why_not(certificate: Certificate) -> str:
    """Say why the verified checker cannot speak of a certificate, or return an empty text."""
    if certificate.k is None:
        return "a penalised claim"
    for field in dataclasses.fields(certificate):
        value = getattr(certificate, field.name)
        if field.name not in CLAIM | EVIDENCE and value is not None and np.size(value):
            return f"a claim with {field.name}"
    if certificate.n > MOST_VARIABLES:
        return f"{certificate.n} variables, more than {MOST_VARIABLES}"
    return ""
