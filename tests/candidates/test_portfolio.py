import itertools

import numpy as np
import pytest
from draws import draws
from small_covariances import optimum

from relaxspca import Covariance, candidate
from relaxspca.candidates import METHODS, conditional, greedy, local_search, portfolio
from relaxspca.candidates.portfolio import auto
from relaxspca.problem.conditions import Conditions
from relaxspca.runtime.deadline import Deadline


@pytest.mark.parametrize(
    ("loader", "values"),
    [
        # Wine by brute force; breast cancer k = 5, 10 by the branch and bound of Berk and Bertsimas; the best
        # known otherwise.
        ("load_wine", {5: 3.439778422, 10: 4.594293242}),
        ("load_breast_cancer", {5: 4.904775592, 10: 8.556854794, 20: 12.32977982}),
        ("load_digits", {5: 3.510799638, 10: 4.881929007, 20: 6.33018455}),
    ],
)
def test_auto_reaches_the_published_values(loader, values):
    data = getattr(pytest.importorskip("sklearn.datasets"), loader)().data
    cov = Covariance.from_data(data, correlation=True)
    for k, best in values.items():
        assert candidate(cov, k).value >= best * (1 - 2e-9)


@pytest.mark.parametrize("few", [0, 1000])
def test_auto_is_optimal_on_random_small_matrices(monkeypatch, few):
    """Both where all supports are tried and where they are not."""
    monkeypatch.setattr("relaxspca.candidates.portfolio.EVALUATED", few)
    rng = np.random.default_rng(1)
    for trial in range(draws(12, 30)):
        k = int(rng.integers(2, 6))
        X = rng.normal(size=(int(rng.integers(3, 14)), 10))
        Sigma = np.corrcoef(X.T) if trial % 2 else X.T @ X
        assert candidate(Covariance(Sigma), k).value == pytest.approx(optimum(Sigma, k), rel=1e-10)


def test_auto_is_never_below_a_single_method():
    rng, n = np.random.default_rng(2), draws(20, 40)
    X = rng.normal(size=(12, n))
    cov = Covariance.from_data(X @ rng.normal(size=(n, n)), correlation=True)
    for k in draws((9,), (1, 4, 9, 25, 40)):
        best = candidate(cov, k).value
        assert all(method(cov, k).value <= best * (1 + 1e-12) for method in METHODS.values())


@pytest.mark.parametrize(("limit", "scale"), [(1500**2, 1.0), (1500 * 1000, 1.1)])
def test_wide_data_hide_no_cluster(monkeypatch, limit, scale):
    # Six nearly equal variables are planted among 1500, of which a thousand are looked at. Where all variances
    # are equal only the rows of the covariance show them; where rows are too many, their variance must.
    monkeypatch.setattr(portfolio, "HELD", 1200)
    monkeypatch.setattr(portfolio, "_ENTRIES", limit)
    rng = np.random.default_rng(3)
    A = rng.normal(size=(20, 1500))
    planted = np.sort(rng.choice(1500, size=6, replace=False))
    A[:, planted] = rng.normal(size=(20, 1)) + 0.2 * rng.normal(size=(20, 6))
    A /= np.linalg.norm(A, axis=0)
    A[:, planted] *= scale
    assert np.array_equal(candidate(Covariance.from_factor(A), 6).indices, planted)


@pytest.mark.parametrize("n", [30, 1500])
def test_past_its_deadline_the_better_of_two_truncations_is_taken(n, monkeypatch):
    monkeypatch.setattr(portfolio, "HELD", 1200)
    cov = Covariance.from_factor(np.random.default_rng(1).normal(size=(8, n)))
    late = auto(cov, 4, deadline=Deadline.after(0))
    leading = np.abs(np.linalg.eigh(cov.matrix)[1][:, -1])
    largest = [np.argsort(-sizes, kind="stable")[:4] for sizes in (leading, cov.diagonal)]
    best = max(float(np.linalg.eigvalsh(cov.submatrix(support))[-1]) for support in largest)
    assert late.k == 4
    assert late.value == pytest.approx(best) or n > 1200  # then of a thousand variables
    assert late.value <= auto(cov, 4).value * (1 + 1e-12)


@pytest.mark.parametrize("conditions", [Conditions(), Conditions(include=(3, 20), exclude=(4,))])
@pytest.mark.parametrize("ends", draws([0, 2, 5, 13], [0, 1, 2, 3, 5, 8, 13, 40]))
def test_wherever_time_ends_there_is_a_component_and_work_stops(ends, conditions, monkeypatch, clock):
    cov = Covariance.from_factor(np.random.default_rng(2).normal(size=(12, 24)))
    steps = []

    def counted(module, name):
        done = getattr(module, name)
        monkeypatch.setattr(module, name, lambda *asked: steps.append(name) or done(*asked))

    counted(greedy, "best_additions")
    counted(local_search, "_best_swap")
    unhurried = conditional.conditional(cov, 9, conditions, auto)
    steps.clear()
    clock(itertools.count().__next__)
    late = conditional.conditional(cov, 9, conditions, auto, deadline=Deadline.after(ends))
    assert late.k == 9
    assert conditions.allow(late.indices.tolist())
    assert late.value == pytest.approx(np.linalg.eigvalsh(cov.submatrix(late.indices))[-1])
    assert late.value <= unhurried.value * (1 + 1e-12)
    assert len(steps) <= ends + 1
