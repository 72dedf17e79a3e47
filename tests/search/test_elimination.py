"""Variables left out by their variances are covered by the certificate, which the checker proves."""

import numpy as np
import pytest
from scipy import sparse

import relaxspca as rs
from relaxspca.checker import verify
from relaxspca.datasets.text import make_topic_model
from relaxspca.relaxations.psi.minimise import bound
from relaxspca.search.elimination import shrink
from relaxspca.search.reduced import Elimination


def test_a_shrunk_covariance_keeps_the_variances_of_all_it_leaves_out():
    cov = rs.Covariance(np.diag([5.0, 4.0, 3.0, 2.0]))
    once = shrink(cov, 2.5)
    twice = shrink(once, 3.5, needed=[0])
    assert twice.names == ("x0", "x1")
    assert dict(zip(twice.eliminated.names, twice.eliminated.variances, strict=True)) == {"x2": 3.0, "x3": 2.0}


def test_a_planted_topic_of_a_large_vocabulary_is_certified_from_few_words():
    model = make_topic_model(3000, topics=3, words=5, offset=20.0, rng=np.random.default_rng(3))
    rng = np.random.default_rng(4)
    blocks = [model.draw(2000, rng=rng) for _ in range(4)]
    cov = rs.Covariance.from_chunks(blocks, names=model.vocabulary, limit=1000)
    certificate = rs.solve(cov, 5, gap=1e-6).certificate
    words = set(certificate.support)
    assert len({word.split("_")[0] for word in words}) == 1
    assert certificate.n + certificate.eliminated.count == 3000
    assert certificate.n < 100
    assert certificate.upper <= certificate.lower * (1 + 1e-6)
    assert verify(certificate)
    whole = sparse.vstack(blocks).toarray()
    block = np.cov(whole[:, [model.vocabulary.index(word) for word in sorted(words)]], rowvar=False)
    assert certificate.lower == pytest.approx(np.linalg.eigvalsh(block)[-1], rel=1e-10)


@pytest.mark.parametrize(("m", "n", "k", "largest"), [(5, 600, 30, 150), (10, 400, 20, 100)])
def test_psi_bounds_supports_with_eliminated_variables_where_it_leaves_too_many(m, n, k, largest):
    cov = rs.Covariance.from_data(np.random.default_rng(m).standard_normal((m, n)))
    best = rs.candidate(cov, k)
    kept = Elimination(cov, k, best, best.value, best.indices).least(largest)
    gone = kept.cov.eliminated
    assert kept.cov.n <= largest
    psi, added = bound(cov.factor, k), np.cumsum(gone.largest(k))
    worst = max(psi.bound(k - b) + added[b - 1] for b in range(1, k + 1))
    assert kept.bound <= worst * (1 + 1e-4)  # as near as psi is minimised
    dearest = cov.names.index(gone.names[np.argmax(gone.variances)])
    assert kept.bound >= np.linalg.eigvalsh(cov.submatrix([*best.indices[1:], dearest]))[-1]
