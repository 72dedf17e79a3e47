"""The certificate of a proved table."""

import warnings
from dataclasses import replace

import numpy as np
import pytest
from draws import draws

import relaxspca as rs
from relaxspca.certificate import Leaf, RowsPoint
from relaxspca.checker import components
from relaxspca.checker.multipliers import SeveralEvidence
from relaxspca.checker.rounded import Rounded
from relaxspca.errors import DataWarning
from relaxspca.relaxations.several.shape import Shape
from relaxspca.search.limits import SearchLimits
from relaxspca.search.proof_tree import Decision, Proof
from relaxspca.search.several import search
from relaxspca.search.several.certificate import placed, table_certificate
from relaxspca.search.several.run import Room, prove_table
from tests.small_covariances import KINDS, draw

pytestmark = pytest.mark.usefixtures("short_starts")
PITPROPS = rs.datasets.load_pitprops()


def test_a_leaf_far_below_the_others_needs_no_room_however_large_its_point():
    """Where supports have no table the dual is unbounded below, and its points run off."""
    found = prove_table(PITPROPS, Shape((4, 4)))
    plain = table_certificate(PITPROPS, found)
    assert 0 < plain.upper - found.upper < 1e-10
    at, point = next(
        (at, leaf.point) for at, _, leaf in found.tree.leaves(found.upper) if leaf.point is not None
    )
    large = replace(point, rest=point.rest * 1e12, multipliers=np.abs(point.multipliers) + 1e9)
    found.tree.improve(at, Proof("multipliers", large, -1e12))
    assert 0 < table_certificate(PITPROPS, found).upper - found.upper < 1e-10


def test_points_that_leaves_share_are_written_once():
    found = prove_table(PITPROPS, Shape.disjoint((4, 4), 13))
    made = table_certificate(PITPROPS, found)
    leaves = [at for node in made.tree if isinstance(node, Leaf) for at in node.points]
    assert len(leaves) > len(set(leaves)) == len(made.points)


def any_covariance(rng, seed):
    """Return a matrix of some kind, or data."""
    n = int(rng.integers(3, 9))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DataWarning)
        if seed % 4 == 0:
            scales = np.exp(rng.normal(size=n) * rng.choice([0, 1, 4]))
            return rs.Covariance.from_factor(rng.normal(size=(int(rng.choice([5, 2000])), n)) * scales)
        return rs.Covariance(draw(list(KINDS)[seed % len(KINDS)], rng, n))


def any_shape(rng, n):
    """Return sizes of two or three components, apart, on one support, or neither."""
    r = int(rng.integers(2, 4))
    sizes = tuple(sorted((int(k) for k in rng.integers(1, min(n, 4) + 1, size=r)), reverse=True))
    kinds = [Shape(sizes), Shape.disjoint(sizes, n), Shape((max(sizes[0], r),), copies=r)]
    return kinds[int(rng.choice(3, p=[0.6, 0.25, 0.15]))]


def test_what_the_checker_proves_of_every_leaf_is_within_the_room_that_is_left_for_it(monkeypatch):
    kinds = set()
    for seed in draws((1, 12), range(28)):
        rng = np.random.default_rng(seed)
        cov = any_covariance(rng, seed)
        shape = any_shape(rng, cov.n)
        with monkeypatch.context() as patch:
            if seed % 3:
                patch.setattr(search, "can_be_listed", lambda parts, shape: False)
            found = prove_table(cov, shape, limits=SearchLimits(node_limit=int(rng.choice([1, 3, 12]))))
        made = table_certificate(cov, found)
        evidence, room = SeveralEvidence(made, Rounded()), Room(cov, shape)
        leaves = zip(components.leaves_of(made), found.tree.leaves(found.upper), strict=True)
        for case, (_, taken, proof) in leaves:
            kinds.add(case.node.kind)
            most = room.above(taken, proof) if proof.bound > -np.inf else -np.inf
            assert components.bound_of(evidence, case, max(proof.bound, -1e300)) <= most, (seed, case)
        assert rs.verify(made)
    assert kinds == {"multipliers", "choices"}


def test_a_leaf_of_few_variables_needs_less_room():
    cov, shape = rs.Covariance(draw("wishart", np.random.default_rng(0), 60)), Shape((2, 1))
    room, proof = Room(cov, shape), Proof("multipliers", None, 1.0)
    few = tuple(Decision(t, i, True) for t, i in ((0, 0), (0, 1), (1, 2)))
    wide, narrow = (room.above(taken, proof) - 1.0 for taken in ((), few))
    assert 0 < narrow < wide / 30


def test_a_point_of_a_block_is_one_of_all_variables():
    nothing = np.zeros((2, 2))
    found = placed(
        RowsPoint([0, 1, 2], nothing, nothing, weights=np.ones(3), paid=[0, 2]), 0, np.array([3, 5, 9])
    )
    assert [found.variables.tolist(), found.paid.tolist()] == [[3, 5, 9], [3, 9]]
