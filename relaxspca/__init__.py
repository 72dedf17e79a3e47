"""relaxspca: sparse principal components with proofs."""

from importlib import import_module as _import_module
from types import ModuleType as _ModuleType

from relaxspca import datasets
from relaxspca.candidates import candidate
from relaxspca.certificate import Certificate, TableCertificate
from relaxspca.checker import verify
from relaxspca.errors import CertificateError, DataWarning, InputError, MissingExtra, RelaxSPCAError
from relaxspca.problem.candidate import Candidate
from relaxspca.problem.covariance import Covariance
from relaxspca.reading.files import read
from relaxspca.results.bound import Bound
from relaxspca.results.components import Components
from relaxspca.results.joint import JointComponents
from relaxspca.results.result import Result
from relaxspca.tasks.certify import certify
from relaxspca.tasks.compare import Comparison, compare
from relaxspca.tasks.components import components
from relaxspca.tasks.generalized import Generalized, generalized
from relaxspca.tasks.groups import OneOfEach, one_of_each
from relaxspca.tasks.judge import Certified
from relaxspca.tasks.judge_table import CertifiedTable
from relaxspca.tasks.near_optimal import NearOptimal, near_optimal
from relaxspca.tasks.nonnegative import Nonnegative, nonnegative
from relaxspca.tasks.path import Path, path
from relaxspca.tasks.penalised import PhiBounds, phi_bounds
from relaxspca.tasks.psi import PsiBound, psi
from relaxspca.tasks.resampling import bootstrap, held_out
from relaxspca.tasks.solve import solve
from relaxspca.tasks.stability import Stability, stability
from relaxspca.tasks.upper_bound import upper_bound
from relaxspca.tasks.whole_groups import WholeGroups, whole_groups

__version__ = "0.2.0"

# Folders that are imported when they are first used, as rs.plotting.
_FOLDERS = frozenset(
    [
        "applications",
        "candidates",
        "encoders",
        "estimators",
        "models",
        "plotting",
        "regression",
        "relaxations",
        "report",
    ]
)

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
    "Nonnegative",
    "OneOfEach",
    "Path",
    "PhiBounds",
    "PsiBound",
    "RelaxSPCAError",
    "Result",
    "Stability",
    "TableCertificate",
    "WholeGroups",
    "bootstrap",
    "candidate",
    "certify",
    "compare",
    "components",
    "datasets",
    "generalized",
    "held_out",
    "near_optimal",
    "nonnegative",
    "one_of_each",
    "path",
    "phi_bounds",
    "psi",
    "read",
    "solve",
    "stability",
    "upper_bound",
    "verify",
    "whole_groups",
]


def __getattr__(name: str) -> _ModuleType:
    if name in _FOLDERS:
        return _import_module(f"relaxspca.{name}")
    raise AttributeError(f"module 'relaxspca' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted([*__all__, *_FOLDERS, "__version__"])
