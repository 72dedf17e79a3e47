"""What several figures draw: a bar for every name, and a matrix of loadings as a heat map."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from relaxspca.numerics.linalg import Array
from relaxspca.plotting.style import BLUE, VERMILLION, axes_or_new, literal
from relaxspca.results.loadings import loading_text

__all__ = ["heat_map", "named_bars"]


def named_bars(values: Mapping[str, float], label: str, ax: Any = None) -> Any:
    """Draw a bar for every name, the first at the top; negative ones have another colour."""
    pairs = list(values.items())[::-1]
    axes = axes_or_new(ax, 4.6, 0.8 + 0.28 * len(pairs))
    colours = [BLUE if value > 0 else VERMILLION for _, value in pairs]
    axes.barh(range(len(pairs)), [value for _, value in pairs], color=colours, height=0.7)
    axes.axvline(0, color="black", linewidth=0.8)
    axes.set_yticks(range(len(pairs)), [literal(name) for name, _ in pairs])
    axes.set_xlabel(label, wrap=True)
    return axes


def heat_map(shown: Array, rows: Sequence[str], columns: Sequence[str], ax: Any = None) -> Any:
    """Draw a matrix as a heat map with its numbers; entries that are 0 are left blank.

    Colours are those of -1 to 1, or of a wider range that all entries fit in.
    """
    beside = max(2.2, 1.2 + 0.085 * max(map(len, rows), default=0))  # for the names of rows
    axes = axes_or_new(ax, beside + 0.6 * len(columns), 1.0 + 0.26 * len(rows))
    reach = max(1.0, float(np.abs(shown).max(initial=0.0)))
    axes.imshow(shown, cmap="PuOr", vmin=-reach, vmax=reach, aspect="auto")
    for i, j in zip(*np.nonzero(shown), strict=True):
        colour = "white" if abs(shown[i, j]) > 0.65 * reach else "black"
        text = loading_text(shown[i, j], 2) if reach < 100 else f"{shown[i, j]:.2g}"
        axes.text(j, i, text, ha="center", va="center", fontsize=8, color=colour)
    axes.set_yticks(range(len(rows)), [*map(literal, rows)])
    axes.set_xticks(range(len(columns)), columns)
    axes.tick_params(length=0)
    axes.spines[:].set_visible(False)
    return axes
