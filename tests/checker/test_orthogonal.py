"""Components made exactly orthogonal in whole numbers, and the limits of that."""

from fractions import Fraction

import numpy as np
from draws import draws
from true_tables import long_components

import relaxspca as rs
from relaxspca.checker import witness
from relaxspca.checker.witness import Orthogonal


def made_of(certificate):
    made = Orthogonal(certificate.n)
    for t, T in enumerate(certificate.indices):
        made.add(T, np.array([int(x * 2**60) for x in certificate.loadings[T, t]], dtype=object))
    return made


def test_vectors_are_the_projections_on_their_supports():
    rng = np.random.default_rng(2)
    supports = [[0, 1, 2], [0, 1, 2], [1, 2, 3, 4], [0, 2, 3, 4, 5], [0, 1, 2, 3, 4, 5], [3, 4, 5, 6, 7, 8]]
    made, given = Orthogonal(9), []
    for T in supports:
        given.append(rng.integers(-9, 10, size=len(T)).astype(object))
        made.add(np.array(T), given[-1])
    X = np.array([v.x for v in made.done])
    assert (np.diag([v.square for v in made.done]) == X @ X.T).all()
    for t, T in enumerate(supports):
        assert set(np.flatnonzero(X[t])) <= set(T)
        A = X[:t, T].astype(float).T
        rest = given[t].astype(float) - A @ np.linalg.lstsq(A, given[t].astype(float), rcond=None)[0]
        along = X[t, T].astype(float)
        np.testing.assert_allclose(rest, along * (along @ rest) / (along @ along), atol=1e-9)
        assert np.abs(rest).max() > 1e-6


def test_fractions_are_added_exactly_whatever_their_number():
    for count in range(1, 8):
        terms = [Fraction(1, d) for d in range(1, count + 1)]
        assert Orthogonal(1).total(terms) == sum(terms)


def test_honest_components_are_far_from_the_limits(monkeypatch):
    """Eight of twelve of thirteen variables: more products than makers take for one vector are refused."""
    certificate = long_components(13, 8, spread=0)
    assert made_of(certificate).work < witness.MOST_WORK / 20
    monkeypatch.setattr(witness, "MOST_BITS", witness.MOST_BITS // 2)
    assert rs.verify(certificate)


def test_a_file_made_to_keep_the_checker_busy_is_inconclusive(monkeypatch):
    longest = []
    monkeypatch.setattr(witness, "MOST_BITS", draws(1 << 15, witness.MOST_BITS))
    count = Orthogonal._count
    monkeypatch.setattr(
        Orthogonal, "_count", lambda made, length, bits: (longest.append(bits), count(made, length, bits))
    )
    verdict = rs.verify(long_components(12, 8, spread=300))
    assert verdict.outcome.name == "INCONCLUSIVE"
    assert verdict.reasons == (f"orthogonal components take numbers of more than {witness.MOST_BITS} bits",)
    assert verdict.proved_lower == -np.inf
    assert max(longest) <= witness.MOST_BITS
    assert 12 * sum(bits**2 for bits in longest) < witness.MOST_WORK / 10


def test_more_products_than_are_made_are_inconclusive_and_refute_nothing(monkeypatch):
    certificate = long_components(6, 4, spread=0)
    assert rs.verify(certificate, against=certificate)
    monkeypatch.setattr(witness, "MOST_WORK", made_of(certificate).work - 1)
    verdict = rs.verify(certificate, against=certificate)
    assert verdict.outcome.name == "INCONCLUSIVE"
    assert "products of bits" in verdict.reasons[0]
