"""Clique bounds against networkx."""

import networkx as nx
import numpy as np
import pytest
from scipy import sparse

import relaxspca as rs
from relaxspca.applications import clique_bounds


@pytest.mark.parametrize("seed", range(6))
def test_the_clique_number_is_enclosed(seed):
    graph = nx.gnp_random_graph(12, 0.5, seed=seed)
    bounds = clique_bounds(graph, time_limit=3)
    number = max(len(clique) for clique in nx.find_cliques(graph))
    assert bounds.lower <= number <= bounds.upper
    assert graph.subgraph(bounds.clique).size() == bounds.lower * (bounds.lower - 1) // 2
    assert bounds.lower == bounds.upper


def test_a_planted_clique_is_found_and_proved():
    graph = nx.gnp_random_graph(30, 0.3, seed=1)
    graph.add_edges_from(nx.complete_graph(9).edges)
    bounds = clique_bounds(graph, time_limit=20)
    assert bounds.clique == tuple(range(9))
    assert bounds.upper == 9


def test_only_graphs_are_taken():
    with pytest.raises(rs.InputError, match="zeros and ones"):
        clique_bounds(np.array([[0.0, 0.5], [0.5, 0.0]]))
    with pytest.raises(rs.InputError, match="adjacency matrix is not numeric: it holds 'a'"):
        clique_bounds([["a", "b"], ["b", "a"]])
    with pytest.raises(rs.InputError, match="10001 vertices are too many"):
        clique_bounds(sparse.csr_array((10_001, 10_001)))


def test_a_sparse_adjacency_is_the_same_graph():
    A = nx.to_numpy_array(nx.gnp_random_graph(12, 0.5, seed=3))
    assert clique_bounds(sparse.csr_array(A)) == clique_bounds(sparse.coo_matrix(A)) == clique_bounds(A)
