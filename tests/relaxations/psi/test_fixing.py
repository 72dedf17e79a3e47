import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from relaxspca import Covariance
from relaxspca.datasets import load_pitprops
from relaxspca.relaxations.psi.fixing import _below, psi_fixing
from relaxspca.relaxations.psi.minimise import bound


@settings(deadline=None, max_examples=150)
@given(seed=st.integers(0, 10**6))
def test_inertia_test_agrees_with_eigenvalues(seed):
    rng = np.random.default_rng(seed)
    r, m = int(rng.integers(1, 6)), 4
    values = np.sort(rng.normal(size=r))
    y, a = rng.normal(size=(2, r, m)) * rng.choice([0.0, 0.1, 1.0], size=(2, 1, m))
    largest = [
        np.linalg.eigvalsh(np.diag(values) - np.outer(y[:, i], y[:, i]) + np.outer(a[:, i], a[:, i]))[-1]
        for i in range(m)
    ]
    for threshold in (values[-1] + 0.3, values[-1] - 0.01, values.mean(), max(largest) * 1.01, -3.0):
        far = np.abs(np.array(largest) - threshold) > 1e-6
        assert (_below(values, y, a, threshold) == (np.array(largest) < threshold))[far].all()


@settings(deadline=None, max_examples=60)
@given(seed=st.integers(0, 10**6), forced=st.booleans())
def test_fixed_variables_agree_with_every_better_support(seed, forced):
    rng = np.random.default_rng(seed)
    n = int(rng.integers(3, 9))
    A = rng.normal(size=(int(rng.integers(1, 5)), n)) * rng.uniform(0.2, 3, size=n)
    cov = Covariance.from_factor(A)
    k = int(rng.integers(2, n))
    inside = [int(rng.integers(n))] if forced else []
    values = {
        T: np.linalg.eigvalsh(cov.matrix[np.ix_(T, T)])[-1]
        for T in itertools.combinations(range(n), k)
        if set(inside) <= set(T)
    }
    solution = bound(cov.factor, k, inside=inside, tol=1e-4)
    for lower in np.quantile(list(values.values()), [0.8, 1.0]):
        fixed_in, fixed_out = psi_fixing(cov.factor, solution, k, lower)
        assert not set(inside) & (set(fixed_in) | set(fixed_out))
        for T, value in values.items():
            if value > lower * (1 + 1e-8):
                assert set(fixed_in) <= set(T)
                assert not set(fixed_out) & set(T)


def test_a_tight_bound_fixes_everything():
    rng = np.random.default_rng(2)
    A = 0.1 * rng.normal(size=(20, 30))
    A[0, :6] += [3.0, 2.8, 2.6, 2.4, 2.2, 2.0]
    cov = Covariance.from_factor(A)
    optimum = np.linalg.eigvalsh(cov.submatrix(range(6)))[-1]
    fixed_in, fixed_out = psi_fixing(cov.factor, bound(cov.factor, 6), 6, optimum)
    assert fixed_in.tolist() == list(range(6))
    assert fixed_out.tolist() == list(range(6, 30))


@pytest.mark.parametrize("k", [5, 8])
def test_nothing_is_fixed_below_the_bound_of_a_low_value(k):
    A = load_pitprops().factor
    fixed_in, fixed_out = psi_fixing(A, bound(A, k), k, 1.0)
    assert fixed_in.size == fixed_out.size == 0
