"""Figures of shares: of the dense component, proved or of data held out, and of resamples."""

from __future__ import annotations

from typing import Any

from relaxspca.errors import InputError
from relaxspca.plotting.style import BLUE, GREY, MOST_DRAWN, VERMILLION, axes_or_new, check_kind, literal
from relaxspca.results.path_table import Path
from relaxspca.results.resampled import Bootstrap, HeldOut

BARS = {"capsize": 3, "markersize": 4}


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
    check_kind(path, Path)
    if path.dense is None:
        raise InputError(
            "this path knows nothing of the dense component: call rs.path(cov, share_of_dense=0.9)"
        )
    axes = axes_or_new(ax)
    ks = [row.k for row in path.rows]
    lows, highs = zip(*(path.share_of_dense(row) for row in path.rows), strict=True)
    middle = [50 * (low + high) for low, high in zip(lows, highs, strict=True)]
    width = [50 * (high - low) for low, high in zip(lows, highs, strict=True)]
    axes.errorbar(ks, middle, yerr=width, fmt="o-", color=BLUE, label="of this matrix, proved", **BARS)
    if path.target_share is not None:
        axes.axhline(100 * path.target_share, color=GREY, linewidth=0.8, linestyle="--")
    if path.smallest_k is not None:
        axes.axvline(path.smallest_k, color=GREY, linewidth=0.8, linestyle=":")
    if held_out is not None:
        _draw_held_out(held_out, axes)
    axes.set_xlabel("variables, k")
    axes.set_ylabel("% of the first ordinary PC")
    axes.set_ylim(0, 104)
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
    'variables, k'
    """
    check_kind(found, HeldOut)
    axes = axes_or_new(ax)
    _draw_held_out(found, axes)
    axes.set_xlabel("variables, k")
    axes.set_ylabel("% of the dense component, held out")
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
    check_kind(found, Bootstrap)
    shares = list(found.frequencies.items())[:MOST_DRAWN]
    axes = axes_or_new(ax, 5.2, 1.2 + 0.22 * len(shares))
    colours = [BLUE if name in found.support else "white" for name, _ in shares]
    axes.barh(
        range(len(shares)), [100 * value for _, value in shares], color=colours, edgecolor=BLUE, height=0.7
    )
    axes.set_yticks(range(len(shares)), [literal(name) for name, _ in shares])
    axes.invert_yaxis()
    axes.set_xlabel(
        f"in % of {len(found.supports)} bootstrap resamples (an estimate)\n"
        "filled: used by the best component of the data",
        wrap=True,
    )
    return axes


def _draw_held_out(found: HeldOut, axes: Any) -> None:
    means, errors = ([100 * value for value in values] for values in (found.means, found.errors))
    label = "of observations held out (an estimate)"
    axes.errorbar(found.k, means, yerr=errors, fmt="s--", color=VERMILLION, label=label, **BARS)
