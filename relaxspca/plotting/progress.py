"""Figures of searches: bounds over time, and every candidate method beside the bound."""

from __future__ import annotations

from typing import Any

import numpy as np

from relaxspca.errors import counted
from relaxspca.plotting.style import BAND, BLUE, DOT, VERMILLION, axes_or_new, check_kind, drawn_gaps
from relaxspca.results.bound import Bound
from relaxspca.results.comparison import Comparison
from relaxspca.results.result import Result

SMALLEST_GAP = 1e-3  # per cent; the scale is linear from 0 to here


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
    of = f"$v_{{{bound.k}}}$" if bound.rho is None else r"$\phi(\rho)$"
    axes.set(xlabel="seconds", ylabel=f"upper bound on {of} (variance)")


def _draw_rounds(result: Result, axes: Any) -> None:
    rounds = [(p.seconds, p.lower, p.upper) for p in result.history]
    seconds, lower, upper = zip(*[*rounds, (result.seconds, result.lower, result.upper)], strict=True)
    axes.fill_between(seconds, lower, upper, color=BAND, linewidth=0, step="post")
    axes.step(seconds, upper, where="post", color=VERMILLION, linestyle="--", marker="v", markersize=4)
    axes.step(seconds, lower, where="post", color=BLUE, marker="o", markersize=4)
    axes.annotate("upper bound", (seconds[0], upper[0]), (6, 6), textcoords="offset points", fontsize=9)
    axes.annotate("best component", (seconds[0], lower[0]), (6, -12), textcoords="offset points", fontsize=9)
    axes.margins(y=0.2)
    axes.set(xlabel=f"seconds ({counted(result.node_count, 'node')} in all)", ylabel="variance")
    axes.ticklabel_format(axis="y", useOffset=False)


def plot_comparison(comparison: Comparison, *, ax: Any = None) -> Any:
    """Draw a comparison: the gap of every method to the proved bound, with its time.

    Parameters
    ----------
    comparison : Comparison
    ax : matplotlib axes, or None for those of a new figure

    Returns
    -------
    matplotlib.axes.Axes
        Filled markers reach the best value known.

    Examples
    --------
    >>> import relaxspca as rs
    >>> found = rs.compare(rs.datasets.load_pitprops(), 3, methods=["greedy", "spannogram"])
    >>> sorted(label.get_text() for label in plot_comparison(found).get_yticklabels())
    ['greedy', 'spannogram']
    """
    check_kind(comparison, Comparison)
    rows = comparison.methods
    axes = axes_or_new(ax, 5.6, 0.9 + 0.24 * len(rows))
    gaps = drawn_gaps(row.gap for row in rows.values())
    for position, (name, gap) in enumerate(zip(reversed(rows), reversed(gaps), strict=True)):
        is_best = comparison.shortfall(name) <= 1e-9
        axes.hlines(position, 0, gap, color=VERMILLION, linewidth=1)
        axes.plot(gap, position, **DOT, markerfacecolor=BLUE if is_best else "white")
        time = f"{rows[name].seconds:.2g} s"
        axes.annotate(time, (gap, position), (7, -3), textcoords="offset points", fontsize=8)
    axes.set_ylim(-0.6, len(rows) - 0.4)
    axes.set_yticks(range(len(rows)), [*reversed(rows)])
    axes.set_xscale("symlog", linthresh=SMALLEST_GAP)
    axes.set_xlim(-SMALLEST_GAP / 2, max(10 * max(gaps), 1))
    axes.set_xlabel(f"gap to the proved bound on $v_{{{comparison.k}}}$, % (filled: best)", wrap=True)
    return axes
