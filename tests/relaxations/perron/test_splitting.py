"""Splitting solves the relaxation that the quasi-Newton steps solve, and every point of it proves a bound."""

import numpy as np
import pytest
from draws import draws
from enumeration import values_of
from small_covariances import covariance, draw

from relaxspca.problem.size import Cardinality
from relaxspca.relaxations.perron.formula import perron_point, upper_bound
from relaxspca.relaxations.perron.minimise import descend, start_from_point, to_point
from relaxspca.relaxations.perron.splitting import Splitting

N, K = 10, 4


def splitting(S, inside=(), scale=1.0, point=None):
    return Splitting(S, np.isin(np.arange(len(S)), inside), Cardinality(K), scale=scale, point=point)


def proved(cov, state, inside=()):
    return upper_bound(cov, perron_point(np.arange(cov.n), *state.point()), K, inside=inside)


@pytest.mark.parametrize("inside", draws([(1, 4)], [(), (1, 4)]))
@pytest.mark.parametrize("seed", range(draws(1, 4)))
def test_from_a_point_of_nothing_forced_in_it_comes_to_the_bound_of_quasi_newton_steps(seed, inside):
    S = draw("wishart", np.random.default_rng(seed), N)
    cov, scale, forced = covariance(S), float(S.max()), np.isin(np.arange(N), inside)
    before = splitting(S, scale=scale)
    before.advance(20)
    state = splitting(S, inside, scale, before.point())
    state.advance(300)
    B = start_from_point(*before.point())
    for smoothing in (1e-1, 1e-2, 1e-3, 1e-4):
        B = descend(S, forced, Cardinality(K), B, scale=scale, smoothing=smoothing, iterations=300)
    other = upper_bound(cov, to_point(np.arange(N), B), K, inside=inside)
    assert proved(cov, state, inside) == pytest.approx(other, rel=2e-3)
    assert proved(cov, state, inside) < proved(cov, before)


def test_it_goes_on_with_the_variables_that_are_left():
    S = draw("wishart", np.random.default_rng(0), N)
    kept = np.arange(N) % 3 > 0
    part, inside = covariance(S[np.ix_(kept, kept)]), (2,)
    state = splitting(S)
    state.advance(20)
    state.keep(kept, np.arange(kept.sum()) == 2)
    state.advance(200)
    best = max(values_of(part.matrix, K, include=inside).values())
    assert best <= proved(part, state, inside) <= 1.1 * best


def test_quasi_newton_steps_can_begin_at_its_point():
    cov = covariance(draw("wishart", np.random.default_rng(2), N))
    state = splitting(cov.matrix, scale=float(cov.matrix.max()))
    state.advance(60)
    point = perron_point(np.arange(N), *state.point())
    again = to_point(np.arange(N), start_from_point(point.P, point.N))
    assert np.allclose(again.P, point.P, rtol=0, atol=1e-9)
    assert (again.N <= point.N + 1e-12).all()
