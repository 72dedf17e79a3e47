"""The claim, its evidence, and the files that hold them: plain data that proves nothing by itself."""

from relaxspca.certificate.certificate import Certificate, digest_of
from relaxspca.certificate.eliminated import Eliminated
from relaxspca.certificate.evidence import (
    Leaf,
    PairwisePoint,
    PerronPoint,
    Point,
    PsiPoint,
    Split,
    WeightsPoint,
)

__all__ = [
    "Certificate",
    "Eliminated",
    "Leaf",
    "PairwisePoint",
    "PerronPoint",
    "Point",
    "PsiPoint",
    "Split",
    "WeightsPoint",
    "digest_of",
]
