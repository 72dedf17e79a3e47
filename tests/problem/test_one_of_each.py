"""What rows are charged where a support has one variable of a group at most, against every support."""

import numpy as np
import pytest
from enumeration import supports

from relaxspca.problem.budgets import OneOfEachSize


def largest_charge(N, labels, k, row, inside, outside):
    """Return the most that a row is charged in a support of one variable a label, or None if there is none."""
    every = supports(len(N), k, [row, *inside], outside, [np.flatnonzero(labels == label) for label in labels])
    return max((sum(N[row, j] for j in T if j != row) for T in every), default=None)


@pytest.mark.parametrize("seed", range(40))
def test_a_row_is_charged_what_the_dearest_support_charges_it(seed):
    rng = np.random.default_rng([seed, 3])
    n = int(rng.integers(3, 8))
    labels = rng.integers(0, n, size=n)
    N = rng.integers(0, 4, size=(n, n)) * 1.0 if seed % 2 else rng.random((n, n))
    np.fill_diagonal(N, 0.0)
    forced = [int(rng.integers(n))] if seed % 3 else []
    kept = np.array([i for i in range(n) if i in forced or labels[i] not in labels[forced]])
    N, labels, forced = N[np.ix_(kept, kept)], labels[kept], [int(np.flatnonzero(kept == i)[0]) for i in forced]
    n, classes = len(kept), len(np.unique(labels))
    k = int(rng.integers(max(1, len(forced)), classes + 1))
    inside = np.isin(np.arange(n), forced)
    size = OneOfEachSize(k, labels)
    found = size.row_charges(N, inside)
    halves = [size.row_charges(N[rows], inside, first=rows.start) for rows in (slice(0, 1), slice(1, n))]
    for name in ("total", "least", "following"):
        values = getattr(found, name)
        assert np.array_equal(np.concatenate([getattr(part, name) for part in halves]), values)
    for row in range(n):
        truth = largest_charge(N, labels, k, row, forced, [])
        if truth is None:
            continue
        assert found.total[row] == pytest.approx(truth, abs=1e-12)
        for i in np.flatnonzero(~inside):
            if i == row:
                continue
            # What the search takes off for a variable forced in, and for one left out.
            less_with = max(found.least[row] - N[row, i], 0.0)
            without = N[row, i] - found.following[row] if found.least[row] <= N[row, i] else 0.0
            with_i = largest_charge(N, labels, k, row, [*forced, i], [])
            without_i = largest_charge(N, labels, k, row, forced, [i])
            assert with_i is None or found.total[row] - less_with >= with_i - 1e-12
            assert without_i is None or found.total[row] - max(without, 0.0) >= without_i - 1e-12
