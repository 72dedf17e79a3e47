"""The figures of several components: their loadings as a heat map, and a biplot."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from relaxspca.plotting.style import axes_or_new, check_kind
from relaxspca.results.component_table import ComponentTable

__all__ = ["plot_components"]


def plot_components(components: ComponentTable, ax: Any = None) -> Any:
    """Draw the loadings of several components as a heat map, with the variance that each explains.

    Parameters
    ----------
    components : Components, JointComponents or CertifiedTable
    ax : matplotlib axes, or None for those of a new figure

    Returns
    -------
    matplotlib.axes.Axes

    Examples
    --------
    >>> import relaxspca as rs
    >>> axes = plot_components(rs.components(rs.datasets.load_pitprops(), [2, 2]))
    >>> [label.get_text() for label in axes.get_yticklabels()]
    ['topdiam', 'length', 'moist', 'testsg']
    """
    check_kind(components, ComponentTable)
    used = np.flatnonzero(components.loadings.any(axis=1))
    shown, count = components.loadings[used], components.n_components
    axes = axes_or_new(ax, 2.2 + 0.6 * count, 1.0 + 0.26 * len(used))
    axes.imshow(shown, cmap="PuOr", vmin=-1, vmax=1, aspect="auto")
    for i, j in zip(*np.nonzero(shown), strict=True):
        colour = "white" if abs(shown[i, j]) > 0.65 else "black"
        axes.text(j, i, f"{shown[i, j]:.2f}", ha="center", va="center", fontsize=8, color=colour)
    axes.set_yticks(range(len(used)), [components.names[i] for i in used])
    shares = [record["adjusted_share"] for record in components.to_records()]
    labels = [
        f"PC {j + 1}" + ("" if math.isnan(part) else f"\n{100 * part:.1f} %") for j, part in enumerate(shares)
    ]
    axes.set_xticks(range(count), labels)
    axes.set_xlabel("component, and its part of the variance (adjusted)")
    axes.tick_params(length=0)
    axes.spines[:].set_visible(False)
    return axes
