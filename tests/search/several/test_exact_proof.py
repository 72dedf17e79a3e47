"""Every leaf of a search over several components is proved in rational arithmetic, by the checker."""

import numpy as np
import pytest
from draws import draws
from interrupts import interrupt, interrupted

import relaxspca as rs
from relaxspca.relaxations.several.shape import Shape
from relaxspca.search.limits import SearchLimits
from relaxspca.search.several import run
from relaxspca.search.several import search as run_search
from relaxspca.search.several.certificate import table_certificate
from relaxspca.search.several.run import prove_table
from tests.small_covariances import draw

pytestmark = pytest.mark.usefixtures("short_starts")
SHAPES = [
    Shape((2, 2)), Shape((3, 2)), Shape((2, 2, 1)), Shape((3, 3)), Shape((2, 2, 2)), Shape.disjoint((2, 2), 5),
    Shape.disjoint((3, 3), 5), Shape((3,), copies=2), Shape((4,), copies=3),
]  # fmt: skip


def proved(kind, shape, seed, **options):
    """Return a search and check its certificate."""
    cov = rs.Covariance(draw(kind, np.random.default_rng(seed), 5))
    found = prove_table(cov, shape, **options)
    made = table_certificate(cov, found)
    assert rs.verify(made, exact=True)
    assert made.upper - found.upper <= 1e-9 * np.abs(cov.matrix).max()
    return found


@pytest.mark.parametrize("shape", SHAPES, ids=repr)
@pytest.mark.parametrize("kind", draws(["correlation"], ["correlation", "wishart"]))
def test_the_tree_proves_the_upper_bound(kind, shape):
    proved(kind, shape, 1)


@pytest.mark.usefixtures("unlisted")
@pytest.mark.parametrize("shape", SHAPES[: draws(3, 7)], ids=repr)
def test_the_tree_without_lists_proves_the_upper_bound(shape):
    found = proved("correlation", shape, 1)
    assert all(proof.kind != "choices" for *_, proof in found.tree.leaves(found.upper))


def test_a_tree_that_is_split_before_its_choices_are_listed_proves_the_upper_bound(monkeypatch):
    """As where the choices of the root are too many: below some splits they are not."""
    listed = run_search.can_be_listed

    def below(parts, shape):
        return any(len(part.free) < 5 for part in parts) and listed(parts, shape)

    monkeypatch.setattr(run_search, "can_be_listed", below)
    kinds = set()
    for seed in draws((0, 3), range(4)):
        shape = (Shape((2, 2, 2)), Shape((3, 3)), Shape((3, 2, 2)), Shape.disjoint((2, 2, 2), 5))[seed]
        found = proved("correlation", shape, seed)
        kinds |= {(proof.kind, len(taken) > 0) for _, taken, proof in found.tree.leaves(found.upper)}
    assert ("choices", True) in kinds


@pytest.mark.usefixtures("unlisted")
def test_an_outside_says_of_all_equal_components_what_it_says_of_one():
    """A search that has to split three equal components is proved, though it tries one of each order."""
    searches = (
        proved("correlation", Shape((2, 2, 2)), seed, limits=SearchLimits(node_limit=40)) for seed in range(30)
    )
    assert any(len(list(found.tree.leaves(found.upper))) > 2 for found in searches)


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
    cov = rs.Covariance(rs.datasets.load_pitprops().matrix[:8, :8])
    found = rs.components(cov, [3, 3, 3], joint=True, node_limit=1)
    assert found.is_interrupted
    assert found.status == "interrupted"
    assert rs.verify(found.certificate)
