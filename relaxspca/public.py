"""The public names; `import relaxspca` imports them from here on first use."""

from relaxspca import datasets, results
from relaxspca.candidates import candidate
from relaxspca.certificate import Certificate
from relaxspca.errors import CertificateError, DataWarning, InputError, MissingExtra, RelaxSPCAError
from relaxspca.problem.candidate import Candidate
from relaxspca.problem.covariance import Covariance
from relaxspca.reading.files import read
from relaxspca.tasks.certify import certify
from relaxspca.tasks.compare import compare
from relaxspca.tasks.components import components
from relaxspca.tasks.generalized import generalized
from relaxspca.tasks.near_optimal import near_optimal
from relaxspca.tasks.path import path
from relaxspca.tasks.resampling import bootstrap, held_out
from relaxspca.tasks.solve import solve
from relaxspca.tasks.stability import stability
from relaxspca.tasks.upper_bound import psi, upper_bound
from relaxspca.tasks.verify import verify_certificate as verify

__all__ = [
    "Candidate",
    "Certificate",
    "CertificateError",
    "Covariance",
    "DataWarning",
    "InputError",
    "MissingExtra",
    "RelaxSPCAError",
    "bootstrap",
    "candidate",
    "certify",
    "compare",
    "components",
    "datasets",
    "generalized",
    "held_out",
    "near_optimal",
    "path",
    "psi",
    "read",
    "results",
    "solve",
    "stability",
    "upper_bound",
    "verify",
]
