"""What certified sparse eigenvalues decide elsewhere: least squares, recovery, cliques, topics."""

from relaxspca.applications.clique import CliqueBounds, clique_bounds
from relaxspca.applications.regressors import SubsetSelection, subset_path, subset_selection
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
    "SubsetSelection",
    "Topic",
    "clique_bounds",
    "isometry_bounds",
    "orthogonality_bounds",
    "recovery_conditions",
    "subset_path",
    "subset_selection",
    "topics",
]
