"""Write a certificate in the words that the verified checker reads.

    python formal/translate.py certificates/pitprops/k05.json > k05.txt

Nothing here is trusted. The checker prints the claim it has proved, and `prove.py` compares it with the file.
All numbers are exact: doubles become whole numbers in units of 1/D, D a power of two. What a certificate leaves
to its reader is found here: a factor L with `g M - LL'` diagonally dominant, so M is positive semidefinite.
"""

from __future__ import annotations

import sys

from covered import NotCovered, why_not
from points import NotProved
from ratios import RatioTranslation
from restricted import RESTRICTED
from single import SingleTranslation
from tables import TableTranslation

from relaxspca.certificate import Certificate, RatioCertificate, TableCertificate, load_certificate

__all__ = ["NotCovered", "NotProved", "translate", "why_not"]


def translate(certificate: Certificate | TableCertificate | RatioCertificate) -> str:
    """Return the input of the verified checker.

    Raises
    ------
    NotCovered
        A claim, or a size, that the verified checker does not take.
    NotProved
        A leaf at which no factor L was found, because the claimed bound is not proved there.
    """
    reason = why_not(certificate)
    if reason:
        raise NotCovered(reason)
    return "\n".join(_translation(certificate).lines()) + "\n"


def _translation(
    certificate: Certificate | TableCertificate | RatioCertificate,
) -> SingleTranslation | TableTranslation | RatioTranslation:
    if isinstance(certificate, TableCertificate):
        return TableTranslation(certificate)
    if isinstance(certificate, RatioCertificate):
        return RatioTranslation(certificate)
    if certificate.restriction is not None:
        return RESTRICTED[certificate.restriction.kind](certificate)
    return SingleTranslation(certificate)


if __name__ == "__main__":
    sys.stdout.write(translate(load_certificate(sys.argv[1])))
