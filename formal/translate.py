"""Write the evidence for a certificate in the words that the verified checker reads.

    python formal/translate.py certificates/pitprops/k05.json > k05.txt
    formal/build/checker certificates/pitprops/k05.json < k05.txt

Nothing here is trusted: the checker takes from the file what is claimed, and of what. All numbers are exact:
doubles become whole numbers in units of powers of two. What a certificate leaves to its reader is found here: a
factor L with `g M - LL'` diagonally dominant, so M is positive semidefinite.
"""

from __future__ import annotations

import sys
from typing import Any

from components import TableTranslation
from points import NotCovered, NotProved
from ratios import RatioTranslation
from restricted import NonnegativeTranslation, OneOfEachTranslation, WholeGroupsTranslation
from single import SingleTranslation

from relaxspca.certificate import Certificate, load_certificate

__all__ = ["NotCovered", "NotProved", "translate"]


MOST = {"component": 4000, "penalty": 100, "restricted": 400, "ratio": 400, "components": 500}


def translate(certificate: Certificate) -> str:
    """Return the evidence.

    Raises
    ------
    NotCovered
        Something that the theorems do not speak of, or that is too large.
    NotProved
        A leaf at which no factor L was found, because the claimed bound is not proved there.
    """
    claim = certificate.claim
    is_restricted = len(claim.one_of_each) + len(claim.whole_groups) > 0 or claim.nonnegative
    kind = "penalty" if claim.rho is not None else "restricted" if is_restricted else claim.kind
    most = MOST["ratio" if claim.kind == "ratio" else kind]
    if certificate.n > most:
        raise NotCovered(f"{certificate.n} variables, more than {most}")
    return "\n".join(_translation(certificate)(certificate).lines()) + "\n"


def _translation(certificate: Certificate) -> Any:
    claim = certificate.claim
    if claim.kind == "components":
        return TableTranslation
    if claim.kind == "ratio":
        return RatioTranslation
    if claim.one_of_each:
        return OneOfEachTranslation
    if claim.whole_groups:
        return WholeGroupsTranslation
    return NonnegativeTranslation if claim.nonnegative else SingleTranslation


if __name__ == "__main__":
    sys.stdout.write(translate(load_certificate(sys.argv[1])))
