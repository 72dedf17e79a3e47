"""The Perron bound: weak duality at random dual points, nodes and penalties; its cone program."""

import itertools

import numpy as np
import pytest
from draws import draws, examples
from enumeration import supports_between, value
from hypothesis import given
from hypothesis import strategies as st
from small_covariances import KINDS, covariance, draw, optimum

import relaxspca as rs
from relaxspca.certificate import RowsPoint
from relaxspca.problem.size import Penalty
from relaxspca.relaxations.perron.active import active_point
from relaxspca.relaxations.perron.formula import perron_point, upper_bound
from relaxspca.relaxations.perron.minimise import minimise, to_point
from relaxspca.relaxations.perron.models import model

DRAWS = 8  # random points an example: 300 examples of 8 are 2400 draws


def random_point(rng, S):
    """Return random weights, random P and charges that need not pay for it, or a matrix B of all or of some."""
    n, size = len(S), np.abs(S).max()
    which, weights = rng.integers(5), 10.0 ** rng.uniform(-3, 3, size=n)
    if which == 0:
        return RowsPoint(variables=np.arange(n), weights=weights)
    active = np.sort(rng.permutation(n)[: rng.integers(1, n + 1)]) if which == 4 else np.arange(n)
    B = zeroed(rng.normal(size=(len(active),) * 2) * np.sqrt(size))
    if which in (1, 4):
        return to_point(active, B) if which == 1 else active_point(np.arange(n), active, B, weights)
    N = zeroed(10.0 ** rng.uniform(-3, 1, size=(n, n)) * size)
    N[rng.random((n, n)) < 0.1] = 0.0
    P = rng.normal(size=(n, n)) * size
    P = zeroed(P + P.T)
    # The bound lowers what is not paid for, so charges that are too low must do no harm either.
    return perron_point(np.arange(n), P, N) if which == 2 else RowsPoint(variables=np.arange(n), P=P, N=N)


def zeroed(M):
    np.fill_diagonal(M, 0.0)
    return M


@given(st.integers(0, 2**32 - 1), st.integers(2, 9))
@examples(300)
def test_no_point_is_below_enumeration(seed, n):
    rng = np.random.default_rng(seed)
    S = draw(rng.choice([*KINDS]), rng, n)
    cov, k = covariance(S), int(rng.integers(1, n + 1))
    order = rng.permutation(n)
    forced = sorted(order[: int(rng.integers(0, k))].tolist())
    kept = order[len(forced) : int(rng.integers(k, n + 1))].tolist()
    rho = float(rng.choice([0.0, 0.1, 0.5])) * np.abs(S).max()
    node = max(value(S, T) for T in supports_between(forced, kept, [k - len(forced)]))
    penalised = max(value(S, T, rho) for T in supports_between(forced, kept, range(n + 1)))
    best = optimum(S, k)
    for _ in range(DRAWS):
        point = random_point(rng, S)
        assert upper_bound(cov, point, k) >= best
        assert upper_bound(cov, point, k, inside=forced, free=kept) >= node
        assert upper_bound(cov, point, Penalty(rho), inside=forced, free=kept) >= penalised


def test_one_point_is_monotone_in_k_and_in_the_node():
    rng = np.random.default_rng(0)
    S = draw("wishart", rng, 9)
    cov = rs.Covariance(S)
    for _ in range(50):
        point = random_point(rng, S)
        bounds = [upper_bound(cov, point, k) for k in range(1, 10)]
        assert all(b >= a * (1 - 1e-12) for a, b in itertools.pairwise(bounds))
        assert upper_bound(cov, point, 4, free=range(7)) <= bounds[3] * (1 + 1e-12)
        assert upper_bound(cov, point, 4, inside=[2]) <= bounds[3] * (1 + 1e-12)


@pytest.mark.parametrize("k", draws([3, 5], [3, 5, 8]))
def test_the_cone_program_and_the_descent_agree(k):
    """Two independent methods on the two sides of the duality: equal to 1e-4, and above the optimum."""
    pytest.importorskip("cvxpy")
    cov = rs.datasets.load_pitprops()
    best = optimum(cov.matrix, k)
    primal = model(cov, k).solve(solver="CLARABEL")
    _, dual = minimise(cov, k, lower=best, tol=1e-9)
    assert primal >= best * (1 - 1e-7)
    assert dual >= primal * (1 - 1e-6)  # weak duality
    assert dual == pytest.approx(primal, rel=1e-4)


@pytest.mark.parametrize(
    ("Sigma", "weights", "size", "inside"),
    [
        ([[1.0, 0.0], [0.0, 2.0]], [1e300, 1e-300], 2, []),
        ([[1e100, 5e99], [5e99, 1e100]], [1.0, 1.0], Penalty(1.7e308), [0, 1]),
        ([[1.0, 0.1], [0.1, 1.0]], [1.0, 1.0], Penalty(1e308), [0, 1]),
    ],
)
def test_charges_that_overflow_leave_a_bound(Sigma, weights, size, inside):
    point = RowsPoint(variables=np.arange(2), weights=np.array(weights))
    with np.errstate(all="ignore"):
        bound = upper_bound(rs.Covariance(Sigma), point, size, inside=inside)
    worth = np.linalg.eigvalsh(Sigma)[-1] - (2 * size.rho if isinstance(size, Penalty) else 0)
    assert bound >= worth
