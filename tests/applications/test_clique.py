"""Clique bounds against networkx."""

import networkx as nx
import numpy as np
import pytest

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
