"""The claim, its evidence, and the files that hold them: plain data that proves nothing by itself."""

from relaxspca.certificate.certificate import Certificate
from relaxspca.certificate.description import KINDS, Deflation, Description
from relaxspca.certificate.digest import digest_of
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
from relaxspca.certificate.others import Others
from relaxspca.certificate.restriction import Restriction

__all__ = [
    "KINDS",
    "Certificate",
    "Deflation",
    "Description",
    "Eliminated",
    "Leaf",
    "Others",
    "PairwisePoint",
    "PerronPoint",
    "Point",
    "PsiPoint",
    "Restriction",
    "Split",
    "WeightsPoint",
    "digest_of",
]
