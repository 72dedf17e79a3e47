"""What `solve` and the other functions return."""

from relaxspca.results.bound import Bound
from relaxspca.results.certified import Certified
from relaxspca.results.certified_table import CertifiedTable
from relaxspca.results.comparison import Comparison
from relaxspca.results.components import Components, JointComponents
from relaxspca.results.generalized import Generalized
from relaxspca.results.near_optimal import NearOptimal
from relaxspca.results.path_table import Path
from relaxspca.results.result import Result
from relaxspca.results.stability import Stability

__all__ = [
    "Bound",
    "Certified",
    "CertifiedTable",
    "Comparison",
    "Components",
    "Generalized",
    "JointComponents",
    "NearOptimal",
    "Path",
    "Result",
    "Stability",
]
__dir__ = __all__.copy
