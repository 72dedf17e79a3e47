"""scikit-learn estimators; they need the extra ``estimators``."""

from relaxspca.errors import MissingExtra

try:
    import sklearn  # noqa: F401
except ImportError as error:
    raise MissingExtra(
        "relaxspca.estimators needs scikit-learn: pip install 'relaxspca[estimators]'"
    ) from error

from relaxspca.estimators.certified import CertifiedSparsePCA
from relaxspca.estimators.discriminant import CertifiedSparseCCA, CertifiedSparseLDA
from relaxspca.estimators.encoder import SparseLinearEncoder
from relaxspca.estimators.regressor import SparsePCARegressor

__all__ = [
    "CertifiedSparseCCA",
    "CertifiedSparseLDA",
    "CertifiedSparsePCA",
    "SparseLinearEncoder",
    "SparsePCARegressor",
]


def __dir__() -> list[str]:
    return sorted(__all__)
