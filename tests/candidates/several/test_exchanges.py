"""Tables whose components all turn at once: orthonormal, never worse, gains as estimated."""

import itertools

import numpy as np
import pytest
from draws import draws

import relaxspca as rs
from relaxspca.candidates.several import local_search
from relaxspca.candidates.several.exchanges import _estimated, exchanged_together
from relaxspca.candidates.several.local_search import overlapping_set
from relaxspca.candidates.several.stiefel_newton import improved_together
from tests.small_covariances import draw
from tests.small_tables import best_on

KINDS = ["wishart", "indefinite", "correlation", "tied"]


def begun(S, sizes, rng):
    """Return a table on random supports; another draw where these have no orthonormal vectors."""
    while True:
        supports = [np.sort(rng.choice(len(S), size, replace=False)) for size in sizes]
        table = improved_together(S, rng.normal(size=(len(S), len(sizes))), supports)
        if table is not None:
            return table


def is_a_table(table, S, sizes):
    X = table.X
    products = X.T @ X
    assert [len(support) for support in table.supports] == list(sizes)
    for t, support in enumerate(table.supports):
        assert set(np.flatnonzero(X[:, t])) <= set(support.tolist())
    assert np.abs(products - np.diag(np.diag(products))).max() < 1e-6
    assert np.abs(np.linalg.norm(X, axis=0) - 1).max() < 1e-6
    assert table.value == pytest.approx(np.vdot(X, S @ X), rel=1e-12)
    return True


@pytest.mark.parametrize("kind", KINDS)
def test_all_at_once_reach_what_many_starts_reach(kind):
    rng = np.random.default_rng(5)
    S = draw(kind, rng, 6)
    supports = [np.array([0, 1, 2, 4]), np.array([1, 2, 3, 5]), np.array([0, 2, 3, 4])]
    found = [improved_together(S, rng.normal(size=(6, 3)), supports) for _ in range(12)]
    best = max((table for table in found if table is not None), key=lambda table: table.value)
    assert is_a_table(best, S, (4, 4, 4))
    assert best.value == pytest.approx(best_on(S, supports, rng, starts=12), rel=1e-5)


@pytest.mark.parametrize("kind", KINDS)
def test_an_exchange_never_makes_a_table_worse(kind):
    rng = np.random.default_rng(2)
    moved = 0
    for sizes in [(4, 4), (5, 4, 3), (1, 3, 5)]:
        S = draw(kind, rng, 8)
        table = begun(S, sizes, rng)
        for _ in range(20):
            better = exchanged_together(S, table)
            if better is None:
                break
            assert better.value > table.value
            assert is_a_table(better, S, sizes)
            table, moved = better, moved + 1
    assert moved > 3


def test_small_exchanges_gain_what_is_foretold():
    """Second order: halving what is exchanged makes the error eight times smaller. Planted loadings near 0."""
    rng = np.random.default_rng(4)
    supports = [np.array([0, 1, 2, 3, 6]), np.array([0, 1, 2, 4, 7]), np.array([1, 2, 3, 4, 8])]
    base = draw("wishart", rng, 6)
    errors = []
    for small in (0.04, 0.02, 0.01):
        S = np.zeros((10, 10))
        S[:6, :6] = base
        S[6:, 6:] = np.diag([0.3, 0.2, 0.25, 0.22])
        S[6:, :6] = small * np.random.default_rng(8).normal(size=(4, 6))
        S[:6, 6:] = S[6:, :6].T
        begin = np.random.default_rng(9).normal(size=(10, 3))
        table = improved_together(S, begin, supports)
        told = _estimated(S, table)
        e = int(np.flatnonzero(table.rows == 6)[0])
        a = int(np.flatnonzero((told.rows == 9) & (told.columns == 0))[0])
        (X, new), gain = told.exchanged(table, e, a), told.gains[e, a]
        assert sum(len(np.setdiff1d(*both)) for both in zip(new, supports, strict=True)) == 1
        errors.append(abs(improved_together(S, X, new).value - table.value - gain))
    assert errors[2] < errors[0] / 16
    assert errors[0] < 1e-3


@pytest.mark.parametrize("kind", draws(["tied"], ["wishart", "correlation", "tied"]))
def test_the_local_search_finds_the_best_of_all_choices_of_supports(kind, monkeypatch):
    monkeypatch.setattr(local_search, "STALE", 3)
    rng = np.random.default_rng(6)
    S = draw(kind, rng, 5)
    triples = list(itertools.combinations(range(5), 3))
    best = max(
        best_on(S, pair, rng, starts=draws(2, 3))
        for pair in itertools.combinations_with_replacement(triples, 2)
    )
    assert overlapping_set(rs.Covariance(S), [3, 3]).lower == pytest.approx(best, rel=1e-6)


def test_the_local_search_is_the_same_each_time(short_starts):
    cov = rs.Covariance(draw("correlation", np.random.default_rng(13), 9))
    once, again = (overlapping_set(cov, [3, 3]) for _ in range(2))
    assert once.lower == again.lower
    assert all(map(np.array_equal, once.supports, again.supports))
