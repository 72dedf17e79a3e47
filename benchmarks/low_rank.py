"""Low-rank approximations of a matrix of words: the picture of the spannogram, and ranks 1, 2 and 3 compared.

    python benchmarks/low_rank.py [--data DIR] [--documents 20000] [--words 200] [--output DIR]

The layout is that of the slides of Dimakis and Papailiopoulos, "Large-scale sparse PCA through low-rank
approximations" (ICML 2013). Their tweets are not public: the corpora here are one made from a seed and, where
the files are there, word counts of two newsgroups and a covariance of Reddit posts.
"""

from __future__ import annotations

import argparse
import math
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
from matrices import DATA
from scipy import sparse
from tables import write_table

import relaxspca as rs
from relaxspca.candidates.deflation import deflate
from relaxspca.candidates.spannogram import low_rank_search, spannogram
from relaxspca.datasets.text import make_topic_model
from relaxspca.tasks.table_fields import adjusted_variance

Method = Callable[[rs.Covariance, int], rs.Candidate]
# The columns of the slides; "FullPath" is the greedy path of d'Aspremont, Bach and El Ghaoui.
METHODS: dict[str, Method] = {
    "rank 1": partial(spannogram, d=1),
    "TPower": partial(rs.candidate, method="truncated_power"),
    "rank 2": partial(spannogram, d=2),
    "rank 3": partial(spannogram, d=3),
    "FullPath": partial(rs.candidate, method="greedy"),
}
RANKS = (1, 2, 3)
WANTED = (0.5, 0.8, 0.9, 0.95)
INK, QUIET = "#222222", "#9a9a9a"


def main() -> None:
    """Draw the picture and write both tables."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--data", type=Path, default=DATA)
    parser.add_argument("--documents", type=int, default=20_000)
    parser.add_argument("--words", type=int, default=80)
    parser.add_argument("--time-limit", type=float, default=60.0)
    parser.add_argument("--output", type=Path, default=Path(__file__).parent / "results")
    options = parser.parse_args()
    figure = picture()
    options.output.mkdir(parents=True, exist_ok=True)
    figure.savefig(options.output / "spannogram.png")
    first, together = [], []
    for name, cov in corpora(options.data, options.documents, options.words):
        for k in (4, 10):
            shares, promise, tables = compared(cov, k, options.time_limit)
            first.append([name, k, *shares, promise])
            together.append([name, k, *tables])
            print(*first[-1], *tables, sep="  ", flush=True)
    words = f"The {options.words} words of largest second moment or variance. "
    note = words + "One component, % of the proved optimum, rounded down; and what rank 3 guarantees."
    write_table(options.output / "low_rank", ["matrix", "k", *METHODS, "rank 3 guarantees"], first, note)
    note = (
        words
        + "Five components, each from what the earlier ones left: adjusted variance, % of five dense ones."
    )
    write_table(options.output / "low_rank_five", ["matrix", "k", *METHODS], together, note)
    reached = [[k, *row] for k in (10, 40) for row in accuracies(power_law(80, 3.0), k, options.time_limit)]
    header = ["k", "wanted, % of v_k", "rank", "its guarantee, %", "in truth, % of v_k, at least"]
    note = (
        "80 variables, eigenvalues 1, 1/8, 1/27, ..., random eigenvectors; the least rank that guarantees it."
    )
    write_table(options.output / "low_rank_accuracy", header, reached, note)


def corpora(folder: Path, documents: int, words: int) -> Iterator[tuple[str, rs.Covariance]]:
    """Yield the second moments of words, as in the slides, their covariance, and what the files hold."""
    model = make_topic_model(5000, topics=5, words=10, offset=20.0)
    counts = model.draw(documents, rng=np.random.default_rng(1))
    for kind, centred in (("uncentred", False), ("centred", True)):
        moments = rs.Covariance.from_sparse(counts, names=model.vocabulary, limit=words, centred=centred)
        yield f"generated, {kind}", moments.alone
    newsgroups, reddit = folder / "basehock_counts.npz", folder / "reddit2000.npz"
    for path in (newsgroups, reddit):
        if not path.exists():
            print(f"{path} is not there: left out (benchmarks/README.md says where it is from)")
    if newsgroups.exists():
        data = sparse.load_npz(newsgroups)
        yield "newsgroups, uncentred", rs.Covariance.from_sparse(data, limit=words, centred=False).alone
    if reddit.exists():
        S = np.load(reddit)["S"]
        kept = np.sort(np.argsort(-S.diagonal())[:words])
        yield "Reddit, covariance", rs.Covariance(S[np.ix_(kept, kept)])


def compared(cov: rs.Covariance, k: int, time_limit: float) -> tuple[list[float], float, list[float]]:
    """Return the share of v_k of each method, what rank 3 guarantees, and the shares of five components."""
    limit = rs.solve(cov, k, time_limit=time_limit).upper
    dense = float(np.sort(np.linalg.eigvalsh(cov.matrix))[-5:].sum())
    shares = [down(method(cov, k).value / limit) for method in METHODS.values()]
    tables = [round(100 * five(cov, k, method) / dense, 2) for method in METHODS.values()]
    return shares, down(low_rank_search(cov, k, d=3).ratio), tables


def down(share: float) -> float:
    """Return a share in per cent, rounded downwards."""
    return math.floor(1e4 * share) / 100


def five(cov: rs.Covariance, k: int, method: Method) -> float:
    """Return the adjusted variance of five components, each from what the earlier ones left."""
    left, basis, vectors = cov, None, []
    for _ in range(5):
        vectors.append(method(left, k).loadings)
        left, basis = deflate(left, vectors[-1], deflation="orthogonalized_projection", basis=basis)
    return float(adjusted_variance(cov, np.column_stack(vectors)).sum())


def power_law(n: int, exponent: float) -> rs.Covariance:
    """Return a matrix whose eigenvalues fall as the corollary of the slides asks."""
    basis = np.linalg.qr(np.random.default_rng(0).standard_normal((n, n)))[0]
    return rs.Covariance.from_data(
        np.sqrt(n) * np.arange(1.0, n + 1)[:, None] ** (-exponent / 2) * basis, centred=False
    )


def accuracies(cov: rs.Covariance, k: int, time_limit: float) -> Iterator[list[Any]]:
    """Yield the rank that each wanted accuracy needs, and how good it is in truth."""
    limit = rs.solve(cov, k, time_limit=time_limit).upper
    ranks = {d: low_rank_search(cov, k, d=d) for d in RANKS}
    for wanted in WANTED:
        d = next((d for d, found in ranks.items() if found.ratio >= wanted), None)
        if d is None:
            yield [100 * wanted, f"more than {RANKS[-1]}", "", ""]
        else:
            yield [100 * wanted, d, down(ranks[d].ratio), down(ranks[d].candidate.value / limit)]


def picture() -> Any:
    """Draw the five curves of five variables of pitprops, and which three are largest where."""
    import matplotlib

    matplotlib.use("Agg")
    import matplotlib.pyplot as plt

    cov, k = rs.datasets.load_pitprops().restrict(range(5)), 3
    values, vectors = np.linalg.eigh(cov.matrix)
    V = vectors[:, -2:] * np.sqrt(values[-2:])
    angles = np.linspace(-np.pi / 2, np.pi / 2, 2001)
    curves = np.abs(V @ np.array([np.sin(angles), np.cos(angles)]))
    largest = np.argsort(-curves, axis=0)[:k]
    sets = [frozenset(column) for column in largest.T]
    cuts = [0, *(t for t in range(1, len(sets)) if sets[t] != sets[t - 1]), len(sets) - 1]
    figure, axes = plt.subplots(figsize=(7.2, 4.0), dpi=160, layout="constrained")
    for i, style in enumerate(("-", "--", "-.", ":", (0, (5, 1, 1, 1, 1, 1)))):
        axes.plot(angles, curves[i], linestyle=style, color=f"C{i}", label=cov.names[i])
    top = 1.25 * curves.max()
    for place, (begin, end) in enumerate(zip(cuts, cuts[1:], strict=False)):
        axes.axvspan(angles[begin], angles[end], color=QUIET, alpha=0.25 * (place % 2), linewidth=0)
        if end - begin > 120:
            names = "\n".join(cov.names[i] for i in sorted(sets[begin]))
            axes.text(
                (angles[begin] + angles[end]) / 2, top, names, ha="center", va="top", fontsize=7, color=INK
            )
    axes.set(xlim=(angles[0], angles[-1]), ylim=(0, top), xlabel="angle φ", ylabel="|v(φ)|")
    axes.spines[["top", "right"]].set_visible(False)
    found = len(set(sets))
    axes.set_title(f"{found} of the 10 sets of three are ever the largest", fontsize=10, color=INK)
    figure.legend(loc="outside lower center", ncols=5, frameon=False)
    return figure


if __name__ == "__main__":
    main()
