"""Figures; each function draws into `ax` and returns it.

matplotlib is imported when one is drawn; where it is not installed, that raises `MissingExtra`.
"""

from relaxspca.plotting.near_optimal import plot_near_optimal, plot_radii
from relaxspca.plotting.paths import (
    plot_bootstrap,
    plot_held_out,
    plot_path,
    plot_selections,
    plot_shares,
    plot_supports,
)
from relaxspca.plotting.progress import plot_comparison, plot_progress
from relaxspca.plotting.table import plot_biplot, plot_components, plot_loadings

__all__ = [
    "plot_bootstrap",
    "plot_biplot",
    "plot_comparison",
    "plot_components",
    "plot_held_out",
    "plot_loadings",
    "plot_near_optimal",
    "plot_path",
    "plot_progress",
    "plot_radii",
    "plot_selections",
    "plot_shares",
    "plot_supports",
]
__dir__ = __all__.copy
