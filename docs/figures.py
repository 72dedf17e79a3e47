"""Draw the figures of the first pages: python docs/figures.py [FOLDER]; by default into docs/_static."""

import sys
from itertools import combinations
from pathlib import Path

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt
import networkx as nx
import numpy as np
from sklearn.datasets import load_breast_cancer, load_wine
from sklearn.decomposition import SparsePCA
from sklearn.preprocessing import StandardScaler

import relaxspca as rs
from relaxspca.datasets.text import make_topic_model
from relaxspca.numerics.decimals import rounded_up
from relaxspca.numerics.percent import brief_up

INK, PROOF, FOUND, QUIET = "#222222", "#b2182b", "#2166ac", "#9a9a9a"
SIZE = {"figsize": (7.2, 3.4), "dpi": 160, "layout": "constrained"}


def main(folder):
    """Draw all figures into a folder."""
    folder.mkdir(parents=True, exist_ok=True)
    for draw in DRAWN:
        figure = draw()
        figure.savefig(folder / f"{draw.__name__}.png", dpi=max(figure.dpi, 160))
        plt.close(figure)


def certificate():
    """All 1287 ways to take 5 of the 13 variables, and the line that the certificate draws."""
    cov = rs.datasets.load_pitprops()
    values = [np.linalg.eigvalsh(cov.submatrix(list(T)))[-1] for T in combinations(range(cov.n), 5)]
    result = rs.solve(cov, 5)
    figure, axes = plt.subplots(**SIZE)
    axes.hist(values, bins=60, color=QUIET)
    axes.axvspan(result.upper, 3.95, color=PROOF, alpha=0.12, hatch="//", linewidth=0)
    axes.axvline(result.upper, color=PROOF, linewidth=2)
    axes.plot([result.lower], [1], marker="o", color=FOUND, markersize=9, clip_on=False, zorder=3)
    arrow = {"arrowstyle": "-", "color": FOUND}
    words = "the component\nthat was found"
    axes.annotate(words, (result.lower, 2), (3.0, 38), color=FOUND, ha="center", arrowprops=arrow)
    axes.text(3.44, 66, "proved:\nno component\nof 5 variables\nis beyond this\nline", color=PROOF, va="top")
    axes.text(min(values), 66, "each of the 1287 ways to choose 5 of 13 variables", color=INK, va="top")
    axes.set(xlim=(min(values) - 0.05, 3.95), ylim=(0, 70))
    axes.set(xlabel="variance explained", ylabel="number of choices")
    axes.spines[["top", "right"]].set_visible(False)
    return figure


def bounds():
    """How ever better dual points bring the bound down to the component."""
    cov, k = rs.datasets.load_pitprops(), 8
    kinds = ["spectral", "li_xie", "dspca", "psi", "perspective", "spartrahedron", "perron"]
    names = [
        "largest\neigenvalue",
        "Li–Xie\n(13)",
        "DSPCA",
        "psi",
        "Li–Xie\n(16)",
        "spartra-\nhedron",
        "Perron",
    ]
    best = rs.candidate(cov, k).value
    gaps = [100 * (rs.upper_bound(cov, k, relaxation=kind, tol=1e-8).upper / best - 1) for kind in kinds]
    figure, axes = plt.subplots(**SIZE)
    axes.bar(range(len(gaps)), gaps, color=[QUIET] * (len(gaps) - 1) + [PROOF], edgecolor=INK, width=0.6)
    for at, gap in enumerate(gaps):
        axes.text(at, gap * 1.25, f"{brief_up(gap)} %", ha="center", color=INK, fontsize=10)
    axes.set_yscale("log")
    axes.yaxis.set_major_formatter("{x:g} %")
    axes.set(ylim=(3e-5, 30), ylabel="gap above the best component", xticks=range(len(gaps)))
    axes.set_xticklabels(names, fontsize=10)
    axes.spines[["top", "right"]].set_visible(False)
    return figure


def tree():
    """Branch and bound with the simplest bound there is, the largest eigenvalue of what is still allowed."""
    names = ["a", "b", "c", "d", "e"]
    S = np.array(
        [[1.0, 0.8, 0.1, 0.1, 0.0], [0.8, 1.0, 0.1, 0.0, 0.1], [0.1, 0.1, 1.0, 0.6, 0.0],
         [0.1, 0.0, 0.6, 1.0, 0.0], [0.0, 0.1, 0.0, 0.0, 1.0]]
    )  # fmt: skip
    best = max(np.linalg.eigvalsh(S[np.ix_(T, T)])[-1] for T in combinations(range(5), 2))
    figure, axes = plt.subplots(figsize=(7.2, 4.0), dpi=160, layout="tight")
    _grow(axes, S, names, (), tuple(range(5)), best, 0, [0])
    axes.set_axis_off()
    axes.set(xlim=(-1.2, 5.0), ylim=(-2.4, 0.4))
    return figure


def _grow(axes, S, names, inside, allowed, best, depth, leaves):
    """Draw a node and what is below it; return where it stands."""
    bound = np.linalg.eigvalsh(S[np.ix_(allowed, allowed)])[-1]
    decided = len(allowed) == 2 or len(inside) == 2
    if len(inside) == 2:
        bound = np.linalg.eigvalsh(S[np.ix_(inside, inside)])[-1]
    closed = decided or bound <= best + 1e-12
    if closed:
        x = 1.9 * leaves[0]
        leaves[0] += 1
    else:
        free = [i for i in allowed if i not in inside]
        branch = max(free, key=lambda i: np.abs(S[i, list(allowed)]).sum())
        left = _grow(axes, S, names, (*inside, branch), allowed, best, depth + 1, leaves)
        rest = tuple(i for i in allowed if i != branch)
        right = _grow(axes, S, names, inside, rest, best, depth + 1, leaves)
        x = (left + right) / 2
        for child, word in ((left, f"with {names[branch]}"), (right, f"without {names[branch]}")):
            axes.plot([x, child], [-depth, -depth - 1], color=QUIET, zorder=1)
            axes.text((x + child) / 2, -depth - 0.5, word, fontsize=9, ha="center", va="center", color=INK,
                      bbox={"facecolor": "white", "edgecolor": "none", "pad": 1})  # fmt: skip
    is_best = decided and bound >= best - 1e-12
    colour = FOUND if is_best else PROOF if closed else INK
    word = "found" if is_best else "closed" if closed else "open"
    box = {"facecolor": "white", "edgecolor": colour, "boxstyle": "round"}
    text = f"at most {rounded_up(bound, 3)}\n{word}"
    axes.text(x, -depth, text, ha="center", va="center", fontsize=9, color=colour, zorder=2, bbox=box)
    return x


def text_words():
    """The best five words of a corpus made from a seed, in its second moments and in its covariance."""
    model = make_topic_model(1000, topics=6, words=5, offset=5.0, share=0.2)
    counts = model.draw(6000, rng=np.random.default_rng(1))
    figure, axes = plt.subplots(1, 2, figsize=(7.2, 2.6), dpi=160, layout="constrained", sharex=True)
    for axis, (title, centred) in zip(axes, (("second moments", False), ("covariance", True)), strict=True):
        cov = rs.Covariance.from_sparse(counts, names=model.vocabulary, centred=centred)
        loadings = sorted(rs.solve(cov, 5).loadings.items(), key=lambda pair: abs(pair[1]))
        names, values = zip(*loadings, strict=True)
        axis.barh(names, values, color=FOUND if centred else QUIET, edgecolor=INK, height=0.6)
        axis.set(title=title, xlabel="loading")
        axis.spines[["top", "right"]].set_visible(False)
    return figure


def signs():
    """The signs of the covariances within two best supports of pitprops, as graphs."""
    cov = rs.datasets.load_pitprops()
    figure, axes = plt.subplots(1, 2, figsize=(7.2, 3.6), dpi=160, layout="constrained")
    for axis, k in zip(axes, (5, 10), strict=True):
        support = rs.solve(cov, k).candidate.indices
        pairs = [(i, j, cov.matrix[i, j]) for i, j in combinations(support, 2)]
        graph = nx.Graph()
        graph.add_weighted_edges_from(pairs)
        places = nx.circular_layout(graph)
        for color, style, sign in ((FOUND, "solid", 1), (PROOF, "dashed", -1)):
            edges = [(i, j) for i, j, entry in pairs if entry * sign > 0]
            widths = [4 * abs(graph[i][j]["weight"]) for i, j in edges]
            nx.draw_networkx_edges(graph, places, edges, widths, color, style, ax=axis)
        outside = {i: 1.3 * place for i, place in places.items()}
        nx.draw_networkx_labels(graph, outside, {i: cov.names[i] for i in graph}, 8, ax=axis)
        triangles = (
            [graph[i][j]["weight"] for i, j in combinations(three, 2)] for three in combinations(graph, 3)
        )
        odd = sum(np.prod(entries) < 0 for entries in triangles)
        axis.set(title=f"k = {k}: {odd} odd triangles", xlim=(-1.6, 1.6), ylim=(-1.4, 1.4))
        axis.set_axis_off()
    return figure


def wine_path():
    """The path of the quick start."""
    return rs.path(_wine(), k=range(1, 7)).plot()


def report_path():
    """The path of the page on reports."""
    return rs.path(rs.datasets.load_pitprops(), k=range(1, 8)).plot()


def heat_map():
    """Three components of the pit props, as they are found one after another."""
    return rs.components(rs.datasets.load_pitprops(), [7, 4, 4]).plot()


def biplot():
    """Two components of the wines, over their scores."""
    wines = load_wine(as_frame=True).data
    return rs.plotting.plot_biplot(rs.components(_wine(), [4, 4]), wines).figure


def judged():
    """Loadings of scikit-learn's SparsePCA, and the best ones on the same variables."""
    bunch = load_breast_cancer()
    loadings = SparsePCA(1, alpha=20, random_state=0).fit(StandardScaler().fit_transform(bunch.data))
    cov = rs.Covariance.from_data(bunch.data, correlation=True, names=bunch.feature_names)
    found = rs.certify(cov, loadings.components_[0])
    order = sorted(found.candidate.indices, key=lambda i: abs(found.candidate.loadings[i]))
    figure, axes = plt.subplots(figsize=(7.2, 3.8), dpi=160, layout="constrained")
    given, best = (np.abs(one.loadings[order]) for one in (found.candidate, found.refitted))
    at = np.arange(len(order))
    axes.barh(at + 0.2, given, height=0.38, color=QUIET, edgecolor=INK, label="as SparsePCA gives them")
    axes.barh(at - 0.2, best, height=0.38, color=FOUND, edgecolor=INK, label="best on these variables")
    axes.set(yticks=at, xlabel="loading", ylim=(-0.7, len(order) - 0.3))
    axes.set_yticklabels([cov.names[i] for i in order])
    axes.legend(frameon=False, loc="lower left", bbox_to_anchor=(0, 1), ncols=2)
    axes.spines[["top", "right"]].set_visible(False)
    return figure


def _wine():
    return rs.Covariance.from_data(load_wine(as_frame=True).data, correlation=True)


DRAWN = (
    certificate, bounds, tree, text_words, signs, wine_path, report_path, heat_map, biplot, judged
)  # fmt: skip

if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).parent / "_static")
