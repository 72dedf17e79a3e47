"""Write the evidence for a certificate in the words that the verified checker reads.

Nothing here is trusted. Doubles become whole numbers in units of powers of two.
"""

from __future__ import annotations

import sys
from typing import Any

from components import TableTranslation
from integers import NotCovered
from ratios import RatioTranslation
from single import NonnegativeTranslation, SingleTranslation, WholeGroupsTranslation

from relaxspca.certificate import Certificate, load_certificate


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
    kinds: tuple[tuple[object, Any, int], ...] = (  # and how many variables it may have
        (claim.kind == "components", TableTranslation, 2500),
        (claim.kind == "ratio", RatioTranslation, 400),
        (claim.whole_groups, WholeGroupsTranslation, 400),
        (claim.nonnegative, NonnegativeTranslation, 400),
        (claim.rho is not None, SingleTranslation, 100),
        (True, SingleTranslation, 5000),
    )
    translation, most = next((kind, most) for is_it, kind, most in kinds if is_it)
    if certificate.n > most:
        raise NotCovered(f"{certificate.n} variables, more than {most}")
    return "\n".join(translation(certificate).lines()) + "\n"


if __name__ == "__main__":
    sys.stdout.write(translate(load_certificate(sys.argv[1])))
