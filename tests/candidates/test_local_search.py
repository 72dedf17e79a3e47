import numpy as np
from draws import examples
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
