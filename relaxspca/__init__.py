"""relaxspca: sparse principal components with proofs."""

from relaxspca import datasets
from relaxspca.candidate import Candidate
from relaxspca.candidates import candidate
from relaxspca.covariance import Covariance
from relaxspca.errors import CertificateError, DataWarning, InputError, MissingExtra, RelaxSPCAError

__version__ = "0.1.0"

__all__ = [
    "Candidate",
    "CertificateError",
    "Covariance",
    "DataWarning",
    "InputError",
    "MissingExtra",
    "RelaxSPCAError",
    "candidate",
    "datasets",
]
