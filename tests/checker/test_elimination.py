"""Supports with eliminated variables are bounded for every matrix that agrees with the claim."""

import numpy as np
import pytest
from building import changed, component, ones, roots
from draws import examples
from hypothesis import given
from hypothesis import strategies as st
from small_covariances import optimum

import relaxspca as rs
from relaxspca.certificate import Eliminated, FactorPoint, Leaf
from relaxspca.checker import verify


def random_covariance(seed, n):
    rng = np.random.default_rng(seed)
    X = rng.standard_normal((n + 2, n)) @ rng.standard_normal((n, n)) * np.exp(-rng.uniform(0, 3, n))
    S = X.T @ X
    return (S + S.T) / 2


def certificate(Sigma, kept, leaf, shift=0.0, points=None, upper=1e9, **claim):
    points = [roots(Sigma[np.ix_(kept, kept)]), ones(len(kept))] if points is None else points
    left = [i for i in range(len(Sigma)) if i not in kept]
    block = Sigma[np.ix_(kept, kept)]
    return component(
        n=len(kept),
        names=tuple(f"x{i}" for i in kept),
        matrix=block,
        lower=0.0,
        upper=upper,
        indices=[0],
        loadings=np.eye(len(kept))[0],
        points=points,
        tree=[leaf],
        eliminated=Eliminated(tuple(f"x{i}" for i in left), Sigma[left, left], shift),
        elimination=leaf if "k" in claim else None,
        **claim,
    )


@examples(200)
@given(
    seed=st.integers(0, 10**6),
    n=st.integers(4, 7),
    k=st.integers(1, 4),
    exact=st.booleans(),
    point=st.sampled_from([None, 0, 1]),
    level=st.sampled_from([0.9, 1.0, 1.1, 1e9]),
)
def test_no_support_of_the_full_matrix_is_above_the_proved_bound(seed, n, k, exact, point, level):
    Sigma = random_covariance(seed, n)
    kept, best = sorted(np.random.default_rng(seed).permutation(n)[: max(k, n // 2)]), optimum(Sigma, k)
    cert = certificate(Sigma, kept, Leaf("rows", point), k=k, shift=1e-12, upper=level * best)
    assert verify(cert, exact=exact).proved_upper >= best - 1e-12 * np.trace(Sigma)


@examples(100)
@given(seed=st.integers(0, 10**6), n=st.integers(4, 7), share=st.floats(0.01, 0.9))
def test_penalised_bounds_cover_eliminated_variables(seed, n, share):
    Sigma = random_covariance(seed, n)
    penalty = share * np.diagonal(Sigma).max()
    kept = sorted(np.argsort(-np.diagonal(Sigma))[: n // 2])
    verdict = verify(certificate(Sigma, kept, Leaf("rows", 0), rho=penalty, shift=1e-12))
    best = max(optimum(Sigma, k) - penalty * k for k in range(1, n + 1))
    assert verdict.proved_upper >= best - 1e-12 * np.trace(Sigma)


def test_one_completion_attains_the_bound():
    """With variances alone known, correlation 1 is possible: the rule cannot be improved.

    The bound 10 on two of the variables kept serves for one, too, but is not enough: 10 + 4 + 4 is above 17.
    """
    Sigma = np.outer([3.0, 1.0, 1.0, 2.0, 2.0], [3.0, 1.0, 1.0, 2.0, 2.0])
    verdict = verify(certificate(Sigma, [0, 1, 2], Leaf("rows", 0), k=3, upper=17 + 1e-9), exact=True)
    assert optimum(Sigma, 3) == pytest.approx(17.0)
    assert verdict.proved_upper == pytest.approx(17.0, abs=1e-9)
    assert "2 eliminated" in verdict.certificate.statement


def test_a_psi_point_dearer_than_every_eliminated_variable_needs_no_more():
    A = np.diag([2.0, 1.5, 0.5, 0.4])
    A[0, 1] = 1.0
    Sigma = A.T @ A
    values, vectors = np.linalg.eigh(Sigma[:2, :2])
    factor = np.sqrt(values)[:, None] * vectors.T
    rho = 0.3
    point = FactorPoint(variables=[0, 1], rho=rho, vectors=factor, factor=factor)
    cert = certificate(Sigma, [0, 1], Leaf("factor", 0), points=[point], k=2)
    alone = changed(cert, eliminated=None, elimination=None)
    assert verify(cert).proved_upper == verify(alone).proved_upper


@pytest.mark.parametrize(
    "change",
    [{"elimination": None}, {"elimination": Leaf("factor", 0)}, {"eliminated": None}, {"k": None, "rho": 1.0}],
)
def test_rule_and_variables_must_belong_together(change):
    cert = certificate(random_covariance(1, 4), [0, 1], Leaf("rows", 0), k=2)
    with pytest.raises(rs.CertificateError):
        changed(cert, **change)


@pytest.mark.parametrize(
    ("names", "variances", "shift"),
    [
        (("a",), [1.0, 2.0], 0.0),
        (("a",), [-1.0], 0.0),
        (("a",), [np.inf], 0.0),
        (("a",), [1.0], -1.0),
        ((1,), [1.0], 0.0),
        (("a",), [np.nan], 0.0),
        (("a",), [True], 0.0),
        (("a",), ["1"], 0.0),
        (("a",), [1j], 0.0),
        (("a",), [1.0], np.inf),
    ],
)
def test_impossible_variances_are_refused(names, variances, shift):
    with pytest.raises(rs.CertificateError):
        Eliminated(names, np.array(variances), shift)
