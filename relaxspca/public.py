"""The public names; `import relaxspca` imports them from here on first use."""

from relaxspca import datasets
from relaxspca.candidates import candidate
from relaxspca.certificate import Certificate
from relaxspca.checker import verify
from relaxspca.errors import CertificateError, DataWarning, InputError, MissingExtra, RelaxSPCAError
from relaxspca.problem.candidate import Candidate
from relaxspca.problem.covariance import Covariance
from relaxspca.reading.files import read
from relaxspca.results.bound import Bound
from relaxspca.results.certified import Certified
from relaxspca.results.certified_table import CertifiedTable
from relaxspca.results.comparison import Comparison
from relaxspca.results.components import Components
from relaxspca.results.generalized import Generalized
from relaxspca.results.joint import JointComponents
from relaxspca.results.near_optimal import NearOptimal
from relaxspca.results.path_table import Path
from relaxspca.results.phi_bounds import PhiBounds
from relaxspca.results.psi_bound import PsiBound
from relaxspca.results.result import Result
from relaxspca.results.stability import Stability
from relaxspca.tasks.certify import certify
from relaxspca.tasks.compare import compare
from relaxspca.tasks.components import components
from relaxspca.tasks.generalized import generalized
from relaxspca.tasks.near_optimal import near_optimal
from relaxspca.tasks.path import path
from relaxspca.tasks.penalised import phi_bounds
from relaxspca.tasks.psi import psi
from relaxspca.tasks.resampling import bootstrap, held_out
from relaxspca.tasks.solve import solve
from relaxspca.tasks.stability import stability
from relaxspca.tasks.upper_bound import upper_bound

__all__ = [
    "Bound",
    "Candidate",
    "Certificate",
    "CertificateError",
    "Certified",
    "CertifiedTable",
    "Comparison",
    "Components",
    "Covariance",
    "DataWarning",
    "Generalized",
    "InputError",
    "JointComponents",
    "MissingExtra",
    "NearOptimal",
    "Path",
    "PhiBounds",
    "PsiBound",
    "RelaxSPCAError",
    "Result",
    "Stability",
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
    "phi_bounds",
    "psi",
    "read",
    "solve",
    "stability",
    "upper_bound",
    "verify",
]
