"""The pit props, and random matrices from a seed with a planted structure: spike or clique."""

from __future__ import annotations

from importlib.resources import files

import numpy as np

from relaxspca.problem.checks import without_data_warnings
from relaxspca.problem.covariance import Covariance
from relaxspca.problem.observations import whole_number


def make_spiked(
    n: int,
    k: int,
    *,
    strength: float = 10.0,
    n_samples: int | None = None,
    rng: np.random.Generator | None = None,
) -> Covariance:
    r"""Sample covariance of :math:`N(0, I + \theta\,vv')` with a k-sparse spike v.

    Parameters
    ----------
    n, k : int
        Variables, and nonzeros of the spike (they are the first k variables, all of equal weight).
    strength : float
        :math:`\theta`, the variance of the spike above the noise's 1.
    n_samples : int, default n
    rng : numpy.random.Generator, optional
        A generator seeded with 0 when not given.

    Returns
    -------
    Covariance
        With fewer samples than variables its factor is kept.

    Raises
    ------
    InputError
        k is not in 1..n.

    References
    ----------
    .. [1] I. M. Johnstone and A. Y. Lu, On consistency and sparsity for principal components analysis in high
       dimensions, J. Amer. Statist. Assoc. 104:682-693, 2009 (the model).

    Examples
    --------
    >>> make_spiked(20, 3).n
    20
    """
    k = whole_number(k, "k", most=whole_number(n, "n"))
    rng = np.random.default_rng(0) if rng is None else rng
    m = n if n_samples is None else n_samples
    X = rng.standard_normal((m, n))
    X[:, :k] += np.sqrt(strength / k) * rng.standard_normal((m, 1))
    return Covariance.from_data(X)


def make_planted_clique(
    n: int, k: int, *, density: float = 0.5, rng: np.random.Generator | None = None
) -> Covariance:
    r"""Adjacency matrix plus identity of a random graph in which k vertices form a clique.

    A set of k variables has value k, the most possible, exactly when its vertices form a clique: so
    :math:`v_k = k` here, and :math:`v_{k'} = k'` only if the graph has a clique of k' vertices. The
    matrix is seldom positive semidefinite; it is shifted.

    Parameters
    ----------
    n, k : int
        Vertices, and size of the clique (the first k vertices).
    density : float
        Probability of every other edge.
    rng : numpy.random.Generator, optional
        A generator seeded with 0 when not given.

    Returns
    -------
    Covariance

    Raises
    ------
    InputError
        k is not in 1..n.

    Examples
    --------
    >>> float(make_planted_clique(8, 4).matrix[:4, :4].min())
    1.0
    """
    k = whole_number(k, "k", most=whole_number(n, "n"))
    rng = np.random.default_rng(0) if rng is None else rng
    edges = np.triu(rng.random((n, n)) < density, 1)
    edges[:k, :k] = np.triu(np.ones((k, k), dtype=bool), 1)
    adjacency = (edges | edges.T).astype(float)
    with without_data_warnings():
        return Covariance(adjacency + np.eye(n))


def load_pitprops() -> Covariance:
    """Return the 13 x 13 correlation matrix of 180 pit props.

    Returns
    -------
    Covariance
        Correlations (no unit), printed to three digits in [1]_.

    References
    ----------
    .. [1] J. N. R. Jeffers, Two case studies in the application of principal component analysis,
       Applied Statistics 16:225-236, 1967.

    Examples
    --------
    >>> load_pitprops()
    Correlation matrix: 13 variables (topdiam, length, moist, testsg, ovensg, ringtop, ...), trace 13
    """
    text = (files("relaxspca.datasets") / "pitprops.csv").read_text(encoding="utf-8").splitlines()
    rows = [[float(entry) for entry in line.split(",")] for line in text[1:]]
    return Covariance(np.array(rows), names=text[0].split(","))
