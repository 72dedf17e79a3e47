"""The figure of a comparison of candidate methods."""

from __future__ import annotations

from typing import Any

from relaxspca.plotting.style import BLUE, VERMILLION, axes_or_new, check_kind, drawn_gaps
from relaxspca.results.comparison import Comparison

SMALLEST_GAP = 1e-3  # per cent; the scale is linear from 0 to here


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
        axes.plot(
            gap,
            position,
            marker="o",
            markersize=5,
            markerfacecolor=BLUE if is_best else "white",
            markeredgecolor=BLUE,
        )
        time = f"{rows[name].seconds:.2g} s"
        axes.annotate(time, (gap, position), (7, -3), textcoords="offset points", fontsize=8)
    axes.set_ylim(-0.6, len(rows) - 0.4)
    axes.set_yticks(range(len(rows)), [*reversed(rows)])
    axes.set_xscale("symlog", linthresh=SMALLEST_GAP)
    axes.set_xlim(-SMALLEST_GAP / 2, max(10 * max(gaps), 1))
    axes.set_xlabel(f"gap to the proved bound on $v_{{{comparison.k}}}$, % (filled: best)", wrap=True)
    return axes
