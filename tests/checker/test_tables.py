"""Certificates of several components, in both arithmetics, and how their vectors are made orthogonal."""

from fractions import Fraction

import numpy as np
import pytest
from building import changed
from draws import draws
from true_tables import long_components, true_tables

import relaxspca as rs
from relaxspca.certificate import RowsPoint
from relaxspca.checker import witness
from relaxspca.checker.witness import Orthogonal
from relaxspca.errors import CertificateError
from relaxspca.search.several.node import JointEffort
from relaxspca.search.several.search import JointSearch
from tests.small_covariances import draw
from tests.small_tables import best_common, best_table

pytestmark = pytest.mark.usefixtures("short_starts")
TRUE = true_tables()
PITPROPS = rs.datasets.load_pitprops()


def solved(cov, kind, sizes, **limits):
    alike = {"disjoint": kind == "disjoint", "common": kind == "common"}
    return rs.components(cov, sizes, joint=True, **alike, **limits)


def test_a_covariance_given_by_a_factor_keeps_its_factor():
    A = np.random.default_rng(0).normal(size=(3, 5))
    found = rs.components(rs.Covariance.from_factor(A), [2, 1], joint=True)
    assert found.certificate.matrix is None
    assert np.array_equal(found.certificate.factor, A)
    for exact in (True, False):
        assert rs.verify(found.certificate, exact=exact)


def test_claims_are_printed_with_what_they_are_about():
    said = {kind: TRUE[f"{kind} eigenvalues"][1] for kind in ("orthogonal", "disjoint", "common")}
    words = {kind: "\n".join(rs.verify(made).details) for kind, made in said.items()}
    assert "of 2 orthogonal unit vectors that use at most 2 variables each\n" in words["orthogonal"]
    assert "at most 2 and 1 variables, no variable used by two of them\n" in words["disjoint"]
    assert "that use at most 3 variables together\n" in words["common"]
    for made in said.values():
        assert made.digest in made.to_markdown()
        assert made.digest[-8:] in made.to_latex()
        assert repr(made).startswith("Certificate: ")


def test_what_cannot_be_a_table_is_refused_when_it_is_made():
    made = TRUE["orthogonal supports"][1]
    for changes, said in (
        ({"sizes": (2, 2, 2, 2, 2, 2)}, "1 to 5 components, not 6"),
        ({"points": ["x"]}, "points of Evidence: a str is no RowsPoint nor"),
        ({"tree": ["x"]}, "tree of Evidence: a str is no Split nor Restrict nor Leaf"),
        ({"storage": "sparse"}, "unknown storage"),
    ):
        with pytest.raises(CertificateError, match=said):
            changed(made, **changes)


@pytest.mark.parametrize("seed", range(draws(3, 12)))
def test_searches_by_row_multipliers_are_verified_too(seed, monkeypatch):
    """Supports are tried one by one only where there are very few; disjoint ones may be smaller than asked."""
    for module in ("relaxations.several.formula", "relaxations.several.minimise", "search.several.node"):
        monkeypatch.setattr(f"relaxspca.{module}.MOST", 3)
    # As little work at the root as below it: how sharp the bounds are is not asked here.
    monkeypatch.setattr(JointSearch, "effort", lambda self, node: JointEffort(2, 60, deadline=self.deadline))
    rng = np.random.default_rng(100 + seed)
    kind, sizes = [("disjoint", (4, 3)), ("orthogonal", (3, 2)), ("common", (3, 3))][seed % 3]
    n = 6 if kind == "disjoint" else 5
    S = draw(["correlation", "wishart", "factor", "integer"][seed % 4], rng, n)
    found = solved(rs.Covariance(S), kind, sizes, node_limit=6)
    assert any(isinstance(point, RowsPoint) for point in found.certificate.points)
    best = best_common(S, 3, 2) if kind == "common" else best_table(S, sizes, is_disjoint=kind == "disjoint")
    for exact in (True, False):
        verdict = rs.verify(found.certificate, exact=exact)
        assert verdict, verdict
        assert verdict.proved_lower - 1e-7 <= best <= verdict.proved_upper + 1e-9


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
