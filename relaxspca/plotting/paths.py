"""Figures over the number of variables, or the penalty: bounds, gaps, supports, shares, least squares."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from relaxspca.errors import InputError
from relaxspca.numerics.percent import brief_up
from relaxspca.plotting import style
from relaxspca.results.claims import total_variance
from relaxspca.results.digits import LEAST
from relaxspca.results.path_table import Path, any_will_do
from relaxspca.results.resampled import Bootstrap, HeldOut
from relaxspca.results.status import Status

if TYPE_CHECKING:
    from relaxspca.applications import SubsetPath

BARS: dict[str, Any] = {"capsize": 3, "markersize": 4}


def plot_path(path: Path, *, ax: Any = None) -> Any:
    """Draw a path: both bounds with the interval between them shaded, and the gap below.

    Parameters
    ----------
    path : Path
        Of cardinalities or of penalties.
    ax : matplotlib axes, or None for a new figure
        Given axes hold the bounds alone.

    Returns
    -------
    matplotlib.figure.Figure
        Filled markers are certified; a path of cardinalities has an axis on the right for the percentage of
        the total variance. Gaps below 1e-6 % are drawn there. Save it with ``figure.savefig("path.pdf")``.

    Examples
    --------
    >>> import relaxspca as rs
    >>> found = rs.path(rs.datasets.load_pitprops(), k=[11, 12, 13])
    >>> len(plot_path(found).axes)
    2
    """
    style.check_kind(path, Path)
    if ax is not None:
        _draw_bounds(path, style.axes_or_new(ax))
        return ax.figure
    figure = style.new_figure(5.2, 4.4)
    bounds, gaps = map(style.axes_or_new, figure.subplots(2, 1, sharex=True, height_ratios=[2.2, 1]))
    _draw_bounds(path, bounds)
    _draw_gaps(path, gaps)
    bounds.set_xlabel("")
    return figure


def _draw_bounds(path: Path, axes: Any) -> None:
    """Draw the value of the component and the upper bound along a path; filled markers are certified."""
    x, rows = _ordered(path)
    lower, upper = [row.lower for row in rows], [row.upper for row in rows]
    label = f"component found = upper bound (to {brief_up(path.tol)})"
    if not all(row.certified for row in rows):
        label = "component found"
        axes.fill_between(x, lower, upper, color=style.BAND, linewidth=0)
        axes.plot(x, upper, color=style.VERMILLION, linewidth=1, linestyle="--", label="upper bound")
    axes.plot(x, lower, color=style.BLUE, linewidth=1.2, label=label)
    _markers(axes, x, lower, rows)
    axes.set_ylabel("variance" if path.over == "k" else r"$\phi(\rho)$ (variance)")
    _label_x(axes, path, x)
    total = total_variance(path.rows[0].certificate)
    if path.over == "k" and not any(row.share != row.share for row in rows):
        percent = (lambda variance: 100 * variance / total, lambda share: share * total / 100)
        beside = axes.secondary_yaxis("right", functions=percent)
        beside.set_ylabel("% of total variance")
        beside.tick_params(labelsize=9)
    axes.legend(frameon=False, fontsize=9, loc="best")


def _draw_gaps(path: Path, axes: Any) -> None:
    """Draw the proved relative gap of every row, in per cent; those below 1e-6 % are drawn there."""
    x, rows = _ordered(path)
    gaps = [max(gap, 100 * LEAST) for gap in style.drawn_gaps(row.gap for row in rows)]
    bottom = min(*gaps, 100 * path.tol) / 10
    axes.set_yscale("log")
    line = axes.axhline(100 * path.tol, color=style.GREY, linewidth=1, linestyle=":", label="optimal below")
    axes.legend(handles=[line], frameon=False, fontsize=8, loc="best")
    axes.vlines(x, bottom, gaps, color=style.VERMILLION, linewidth=1)
    _markers(axes, x, gaps, rows)
    axes.set(ylim=(bottom, 10 * max(*gaps, 100 * path.tol)), ylabel="gap, %")
    _label_x(axes, path, x)


def plot_supports(path: Path, *, ax: Any = None) -> Any:
    """Draw which variables enter and leave along the path.

    Parameters
    ----------
    path : Path
    ax : matplotlib axes, or None for those of a new figure

    Returns
    -------
    matplotlib.axes.Axes
        One line a variable that is ever used; the area of a square is the modulus of the loading.

    Examples
    --------
    >>> import relaxspca as rs
    >>> found = rs.path(rs.datasets.load_pitprops(), k=[2, 3])
    >>> [label.get_text() for label in plot_supports(found).get_yticklabels()]
    ['topdiam', 'length', 'bowdist']
    """
    places, rows = _ordered(path)
    used = sorted({i for row in rows for i in row.indices})
    names = {i: name for row in rows for i, name in zip(row.indices, row.support, strict=True)}
    # Wide enough for the legend, however few the rows.
    axes = style.axes_or_new(ax, max(4.2, 1.9 + 0.30 * len(rows)), 0.9 + 0.24 * len(used))
    line = {variable: len(used) - 1 - at for at, variable in enumerate(used)}
    squares = [(at, line[i], float(row.loadings_array[i])) for at, row in enumerate(rows) for i in row.indices]
    for sign, colour, marker in (("positive", style.BLUE, "s"), ("negative", style.VERMILLION, "D")):
        drawn = [(x, y, 15 + 135 * abs(v)) for x, y, v in squares if (v > 0) is (sign == "positive")]
        if drawn:
            x, y, size = zip(*drawn, strict=True)
            axes.scatter(x, y, s=size, linewidth=0, color=colour, marker=marker, label=f"{sign} loading")
    ticks = [f"{at:.4g}" + "\n(any)" * any_will_do(row) for at, row in zip(places, rows, strict=True)]
    _label_x(axes, path, places)
    axes.set_xticks(range(len(rows)), ticks)
    axes.set_yticks(range(len(used))[::-1], [style.literal(names[variable]) for variable in used])
    axes.set(xlim=(-0.6, len(rows) - 0.4), ylim=(-0.6, len(used) - 0.4), axisbelow=True)
    axes.grid(color="#E6E6E6", linewidth=0.6)
    if squares:
        axes.legend(frameon=False, fontsize=9, loc="lower left", bbox_to_anchor=(0, 1), ncols=2)
    return axes


def _ordered(path: Path) -> tuple[list[float], list[Any]]:
    style.check_kind(path, Path)
    rows = sorted(path.rows, key=path._key)
    return [path._key(row) for row in rows], rows


def _label_x(axes: Any, path: Path, x: list[float]) -> None:
    axes.set_xlabel("number of variables $k$" if path.over == "k" else r"penalty $\rho$ (variance)")
    if path.over == "k" and len(x) <= 20:
        axes.set_xticks(x)


def _markers(axes: Any, x: list[float], y: list[float], rows: list[Any]) -> None:
    """Draw filled markers for certified rows and hollow ones for the others."""
    is_near = any(row.status is Status.WITHIN_GAP for row in rows)
    closed = "certified within the gap" if is_near else "certified optimal"
    for certified, fill, label in ((True, style.BLUE, closed), (False, "white", "not certified")):
        at = [i for i, row in enumerate(rows) if row.certified is certified]
        look = {"linestyle": "none", "markerfacecolor": fill, "label": label, "zorder": 3} | style.DOT
        if at:
            axes.plot([x[i] for i in at], [y[i] for i in at], **look)


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
    axes = style.axes_or_new(ax)
    sizes = [fit.k for fit in path]
    axes.plot(sizes, [fit.upper for fit in path], "o-", color=style.BLUE, markersize=4, label="attained")
    axes.plot(sizes, [fit.lower for fit in path], "_--", color=style.VERMILLION, label="lower bound, proved")
    axes.xaxis.get_major_locator().set_params(integer=True)
    axes.set(xlabel="variables, k", ylabel="least residual sum of squares, s(k)")
    axes.legend(frameon=False, fontsize=8)
    return axes


def plot_shares(path: Path, held_out: HeldOut | None = None, *, ax: Any = None) -> Any:
    """Draw the share of the dense component's variance that each k keeps, with proved error bars.

    Parameters
    ----------
    path : Path
        Of ``rs.path(cov, share_of_dense=...)``.
    held_out : HeldOut, optional
        What the components explain of observations that they were not made from, drawn beside it.
    ax : matplotlib axes, optional

    Returns
    -------
    matplotlib axes

    Raises
    ------
    InputError
        The path knows nothing of the dense component.

    Examples
    --------
    >>> import relaxspca as rs
    >>> axes = plot_shares(rs.path(rs.datasets.load_pitprops(), share_of_dense=0.8))
    >>> axes.get_xlabel()
    'variables, k'
    """
    style.check_kind(path, Path)
    if path.dense is None:
        advice = "call rs.path(cov, share_of_dense=0.9)"
        raise InputError(f"this path knows nothing of the dense component: {advice}")
    axes = style.axes_or_new(ax)
    low, high = np.array([path.share_of_dense(row) for row in path.rows]).T
    look = {"fmt": "o-", "color": style.BLUE, "label": "of this matrix, proved"} | BARS
    axes.errorbar([row.k for row in path.rows], 50 * (low + high), yerr=50 * (high - low), **look)
    if path.target_share is not None:
        axes.axhline(100 * path.target_share, color=style.GREY, linewidth=0.8, linestyle="--")
    if path.smallest_k is not None:
        axes.axvline(path.smallest_k, color=style.GREY, linewidth=0.8, linestyle=":")
    if held_out is not None:
        _draw_held_out(held_out, axes)
    axes.set(xlabel="variables, k", ylabel="% of the first ordinary PC", ylim=(0, 104))
    axes.legend(frameon=False, fontsize=8, loc="lower right")
    return axes


def plot_held_out(found: HeldOut, *, ax: Any = None) -> Any:
    """Draw what components explain of observations held out, with standard errors.

    Parameters
    ----------
    found : HeldOut
    ax : matplotlib axes, optional

    Returns
    -------
    matplotlib axes

    Examples
    --------
    >>> import numpy as np, relaxspca as rs
    >>> found = rs.held_out(np.random.default_rng(0).normal(size=(30, 4)), [1, 4])
    >>> plot_held_out(found).get_xlabel()
    'variables, k (an estimate; bars: standard error)'
    """
    style.check_kind(found, HeldOut)
    axes = style.axes_or_new(ax)
    _draw_held_out(found, axes)
    axes.xaxis.get_major_locator().set_params(integer=True)
    xlabel = "variables, k (an estimate; bars: standard error)"
    axes.set(xlabel=xlabel, ylabel="% of the ordinary PC, held out")
    return axes


def plot_bootstrap(found: Bootstrap, *, ax: Any = None) -> Any:
    """Draw how often each variable is in the support of a resample; filled bars are in that of the data.

    Parameters
    ----------
    found : Bootstrap
    ax : matplotlib axes, optional

    Returns
    -------
    matplotlib axes

    Examples
    --------
    >>> import numpy as np, relaxspca as rs
    >>> found = rs.bootstrap(np.random.default_rng(0).normal(size=(30, 4)), 2, resamples=5)
    >>> len(plot_bootstrap(found).patches)
    4
    """
    style.check_kind(found, Bootstrap)
    shares = {name: 100 * value for name, value in [*found.frequencies.items()][: style.MOST_DRAWN]}
    axes = style.axes_or_new(ax, 5.2, 1.2 + 0.22 * len(shares))
    colours = [style.BLUE if name in found.support else "white" for name in shares]
    style.rows_of_bars(axes, shares, color=colours, edgecolor=style.BLUE)
    many = f"in % of {len(found.supports)} bootstrap resamples (an estimate)"
    axes.set_xlabel(f"{many}\nfilled: used by the best component of the data", wrap=True)
    return axes


def _draw_held_out(found: HeldOut, axes: Any) -> None:
    means, errors = ([100 * value for value in values] for values in (found.means, found.errors))
    label = "of observations held out (an estimate)"
    axes.errorbar(found.k, means, yerr=errors, fmt="s--", color=style.VERMILLION, label=label, **BARS)
