"""The matrices of the benchmarks, by name."""

from __future__ import annotations

import warnings
from pathlib import Path

import numpy as np

import relaxspca as rs

DATA = Path(__file__).resolve().parents[2] / "shared" / "data"
SCIKIT = ("wine", "breast_cancer", "digits")


def matrix(name: str, folder: Path = DATA) -> rs.Covariance | None:
    """Return a matrix, or None where the file or the package that has it is not there.

    The name is pitprops, the correlation matrix of a data set of scikit-learn, a recipe with its numbers, or
    that of a file in the folder. Recipes: `spiked n m seed s beta`, m observations of n variables with variance
    beta added along s of them; `noise n m seed`, nothing added; `ties n b seed`, correlations in blocks of b
    that are nearly equal; `wide n m seed`, variables of unlike variances, the first 2000 in groups of 100 that
    share a factor, never formed as n x n.
    """
    kind, *numbers = name.split()
    if kind in RECIPES:
        return RECIPES[kind](*map(float, numbers))
    if name == "pitprops":
        return rs.datasets.load_pitprops()
    return from_scikit(name) if name in SCIKIT else from_file(folder / f"{name}.npz")


def covariance(name: str, folder: Path = DATA) -> rs.Covariance:
    """Return a matrix that is there."""
    found = matrix(name, folder)
    assert found is not None, name
    return found


def is_there(name: str, folder: Path = DATA) -> bool:
    """Say whether a matrix can be made without a package that is not there: files may be missing."""
    return " " in name or name == "pitprops" or (folder / f"{name}.npz").exists()


def from_scikit(name: str) -> rs.Covariance | None:
    """Return the correlation matrix of a data set of scikit-learn."""
    try:
        from sklearn import datasets
    except ImportError:
        return None
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", rs.DataWarning)  # constant pixels are dropped
        return rs.Covariance.from_data(getattr(datasets, f"load_{name}")().data, correlation=True)


def from_file(path: Path) -> rs.Covariance | None:
    """Return the matrix S of an .npz file."""
    if not path.exists():
        return None
    with np.load(path, allow_pickle=False) as file:
        return rs.Covariance(file["S"])


def spiked(n: float, m: float, seed: float, size: float, beta: float) -> rs.Covariance:
    """Return X'X/m of noise with variance beta added along the first `size` variables."""
    rng = np.random.default_rng(int(seed))
    X = rng.standard_normal((int(m), int(n)))
    if beta:
        v = np.where(np.arange(int(n)) < size, size**-0.5, 0.0)
        X = X + np.sqrt(beta) * rng.standard_normal((int(m), 1)) * v
    return rs.Covariance(X.T @ X / m)


def noise(n: float, m: float, seed: float) -> rs.Covariance:
    """Return X'X/m of noise."""
    return spiked(n, m, seed, 1, 0.0)


def ties(n: float, block: float, seed: float) -> rs.Covariance:
    """Return correlations in blocks that are nearly equal."""
    rng = np.random.default_rng(int(seed))
    X = rng.standard_normal((4 * int(n), int(n // block))).repeat(int(block), axis=1)
    return rs.Covariance(np.corrcoef((X + 0.7 * rng.standard_normal(X.shape)).T))


def wide(n: float, m: float, seed: float) -> rs.Covariance:
    """Return the covariance of variables of unlike variances, never formed as n x n."""
    rng = np.random.default_rng(int(seed))
    X = rng.standard_normal((int(m), int(n)))
    for first in range(0, 2000, 100):
        X[:, first : first + 100] += np.sqrt(2.0) * rng.standard_normal((int(m), 1))
    return rs.Covariance.from_data(X * np.exp(0.7 * rng.standard_normal(int(n))))


RECIPES = {"spiked": spiked, "noise": noise, "ties": ties, "wide": wide}


def design(kind: str, p: int, n: int, rng: np.random.Generator) -> np.ndarray:
    """Return p observations of n regressors: correlated by ``r^|i-j|``, or of a stated condition number."""
    name, value = kind.split()
    G = rng.standard_normal((p, n))
    if name == "correlation":
        C = float(value) ** np.abs(np.subtract.outer(np.arange(n), np.arange(n)))
        return np.asarray(G @ np.linalg.cholesky(C).T)
    U, _, W = np.linalg.svd(G, full_matrices=False)
    return np.asarray((U * np.geomspace(1, 1 / float(value), n)) @ W * np.sqrt(p))


def response(X: np.ndarray, k: int, rng: np.random.Generator) -> np.ndarray:
    """Return a response to k of the regressors, as much noise as signal."""
    w = np.zeros(X.shape[1])
    w[rng.choice(X.shape[1], k, replace=False)] = rng.choice([-1, 1], k)
    signal = X @ w
    return np.asarray(signal + rng.standard_normal(len(X)) * signal.std())


def regression(kind: str, n: int, k: int, part: float = 0.0) -> tuple[np.ndarray, np.ndarray, float]:
    """Return n + 200 observations of n regressors, a response to k of them, and a ridge term.

    The ridge term is a part of the mean square length of a regressor.
    """
    rng = np.random.default_rng([n, k])
    X = design(kind, n + 200, n, rng)
    return X, response(X, k, rng), part * float(np.mean(np.sum(X**2, axis=0)))


def halved(S: np.ndarray, ridge: float = 1e-3) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return the correlations between and within the two halves of the variables of a covariance matrix.

    Variables without variance are left out. Where a half is singular the ridge is added to all variances.
    """
    used = np.flatnonzero(np.diagonal(S) > 0)
    at = int(np.searchsorted(used, len(S) // 2))
    unit = 1 / np.sqrt(np.diagonal(S)[used])
    R = S[np.ix_(used, used)] * unit[:, None] * unit
    R = (R + R.T) / 2
    np.fill_diagonal(R, 1.0)
    first, second = R[:at, :at], R[at:, at:]
    if min(np.linalg.eigvalsh(half)[0] for half in (first, second)) < 1e-9:
        first, second = (half + ridge * np.eye(len(half)) for half in (first, second))
    return R[:at, at:], first, second
