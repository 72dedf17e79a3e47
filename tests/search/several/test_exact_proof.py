"""Every leaf of a search over several components, checked again in rational arithmetic."""

from fractions import Fraction

import numpy as np
import pytest
from draws import draws

import relaxspca as rs
from relaxspca.relaxations.several.shape import Shape
from relaxspca.search.limits import SearchLimits
from relaxspca.search.several import search as run_search
from relaxspca.search.several.run import prove_table
from tests.search.several import exact_proof
from tests.search.several.exact_proof import check
from tests.small_covariances import draw

pytestmark = pytest.mark.usefixtures("short_starts")
SHAPES = [
    Shape((2, 2)), Shape((3, 2)), Shape((2, 2, 1)), Shape((3, 3)), Shape((2, 2, 2)), Shape.disjoint((2, 2), 5),
    Shape.disjoint((3, 3), 5), Shape((3,), copies=2), Shape((4,), copies=3),
]  # fmt: skip


def proved(kind, shape, seed, **options):
    S = draw(kind, np.random.default_rng(seed), 5)
    cov = rs.Covariance(S)
    return cov.matrix, prove_table(cov, shape, **options)


def checked(S, shape, found):
    upper = found.upper
    allowed = Fraction(upper) + Fraction(1, 10**9) * Fraction(float(np.abs(S).max()))
    check(S, shape, list(found.tree.leaves(upper)), allowed)


@pytest.mark.parametrize("shape", SHAPES, ids=repr)
@pytest.mark.parametrize("kind", ["correlation", "wishart"])
def test_the_tree_proves_the_upper_bound(kind, shape):
    S, found = proved(kind, shape, 1)
    checked(S, shape, found)


def test_a_search_that_was_stopped_proves_its_upper_bound_too():
    shape = Shape((3, 3))
    S, found = proved("correlation", shape, 5, limits=SearchLimits(node_limit=1))
    checked(S, shape, found)


def test_a_tree_without_one_of_its_leaves_and_a_bound_too_low_are_refused():
    S, found = proved("correlation", Shape((2, 2)), 1)
    leaves = list(found.tree.leaves(found.upper))
    with pytest.raises(AssertionError):
        check(S, Shape((2, 2)), leaves, Fraction(found.lower) * Fraction(99, 100))
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
        check(S, shape, leaves[1:], Fraction(found.upper) * 2)


@pytest.mark.usefixtures("unlisted")
@pytest.mark.parametrize("shape", SHAPES[:7], ids=repr)
def test_the_tree_without_lists_proves_the_upper_bound(shape):
    S, found = proved("correlation", shape, 1)
    assert all(proof.kind != "choices" for *_, proof in found.tree.leaves(found.upper))
    checked(S, shape, found)


def test_a_tree_that_is_split_before_its_choices_are_listed_proves_the_upper_bound(monkeypatch):
    """As where the choices of the root are too many: below some splits they are not."""
    listed = run_search.can_be_listed

    def below(parts, shape):
        return any(len(part.free) < 5 for part in parts) and listed(parts, shape)

    monkeypatch.setattr(run_search, "can_be_listed", below)
    kinds = set()
    for seed in draws((0, 3), range(4)):
        shape = (Shape((2, 2, 2)), Shape((3, 3)), Shape((3, 2, 2)), Shape.disjoint((2, 2, 2), 5))[seed]
        S, found = proved("correlation", shape, seed)
        checked(S, shape, found)
        kinds |= {(proof.kind, len(taken) > 0) for _, taken, proof in found.tree.leaves(found.upper)}
    assert ("choices", True) in kinds


@pytest.mark.usefixtures("unlisted")
def test_an_outside_says_of_all_equal_components_what_it_says_of_one():
    """The same proofs do not hold where only the component of the split is without the variable."""
    for seed in range(30):
        S, found = proved("correlation", Shape((2, 2, 2)), seed, limits=SearchLimits(node_limit=40))
        leaves = list(found.tree.leaves(found.upper))
        if len(leaves) > 2:
            break
    checked(S, Shape((2, 2, 2)), found)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(exact_proof, "nodes", one_by_one)
        # A dual point may lack a variable that is out of all of them.
        with pytest.raises((AssertionError, KeyError)):
            check(S, Shape((2, 2, 2)), leaves, Fraction(found.upper))


def one_by_one(shape, n, decisions):
    """Return what decisions say where the outside of a split is about one component alone."""
    parts = [(set(), set(range(n)), size) for size in shape.sizes]
    for decision in decisions:
        exact_proof.decide(parts[decision.part], decision, shape)
    return parts


def test_a_stop_keeps_a_sharper_proof_than_that_of_single_components():
    """Rows of a variable without variance have charges of 1e9, and a certificate of them needs much room."""

    def stop(progress):
        raise KeyboardInterrupt

    cov = rs.Covariance(np.array([[1.0, 0.0, 0.0], [0.0, 0.0, -1.0], [0.0, -1.0, 1.0]]))
    whole = rs.components(cov, [1, 1], joint=True)
    stopped = rs.components(cov, [1, 1], joint=True, callback=stop)
    assert whole.upper == pytest.approx(2.0, rel=1e-8)
    assert stopped.upper <= whole.upper + 1e-9
    assert rs.verify(stopped.certificate)


@pytest.mark.usefixtures("unlisted")
def test_an_interrupt_while_single_components_are_compared_is_told(monkeypatch):
    def interrupted(cov, shape):
        raise KeyboardInterrupt

    monkeypatch.setattr("relaxspca.search.several.run.proof_one_by_one", interrupted)
    cov = rs.Covariance(rs.datasets.load_pitprops().matrix[:8, :8])
    found = rs.components(cov, [3, 3, 3], joint=True, node_limit=1)
    assert found.is_interrupted
    assert found.status == "interrupted"
    assert rs.verify(found.certificate)
