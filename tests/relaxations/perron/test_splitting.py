"""Splitting solves the relaxation that the quasi-Newton steps solve, and every point of it proves a bound."""

import numpy as np
import pytest
from draws import draws
from small_covariances import KINDS, covariance, draw, optimum

from relaxspca.relaxations.perron.formula import perron_point, upper_bound
from relaxspca.relaxations.perron.minimise import minimise, start_from_point, to_point
from relaxspca.relaxations.perron.splitting import Splitting
from relaxspca.runtime.deadline import Deadline

N, K = 10, 4


def proved(cov, state):
    return upper_bound(cov, perron_point(np.arange(cov.n), *state.point()), K)


@pytest.mark.parametrize("kind", KINDS)
def test_every_point_on_the_way_bounds_all_supports(kind):
    S = draw(kind, np.random.default_rng(3), N)
    cov, best = covariance(S), optimum(S, K)
    state = Splitting(cov.matrix, K, scale=float(np.abs(cov.matrix).max()) or 1.0)
    for steps in (0, 1, 3, 30):
        state.advance(steps)
        assert proved(cov, state) >= best


@pytest.mark.parametrize("seed", range(draws(2, 4)))
def test_it_comes_to_the_bound_of_quasi_newton_steps(seed):
    S = draw("wishart", np.random.default_rng(seed), N)
    cov, best = covariance(S), optimum(S, K)
    state = Splitting(cov.matrix, K, scale=best)
    state.advance(400)
    assert proved(cov, state) == pytest.approx(minimise(cov, K, lower=best)[1], rel=2e-3)


def test_it_goes_on_with_the_variables_that_are_left():
    S = draw("wishart", np.random.default_rng(0), N)
    kept = np.arange(N) % 3 > 0
    part = covariance(S[np.ix_(kept, kept)])
    state = Splitting(S, K, scale=1.0)
    state.advance(20)
    state.keep(kept)
    state.advance(200)
    assert optimum(part.matrix, K) <= proved(part, state) <= 1.1 * optimum(part.matrix, K)


def test_without_time_it_takes_no_step():
    state = Splitting(draw("wishart", np.random.default_rng(1), N), K, scale=1.0)
    before = state.point()
    state.advance(10, Deadline.after(0))
    assert all(np.array_equal(a, b) for a, b in zip(before, state.point(), strict=True))


def test_quasi_newton_steps_can_begin_at_its_point():
    cov = covariance(draw("wishart", np.random.default_rng(2), N))
    state = Splitting(cov.matrix, K, scale=float(cov.matrix.max()))
    state.advance(60)
    point = perron_point(np.arange(N), *state.point())
    again = to_point(np.arange(N), start_from_point(point))
    assert np.allclose(again.P, point.P, rtol=0, atol=1e-9)
    assert (again.N <= point.N + 1e-12).all()
