"""The claim, its evidence, and the files that hold them: plain data that proves nothing by itself."""

from importlib import import_module

from relaxspca.certificate.certificate import Certificate
from relaxspca.certificate.claim import Claim
from relaxspca.certificate.evidence import (
    HEADS,
    MOST_VARIABLES,
    Evidence,
    Fewer,
    Leaf,
    Restrict,
    RowsPoint,
    Single,
    Split,
    TreeNode,
    Vector,
    Witness,
)
from relaxspca.certificate.reading import load_certificate
from relaxspca.certificate.subject import Description, Matrix
from relaxspca.errors import CertificateError, Paragraph

TYPE_CHECKING = False
if TYPE_CHECKING:
    from relaxspca.certificate.optional import Budget, Deflation, Eliminated, ListedSupports
    from relaxspca.certificate.pencil import LeastSquares, Pencil
    from relaxspca.certificate.points import FactorPoint, MultiplierPoint
    from relaxspca.certificate.several import Point, claim_about

__all__ = [
    "HEADS",
    "MOST_VARIABLES",
    "Budget",
    "Certificate",
    "CertificateError",
    "Claim",
    "Deflation",
    "Description",
    "Eliminated",
    "Evidence",
    "FactorPoint",
    "Fewer",
    "Leaf",
    "LeastSquares",
    "ListedSupports",
    "Matrix",
    "MultiplierPoint",
    "TreeNode",
    "Pencil",
    "Paragraph",
    "Point",
    "Restrict",
    "RowsPoint",
    "Single",
    "Split",
    "Vector",
    "Witness",
    "claim_about",
    "load_certificate",
]


# What few claims speak of is imported on first use.
_LATER = dict.fromkeys(("Budget", "ListedSupports", "Deflation", "Eliminated"), "optional")
_LATER |= dict.fromkeys(("LeastSquares", "Pencil"), "pencil")
_LATER |= dict.fromkeys(("FactorPoint", "MultiplierPoint"), "points")
_LATER |= dict.fromkeys(("Point", "claim_about"), "several")


def __getattr__(name: str) -> object:
    """Import what few claims speak of on first use."""
    if name not in _LATER:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_LATER[name]}"), name)
