"""The penalized matrix decomposition with an l1 constraint on the loadings (PMD, SPC)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from relaxspca.candidates.shrinkage import of_cardinality, skipping_name, soft
from relaxspca.candidates.spectrum import NOTHING, leading_eigenpairs
from relaxspca.candidates.thresholding import largest_entries
from relaxspca.errors import InputError
from relaxspca.numerics.linalg import Array, as_array, leading_eigenpair, oriented
from relaxspca.problem.candidate import Candidate
from relaxspca.problem.covariance import Covariance

__all__ = ["PenalizedFactors", "l1_projection", "penalized_components", "penalized_matrix"]


def penalized_matrix(cov: Covariance, k: int, *, rng: np.random.Generator | None = None) -> Candidate:
    r"""Reach cardinality k by a search over the bound c of the l1 norm.

    .. math:: \max u^T X v \quad\text{s.t.}\quad \|u\|_2 \le 1,\ \|v\|_2 \le 1,\ \|v\|_1 \le c

    Parameters
    ----------
    cov : Covariance of n variables, X'X.
    k : cardinality.
    rng : not used; the method is deterministic.

    Returns
    -------
    Candidate, loadings re-fitted on the support; its `method` says so where no c gives cardinality k.

    References
    ----------
    Witten, Tibshirani and Hastie, "A penalized matrix decomposition", Biostatistics 10, 2009, algorithm 3.

    Examples
    --------
    >>> from relaxspca.datasets import load_pitprops
    >>> penalized_matrix(load_pitprops(), 7).indices.tolist()
    [0, 1, 5, 6, 7, 8, 9]
    """
    k = cov.check_cardinality(k)
    largest = float(np.sqrt(cov.n))
    start = leading_eigenpairs(cov, 1)[1][:, 0]

    def product(v: Array) -> Array:
        return cov.product(v) + cov.shift * v

    vector, size = of_cardinality(lambda cut: _component(product, start, largest - cut), k, 0.0, largest - 1.0)
    name = skipping_name("penalized_matrix", size, k)
    return Candidate.from_support(cov, largest_entries(vector[None, :], k)[0], method=name)


@dataclass(frozen=True, eq=False)
class PenalizedFactors:
    r"""Factors :math:`X\approx\sum_j d_ju_jv_j'` of the penalized matrix decomposition.

    Attributes
    ----------
    loadings_array : (n, m) array
        The unit vectors v as columns; 0 for components of which only rounding errors are left.
    weights : (n, m) array
        T, with :math:`U=XT`. The u are orthonormal, :math:`T'\Sigma T=I`, if `orthogonal`.
    values : (m,) array
        :math:`d_j=u_j'X_jv_j`, with :math:`X_j` the deflated X, or X itself if the u are orthogonal.
    """

    loadings_array: Array
    weights: Array
    values: Array

    def scores(self, X: npt.ArrayLike) -> Array:
        r"""Return the left factors u of data as unit columns, (q, m).

        Parameters
        ----------
        X : (q, n) array_like
            The data with :math:`X'X` a multiple of Sigma: centred, or standardised, as Sigma is.

        Raises
        ------
        InputError
            X has another shape.

        Examples
        --------
        >>> X = np.random.default_rng(0).normal(size=(9, 4))
        >>> U = penalized_components(Covariance(X.T @ X), 1.5, 3, orthogonal=True).scores(X)
        >>> bool(np.abs(U.T @ U - np.eye(3)).max() < 1e-12)
        True
        """
        data, n = np.asarray(X, dtype=np.float64), len(self.weights)
        if data.ndim != 2 or data.shape[1] != n:
            raise InputError(f"X must be observations of {n} variables, not of shape {data.shape}")
        U = data @ self.weights
        lengths = np.linalg.norm(U, axis=0)
        return np.asarray(U / np.where(lengths > 0.0, lengths, 1.0))


def penalized_components(
    cov: Covariance, c: float, n_components: int, *, orthogonal: bool = False, max_iterations: int = 500
) -> PenalizedFactors:
    r"""Return several factors, each with loadings v of bounded l1 norm.

    .. math:: \max u_j^T X v_j \quad\text{s.t.}\quad \|u_j\|_2 = \|v_j\|_2 = 1,\ \|v_j\|_1 \le c,\quad
        u_j\perp u_1,\dots,u_{j-1}\ \text{ if } \texttt{orthogonal}

    Parameters
    ----------
    cov : Covariance of n variables, X'X.
    c : bound on the l1 norm, 1 to sqrt(n).
    n_components : m.
    orthogonal : bool
        Keep the u orthogonal, and X unchanged; otherwise subtract d u v' from X after each component.
    max_iterations : most iterations a component.

    Returns
    -------
    PenalizedFactors
        The v, and the weights of the u. The scores X v of sparse PCA are not orthogonal in general.

    Raises
    ------
    InputError
        c is out of range.

    Notes
    -----
    With u = X t the method needs Sigma only: the u are represented by their weights t, which are made
    orthogonal in the inner product t'Sigma s.

    References
    ----------
    Witten, Tibshirani and Hastie, "A penalized matrix decomposition", Biostatistics 10, 2009, algorithms 2, 3.

    Examples
    --------
    >>> from relaxspca.datasets import load_pitprops
    >>> cov = load_pitprops()
    >>> found = penalized_components(cov, 1.5, 2, orthogonal=True)
    >>> V, T = found.loadings_array, found.weights
    >>> bool((np.abs(V).sum(axis=0) <= 1.5 + 1e-9).all())
    True
    >>> bool(np.abs(T.T @ cov.matrix @ T - np.eye(2)).max() < 1e-12)
    True
    """
    if not 1.0 <= c <= np.sqrt(cov.n):
        raise InputError(f"the l1 bound c must lie in 1..sqrt(n) = {np.sqrt(cov.n):.6g}, not {c}")
    whole = cov.matrix + cov.shift * np.eye(cov.n)
    left, least = whole, NOTHING * float(np.trace(whole))
    V, T, values = np.zeros((cov.n, n_components)), np.zeros((cov.n, n_components)), np.zeros(n_components)
    for j in range(n_components):
        v = _component(left.__matmul__, leading_eigenpair(left)[1], c, max_iterations)
        p = _image(left @ v, v)
        d = float(p @ v)
        if d**2 <= least:
            break
        V[:, j], values[j] = v, d
        T[:, j] = _weights(whole, T[:, :j], V[:, :j], values[:j], v, orthogonal)
        # X'X for X less u u'X, or less d u v'.
        taken = np.outer(p, p)
        if not orthogonal:
            taken = d * (np.outer(v, p) + np.outer(p, v)) - d * d * np.outer(v, v)
        left = left - taken
        left = 0.5 * (left + left.T)
    return PenalizedFactors(as_array(V), as_array(T), as_array(values))


def l1_projection(p: Array, c: float) -> Array:
    r"""Maximise p'v over :math:`\|v\|_2 \le 1,\ \|v\|_1 \le c`: p soft-thresholded and normalised.

    Notes
    -----
    Between two sorted entries the ratio of the norms is a quadratic equation in the threshold, solved exactly.
    Where t largest entries tie and c is below the root of t, the maximisers are many; one of them is taken.
    """
    size = np.sort(np.abs(p))[::-1]
    scale = size[0] if size[0] > 0.0 else 1.0
    size = size / scale
    if size.sum() <= c * np.linalg.norm(size):
        return np.asarray(p / max(float(np.linalg.norm(p)), np.finfo(float).tiny))
    if c <= 1.0:
        # One variable: a threshold at the next entry would leave rounding errors.
        return _tied_vertex(p, np.abs(p) >= scale * (1.0 - 1e-14), 1.0)
    sums, squares = np.cumsum(size), np.cumsum(size * size)
    m = np.arange(1, len(size) + 1)
    # Ratio of the norms with m entries left, at the threshold where entry m + 1 is about to enter.
    entering = np.append(size[1:], 0.0)
    one = sums - m * entering
    two = np.sqrt(np.maximum(squares - 2.0 * entering * sums + m * entering**2, 0.0))
    left = int(np.argmax(one > c * two))
    spread = max(m[left] * squares[left] - sums[left] ** 2, 0.0)
    level = 1.0
    if m[left] > c * c:
        level = float((sums[left] - c * np.sqrt(spread / (m[left] - c * c))) / m[left])
    if level > 1.0 - 1e-14:
        return _tied_vertex(p, np.abs(p) >= scale * (1.0 - 1e-14), c)
    v = soft(p, level * scale)
    return np.asarray(v / np.linalg.norm(v))


def _tied_vertex(p: Array, tied: npt.NDArray[np.bool_], c: float) -> Array:
    """Return a unit vector of l1 norm c on the tied largest entries, all equal but the first."""
    t = int(np.count_nonzero(tied))
    others = (c - np.sqrt(max(t - c * c, 0.0) / (t - 1))) / t if t > 1 else 0.0
    v = np.where(tied, others, 0.0)
    v[int(np.argmax(tied))] = c - (t - 1) * others
    return np.asarray(np.sign(p) * v / np.linalg.norm(v))


def _weights(Sigma: Array, T: Array, V: Array, values: Array, v: Array, orthogonal: bool) -> Array:
    """Return t such that u = Xt is the unit left vector for v, given the earlier factors."""
    if orthogonal:
        t = v - T @ (T.T @ (Sigma @ v))
        t = t - T @ (T.T @ (Sigma @ t))  # twice, so that it is orthogonal to working precision
    else:
        t = v - T @ (values * (V.T @ v))  # the deflated X is X (I - sum of d t v')
    return np.asarray(t / np.sqrt(float(t @ Sigma @ t)))


def _component(product: Callable[[Array], Array], start: Array, c: float, max_iterations: int = 500) -> Array:
    v = start
    for _ in range(max_iterations):
        following = l1_projection(_image(product(v), v), c)
        change = float(np.abs(following - v).max())
        v = following
        if change <= 1e-10:
            break
    return oriented(v)


def _image(product: Array, v: Array) -> Array:
    """Return X'u for u = Xv / |Xv|, given X'X v."""
    return np.asarray(product / np.sqrt(max(float(v @ product), np.finfo(float).tiny)))
