"""scikit-learn estimators; they need the extra ``estimators``."""

from relaxspca.errors import MissingExtra

try:
    import sklearn  # noqa: F401
except ImportError as error:
    raise MissingExtra(
        "relaxspca.estimators needs scikit-learn: pip install 'relaxspca[estimators]'"
    ) from error

from relaxspca.estimators.certified import CertifiedSparsePCA
from relaxspca.estimators.discriminant import CertifiedSparseLDA

__all__ = [
    "CertifiedSparseLDA",
    "CertifiedSparsePCA",
]


def __dir__() -> list[str]:
    return sorted(__all__)
