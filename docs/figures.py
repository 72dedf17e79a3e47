"""Draw the figures of the first pages: python docs/figures.py [FOLDER]; by default into docs/_static."""

import sys
import warnings
from itertools import combinations
from pathlib import Path

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt
import numpy as np

import relaxspca as rs
from relaxspca.certificate import Split

INK, PROOF, FOUND, QUIET = "#222222", "#b2182b", "#2166ac", "#9a9a9a"
SIZE = {"figsize": (7.2, 3.4), "dpi": 160, "layout": "constrained"}


def main(folder):
    """Draw all figures into a folder."""
    folder.mkdir(parents=True, exist_ok=True)
    for draw in (certificate, bounds, tree):
        figure = draw()
        figure.savefig(folder / f"{draw.__name__}.png")
        plt.close(figure)


def certificate():
    """All 1287 ways to take 5 of the 13 variables, and the line that the certificate draws."""
    cov = rs.datasets.load_pitprops()
    values = [np.linalg.eigvalsh(cov.submatrix(list(T)))[-1] for T in combinations(range(cov.n), 5)]
    result = rs.solve(cov, 5)
    figure, axes = plt.subplots(**SIZE)
    axes.hist(values, bins=60, color=QUIET)
    axes.axvspan(result.upper, 3.75, color=PROOF, alpha=0.12, hatch="//", linewidth=0)
    axes.axvline(result.upper, color=PROOF, linewidth=2)
    axes.plot([result.lower], [2], marker="o", color=FOUND, markersize=9, clip_on=False, zorder=3)
    axes.annotate(
        "the component\nthat was found", (result.lower, 2.5), (2.98, 45), color=FOUND, fontsize=11,
        ha="center", arrowprops={"arrowstyle": "-", "color": FOUND},
    )  # fmt: skip
    axes.text(3.43, 75, "proved:\nno component of\n5 variables can\nbe here", color=PROOF, fontsize=11, va="top")
    axes.text(1.72, 62, "each of the 1287 ways to choose\n5 of 13 variables", color=INK, fontsize=11)
    axes.set(xlim=(1.4, 3.75), xlabel="variance explained", ylabel="number of choices")
    axes.spines[["top", "right"]].set_visible(False)
    return figure


def bounds():
    """How ever better dual points bring the bound down to the component."""
    cov, k = rs.datasets.load_pitprops(), 8
    kinds = ["spectral", "li_xie", "dspca", "psi", "perspective", "spartrahedron", "perron"]
    names = ["largest\neigenvalue", "Li–Xie\n(13)", "DSPCA", "psi", "Li–Xie\n(16)", "spartra-\nhedron", "Perron"]
    best = rs.candidate(cov, k).value
    gaps = [100 * (rs.upper_bound(cov, k, kind, tol=1e-8).upper / best - 1) for kind in kinds]
    figure, axes = plt.subplots(**SIZE)
    axes.bar(range(len(gaps)), gaps, color=[QUIET] * (len(gaps) - 1) + [PROOF], edgecolor=INK, width=0.6)
    for at, gap in enumerate(gaps):
        axes.text(at, gap * 1.25, f"{gap:.2g} %", ha="center", color=INK, fontsize=10)
    axes.set_yscale("log")
    axes.set(ylim=(3e-5, 30), ylabel="gap above the best component", xticks=range(len(gaps)))
    axes.set_xticklabels(names, fontsize=10)
    axes.spines[["top", "right"]].set_visible(False)
    return figure


def tree():
    """A proof tree: every box is a set of choices; those with a bound need not be looked into."""
    rng = np.random.default_rng(5)
    X = rng.standard_normal((12, 10))
    cov = rs.Covariance(X.T @ X / 12)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        found = rs.solve(cov, 4).certificate
    nodes = found.tree
    figure, axes = plt.subplots(figsize=(7.2, 4.2), dpi=160, layout="constrained")
    places = {}
    _place(nodes, 0, 0, [0], places)
    for at, (x, depth) in places.items():
        node = nodes[at]
        if isinstance(node, Split):
            for child, word in ((node.include, f"with x{node.variable}"), (node.exclude, f"without x{node.variable}")):
                X2, deep = places[child]
                axes.plot([x, X2], [-depth, -deep], color=QUIET, zorder=1)
                axes.text((x + X2) / 2, -(depth + deep) / 2, word, fontsize=8, ha="center", color=INK,
                          bbox={"facecolor": "white", "edgecolor": "none", "pad": 1})  # fmt: skip
    return figure


def _place(nodes, at, depth, leaves, places):
    """Give a node its place: leaves from left to right, others above the middle of their children."""
    node = nodes[at]
    if isinstance(node, Split):
        xs = [_place(nodes, child, depth + 1, leaves, places) for child in (node.include, node.exclude)]
        x = sum(xs) / 2
    else:
        x = float(leaves[0])
        leaves[0] += 1
    places[at] = (x, depth)
    return x


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).parent / "_static")
