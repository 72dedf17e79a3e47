"""Bound the clique number of a random graph by sparse eigenvalues.

python examples/planted_clique.py
"""

import numpy as np

import relaxspca as rs
from relaxspca.applications import clique_bounds

graph = rs.datasets.make_planted_clique(40, 9, density=0.3).matrix - np.eye(40)
bounds = clique_bounds(np.rint(graph), time_limit=10)
print(f"clique found: {bounds.clique}")
is_clique = all(graph[i, j] for i in bounds.clique for j in bounds.clique if i != j)

print(f"verdict: {bounds.lower} <= clique number <= {bounds.upper}")
raise SystemExit(not (is_clique and bounds.lower <= bounds.upper))
