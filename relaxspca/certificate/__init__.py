"""The claim, its evidence, and the files that hold them: plain data that proves nothing by itself."""

from relaxspca.certificate.certificate import Certificate
from relaxspca.certificate.description import KINDS, Deflation, Description
from relaxspca.certificate.digest import digest_of
from relaxspca.certificate.eliminated import Eliminated
from relaxspca.certificate.evidence import (
    Leaf,
    PerronPoint,
    Point,
    PsiPoint,
    Split,
    WeightsPoint,
)
from relaxspca.certificate.loading import load_certificate
from relaxspca.certificate.others import Others
from relaxspca.certificate.pencil import Budget, DensePencil, LeastSquaresData, Pencil
from relaxspca.certificate.ratio import RatioCertificate
from relaxspca.certificate.restriction import Restriction
from relaxspca.certificate.table import TableCertificate
from relaxspca.certificate.table_evidence import ComponentSplit, MultiplierPoint, TableLeaf
from relaxspca.errors import CertificateError, Paragraph

__all__ = [
    "Budget",
    "DensePencil",
    "LeastSquaresData",
    "Pencil",
    "RatioCertificate",
    "KINDS",
    "Certificate",
    "CertificateError",
    "ComponentSplit",
    "Deflation",
    "Description",
    "Eliminated",
    "Leaf",
    "MultiplierPoint",
    "Others",
    "Paragraph",
    "PerronPoint",
    "Point",
    "PsiPoint",
    "Restriction",
    "Split",
    "TableCertificate",
    "TableLeaf",
    "WeightsPoint",
    "digest_of",
    "load_certificate",
]
