"""Exchanges under conditions, against enumeration of them."""

import numpy as np
import pytest
from enumeration import values_of
from small_covariances import KINDS, covariance, draw

from relaxspca.candidates.conditional import best_exchange
from relaxspca.problem.conditions import Conditions


@pytest.mark.parametrize("kind", KINDS)
def test_the_best_exchange_is_the_best_of_all(kind):
    for seed in range(12):
        rng = np.random.default_rng([seed, 81])
        n = int(rng.integers(2, 9))
        k = int(rng.integers(1, n + 1))
        S = draw(kind, rng, n)
        order = rng.permutation(n)
        conditions = Conditions(
            include=tuple(sorted(order[: rng.integers(k + 1)].tolist())),
            exclude=tuple(sorted(order[k : k + rng.integers(n - k + 1)].tolist())),
        )
        support = np.sort(order[:k])
        found = best_exchange(covariance(S), support, conditions)
        values = {
            T: value
            for T, value in values_of(S, k, include=conditions.include, exclude=conditions.exclude).items()
            if len(set(T) & set(support)) == k - 1
        }
        if found is None:
            assert not values
        else:
            assert values[tuple(found.tolist())] >= max(values.values()) - 1e-12 * n * np.abs(S).max()
