"""Applications of certified sparse eigenvalues: least squares, recovery, discriminants."""

from relaxspca.applications.best_subset import certify_subset, subset_path, subset_selection
from relaxspca.applications.discriminant import (
    Directions,
    canonical_correlations,
    discriminants,
    scatter_matrices,
)
from relaxspca.applications.restricted_isometry import Enclosure, IsometryBounds, isometry_bounds
from relaxspca.applications.subset_list import NearOptimalSubsets, near_optimal_subsets
from relaxspca.applications.subset_results import SubsetCertified, SubsetPath, SubsetSelection

__all__ = [
    "Directions",
    "Enclosure",
    "IsometryBounds",
    "NearOptimalSubsets",
    "SubsetCertified",
    "SubsetPath",
    "SubsetSelection",
    "canonical_correlations",
    "certify_subset",
    "discriminants",
    "isometry_bounds",
    "near_optimal_subsets",
    "scatter_matrices",
    "subset_path",
    "subset_selection",
]
__dir__ = __all__.copy
