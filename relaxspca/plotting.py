"""Figures; matplotlib is imported when one is drawn."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from relaxspca.errors import MissingExtra

if TYPE_CHECKING:
    from relaxspca.compare import Comparison
    from relaxspca.path_table import Path

__all__ = ["plot_comparison", "plot_path"]

INK, BAND, LOWER, UPPER = "#222222", "#c9d8e8", "#1b4f72", "#b03a2e"
SMALLEST_GAP = 1e-3  # per cent; the scale is linear from 0 to here


def plot_path(path: Path) -> Any:
    """Draw a path: both bounds with the interval between them shaded, and the gap below.

    Parameters
    ----------
    path : Path
        Of cardinalities or of penalties.

    Returns
    -------
    matplotlib.figure.Figure
        Filled markers are certified rows. Save it with ``figure.savefig("path.pdf")``.

    Raises
    ------
    MissingExtra
        matplotlib is not installed.

    Examples
    --------
    >>> import relaxspca as rs
    >>> from relaxspca.path import path
    >>> found = path(rs.datasets.load_pitprops(), k=[11, 12, 13])
    >>> len(plot_path(found).axes)
    2
    """
    try:
        from matplotlib.figure import Figure
    except ImportError:
        raise MissingExtra("figures need matplotlib: pip install 'relaxspca[plot]'") from None
    figure = Figure(figsize=(5.2, 4.4), layout="constrained")
    bounds, gaps = figure.subplots(2, 1, sharex=True, height_ratios=[2.2, 1])
    rows = sorted(path.rows, key=lambda row: row.k if row.rho is None else row.rho)
    x = [row.k if row.rho is None else row.rho for row in rows]
    _draw_bounds(bounds, x, rows)
    _draw_gaps(gaps, x, rows)
    over_k = path.over == "k"
    bounds.set_ylabel("variance" if over_k else r"$\phi(\rho)$")
    gaps.set_xlabel("number of variables $k$" if over_k else r"penalty $\rho$")
    if over_k and len(x) <= 20:
        gaps.set_xticks(x)
    for axes in (bounds, gaps):
        axes.spines[["top", "right"]].set_visible(False)
        axes.tick_params(colors=INK, labelsize=9)
    return figure


def plot_comparison(comparison: Comparison) -> Any:
    """Draw a comparison: the gap of every method to the proved bound against its time.

    Parameters
    ----------
    comparison : Comparison

    Returns
    -------
    matplotlib.figure.Figure
        Filled markers reach the best value known.

    Raises
    ------
    MissingExtra
        matplotlib is not installed.
    """
    try:
        from matplotlib.figure import Figure
    except ImportError:
        raise MissingExtra("figures need matplotlib: pip install 'relaxspca[plot]'") from None
    rows = comparison.rows
    figure = Figure(figsize=(5.6, 0.8 + 0.24 * len(rows)), layout="constrained")
    axes = figure.subplots()
    for position, row in enumerate(reversed(rows)):
        fill = LOWER if row.shortfall <= 1e-9 else "white"
        axes.hlines(position, 0, 100 * row.gap, color=UPPER, linewidth=1)
        axes.plot(
            100 * row.gap, position, marker="o", markersize=5, markerfacecolor=fill, markeredgecolor=LOWER
        )
        axes.annotate(
            f"{row.seconds:.2g} s", (100 * row.gap, position), (7, -3), textcoords="offset points", fontsize=8
        )
    axes.set_yticks(range(len(rows)), [row.method for row in reversed(rows)])
    axes.set_xscale("symlog", linthresh=SMALLEST_GAP)
    axes.set_xlim(-SMALLEST_GAP / 2, max(10 * max(100 * row.gap for row in rows), 1))
    axes.set_xlabel(f"gap to the proved bound on $v_{{{comparison.k}}}$, %")
    axes.spines[["top", "right"]].set_visible(False)
    axes.tick_params(colors=INK, labelsize=9)
    return figure


def _draw_bounds(axes: Any, x: list[float], rows: list[Any]) -> None:
    lower, upper = [row.lower for row in rows], [row.upper for row in rows]
    axes.fill_between(x, lower, upper, color=BAND, linewidth=0, label="between the bounds")
    axes.plot(x, upper, color=UPPER, linewidth=1, linestyle="--", label="upper bound")
    axes.plot(x, lower, color=LOWER, linewidth=1.2, label="component found")
    _markers(axes, x, lower, rows)
    axes.legend(frameon=False, fontsize=9, loc="best")


def _draw_gaps(axes: Any, x: list[float], rows: list[Any]) -> None:
    gaps = [100 * row.gap for row in rows]
    axes.vlines(x, 0, gaps, color=UPPER, linewidth=1)
    _markers(axes, x, gaps, rows)
    axes.set_yscale("symlog", linthresh=SMALLEST_GAP)
    axes.set_ylim(-SMALLEST_GAP / 2, max(5 * max(gaps), 1))
    axes.set_ylabel("gap, %")


def _markers(axes: Any, x: list[float], y: list[float], rows: list[Any]) -> None:
    """Draw filled markers for certified rows and hollow ones for the others."""
    for certified, fill, label in ((True, LOWER, "certified optimal"), (False, "white", "not certified")):
        at = [i for i, row in enumerate(rows) if row.certified is certified]
        if at:
            axes.plot(
                [x[i] for i in at],
                [y[i] for i in at],
                linestyle="none",
                marker="o",
                markersize=5,
                markerfacecolor=fill,
                markeredgecolor=LOWER,
                label=label,
                zorder=3,
            )
