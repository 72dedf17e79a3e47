"""relaxspca: sparse principal components with proofs."""

from relaxspca import datasets
from relaxspca.candidates import candidate
from relaxspca.certificate import Certificate
from relaxspca.certify.certify import Certified, certify
from relaxspca.certify.penalised import PhiBounds, phi_bounds
from relaxspca.certify.psi_value import PsiBound, psi
from relaxspca.certify.solve import solve
from relaxspca.certify.upper_bound import upper_bound
from relaxspca.checker import verify
from relaxspca.compare import Comparison, compare
from relaxspca.components import Components, components
from relaxspca.errors import CertificateError, DataWarning, InputError, MissingExtra, RelaxSPCAError
from relaxspca.path import Path, path
from relaxspca.problem.candidate import Candidate
from relaxspca.problem.covariance import Covariance
from relaxspca.results.bound import Bound
from relaxspca.results.result import Result

__version__ = "0.1.0"

__all__ = [
    "Bound",
    "Candidate",
    "Certificate",
    "CertificateError",
    "Certified",
    "Comparison",
    "Components",
    "Covariance",
    "DataWarning",
    "InputError",
    "MissingExtra",
    "Path",
    "PhiBounds",
    "PsiBound",
    "RelaxSPCAError",
    "Result",
    "candidate",
    "certify",
    "compare",
    "components",
    "datasets",
    "path",
    "phi_bounds",
    "psi",
    "solve",
    "upper_bound",
    "verify",
]
