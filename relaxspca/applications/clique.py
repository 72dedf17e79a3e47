r"""Bounds on the clique number of a graph through sparse principal components.

With the adjacency matrix A, a set T of k vertices has :math:`\lambda_{\max}((A+I)_{TT})\le k`, and k exactly
for a clique: a certified :math:`v_k(A+I)<k` proves that there is no clique of k vertices.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from relaxspca.applications.sparse_eigenvalues import symmetric_covariance
from relaxspca.errors import InputError
from relaxspca.numerics.linalg import Array
from relaxspca.problem.observations import is_sparse, real_array
from relaxspca.results.printable import Printable
from relaxspca.tasks.solve import solve

__all__ = ["CliqueBounds", "clique_bounds"]

LARGEST_GRAPH = 10_000  # vertices; 0.8 GB


@dataclass(frozen=True, repr=False)
class CliqueBounds(Printable):
    """Bounds on a clique number, with a clique that attains the lower bound.

    Attributes
    ----------
    lower, upper : int
    clique : tuple of int
        Vertices by position, a clique of size `lower`.
    """

    lower: int
    upper: int
    clique: tuple[int, ...]

    def to_records(self) -> list[dict[str, Any]]:
        """Return the enclosure as one dict."""
        clique = " ".join(map(str, self.clique))
        return [{"lower": self.lower, "upper": self.upper, "clique": clique}]

    def _statement(self) -> list[str]:
        said = f"Clique number: {self.lower} (proved)."
        if self.upper > self.lower:
            said = f"Clique number: between {self.lower} and {self.upper} (proved)."
        return [said, f"A clique of {self.lower}: {', '.join(map(str, self.clique))}."]


def clique_bounds(graph: Any, *, time_limit: float | None = None) -> CliqueBounds:
    r"""Bound the clique number of a graph from both sides.

    .. math:: \omega = \max\{k : v_k(A+I) = k\}, \qquad A \text{ the adjacency matrix}

    Parameters
    ----------
    graph : networkx.Graph, or (n, n) symmetric 0-1 array or scipy.sparse array
        Positions are those of ``graph.nodes``; loops are ignored. A sparse array is made dense, up to 10 000
        vertices.
    time_limit : float, optional
        Seconds for each cardinality tried.

    Returns
    -------
    CliqueBounds
        Ctrl-C ends the work; the bounds hold.

    Raises
    ------
    InputError
        The array is not a symmetric 0-1 matrix.

    Notes
    -----
    The search tries k = lower + 1, ..., from the clique found, and stops at the first k with a certified
    :math:`v_k(A+I)<k`: a larger clique would contain one of k vertices.

    Examples
    --------
    >>> clique_bounds(np.array([[0, 1, 1], [1, 0, 0], [1, 0, 0]]))
    Clique number: 2 (proved).
    A clique of 2: 0, 1.
    """
    A = _adjacency(graph)
    n = A.shape[0]
    cov = symmetric_covariance(A + np.eye(n))
    clique = _greedy_clique(A)
    for k in range(len(clique) + 1, n + 1):
        # A set that misses one edge stays below k by about 2/k: no finer gap is needed.
        try:
            result = solve(cov, k, gap=0.5 / k**2, time_limit=time_limit)
        except KeyboardInterrupt:
            break
        support = result.candidate.indices
        if A[np.ix_(support, support)].sum() == k * (k - 1):
            clique = tuple(int(i) for i in support)
        elif result.upper < k:
            return CliqueBounds(len(clique), k - 1, clique)
        if result.status == "interrupted":
            break
    return CliqueBounds(len(clique), n, clique)


def _adjacency(graph: Any) -> Array:
    if hasattr(graph, "adjacency"):
        import networkx as nx

        graph = nx.to_numpy_array(graph, weight=None)
    if is_sparse(graph):
        n = max(graph.shape)
        if n > LARGEST_GRAPH:
            raise InputError(f"{n} vertices are too many for a dense matrix; {LARGEST_GRAPH} are the most")
        graph = graph.toarray()
    A = real_array(graph, "adjacency matrix")
    if A.ndim != 2 or A.shape[0] != A.shape[1] or not np.array_equal(A, A.T) or not np.isin(A, (0, 1)).all():
        raise InputError("the adjacency matrix must be square, symmetric and of zeros and ones")
    np.fill_diagonal(A, 0.0)
    return A


def _greedy_clique(A: Array) -> tuple[int, ...]:
    """Return the largest clique that greedy growth by the most common neighbours finds from every vertex."""
    best: list[int] = [0]
    for start in range(A.shape[0]):
        clique, common = [start], A[start] > 0
        while common.any():
            inside = np.flatnonzero(common)
            clique.append(int(inside[np.argmax(A[np.ix_(inside, inside)].sum(axis=1))]))
            common = common & (A[clique[-1]] > 0)
        if len(clique) > len(best):
            best = clique
    return tuple(sorted(best))
