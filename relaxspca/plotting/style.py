"""What all figures share: colours that a colour-blind reader can tell apart, sizes, axes, bars with names."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from typing import Any

from relaxspca.errors import InputError
from relaxspca.runtime.lazy import needed

# Okabe and Ito, Color universal design, 2008.
BLUE, VERMILLION, ORANGE = "#0072B2", "#D55E00", "#E69F00"
GREY, BAND = "#767676", "#DCE6EF"
MOST_DRAWN = 40  # variables, or splits that are named
DOT: dict[str, Any] = {"marker": "o", "markersize": 5, "markeredgecolor": BLUE}


def new_figure(width: float, height: float) -> Any:
    """Return an empty figure of a size in inches, or raise `MissingExtra` without matplotlib."""
    with needed("figures need matplotlib", "plot"):
        from relaxspca.plotting.picture import Picture

        return Picture(figsize=(width, height), layout="constrained")


def check_kind(value: Any, *kinds: type) -> None:
    """Raise `InputError` unless a value is of a kind that a figure shows."""
    if not isinstance(value, kinds):
        of = " or ".join(kind.__name__ for kind in kinds)
        raise InputError(f"this is the figure of a {of}, not of a {type(value).__name__}")


def axes_or_new(ax: Any, width: float = 5.2, height: float = 3.4, *, size: float = 9) -> Any:
    """Return the given axes, or those of a new figure, without the frame's top and right; ticks have a size."""
    axes = new_figure(width, height).subplots() if ax is None else ax
    axes.spines[["top", "right"]].set_visible(False)
    axes.tick_params(labelsize=size)
    return axes


def drawn_gaps(gaps: Iterable[float]) -> list[float]:
    """Return gaps in per cent; one without a limit is drawn ten times as large as the largest other."""
    percent = [100 * gap for gap in gaps]
    beyond = 10 * max([10.0, *(gap for gap in percent if math.isfinite(gap))])
    return [gap if math.isfinite(gap) else beyond for gap in percent]


def literal(name: str) -> str:
    """Return a name as text that matplotlib does not read as mathematics."""
    return name.replace("$", r"\$")


def rows_of_bars(axes: Any, values: Mapping[str, float], **look: Any) -> None:
    """Draw a bar for every name, the first at the top."""
    axes.barh(range(len(values)), [*values.values()], height=0.7, **look)
    axes.set_yticks(range(len(values)), [*map(literal, values)])
    axes.invert_yaxis()


def named_bars(values: Mapping[str, float], label: str, ax: Any = None) -> Any:
    """Draw a bar for every name, the first at the top; negative ones have another colour."""
    names, lengths = [*values][::-1], [*values.values()][::-1]
    axes = axes_or_new(ax, 4.6, 0.8 + 0.28 * len(names))
    colours = [BLUE if value > 0 else VERMILLION for value in lengths]
    axes.barh(range(len(names)), lengths, color=colours, height=0.7)
    axes.axvline(0, color="black", linewidth=0.8)
    axes.set_yticks(range(len(names)), [*map(literal, names)])
    axes.set_xlabel(label, wrap=True)
    return axes
