"""The figure of least squares on few variables."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from relaxspca.plotting.style import BLUE, VERMILLION, axes_or_new

if TYPE_CHECKING:
    from relaxspca.applications import SubsetPath


def plot_selections(path: SubsetPath, *, ax: Any = None) -> Any:
    """Draw the enclosures of the least residual s(k) against k.

    Parameters
    ----------
    path : SubsetPath
    ax : matplotlib axes, or None for those of a new figure

    Returns
    -------
    matplotlib.axes.Axes

    Examples
    --------
    >>> import numpy as np
    >>> from relaxspca.applications import subset_path
    >>> axes = plot_selections(subset_path(np.eye(3), [1.0, -2.0, 3.0], [1, 2]))
    >>> axes.get_xlabel()
    'variables, k'
    """
    axes = axes_or_new(ax)
    sizes = [fit.k for fit in path]
    axes.plot(sizes, [fit.upper for fit in path], "o-", color=BLUE, markersize=4, label="attained")
    axes.plot(sizes, [fit.lower for fit in path], "_--", color=VERMILLION, label="lower bound, proved")
    axes.xaxis.get_major_locator().set_params(integer=True)
    axes.set_xlabel("variables, k")
    axes.set_ylabel("least residual sum of squares, s(k)")
    axes.legend(frameon=False, fontsize=8)
    return axes
