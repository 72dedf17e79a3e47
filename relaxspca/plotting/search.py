"""Figures of a search: its bounds over time, and the tree that proves them."""

from __future__ import annotations

from itertools import cycle
from typing import Any

import numpy as np

from relaxspca.certificate import Certificate, Leaf, Split
from relaxspca.certificate.evidence import POINTS_OF_LEAF, children_of
from relaxspca.errors import counted
from relaxspca.plotting.style import (
    BAND,
    BLUE,
    GREEN,
    GREY,
    MOST_DRAWN,
    ORANGE,
    PURPLE,
    SKY,
    VERMILLION,
    axes_or_new,
    check_kind,
    literal,
)
from relaxspca.results.bound import Bound
from relaxspca.results.result import Result

__all__ = ["plot_progress", "plot_tree"]

COLOURS = (GREEN, PURPLE, ORANGE, SKY, BLUE, GREY, VERMILLION, "black")
MARKERS = "D^svoP*xX<>hd"
# A look for every kind of leaf that certificates know, in their order; so many colours and markers repeat late.
LOOKS = dict(zip(POINTS_OF_LEAF, zip(cycle(COLOURS), cycle(MARKERS), strict=False), strict=False))


def plot_progress(found: Result | Bound, *, ax: Any = None) -> Any:
    """Draw both bounds after every round of a search, or what each relaxation gave and the best so far.

    Parameters
    ----------
    found : Result or Bound
    ax : matplotlib axes, or None for those of a new figure

    Returns
    -------
    matplotlib.axes.Axes

    Examples
    --------
    >>> import relaxspca as rs
    >>> plot_progress(rs.solve(rs.datasets.load_pitprops(), 3)).get_ylabel()
    'variance'
    """
    check_kind(found, Result, Bound)
    axes = axes_or_new(ax)
    if isinstance(found, Bound):
        _draw_steps(found, axes)
    else:
        _draw_rounds(found, axes)
    return axes


def _draw_steps(bound: Bound, axes: Any) -> None:
    steps = [(step.seconds, step.upper, step.relaxation) for step in bound.history]
    steps = steps or [(bound.seconds, bound.upper, bound.relaxation)]
    seconds, upper, _ = zip(*steps, strict=True)
    axes.step(seconds, np.minimum.accumulate(upper), where="post", color=VERMILLION, linewidth=1)
    axes.plot(seconds, upper, color=VERMILLION, marker="v", linestyle="none", markersize=5)
    for x, y, name in steps:
        axes.annotate(name, (x, y), (5, 4), textcoords="offset points", fontsize=8)
    axes.margins(x=0.2, y=0.15)
    axes.set_xlabel("seconds")
    of = f"$v_{{{bound.k}}}$" if bound.rho is None else r"$\phi(\rho)$"
    axes.set_ylabel(f"upper bound on {of} (variance)")


def _draw_rounds(result: Result, axes: Any) -> None:
    rounds = [(p.seconds, p.lower, p.upper) for p in result.history]
    seconds, lower, upper = zip(*[*rounds, (result.seconds, result.lower, result.upper)], strict=True)
    axes.fill_between(seconds, lower, upper, color=BAND, linewidth=0, step="post")
    axes.step(seconds, upper, where="post", color=VERMILLION, linestyle="--", marker="v", markersize=4)
    axes.step(seconds, lower, where="post", color=BLUE, marker="o", markersize=4)
    axes.annotate("upper bound", (seconds[0], upper[0]), (6, 6), textcoords="offset points", fontsize=9)
    axes.annotate("best component", (seconds[0], lower[0]), (6, -12), textcoords="offset points", fontsize=9)
    axes.margins(y=0.2)
    axes.set_xlabel(f"seconds ({counted(result.node_count, 'node')} in all)")
    axes.set_ylabel("variance")
    axes.ticklabel_format(axis="y", useOffset=False)


def plot_tree(certificate: Certificate, *, ax: Any = None) -> Any:
    """Draw the tree of a certificate: what was split on, and what proves each leaf.

    Parameters
    ----------
    certificate : Certificate
    ax : matplotlib axes, or None for those of a new figure

    Returns
    -------
    matplotlib.axes.Axes
        Solid edges lead to the supports with the variable, dashed ones to those without.

    Examples
    --------
    >>> import relaxspca as rs
    >>> axes = plot_tree(rs.solve(rs.datasets.load_pitprops(), 13).certificate)
    >>> axes.get_title()
    '0 splits, 1 leaf'
    """
    check_kind(certificate, Certificate)
    tree, places = certificate.tree, _places(certificate)
    leaves = sum(isinstance(node, Leaf) for node in tree)
    depth = max(level for _, level in places)
    axes = axes_or_new(ax, min(3.5 + 0.35 * leaves, 12), min(2.0 + 0.35 * depth, 9))
    named = len(tree) - leaves <= MOST_DRAWN
    for at, node in enumerate(tree):
        x, level = places[at]
        if not isinstance(node, Leaf):
            styles = ("solid", "dashed") if isinstance(node, Split) else ("solid",) * len(node.children)
            for child, style in zip(children_of(node), styles, strict=True):
                xs, ys = [x, places[child][0]], [-level, -places[child][1]]
                axes.plot(xs, ys, color=GREY, linestyle=style, linewidth=0.9, zorder=1)
            if named and isinstance(node, Split):
                box = {"facecolor": "white", "edgecolor": "none", "pad": 0.8}
                name = literal(certificate.names[node.variable])
                axes.text(x, -level, name, ha="center", va="center", fontsize=8, bbox=box, zorder=2)
    for kind, (colour, marker) in LOOKS.items():
        found = [places[i] for i, node in enumerate(tree) if node.kind == kind]
        if found:
            axes.scatter(
                [x for x, _ in found],
                [-level for _, level in found],
                color=colour,
                marker=marker,
                s=34,
                label=f"{kind} ({len(found)})",
                zorder=3,
            )
    axes.plot([], [], color=GREY, linestyle="solid", label="with the variable")
    axes.plot([], [], color=GREY, linestyle="dashed", label="without it")
    axes.set_axis_off()
    axes.margins(0.08)
    splits = len(tree) - leaves
    title = f"{splits} split{'s' * (splits != 1)}, {leaves} lea{'f' if leaves == 1 else 'ves'}"
    axes.set_title(title, fontsize=10)
    axes.legend(frameon=False, fontsize=8, loc="upper left", bbox_to_anchor=(1, 1))
    return axes


def _places(certificate: Certificate) -> list[tuple[float, int]]:
    """Return (x, level) of every node: leaves side by side, a split in the middle of its children."""
    tree = certificate.tree
    x, level = [0.0] * len(tree), [0] * len(tree)
    next_leaf = 0
    stack: list[tuple[int, bool]] = [(0, False)]
    while stack:
        at, is_done = stack.pop()
        node = tree[at]
        below = () if isinstance(node, Leaf) else children_of(node)
        if not below:
            x[at] = next_leaf
            next_leaf += 1
        elif is_done:
            x[at] = sum(x[child] for child in below) / len(below)
        else:
            stack.append((at, True))
            for child in below[::-1]:
                level[child] = level[at] + 1
                stack.append((child, False))
    return list(zip(x, level, strict=True))
