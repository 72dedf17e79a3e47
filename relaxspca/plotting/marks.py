"""What several figures draw: a bar for every name."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from relaxspca.plotting.style import BLUE, VERMILLION, axes_or_new, literal


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
