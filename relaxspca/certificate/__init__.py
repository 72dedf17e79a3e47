"""The claim, its evidence, and the files that hold them: plain data that proves nothing by itself."""

from relaxspca.certificate.certificate import Certificate
from relaxspca.certificate.claim import Budget, Claim, ListedSupports
from relaxspca.certificate.description import Deflation, Description, Eliminated
from relaxspca.certificate.evidence import (
    HEADS,
    MOST_VARIABLES,
    Evidence,
    FactorPoint,
    Fewer,
    Leaf,
    MultiplierPoint,
    Point,
    Restrict,
    RowsPoint,
    Single,
    Split,
    TreeNode,
    Vector,
    Witness,
)
from relaxspca.certificate.reading import load_certificate
from relaxspca.certificate.subject import Matrix
from relaxspca.errors import CertificateError, Paragraph

TYPE_CHECKING = False
if TYPE_CHECKING:
    from relaxspca.certificate.pencil import LeastSquares, Pencil

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
    "load_certificate",
]


def __getattr__(name: str) -> object:
    """Import what only ratios speak of on first use."""
    if name not in ("LeastSquares", "Pencil"):
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from relaxspca.certificate import pencil

    return getattr(pencil, name)
