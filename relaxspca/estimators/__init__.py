"""scikit-learn estimators; they need the extra ``estimators``."""

from relaxspca.runtime.lazy import needed

with needed("relaxspca.estimators needs scikit-learn", "estimators"):
    import sklearn  # noqa: F401

from relaxspca.estimators.certified import CertifiedSparsePCA
from relaxspca.estimators.discriminant import CertifiedSparseLDA

__all__ = [
    "CertifiedSparseLDA",
    "CertifiedSparsePCA",
]
__dir__ = __all__.copy
