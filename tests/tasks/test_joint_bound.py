"""The joint bound beside components that were found one after another."""

import numpy as np
import pytest
from draws import draws
from interrupts import interrupt

import relaxspca as rs
from relaxspca.search import branch_and_bound
from relaxspca.tasks import components
from relaxspca.tasks.components import quick_bound
from tests.small_covariances import draw
from tests.small_tables import best_table

DRAWN = ["wishart", "correlation", "tied", "duplicated", "integer", "indefinite", "rank_deficient", "factor"]


@pytest.mark.parametrize("seed", range(draws(3, 24)))
def test_the_bound_of_many_variables_holds_for_few(seed, monkeypatch):
    """Against every choice of supports of up to five variables, by the means that are for more than 40."""
    monkeypatch.setattr(components, "SMALL", 0)
    rng = np.random.default_rng(seed)
    n = int(rng.integers(3, 6))
    S = draw(DRAWN[seed % len(DRAWN)], rng, n)
    sizes = [int(k) for k in rng.integers(1, n + 1, size=2)]
    best = best_table(S, tuple(sorted(sizes, reverse=True)), rng=rng, starts=4)
    cov = rs.Covariance(S)
    first = rs.solve(cov, sizes[0]).upper
    for options in ({}, {"first": first}):
        upper = quick_bound(cov, sizes, 1.0, **options)
        assert upper >= best - 1e-9 * np.abs(S).max()
        assert upper <= len(sizes) * np.linalg.eigvalsh(S)[-1] * (1 + 1e-9) + 1e-9


@pytest.mark.parametrize("n", [48, 801])
def test_many_variables_have_a_joint_bound_and_its_line(n):
    """Three planted blocks of four variables with correlation .8, .7 and .6; all else is independent."""
    S = np.eye(n)
    for block, correlation in enumerate((0.8, 0.7, 0.6)):
        here = slice(4 * block, 4 * block + 4)
        S[here, here] += correlation * (1 - np.eye(4))
    optimum = 3 + 3 * (0.8 + 0.7 + 0.6)
    found = rs.components(rs.Covariance(S), 4, 3)
    assert found.raw.sum() == pytest.approx(optimum, rel=1e-9)
    assert optimum <= found.joint_upper <= optimum * (1 + 1e-6 if n == 48 else 1.1)
    assert "orthogonal components of these sizes can explain more than" in repr(found)


def test_a_bound_on_some_supports_is_not_taken_for_one_on_all():
    S = np.diag(np.r_[9.0, 8.0, np.ones(48)])
    found = rs.components(rs.Covariance(S), 1, 2, exclude=[0, 1])
    assert found.raw.tolist() == [1.0, 1.0]
    assert 17 <= found.joint_upper <= 17 * (1 + 1e-9)


def test_ctrl_c_during_the_bound_keeps_the_components(monkeypatch):
    interrupt(monkeypatch, components, "quick_bound")
    found = rs.components(rs.datasets.load_pitprops(), [3, 2])
    assert found.is_interrupted
    assert found.joint_upper is None
    assert [str(result.status) for result in found.results] == ["optimal", "optimal"]
    assert "interrupted" in repr(found)


def test_ctrl_c_that_a_search_for_the_bound_keeps_to_itself_is_passed_on(monkeypatch):
    cov = rs.Covariance(draw("wishart", np.random.default_rng(0), 45))
    interrupt(monkeypatch, branch_and_bound, "expand")
    with pytest.raises(KeyboardInterrupt):
        quick_bound(cov, [5, 5], 1.0)
