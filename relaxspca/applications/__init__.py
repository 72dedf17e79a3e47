"""What certified sparse eigenvalues decide elsewhere: least squares, recovery, cliques, topics."""

from relaxspca.applications.clique import CliqueBounds, clique_bounds
from relaxspca.applications.discriminant import (
    canonical_correlations,
    contrastive,
    discriminants,
    scatter_matrices,
)
from relaxspca.applications.regressors import (
    SubsetCertified,
    SubsetSelection,
    certify_subset,
    subset_path,
    subset_selection,
)
from relaxspca.applications.restricted_isometry import (
    IsometryBounds,
    RecoveryConditions,
    isometry_bounds,
    orthogonality_bounds,
    recovery_conditions,
)
from relaxspca.applications.text_topics import Topic, topics

__all__ = [
    "CliqueBounds",
    "IsometryBounds",
    "RecoveryConditions",
    "SubsetCertified",
    "SubsetSelection",
    "canonical_correlations",
    "certify_subset",
    "Topic",
    "clique_bounds",
    "contrastive",
    "discriminants",
    "isometry_bounds",
    "orthogonality_bounds",
    "recovery_conditions",
    "scatter_matrices",
    "subset_path",
    "subset_selection",
    "topics",
]
