"""Matrices that fall into parts: their components and their bound."""

import numpy as np
import pytest
from scipy.linalg import block_diag
from small_covariances import draw, optimum

import relaxspca as rs
from relaxspca.problem.size import Cardinality, Penalty
from relaxspca.relaxations.perron.formula import upper_bound
from relaxspca.relaxations.perron.minimise import start_from_weights, to_point
from relaxspca.relaxations.perron.parts import connected_parts, descend_parts


def blocks(rng, sizes):
    """Return a permuted block-diagonal matrix and its blocks."""
    parts = [draw("wishart", rng, m) for m in sizes]
    S = block_diag(*parts)
    order = rng.permutation(len(S))
    return S[np.ix_(order, order)], parts


@pytest.mark.parametrize("penalised", [False, True])
def test_parts_are_tightened_each_on_its_own(penalised):
    rng = np.random.default_rng(1)
    S, parts = blocks(rng, (8, 7, 9))
    cov, k = rs.Covariance(S), Penalty(0.3) if penalised else Cardinality(4)
    worth = [
        max(optimum(part, m) - 0.3 * m for m in range(1, len(part) + 1)) if penalised else optimum(part, 4)
        for part in parts
    ]
    nothing = np.zeros(24, dtype=bool)
    B = start_from_weights(S, np.ones(24))
    before = upper_bound(cov, to_point(np.arange(24), B), k)
    B = descend_parts(S, nothing, k, B, target=0.0, scale=2.0, smoothing=0.002, iterations=200)
    after = upper_bound(cov, to_point(np.arange(24), B), k)
    assert max(worth) <= after < before
    assert after <= max(worth) * 1.02


def test_variables_forced_in_elsewhere_take_their_places():
    rng = np.random.default_rng(2)
    S, _ = blocks(rng, (6, 6))
    part, other = connected_parts(S)
    inside = np.isin(np.arange(12), other[:2])
    B = start_from_weights(S, np.ones(12))
    B = descend_parts(S, inside, Cardinality(4), B, target=-1.0, scale=2.0, smoothing=0.002, iterations=200)
    point, forced = to_point(np.arange(12), B), other[:2].tolist()
    bound = upper_bound(rs.Covariance(S), point, 4, inside=forced, free=np.flatnonzero(~inside))
    # Two places are left for the first part; the other part has its two, or up to two more.
    two = optimum(S[np.ix_(part, part)], 2)
    assert two <= bound < optimum(S[np.ix_(part, part)], 4) + optimum(S[np.ix_(other, other)], 4)
