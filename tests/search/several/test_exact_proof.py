"""Every leaf of a search over several components, checked again in rational arithmetic."""

from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest

import relaxspca as rs
from relaxspca.relaxations.several.shape import Shape
from relaxspca.search.several.run import prove_table
from tests.search.several.exact_proof import check
from tests.small_covariances import draw

SHAPES = [
    Shape((2, 2)), Shape((3, 2)), Shape((2, 2, 1)), Shape((3, 3)), Shape.disjoint((2, 2), 5),
    Shape.disjoint((3, 3), 5), Shape((3,), copies=2), Shape((4,), copies=3),
]  # fmt: skip


def proved(kind, shape, seed, **options):
    S = draw(kind, np.random.default_rng(seed), 5)
    cov = rs.Covariance(S)
    return cov.matrix, prove_table(cov, shape, **options)


def checked(S, shape, found):
    upper = found.upper
    allowed = Fraction(upper) + Fraction(1, 10**9) * Fraction(float(np.abs(S).max()))
    check(S, shape, [int(i) for i in found.order], list(found.tree.leaves(upper)), allowed)


@pytest.mark.parametrize("shape", SHAPES, ids=repr)
@pytest.mark.parametrize("kind", ["correlation"])
def test_the_tree_proves_the_upper_bound(kind, shape):
    S, found = proved(kind, shape, 1)
    checked(S, shape, found)


def test_a_search_that_was_stopped_proves_its_upper_bound_too():
    shape = Shape((3, 3))
    S, found = proved("correlation", shape, 5, node_limit=1)
    checked(S, shape, found)


def test_a_tree_without_one_of_its_leaves_and_a_bound_too_low_are_refused():
    S, found = proved("correlation", Shape((2, 2)), 1)
    leaves = list(found.tree.leaves(found.upper))
    order = [int(i) for i in found.order]
    with pytest.raises(AssertionError):
        check(S, Shape((2, 2)), order, leaves, Fraction(found.lower) * Fraction(99, 100))
    deep = next(
        (S, shape, found)
        for seed in range(30)
        for shape in [Shape((2, 2, 1))]
        for S, found in [proved("correlation", shape, seed)]
        if len(list(found.tree.leaves(found.upper))) > 2
    )
    S, shape, found = deep
    leaves = list(found.tree.leaves(found.upper))
    with pytest.raises(AssertionError):
        check(S, shape, [int(i) for i in found.order], leaves[1:], Fraction(found.upper) * 2)
    taken, proof = next(leaf for leaf in leaves if leaf[1].kind == "prices")
    lied = [(taken, replace(proof, kind="void")) if leaf[0] == taken else leaf for leaf in leaves]
    with pytest.raises(AssertionError):
        check(S, shape, [int(i) for i in found.order], lied, Fraction(found.upper) * 2)
