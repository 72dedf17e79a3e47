"""The figure of a vector of large ratio."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from relaxspca.numerics.decimals import interval
from relaxspca.plotting.style import BLUE, VERMILLION, axes_or_new

if TYPE_CHECKING:
    from relaxspca.results.generalized import Generalized

__all__ = ["plot_ratio"]


def plot_ratio(found: Generalized, ax: Any = None) -> Any:
    """Draw the loadings of a vector of large ratio, the largest first, with the bounds on the ratio.

    Parameters
    ----------
    found : Generalized
    ax : matplotlib axes, or None for those of a new figure

    Returns
    -------
    matplotlib.axes.Axes

    Examples
    --------
    >>> import relaxspca as rs
    >>> axes = plot_ratio(rs.generalized([[4.0, 1.0], [1.0, 1.0]], [[2.0, 0.0], [0.0, 1.0]], 1))
    >>> [label.get_text() for label in axes.get_yticklabels()]
    ['x0']
    """
    pairs = list(found.loadings.items())[::-1]
    axes = axes_or_new(ax, 4.6, 0.8 + 0.28 * len(pairs))
    colours = [BLUE if value > 0 else VERMILLION for _, value in pairs]
    axes.barh(range(len(pairs)), [value for _, value in pairs], color=colours, height=0.7)
    axes.axvline(0, color="black", linewidth=0.8)
    axes.set_yticks(range(len(pairs)), [name for name, _ in pairs])
    axes.set_xlabel(f"loading; {interval(found.lower, found.upper, 6).text(f'r_{found.k}')}")
    return axes
