import numpy as np
from draws import draws, examples
from enumeration import value
from hypothesis import example, given
from hypothesis import strategies as st

from relaxspca import Covariance
from relaxspca.candidates.local_search import local_search, swap_until_best


def neighbours(n, support):
    outside = np.setdiff1d(np.arange(n), support)
    return [np.append(np.delete(support, i), j) for i in range(len(support)) for j in outside]


@examples(100)
@given(seed=st.integers(0, 10**6), n=st.integers(2, 9), rank=st.integers(1, 9), rounded=st.booleans())
@example(seed=44899, n=6, rank=1, rounded=True)  # of a block of zeros
def test_no_single_swap_improves_and_the_start_is_not_lost(seed, n, rank, rounded):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(rank, n))
    Sigma = np.round(X.T @ X) if rounded else X.T @ X
    start = rng.choice(n, size=int(rng.integers(1, n + 1)), replace=False)
    support = swap_until_best(Sigma.__getitem__, np.diagonal(Sigma), start)
    assert value(Sigma, support) >= value(Sigma, start) * (1 - 1e-12) - 1e-12
    best = max([value(Sigma, other) for other in neighbours(n, support)], default=-np.inf)
    assert best <= value(Sigma, support) + 1e-9 * max(1.0, abs(value(Sigma, support)))


def test_thin_factor_gives_the_support_of_the_full_matrix():
    A = np.random.default_rng(5).normal(size=(8, 1500))
    wide, small = Covariance.from_factor(A), Covariance.from_factor(A[:, :400])
    assert local_search(small, 6).value <= local_search(wide, 6).value
    support = local_search(wide, 6).indices
    S = A.T @ A
    assert np.array_equal(swap_until_best(S.__getitem__, np.diagonal(S), support), support)


def test_one_swap_is_the_best_of_all_swaps_where_eigenvalues_are_equal_or_negative_too():
    rng = np.random.default_rng(7)
    for at in range(draws(90, 200)):
        n = int(rng.integers(3, 10))
        X = rng.normal(size=(n + int(rng.integers(-2, 3)), n))
        X[:, 1] = X[:, rng.integers(2)]  # the first variable again, or not
        E = np.triu(rng.integers(-1, 2, size=(n, n)), 1)
        Sigma = [X.T @ X, X.T @ X - 9 * np.eye(n), (E + E.T).astype(float)][at % 3]
        start = np.sort(rng.choice(n, size=int(rng.integers(2, n)), replace=False))
        best = max(value(Sigma, other) for other in neighbours(n, start))
        reached = value(Sigma, swap_until_best(Sigma.__getitem__, np.diagonal(Sigma), start, max_swaps=1))
        assert np.isclose(reached, max(best, value(Sigma, start)), rtol=1e-9, atol=1e-9)
