import numpy as np
import pytest
from draws import draws

from relaxspca import Covariance
from relaxspca.candidates.backward import elimination_order
from relaxspca.candidates.removal import Resolvent

NEVER = 10**9


def random_covariance(rng, case):
    n = int(rng.integers(10, 45))
    X = rng.normal(size=(3 * n if case % 2 else n // 2, n)) * rng.uniform(0.5, 2.0, n)
    if case % 3 == 0:
        X = X + 2.0 * rng.normal(size=(len(X), 1)) * rng.normal(size=n)
    return Covariance(np.cov(X, rowvar=False))


def test_screening_changes_nothing_and_saves_most_eigendecompositions(monkeypatch):
    calls = {"eigh": 0, "steps": 0}
    eigh = np.linalg.eigh

    def counted(M):
        calls["eigh"] += 1
        return eigh(M)

    rng = np.random.default_rng(0)
    for case in range(draws(15, 50)):
        cov = random_covariance(rng, case)
        plain = elimination_order(cov, 1, screened_from=NEVER)
        with monkeypatch.context() as patch:
            patch.setattr(np.linalg, "eigh", counted)
            screened = elimination_order(cov, 1, screened_from=2)
        calls["steps"] += cov.n - 1
        assert screened.tolist() == plain.tolist()
    assert calls["eigh"] < 0.6 * calls["steps"]


@pytest.mark.parametrize("seed", range(10))
def test_cheapest_is_the_least_loss_by_eigenvalues(seed):
    cov = random_covariance(np.random.default_rng(seed), seed)
    B = cov.matrix.copy()
    resolvent = Resolvent.of(*np.linalg.eigh(B))
    told = 0
    for _ in range(5):
        left = [np.linalg.eigvalsh(np.delete(np.delete(B, i, 0), i, 1))[-1] for i in range(len(B))]
        best = int(np.argmax(left))
        found = resolvent.cheapest()
        assert found in (None, best)
        told += found is not None
        B, resolvent = np.delete(np.delete(B, best, 0), best, 1), resolvent.without(best)
        inverse = np.linalg.inv(resolvent.shift * np.eye(len(B)) - B)
        np.testing.assert_allclose(resolvent.K, inverse, rtol=0, atol=1e-11 * np.abs(inverse).max())
    assert told >= 2


def test_equal_variables_and_equal_eigenvalues_are_not_told():
    X = np.random.default_rng(4).normal(size=(60, 12))
    cov = np.cov(np.hstack([X, X]), rowvar=False)
    assert Resolvent.of(*np.linalg.eigh(cov)).cheapest() is None
    assert Resolvent.of(*np.linalg.eigh(np.eye(4))) is None
    assert elimination_order(Covariance(np.eye(6)), 2, screened_from=1).size == 6
