"""Figures of what resampling says, and of how much a matrix may change."""

from __future__ import annotations

import math
from typing import Any

from relaxspca.plotting.style import BLUE, MOST_DRAWN, axes_or_new, check_kind, literal, named_bars
from relaxspca.results.resampled import Bootstrap
from relaxspca.results.stability import MEASURES, Stability


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
    check_kind(found, Stability)
    finite = {MEASURES[name]: radius if radius < math.inf else 0.0 for name, radius in found.radii.items()}
    return named_bars(finite, "safe up to (proved)", axes_or_new(ax, 6.4, 2.0))
