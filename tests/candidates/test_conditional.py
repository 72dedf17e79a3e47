"""Exchanges of one variable, under conditions too, against enumeration of them."""

import numpy as np
import pytest
from enumeration import value, values_of
from small_covariances import KINDS, covariance, draw

from relaxspca.candidates.conditional import best_exchange
from relaxspca.candidates.local_search import swap_until_best
from relaxspca.problem.conditions import Conditions


@pytest.mark.parametrize("kind", KINDS)
def test_the_best_exchange_is_the_best_of_all(kind):
    for seed in range(12):
        rng = np.random.default_rng([seed, 81])
        n = int(rng.integers(2, 9))
        k = int(rng.integers(1, n + 1))
        S = draw(kind, rng, n)
        order = rng.permutation(n)
        include = sorted(order[: rng.integers(k + 1)].tolist())
        exclude = sorted(order[k : k + rng.integers(n - k + 1)].tolist())
        conditions, support = Conditions(include=tuple(include), exclude=tuple(exclude)), np.sort(order[:k])
        every = values_of(S, k, include=include, exclude=exclude).items()
        values = {T: worth for T, worth in every if len({*T} & {*support}) == k - 1}
        found, room = best_exchange(covariance(S), support, conditions), 1e-12 * n * np.abs(S).max()
        assert (found is None) == (not values)
        assert found is None or values[tuple(found.tolist())] >= max(values.values()) - room
        free = np.isin(np.arange(n), conditions.node(n).free)
        swapped = swap_until_best(S.__getitem__, np.diagonal(S), support, max_swaps=1, free=free)
        best = max([value(S, support), *values.values()])
        assert value(S, swapped) == pytest.approx(best, rel=1e-9, abs=1e3 * room)
