"""The first bounds on a set of components, and the effort of the search at a node."""

from __future__ import annotations

import numpy as np

from relaxspca.candidates.spectrum import leading_eigenpairs
from relaxspca.certificate import RowsPoint
from relaxspca.numerics.linalg import sum_upper
from relaxspca.problem.covariance import Covariance
from relaxspca.problem.size import Cardinality
from relaxspca.relaxations.perron.minimise import start_from_weights, to_point
from relaxspca.relaxations.perron.weights import balance
from relaxspca.relaxations.several.formula import MultiplierMatrix, upper_bound
from relaxspca.relaxations.several.shape import Shape, everything
from relaxspca.runtime.deadline import Deadline
from relaxspca.search.proof_tree import Proof
from relaxspca.search.several.evaluate import JointEffort
from relaxspca.search.several.node import JointNode


def proof_at_first(cov: Covariance, shape: Shape) -> Proof:
    """Return a bound that costs next to nothing: Z is what exceeds the r-th eigenvalue (Ky Fan)."""
    values, vectors = leading_eigenpairs(cov, min(shape.count, cov.n))
    Z = (vectors * (values - values[-1])) @ vectors.T
    rest = cov.matrix - (Z + Z.T) / 2
    free = RowsPoint(np.arange(cov.n), np.zeros((cov.n, cov.n)), np.zeros((cov.n, cov.n)))
    point = MultiplierMatrix(np.arange(cov.n), (rest + rest.T) / 2, np.zeros(cov.n), (free,) * len(shape.sizes))
    largest = Proof("multipliers", None, sum_upper(np.full(shape.count, cov.largest_upper)))
    all_of_it = Proof("multipliers", point, upper_bound(cov, point, shape, everything(shape, cov.n)))
    return min(largest, all_of_it, key=lambda proof: proof.bound)


def proof_one_by_one(cov: Covariance, shape: Shape) -> Proof:
    """Return what balanced row sums prove of each component by itself, whether orthogonal or not (Z = 0)."""
    variables, Sigma = np.arange(cov.n), cov.matrix
    nothing = np.zeros(cov.n, dtype=bool)
    rows = {
        k: to_point(variables, start_from_weights(Sigma, balance(Sigma, nothing, Cardinality(k)).weights))
        for k in set(shape.sizes)
    }
    point = MultiplierMatrix(variables, Sigma, np.zeros(cov.n), tuple(rows[k] for k in shape.sizes))
    return Proof("multipliers", point, upper_bound(cov, point, shape, everything(shape, cov.n)))


def joint_effort(node: JointNode, deadline: Deadline) -> JointEffort:
    """Work hard at the root, where every decision taken is taken for good."""
    if node.depth == 0:
        return JointEffort(stages=12, iterations=300, enough=0.05, deadline=deadline)
    # Deeper the factors of the parent are near the best: a wide smoothing would lead away from them.
    return JointEffort(stages=2, iterations=60, smoothing=0.05, enough=0.0, deadline=deadline)
