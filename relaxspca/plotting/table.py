"""The figures of loadings: of one vector as bars, of several components as a heat map, and a biplot."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from relaxspca.applications.subset_results import Fit
from relaxspca.certificate import Pencil
from relaxspca.errors import InputError
from relaxspca.numerics.decimals import interval
from relaxspca.numerics.percent import percent
from relaxspca.plotting.style import GREY, VERMILLION, axes_or_new, check_kind, literal, named_bars
from relaxspca.problem.candidate import Candidate
from relaxspca.results.component_table import ComponentTable
from relaxspca.results.generalized import Generalized
from relaxspca.results.loadings import Loadings, centred_and_scaled, loading_text


def plot_loadings(found: Any, *, ax: Any = None) -> Any:
    """Draw the loadings of the variables in use, or the coefficients of a fit, the largest first.

    Parameters
    ----------
    found : Candidate, Result, Certified, Generalized, SubsetSelection or SubsetCertified
        Each loading of a vector of large ratio is multiplied by the square root of its entry on the diagonal of
        B, so that variables of any unit are compared.
    ax : matplotlib axes, or None for those of a new figure

    Returns
    -------
    matplotlib.axes.Axes

    Examples
    --------
    >>> import relaxspca as rs
    >>> axes = plot_loadings(rs.candidate(rs.datasets.load_pitprops(), 3))
    >>> [label.get_text() for label in axes.get_yticklabels()]
    ['bowdist', 'topdiam', 'length']
    """
    if isinstance(found, Fit):
        if not found.by_name:
            raise InputError("no variable has a coefficient: there is nothing to draw")
        return named_bars(found.by_name, "coefficient (unit of y over that of the variable)", ax)
    if isinstance(found, Generalized):
        values, what = found.loadings, "loading"
        pencil = None if found.certificate is None else found.certificate.subject
        if isinstance(pencil, Pencil):  # in a unit that all variables share
            own = found.loadings_array * np.sqrt(np.diagonal(pencil.denominator))
            values, what = Loadings(found.names, own), "loading times the root of $B_{ii}$"
        return named_bars(values, f"{what}\n{interval(found.lower, found.upper, 6).text(f'r_{found.k}')}", ax)
    shown: Any = getattr(found, "candidate", found)
    check_kind(shown, Candidate)
    if not shown.k:
        raise InputError("no variable is worth its penalty: there are no loadings to draw")
    what = f"loading (unit vector; explains variance {shown.value:.4g})"
    return named_bars(Loadings(shown.names, shown.loadings), what, ax)


def plot_components(components: ComponentTable, *, ax: Any = None) -> Any:
    """Draw the loadings of several components as a heat map, and what each explains with those before it.

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
    used = np.flatnonzero(components.loadings_array.any(axis=1))
    shown = components.loadings_array[used]
    shares = [record["cumulative_share"] for record in components.to_records()]
    labels = [
        f"PC {j + 1}" + ("" if math.isnan(part) else f"\n{percent(part, 3)} %") for j, part in enumerate(shares)
    ]
    rows = [components.names[i] for i in used]
    beside = max(2.2, 1.2 + 0.085 * max(map(len, rows), default=0))  # for the names of rows
    axes = axes_or_new(ax, beside + 0.6 * len(labels), 1.0 + 0.26 * len(rows))
    axes.imshow(shown, cmap="PuOr", vmin=-1, vmax=1, aspect="auto")
    for i, j in zip(*np.nonzero(shown), strict=True):
        colour = "white" if abs(shown[i, j]) > 0.65 else "black"
        text = loading_text(shown[i, j], 2)
        axes.text(j, i, text, ha="center", va="center", fontsize=8, color=colour)
    axes.set_yticks(range(len(rows)), [*map(literal, rows)])
    axes.set_xticks(range(len(labels)), labels)
    axes.tick_params(length=0)
    axes.spines[:].set_visible(False)
    axes.set_xlabel("component, and what it explains\ntogether with the previous ones")
    return axes


def plot_biplot(
    components: ComponentTable, X: Any = None, *, ax: Any = None, which: tuple[int, int] = (0, 1)
) -> Any:
    """Draw the loadings of two components as arrows, over the scores of the observations if they are given.

    Parameters
    ----------
    components : Components, JointComponents or CertifiedTable
    X : as in `relaxspca.results.Result.scores`, optional
    ax : matplotlib axes, or None for those of a new figure
    which : tuple of two int
        The components on the two axes, counted from 0.

    Returns
    -------
    matplotlib.axes.Axes
        Scores are in the unit of X, or have none where it was scaled; arrows are the loadings, all drawn
        larger by one factor.

    Raises
    ------
    InputError
        There are no two such components, or X does not have their variables.

    Examples
    --------
    >>> import relaxspca as rs
    >>> axes = plot_biplot(rs.components(rs.datasets.load_pitprops(), [2, 2]))
    >>> sorted(text.get_text() for text in axes.texts if text.get_text())
    ['length', 'moist', 'testsg', 'topdiam']
    """
    check_kind(components, ComponentTable)
    a, b = _two(which, components.n_components)
    axes = axes_or_new(ax, 5.2, 4.6)
    V = components.loadings_array[:, [a, b]]
    reach = 1.0
    if X is not None:
        scores = centred_and_scaled(X, components.names, components.description) @ V
        axes.scatter(scores[:, 0], scores[:, 1], s=9, color=GREY, linewidths=0, zorder=1)
        reach = float(np.abs(scores).max()) or 1.0
    used = np.flatnonzero(V.any(axis=1))
    length = 0.85 * reach / float(np.hypot(V[used, 0], V[used, 1]).max())
    for i in used:
        arrow = {"arrowstyle": "->", "color": VERMILLION, "linewidth": 1.4, "shrinkA": 0, "shrinkB": 0}
        axes.annotate("", tuple(length * V[i]), (0, 0), arrowprops=arrow, zorder=2)
    _name_tips(axes, [(literal(components.names[i]), *(length * V[i])) for i in used], reach)
    axes.axhline(0, color=GREY, linewidth=0.6, zorder=0)
    axes.axvline(0, color=GREY, linewidth=0.6, zorder=0)
    axes.set(xlim=(-1.25 * reach, 1.45 * reach), ylim=(-1.2 * reach, 1.2 * reach))
    for j, label in ((a, axes.set_xlabel), (b, axes.set_ylabel)):
        part = components.to_records()[j]["share"]
        told = "" if math.isnan(part) else f" ({percent(part, 3)} % of the variance)"
        label(f"PC {j + 1}, {'loading' if X is None else 'score'}{told}")
    if X is None:  # the axes have no unit: arrows are drawn to fill them
        axes.set(xticks=[], yticks=[])
    return axes


def _two(which: Any, count: int) -> tuple[int, int]:
    if count < 2:
        raise InputError("a biplot needs two components, and there is one")
    is_pair = isinstance(which, tuple | list) and len(which) == 2
    if not is_pair or not all(isinstance(j, int | np.integer) and 0 <= j < count for j in which):
        raise InputError(f"which must be two of the components 0..{count - 1}, not {which!r}")
    if which[0] == which[1]:
        raise InputError(f"which must be two different components, not {which!r}")
    return int(which[0]), int(which[1])


def _name_tips(axes: Any, tips: list[tuple[str, float, float]], reach: float) -> None:
    """Write names beyond the tips of arrows: those along an axis slanted or beside it, none on another."""
    from matplotlib.patheffects import withStroke

    step, off = 0.09 * reach, 0.02 * reach
    style = {"fontsize": 9, "zorder": 3, "path_effects": [withStroke(linewidth=2.5, foreground="white")]}
    taken: list[tuple[float, float]] = []
    for name, x, y in sorted(tips, key=lambda tip: (abs(tip[1]), abs(tip[2]))):
        if abs(y) < off:  # along the horizontal axis: slanted, the next one further out
            while any(abs(x - u) < step and abs(v) < off for u, v in taken):
                x += math.copysign(step / 2, x)  # of a loading of 0, too
            taken.append((x, 0.0))
            axes.text(x, off, name, rotation=55, rotation_mode="anchor", ha="left", va="bottom", **style)
            continue
        while any(abs(x - u) < 5 * step and abs(y - v) < step for u, v in taken):
            y += math.copysign(step / 2, y)
        taken.append((x, y))
        out, side = (off, "left") if x > -off else (-off, "right")
        axes.text(x + out, y, name, ha=side, va="center", **style)
