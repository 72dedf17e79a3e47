"""The figure of a search, or of a bound: the bounds over time."""

from __future__ import annotations

from typing import Any

import numpy as np

from relaxspca.errors import counted
from relaxspca.plotting.style import BAND, BLUE, VERMILLION, axes_or_new, check_kind
from relaxspca.results.bound import Bound
from relaxspca.results.result import Result


def plot_progress(found: Result | Bound, *, ax: Any = None) -> Any:
    """Draw both bounds after every round of a search, or what each relaxation gave and the best so far.

    Parameters
    ----------
    found : Result or Bound
    ax : matplotlib axes, or None for those of a new figure

    Returns
    -------
    matplotlib.axes.Axes

    Examples
    --------
    >>> import relaxspca as rs
    >>> plot_progress(rs.solve(rs.datasets.load_pitprops(), 3)).get_ylabel()
    'variance'
    """
    check_kind(found, Result, Bound)
    axes = axes_or_new(ax)
    if isinstance(found, Bound):
        _draw_steps(found, axes)
    else:
        _draw_rounds(found, axes)
    return axes


def _draw_steps(bound: Bound, axes: Any) -> None:
    steps = [(step.seconds, step.upper, step.relaxation) for step in bound.history]
    steps = steps or [(bound.seconds, bound.upper, bound.relaxation)]
    seconds, upper, _ = zip(*steps, strict=True)
    axes.step(seconds, np.minimum.accumulate(upper), where="post", color=VERMILLION, linewidth=1)
    axes.plot(seconds, upper, color=VERMILLION, marker="v", linestyle="none", markersize=5)
    for x, y, name in steps:
        axes.annotate(name, (x, y), (5, 4), textcoords="offset points", fontsize=8)
    axes.margins(x=0.2, y=0.15)
    axes.set_xlabel("seconds")
    of = f"$v_{{{bound.k}}}$" if bound.rho is None else r"$\phi(\rho)$"
    axes.set_ylabel(f"upper bound on {of} (variance)")


def _draw_rounds(result: Result, axes: Any) -> None:
    rounds = [(p.seconds, p.lower, p.upper) for p in result.history]
    seconds, lower, upper = zip(*[*rounds, (result.seconds, result.lower, result.upper)], strict=True)
    axes.fill_between(seconds, lower, upper, color=BAND, linewidth=0, step="post")
    axes.step(seconds, upper, where="post", color=VERMILLION, linestyle="--", marker="v", markersize=4)
    axes.step(seconds, lower, where="post", color=BLUE, marker="o", markersize=4)
    axes.annotate("upper bound", (seconds[0], upper[0]), (6, 6), textcoords="offset points", fontsize=9)
    axes.annotate("best component", (seconds[0], lower[0]), (6, -12), textcoords="offset points", fontsize=9)
    axes.margins(y=0.2)
    axes.set_xlabel(f"seconds ({counted(result.node_count, 'node')} in all)")
    axes.set_ylabel("variance")
    axes.ticklabel_format(axis="y", useOffset=False)
