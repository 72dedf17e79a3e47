"""The figure of a bound: how it came down."""

from __future__ import annotations

from typing import Any

from relaxspca.plotting.style import VERMILLION, axes_or_new, check_kind
from relaxspca.results.bound import Bound

__all__ = ["plot_bound"]


def plot_bound(bound: Bound, *, ax: Any = None) -> Any:
    """Draw what each relaxation gave and when; the line is the best so far.

    Parameters
    ----------
    bound : Bound
    ax : matplotlib axes, or None for those of a new figure

    Returns
    -------
    matplotlib.axes.Axes

    Examples
    --------
    >>> import relaxspca as rs
    >>> plot_bound(rs.upper_bound(rs.datasets.load_pitprops(), 5)).get_xlabel()
    'seconds'
    """
    check_kind(bound, Bound)
    axes = axes_or_new(ax)
    steps = [(step.seconds, step.upper, step.relaxation) for step in bound.history]
    steps = steps or [(bound.seconds, bound.upper, bound.relaxation)]
    seconds, upper, names = zip(*steps, strict=True)
    best = [min(upper[: at + 1]) for at in range(len(upper))]
    axes.step(seconds, best, where="post", color=VERMILLION, linewidth=1)
    axes.plot(seconds, upper, color=VERMILLION, marker="v", linestyle="none", markersize=5)
    for x, y, name in steps:
        axes.annotate(name, (x, y), (5, 4), textcoords="offset points", fontsize=8)
    axes.margins(x=0.2, y=0.15)
    axes.set_xlabel("seconds")
    axes.set_ylabel(f"upper bound on $v_{{{bound.k}}}$ (variance)")
    return axes
