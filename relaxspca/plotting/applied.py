"""Figures of what is built on top: encoders, and least squares on few variables."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from relaxspca.numerics.decimals import rounded, rounded_down
from relaxspca.plotting.marks import heat_map
from relaxspca.plotting.style import BLUE, MOST_DRAWN, VERMILLION, axes_or_new

if TYPE_CHECKING:
    from relaxspca.applications import SubsetPath
    from relaxspca.encoders import Encoder

__all__ = ["plot_encoder", "plot_selections"]


def plot_encoder(encoder: Encoder, *, ax: Any = None) -> Any:
    """Draw the loadings of an encoder as a heat map, with what it loses below.

    Parameters
    ----------
    encoder : Encoder
        Of more than 40 variables those with the largest loadings are drawn.
    ax : matplotlib axes, or None for those of a new figure

    Returns
    -------
    matplotlib.axes.Axes

    Examples
    --------
    >>> import relaxspca as rs
    >>> from relaxspca.encoders import batch_encoder
    >>> axes = plot_encoder(batch_encoder(rs.datasets.load_pitprops(), 2, 3))
    >>> [label.get_text() for label in axes.get_yticklabels()]
    ['length', 'moist', 'ringbut']
    """
    H, used = encoder.loadings_array, encoder.indices
    largest = np.argsort(-np.abs(H[used]).max(axis=1, initial=0.0), kind="stable")[:MOST_DRAWN]
    drawn = used[np.sort(largest)]
    factors = [f"factor {j + 1}" for j in range(H.shape[1])]
    axes = heat_map(H[drawn], [encoder.names[i] for i in drawn], factors, ax)
    lines = [f"loss {rounded(encoder.loss, 6)} of {rounded(encoder.total, 6)}"]
    lines.append(f"dense factors: {rounded(encoder.optimum, 6)}")
    if encoder.loss_lower is not None:
        lines.append(f"proved: no such encoder below {rounded_down(encoder.loss_lower, 6)}")
    if len(drawn) < len(used):
        lines.append(f"{len(drawn)} of {len(used)} variables are drawn")
    axes.set_xlabel("\n".join(lines), fontsize=9, wrap=True)
    return axes


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
    axes = axes_or_new(ax)
    sizes = [fit.k for fit in path]
    axes.plot(sizes, [fit.upper for fit in path], "o-", color=BLUE, markersize=4, label="attained")
    axes.plot(sizes, [fit.lower for fit in path], "_--", color=VERMILLION, label="lower bound, proved")
    axes.xaxis.get_major_locator().set_params(integer=True)
    axes.set_xlabel("variables, k")
    axes.set_ylabel("least residual sum of squares, s(k)")
    axes.legend(frameon=False, fontsize=8)
    return axes
