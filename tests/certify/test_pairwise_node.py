"""The pairwise evaluation of a node inside the search: the certificate verifies and agrees with enumeration."""

from itertools import combinations

import numpy as np
import pytest

import relaxspca as rs
from relaxspca.certify.branch_and_bound import Search
from relaxspca.certify.node import Node
from relaxspca.certify.pairwise_node import evaluate_by_pairwise
from relaxspca.certify.proof_tree import Proof
from relaxspca.relaxations import spectral


def prove(cov, k, candidate):
    """Run the search with pairwise nodes only; return the certificate."""
    search = Search(cov, k, candidate, Proof("trace", None, spectral.upper_bound(cov, "trace", k)))
    search.add(0, Node(np.array([], dtype=np.int64), np.arange(cov.n), 0, np.ones(cov.n)))
    while search._heap:
        batch = search._take(1)
        outcomes = [evaluate_by_pairwise(cov, k, node, search.candidate, search.target) for _, node in batch]
        search._absorb(batch, outcomes)
    upper = search.upper * (1 + 1e-10)
    tree, points = search.tree.pruned(upper)
    best = search.candidate
    return rs.Certificate(
        n=cov.n,
        names=cov.names,
        matrix=cov.matrix,
        cardinality=k,
        lower=best.value * (1 - 1e-12),
        upper=upper,
        support=best.support,
        loadings=best.loadings,
        points=points,
        tree=tree,
        made_by="test",
    )


@pytest.mark.parametrize("k", [2, 4, 5, 7, 8, 10])
def test_pitprops_certificates_verify(k):
    cov = rs.datasets.load_pitprops()
    certificate = prove(cov, k, rs.candidate(cov, k))
    assert certificate.upper <= certificate.lower * (1 + 2e-9)
    verdict = rs.verify(certificate)
    assert verdict, verdict.reasons


def test_random_matrices_are_solved_as_by_enumeration():
    rng = np.random.default_rng(1)
    for _ in range(6):
        n, k = int(rng.integers(5, 9)), int(rng.integers(2, 5))
        A = rng.normal(size=(n + 1, n))
        cov = rs.Covariance(A.T @ A)
        best = max(np.linalg.eigvalsh(cov.matrix[np.ix_(T, T)])[-1] for T in combinations(range(n), k))
        worst = rs.Candidate.from_support(cov, range(k))
        certificate = prove(cov, k, worst)
        assert certificate.lower == pytest.approx(best, rel=1e-9)
        assert best <= certificate.upper
        verdict = rs.verify(certificate)
        assert verdict, verdict.reasons
