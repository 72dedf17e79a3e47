"""Figures of other answers: supports near the best and what they cost, how much the matrix may change."""

from __future__ import annotations

import math
from typing import Any

from relaxspca.plotting import style
from relaxspca.results.near_optimal import NearOptimal
from relaxspca.results.stability import MEASURES, Stability

# How a loss is drawn: kinds differ by form and by line, so that they differ in grey too.
POINT: dict[str, Any] = {"markersize": 4.5, "linestyle": "none"}
LINE: dict[str, Any] = {"marker": "|", "markersize": 7, "linewidth": 1.4}
LEFT_OUT = (
    "left out of the best",
    POINT | {"marker": "o", "color": style.VERMILLION},
    LINE | {"color": style.VERMILLION, "linestyle": (0, (4, 2))},
)
FORCED_IN = (
    "forced into it",
    POINT | {"marker": "D", "color": style.GREY, "markerfacecolor": "white"},
    LINE | {"color": style.GREY, "linestyle": (0, (1, 1.5))},
)


def plot_near_optimal(found: NearOptimal, *, ax: Any = None) -> Any:
    """Draw a bar for every variable, in how many of the supports it is, and what the opposite choice costs.

    Parameters
    ----------
    found : NearOptimal
        With `costs` there is a second panel: the loss, in per cent of the best, of leaving the variable out of
        the best support, or of forcing it in. Variables in no support are drawn where their costs are known.
        A loss whose search was stopped is drawn as a broken line between its two bounds, not as a point.
    ax : matplotlib axes, optional
        The bars alone are drawn there.

    Returns
    -------
    matplotlib axes
        Of the bars.

    Examples
    --------
    >>> import relaxspca as rs
    >>> found = rs.near_optimal(rs.datasets.load_pitprops(), 10)
    >>> len(plot_near_optimal(found).figure.axes)
    1
    """
    style.check_kind(found, NearOptimal)
    others = sorted(set(found.costs) - set(found.counts), key=lambda name: found.costs[name])
    names = [*found.counts, *others][: style.MOST_DRAWN]
    panels, has_costs = [ax], bool(found.costs) and ax is None
    if ax is None:  # narrow, so that its letters can be read on a telephone
        figure = style.new_figure(5.8 if has_costs else 4.2, 1.6 + 0.22 * len(names))
        panels = figure.subplots(1, 2 if has_costs else 1, sharey=True, squeeze=False)[0]
    _draw_counts(found, names, panels[0])
    if has_costs:
        _draw_costs(found, names, panels[1])
    return panels[0]


def plot_radii(found: Stability, *, ax: Any = None) -> Any:
    """Draw up to what size of a change the support stays optimal, in each measure.

    Parameters
    ----------
    found : Stability
    ax : matplotlib axes, optional

    Returns
    -------
    matplotlib axes

    Examples
    --------
    >>> import relaxspca as rs
    >>> len(plot_radii(rs.stability(rs.solve(rs.datasets.load_pitprops(), 5))).patches)
    3
    """
    style.check_kind(found, Stability)
    finite = {MEASURES[name]: radius if radius < math.inf else 0.0 for name, radius in found.radii.items()}
    axes = style.named_bars(finite, "safe up to (proved)", style.axes_or_new(ax, 6.4, 2.0))
    axes.locator_params(axis="x", nbins=4)  # long numbers beside long names
    return axes


def _draw_counts(found: NearOptimal, names: list[str], axes: Any) -> None:
    total, counts, core = len(found.supports), found.counts, set(found.core)
    colours = [style.BLUE if name in core else style.ORANGE for name in names]
    style.rows_of_bars(axes, {name: counts.get(name, 0) for name in names}, color=colours)
    axes.set_xlim(0, total * 1.02)
    axes.xaxis.get_major_locator().set_params(integer=True)
    complete = "" if found.is_complete else " found so far"
    near = found.nearness.partition(" (")[0]
    axes.set_xlabel(f"in how many of the {total} sets{complete}\n{near} (dark: in all)", fontsize=9, wrap=True)
    style.axes_or_new(axes, size=8)


def _draw_costs(found: NearOptimal, names: list[str], axes: Any) -> None:
    best, scale, is_open = set(found.supports[0]), abs(found.lower) / 100 or 1.0, set(found.open_costs)
    for at, name in enumerate(names):
        if name not in found.costs:
            continue
        low, high = (value / scale for value in found.costs[name])
        _, point, line = LEFT_OUT if name in best else FORCED_IN
        if name in is_open:
            axes.plot([low, high], [at, at], **line)
        else:
            axes.plot([low], [at], **point)
    if found.within:
        axes.axvspan(0, 100 * found.within, color=style.BAND, zorder=0)
    for kind, point, _ in (LEFT_OUT, FORCED_IN):
        axes.plot([], [], label=kind, **point)
    drawn = is_open & set(names)
    for (kind, _, line), some in ((LEFT_OUT, drawn & best), (FORCED_IN, drawn - best)):
        if some:
            axes.plot([], [], label=f"{kind}: not proved,\nbetween the two bars", **line)
    axes.set_xlim(left=0)
    axes.set_xlabel("least loss, % of the best", fontsize=9)
    look = {"loc": "outside upper right", "fontsize": 8, "frameon": False, "ncols": 2}
    axes.figure.legend(*axes.get_legend_handles_labels(), **look)
    style.axes_or_new(axes, size=8)
