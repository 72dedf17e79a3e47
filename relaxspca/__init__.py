"""relaxspca: sparse principal components with proofs."""

from relaxspca import datasets
from relaxspca.bound import Bound
from relaxspca.candidate import Candidate
from relaxspca.candidates import candidate
from relaxspca.certificate import Certificate
from relaxspca.certify.result import Result
from relaxspca.certify.solve import solve
from relaxspca.covariance import Covariance
from relaxspca.errors import CertificateError, DataWarning, InputError, MissingExtra, RelaxSPCAError
from relaxspca.verify import verify

__version__ = "0.1.0"

__all__ = [
    "Bound",
    "Candidate",
    "Certificate",
    "CertificateError",
    "Covariance",
    "DataWarning",
    "InputError",
    "MissingExtra",
    "RelaxSPCAError",
    "Result",
    "candidate",
    "datasets",
    "solve",
    "verify",
]
