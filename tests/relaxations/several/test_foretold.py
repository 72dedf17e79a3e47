import cvxpy as cp
import numpy as np
import pytest

from relaxspca.relaxations.several.foretold import foretold

M, SIZES, COUNTS = 5, (7, 6), np.array([2.0, 1.0])


@pytest.fixture
def drawn():
    rng = np.random.default_rng(0)
    A = rng.standard_normal((20, M))
    vectors = rng.standard_normal((sum(SIZES), M))
    vectors /= np.linalg.norm(vectors, axis=1)[:, None]
    return A.T @ A / 20, vectors, rng.standard_normal((M, M)) / 2


def ways():
    """Undivided; and one component of the first group with its first three vectors, the other with the rest."""
    is_named = np.ones((2, sum(SIZES)), dtype=bool)
    is_named[1, 3:7] = False
    return is_named, np.array([COUNTS, [1.0, 1.0]]), np.array([[0.0, 0.0], [1.0, 0.0]])


def families(is_named, named, others):
    starts = np.cumsum([0, *SIZES])
    for group, (begin, end) in enumerate(zip(starts[:-1], starts[1:], strict=True)):
        at = np.arange(begin, end)
        for count, own in ((named[group], at[is_named[at]]), (others[group], at[~is_named[at]])):
            if count:
                yield count, own


def told(drawn, *, width, steps):
    Sigma, vectors, L = drawn
    return foretold(Sigma, vectors, np.array([0, SIZES[0]]), *ways(), L, width=width, steps=steps)


def test_without_a_step_it_is_the_bound_of_the_point(drawn):
    Sigma, vectors, L = drawn
    for found, is_named, named, others in zip(told(drawn, width=1e-3, steps=1), *ways(), strict=True):
        bound = np.trace(L @ L.T)
        for count, own in families(is_named, named, others):
            bound += count * max(v @ Sigma @ v - v @ L @ L.T @ v for v in vectors[own])
        assert found == pytest.approx(bound, rel=1e-12)


def test_many_steps_come_near_the_minimum_and_never_below(drawn):
    Sigma, vectors, _ = drawn
    for found, *way in zip(told(drawn, width=1e-3, steps=2000), *ways(), strict=True):
        Z = cp.Variable((M, M), PSD=True)
        bound = cp.trace(Z)
        for count, own in families(*way):
            bound += count * cp.max(
                cp.hstack([v @ Sigma @ v - cp.sum(cp.multiply(np.outer(v, v), Z)) for v in vectors[own]])
            )
        least = cp.Problem(cp.Minimize(bound)).solve(solver="CLARABEL")
        assert least - 1e-7 <= found <= least + 0.01


def test_a_division_of_a_mixture_lowers_what_is_foretold(drawn):
    whole, divided = told(drawn, width=1e-3, steps=200)
    assert divided < whole
