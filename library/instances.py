"""The instances of the library: what they are, where they come from, and how anyone builds them again."""

from __future__ import annotations

import sys
import warnings
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from problems import Component, Correlation, Problem, Subset

import relaxspca as rs

sys.path.append(str(Path(__file__).resolve().parents[1] / "benchmarks"))
from matrices import halved, regression

Builder = Callable[[Path | None], Problem | None]


@dataclass(frozen=True)
class Instance:
    """A matrix, or data, and the cardinalities asked of it.

    Attributes
    ----------
    name : str
    family : str
        "data" (anyone's), "random" (from a seed) or "literature" (its numbers are not ours to pass on).
    source : str
        Where the numbers come from, in words.
    recipe : str
        How to build the matrix.
    cardinalities : tuple of int
    build : function
        Of the folder with the matrices of the literature; None where the matrix is not there.
    kind : str
        "component", "best subset" or "canonical correlation": what is asked.
    keeps_entries : bool
        Whether the numbers of the matrix are kept with its claims.
    """

    name: str
    family: str
    source: str
    recipe: str
    cardinalities: tuple[int, ...]
    build: Builder
    kind: str = "component"
    keeps_entries: bool = True


def data(name: str, source: str, cardinalities: tuple[int, ...]) -> Instance:
    """Return the correlation matrix of a data set of scikit-learn, constant columns dropped."""

    def build(folder: Path | None) -> Component:
        from sklearn import datasets

        with warnings.catch_warnings():
            warnings.simplefilter("ignore", rs.DataWarning)
            table = getattr(datasets, f"load_{name}")()
            names = list(table.feature_names)
            return Component(rs.Covariance.from_data(table.data, correlation=True, names=names))

    recipe = f"correlations of sklearn.datasets.load_{name}(), constant columns dropped"
    return Instance(name, "data", source, recipe, cardinalities, build)


def spiked(n: int, samples: int, k: int, strength: float, seed: int, asked: tuple[int, ...]) -> Instance:
    """Return a sample covariance with one spike of k variables."""
    recipe = (
        f"rs.datasets.make_spiked({n}, {k}, strength={strength}, n_samples={samples}, "
        f"rng=np.random.default_rng({seed}))"
    )
    return Instance(
        f"spiked_n{n}_m{samples}_s{strength:g}_seed{seed}",
        "random",
        "a Gaussian sample with a spike",
        recipe,
        asked,
        lambda folder: Component(
            rs.datasets.make_spiked(n, k, strength=strength, n_samples=samples, rng=np.random.default_rng(seed))
        ),
    )


def wishart(n: int, samples: int, seed: int, asked: tuple[int, ...]) -> Instance:
    """Return the covariance of pure noise: every variable matters, nothing stands out."""

    def build(folder: Path | None) -> Component:
        X = np.random.default_rng(seed).standard_normal((samples, n))
        return Component(rs.Covariance(X.T @ X / samples))

    recipe = f"X = np.random.default_rng({seed}).standard_normal(({samples}, {n})); X.T @ X / {samples}"
    name = f"wishart_n{n}_m{samples}_seed{seed}"
    return Instance(name, "random", "pure Gaussian noise", recipe, asked, build)


def clique(seed: int) -> Instance:
    """Return a graph of 40 vertices with a planted clique of 10."""
    return Instance(
        f"clique_seed{seed}",
        "random",
        "a random graph with a planted clique",
        f"rs.datasets.make_planted_clique(40, 10, density=0.4, rng=np.random.default_rng({seed}))",
        (8, 10, 12),
        lambda folder: Component(
            rs.datasets.make_planted_clique(40, 10, density=0.4, rng=np.random.default_rng(seed))
        ),
    )


def ties(blocks: int, size: int, seed: int, asked: tuple[int, ...]) -> Instance:
    """Return blocks of nearly equal correlations: very many supports are nearly as good as the best."""

    def build(folder: Path | None) -> Component:
        rng = np.random.default_rng(seed)
        n = blocks * size
        S = 0.1 + 0.5 * np.kron(np.eye(blocks), np.ones((size, size)))
        noise = rng.uniform(-0.01, 0.01, (n, n))
        S = S + (noise + noise.T) / 2
        np.fill_diagonal(S, 1.0)
        return Component(rs.Covariance(S))

    recipe = (
        f"{blocks} blocks of {size} variables, correlation .6 within and .1 between, noise +-.01, seed {seed}"
    )
    return Instance(f"ties_{blocks}x{size}_seed{seed}", "random", "near ties by design", recipe, asked, build)


def hiding(kind: str, s: int, asked: tuple[int, ...]) -> Instance:
    """Return a covariance whose leading eigenvector has s equal entries that a simple rule does not find.

    The constructions are of Kumar, Sarkar, Tian and Zhang (2026), as read from a public reproduction of that
    paper. With v the eigenvector, of eigenvalue 1: *variances* has s other variables of variance .9, v's have
    1/s; *entries* has s + 2 others with covariances .6/s, v's have .5/s; *greedy* has s - 1 others, each in an
    eigenvector of eigenvalue .9 with all of v's, and v's first variable covaries more with each of them than
    with another of v's.
    """
    shapes = {"variances": (s, _variances), "entries": (s + 2, _entries), "greedy": (s - 1, _greedy)}
    others, blocks = shapes[kind]

    def build(folder: Path | None) -> Component:
        S = np.zeros((s + others, s + others))
        S[:s, :s] = 1 / s
        blocks(S, s)
        return Component(rs.Covariance(S))

    return Instance(
        f"hidden_from_{kind}_s{s}",
        "data",
        "constructions of Kumar, Sarkar, Tian and Zhang, arXiv 2603.02607",
        f"hiding({kind!r}, {s}) in library/instances.py",
        asked,
        build,
    )


def _variances(S: np.ndarray, s: int) -> None:
    S[s:, s:] = 0.9 * np.eye(len(S) - s)


def _entries(S: np.ndarray, s: int) -> None:
    S[:s, :s] = 0.5 / s + 0.5 * np.eye(s)
    S[s:, s:] = 0.6 / s + (0.3 - 0.6 / s) * np.eye(len(S) - s)


def _greedy(S: np.ndarray, s: int) -> None:
    # The first row of U, orthonormal columns orthogonal to v, has equal entries: a Householder reflection.
    axis = np.full(s, 1 / np.sqrt(s))
    axis[0] -= 1
    U = (np.eye(s) - 2 * np.outer(axis, axis) / (axis @ axis))[:, 1:]
    N = np.vstack([U, np.eye(s - 1)]) / np.sqrt(2)
    S += 0.9 * N @ N.T
    S[:] = (S + S.T) / 2


def expression(name: str, source: str, asked: tuple[int, ...]) -> Instance:
    """Return the covariance of a matrix of expressions, read from an .npz file with the observations X."""

    def build(folder: Path | None) -> Component | None:
        file = None if folder is None else folder / f"{name}.npz"
        if file is None or not file.exists():
            return None
        with np.load(file) as arrays, warnings.catch_warnings():
            warnings.simplefilter("ignore", rs.DataWarning)
            return Component(rs.Covariance.from_data(arrays["X"]))

    return Instance(
        name,
        "literature",
        source,
        f"rs.Covariance.from_data(np.load('{name}.npz')['X']); see source",
        asked,
        build,
        keeps_entries=False,
    )


def literature(name: str, source: str, asked: tuple[int, ...]) -> Instance:
    """Return a matrix of the literature, read from an .npz file with the array S."""

    def build(folder: Path | None) -> Component | None:
        file = None if folder is None else folder / f"{name}.npz"
        if file is None or not file.exists():
            return None
        with np.load(file) as arrays, warnings.catch_warnings():
            warnings.simplefilter("ignore", rs.DataWarning)
            return Component(rs.Covariance(arrays["S"]))

    recipe = f"rs.Covariance(np.load('{name}.npz')['S']); see source"
    return Instance(name, "literature", source, recipe, asked, build, keeps_entries=False)


def subset(kind: str, n: int, k: int, ridge: float) -> Instance:
    """Return a best subset of k of n regressors, of the designs of benchmarks/peers_subset.py.

    The numbers are kept of 30 regressors. Of more the last bits depend on the linear algebra beneath numpy, and
    where they differ the digest says so.
    """
    recipe = f"regression({kind!r}, {n}, {k}, {ridge:g}) in benchmarks/matrices.py"
    name = f"subset_{kind.replace(' ', '')}_n{n}_k{k}" + (f"_ridge{ridge:g}" if ridge else "")
    return Instance(
        name,
        "random",
        "a design and response from a seed, those of benchmarks/peers_subset.py",
        recipe,
        (k,),
        lambda folder: Subset(*regression(kind, n, k, ridge)),
        kind="best subset",
        keeps_entries=n <= 30,
    )


def halves(name: str, source: str, *, keeps_entries: bool = False) -> Instance:
    """Return the halves of the variables of a covariance, of an array S or a text file of the literature."""

    def build(folder: Path | None) -> Correlation | None:
        file = None if folder is None else folder / f"{name}.npz"
        text = None if folder is None else folder / f"{name}_txt"
        if file is not None and file.exists():
            with np.load(file) as arrays:
                return Correlation(*halved(arrays["S"]))
        if text is not None and text.exists():
            return Correlation(*halved(np.loadtxt(text, delimiter=",", skiprows=1)[:, 1:]))
        return None

    return Instance(
        f"halves_{name}",
        "literature",
        source,
        f"halved(S) in benchmarks/matrices.py, S of {name}.npz or of the table {name}_txt; see source",
        (5, 10),
        build,
        kind="canonical correlation",
        keeps_entries=keeps_entries,
    )


LI_XIE = "archive of Li and Xie, INFORMS J. Computing 2024"
BERK = "UCI, as preprocessed for Berk and Bertsimas 2019"
ARCHIVE = "github.com/INFORMSJoC/2022.0372 (MIT), data"
SCCA = "github.com/yongchunli-13/SCCA, commit 5221466, datasets"
KINDS = ("correlation 0.3", "correlation 0.7", "condition 26", "condition 1e3", "condition 1e6")
PATH_SPCA = "PathSPCA toolbox of d'Aspremont, Bach and El Ghaoui"
INSTANCES = (
    Instance(
        "pitprops",
        "data",
        "Jeffers 1967, 13 x 13 correlations",
        "rs.datasets.load_pitprops()",
        tuple(range(1, 14)),
        lambda folder: Component(rs.datasets.load_pitprops()),
    ),
    data("wine", "UCI wine, scikit-learn", (3, 5, 8, 10)),
    data("breast_cancer", "UCI breast cancer (diagnostic), scikit-learn", (5, 10, 15, 20)),
    data("digits", "UCI digits, scikit-learn", (5, 10, 20, 30)),
    data("diabetes", "diabetes, scikit-learn", (3, 5, 7)),
    clique(0),
    clique(1),
    spiked(100, 200, 10, 8.0, 0, (5, 10, 20)),
    spiked(100, 100, 10, 1.0, 1, (10, 20)),
    spiked(500, 500, 20, 2.0, 0, (20, 30, 50)),
    *(wishart(50, 50, seed, (5, 10, 15)) for seed in range(2)),
    *(wishart(100, 100, seed, (5, 10, 15, 20)) for seed in range(3)),
    wishart(200, 200, 0, (5, 10)),
    ties(6, 10, 0, (10, 15, 20)),
    literature("housing", LI_XIE, (5, 10)),
    literature("wdbc", LI_XIE, (5, 10, 20)),
    literature("digits64", LI_XIE, (5, 10, 20)),
    literature("eisen1", f"{LI_XIE}; also {PATH_SPCA}", (5, 10, 20)),
    literature("miniboone", BERK, (5, 10, 20)),
    literature("communities", BERK, (5, 10, 20)),
    literature("communities_raw", BERK, (5, 10, 20)),
    literature("cov146", PATH_SPCA, (5, 10, 20)),
    literature("colon500", f"{PATH_SPCA}; Alon et al.", (5, 10, 20, 50, 100)),
    literature("snp500", "array S of data set snp500, CRAN package msPCA", (5, 10, 20)),
    literature("reddit2000", LI_XIE, (5, 10, 20)),
    *(hiding(kind, 10, (8, 10, 12)) for kind in ("variances", "entries", "greedy")),
    expression("breast_tcga526", "CRAN package mixOmics, breast.TCGA, training set", (5, 10, 20)),
    expression("colon2000", "Alon et al. 1999, github.com/ramhiser/datamicroarray, alon", (5, 10, 20)),
    expression("srbct2308", "Khan et al. 2001, CRAN package mixOmics, srbct", (5, 10, 20)),
    expression("liver_toxicity3116", "CRAN package mixOmics, liver.toxicity", (5, 10)),
    expression("riboflavin4088", "CRAN package hdi, riboflavin", (5, 10)),
    expression("prostate6033", "Singh et al. 2002, CRAN package spls, prostate", (5, 10)),
    expression("nci60_6830", "CRAN package ISLR, NCI60", (5, 10)),
    expression("leukemia7129", "Golub et al. 1999, github.com/ramhiser/datamicroarray, golub", (5, 10)),
    *(subset(kind, 30, 5, 0.0) for kind in KINDS),
    *(subset(kind, 100, k, 0.0) for k in (5, 10) for kind in KINDS),
    *(subset(kind, 100, 10, 0.01) for kind in KINDS[2:]),
    *(subset(kind, n, 10, 0.0) for n in (200, 500) for kind in KINDS[:2]),
    *(subset(kind, 1000, k, 0.0) for k in (5, 10) for kind in KINDS[:2]),
    *(halves(name, f"{ARCHIVE}/{name}_txt", keeps_entries=True) for name in ("pol", "wdbc", "dermatology")),
    *(halves(name, f"{ARCHIVE}/{name}_txt") for name in ("spambase", "digits", "buzz", "gas")),
    halves("slice385", f"{SCCA}/slice_txt"),
)
