"""The certificate of a proved table: the checker proves every leaf, and within the room that is left for it."""

from dataclasses import replace

import numpy as np
import pytest
from draws import draws
from interrupts import interrupt, interrupted

import relaxspca as rs
from relaxspca.certificate import Leaf, RowsPoint
from relaxspca.checker import components
from relaxspca.checker.multipliers import SeveralEvidence
from relaxspca.checker.rounded import Rounded
from relaxspca.relaxations.several.shape import Shape
from relaxspca.search.limits import SearchLimits
from relaxspca.search.proof_tree import Decision, Proof
from relaxspca.search.several import run, search
from relaxspca.search.several.certificate import placed, table_certificate
from relaxspca.search.several.run import Room, prove_table
from tests.small_covariances import KINDS, covariance, draw

pytestmark = pytest.mark.usefixtures("short_starts")
PITPROPS = rs.datasets.load_pitprops()
SHAPES = [
    Shape((2, 2)), Shape((3, 2)), Shape((2, 2, 1)), Shape((3, 3, 2)), Shape((2, 2, 2)),
    Shape.disjoint((2, 2), 5), Shape.disjoint((3, 3), 5), Shape((3,), copies=2), Shape((4,), copies=3),
]  # fmt: skip


def proved(cov, shape, *, exact=None, **options):
    """Return a search, and check its certificate and each of its leaves."""
    found = prove_table(cov, shape, **options)
    made = table_certificate(cov, found)
    evidence, room = SeveralEvidence(made, Rounded()), Room(cov, shape)
    leaves = zip(components.leaves_of(made), found.tree.leaves(found.upper), strict=True)
    for case, (_, taken, proof) in leaves:
        most = room.above(taken, proof) if proof.bound > -np.inf else -np.inf
        assert components.bound_of(evidence, case, max(proof.bound, -1e300)) <= most, case
    assert rs.verify(made, exact=exact)
    return found


def of_five(kind, shape, seed, **options):
    cov = rs.Covariance(draw(kind, np.random.default_rng(seed), 5))
    found = proved(cov, shape, exact=True, **options)
    assert table_certificate(cov, found).upper - found.upper <= 1e-9 * np.abs(cov.matrix).max()
    return found


def kinds(found):
    """Return of what kind the leaves are, and whether each is below a split."""
    return {(proof.kind, len(taken) > 0) for _, taken, proof in found.tree.leaves(found.upper)}


@pytest.mark.parametrize("shape", SHAPES, ids=repr)
@pytest.mark.parametrize("kind", draws(["correlation"], ["correlation", "wishart"]))
def test_the_tree_proves_the_upper_bound(kind, shape):
    of_five(kind, shape, 1)


@pytest.mark.usefixtures("unlisted")
@pytest.mark.parametrize("shape", SHAPES[: draws(3, 7)], ids=repr)
def test_the_tree_without_lists_proves_the_upper_bound(shape):
    assert {kind for kind, _ in kinds(of_five("correlation", shape, 1))} == {"multipliers"}


def test_a_tree_that_is_split_before_its_choices_are_listed_proves_the_upper_bound(monkeypatch):
    """As where the choices of the root are too many: below some splits they are not."""
    listed = search.can_be_listed

    def below(parts, shape):
        return any(len(part.free) < 5 for part in parts) and listed(parts, shape)

    monkeypatch.setattr(search, "can_be_listed", below)
    shapes = Shape((2, 2, 2)), Shape((3, 3)), Shape((3, 2, 2)), Shape.disjoint((2, 2, 2), 5)
    found = [kinds(of_five("correlation", shapes[seed], seed)) for seed in draws((0, 3), range(4))]
    assert ("choices", True) in set().union(*found)


@pytest.mark.usefixtures("unlisted")
def test_an_outside_says_of_all_equal_components_what_it_says_of_one():
    """A search that has to split three equal components is proved, though it tries one of each order."""
    limits = SearchLimits(node_limit=40)
    searches = (of_five("correlation", Shape((2, 2, 2)), seed, limits=limits) for seed in range(30))
    assert any(len(list(found.tree.leaves(found.upper))) > 2 for found in searches)


def any_covariance(rng, seed):
    """Return a matrix of some kind, or data."""
    n = int(rng.integers(3, 9))
    if seed % 4 == 0:
        scales = np.exp(rng.normal(size=n) * rng.choice([0, 1, 4]))
        return rs.Covariance.from_factor(rng.normal(size=(int(rng.choice([5, 2000])), n)) * scales)
    return covariance(draw(list(KINDS)[seed % len(KINDS)], rng, n))


def any_shape(rng, n):
    """Return sizes of two or three components, apart, on one support, or neither."""
    r = int(rng.integers(2, 4))
    sizes = tuple(sorted((int(k) for k in rng.integers(1, min(n, 4) + 1, size=r)), reverse=True))
    some = [Shape(sizes), Shape.disjoint(sizes, n), Shape((max(sizes[0], r),), copies=r)]
    return some[int(rng.choice(3, p=[0.6, 0.25, 0.15]))]


def test_stopped_searches_of_any_matrix_are_proved(monkeypatch):
    found = set()
    for seed in draws((1, 12), range(28)):
        rng = np.random.default_rng(seed)
        cov = any_covariance(rng, seed)
        shape = any_shape(rng, cov.n)
        with monkeypatch.context() as patch:
            if seed % 3:
                patch.setattr(search, "can_be_listed", lambda parts, shape: False)
            limits = SearchLimits(node_limit=int(rng.choice([1, 3, 12])))
            found |= {kind for kind, _ in kinds(proved(cov, shape, limits=limits))}
    assert found == {"multipliers", "choices"}


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


def test_a_leaf_of_few_variables_needs_less_room():
    cov, shape = rs.Covariance(draw("wishart", np.random.default_rng(0), 60)), Shape((2, 1))
    room, proof = Room(cov, shape), Proof("multipliers", None, 1.0)
    few = tuple(Decision(t, i, True) for t, i in ((0, 0), (0, 1), (1, 2)))
    wide, narrow = (room.above(taken, proof) - 1.0 for taken in ((), few))
    assert 0 < narrow < wide / 30


def test_a_point_of_a_block_is_one_of_all_variables():
    nothing, at = np.zeros((2, 2)), np.array([3, 5, 9])
    found = placed(RowsPoint([0, 1, 2], nothing, nothing, weights=np.ones(3), paid=[0, 2]), 0, at)
    assert [found.variables.tolist(), found.paid.tolist()] == [[3, 5, 9], [3, 9]]


def test_a_stop_keeps_a_sharper_proof_than_that_of_single_components():
    """Rows of a variable without variance have charges of 1e9, and a certificate of them needs much room."""
    cov = rs.Covariance(np.array([[1.0, 0.0, 0.0], [0.0, 0.0, -1.0], [0.0, -1.0, 1.0]]))
    whole = rs.components(cov, [1, 1], joint=True)
    stopped = rs.components(cov, [1, 1], joint=True, callback=interrupted())
    assert whole.upper == pytest.approx(2.0, rel=1e-8)
    assert stopped.upper <= whole.upper + 1e-9
    assert rs.verify(stopped.certificate)


@pytest.mark.usefixtures("unlisted")
def test_an_interrupt_while_single_components_are_compared_is_told(monkeypatch):
    interrupt(monkeypatch, run, "proof_one_by_one")
    found = rs.components(rs.Covariance(PITPROPS.matrix[:8, :8]), [3, 3, 3], joint=True, node_limit=1)
    assert found.is_interrupted
    assert found.status == "interrupted"
    assert rs.verify(found.certificate)
