"""Radii are attacked with random and with the worst changes of their size; rounding is answered three ways."""

import itertools
import math
import re
from collections import Counter
from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest
from draws import draws
from enumeration import values_of
from small_covariances import draw

import relaxspca as rs
from relaxspca.problem.perturbation import Perturbations
from relaxspca.results.stability import sampling_error
from relaxspca.search.listing import list_supports
from relaxspca.tasks.stability import _Compared

PITPROPS = rs.datasets.load_pitprops()
KINDS = ["wishart", "correlation", "integer", "indefinite", "factor", "block_diagonal"]
MEASURES = ("spectral", "entries", "off-diagonal")


def changes(rng, n, measure, vectors):
    """Yield symmetric matrices: random ones, random signs, and those that favour one vector over another."""
    for _ in range(10):
        yield rng.normal(size=(n, n))
        yield rng.choice([-1.0, 1.0], size=(n, n))
    for x, y in itertools.permutations(vectors, 2):
        yield Perturbations(measure).worst(1.0, x, y)


@pytest.mark.parametrize("kind", KINDS)
def test_no_change_of_the_proved_size_overtakes_the_best(kind):
    attacked = Counter()
    for seed in range(draws(2, 6)):
        rng = np.random.default_rng([seed, 9])
        n, k = 8, int(rng.integers(2, 6))
        S = draw(kind, rng, n)
        result = rs.solve(rs.Covariance(S), k)
        found, best = rs.stability(result), tuple(result.indices)
        supports = np.array(list(itertools.combinations(range(n), k)))
        at = supports.tolist().index(list(best))
        values, vectors = np.linalg.eigh(S[supports[:, :, None], supports[:, None, :]])
        near = np.argsort(-values[:, -1])[:6]
        whole = np.zeros((6, n))
        for row, T in enumerate(near):
            whole[row, supports[T]] = vectors[T, :, -1]
        signs = np.where(whole @ whole[0] < 0, -1.0, 1.0)
        for measure in MEASURES:
            radius = found.radii[measure]
            for E in changes(rng, n, measure, signs[:, None] * whole) if radius else ():
                E = (E + E.T) / 2
                if measure == "off-diagonal":
                    np.fill_diagonal(E, 0.0)
                if not E.any():
                    continue
                size = np.linalg.norm(E, 2) if measure == "spectral" else np.abs(E).max()
                M = S + E * (radius / size)
                after = np.linalg.eigvalsh(M[supports[:, :, None], supports[:, None, :]])[:, -1]
                assert after[at] >= after.max() - 1e-11 * np.abs(M).max()
                attacked[measure] += 1
    assert all(attacked[measure] > 50 for measure in MEASURES)


def test_the_radius_is_at_least_half_the_distance_to_the_second_best():
    for k in draws((2, 8), range(2, 13)):
        values = sorted(values_of(PITPROPS.matrix, k).values())
        found = rs.stability(rs.solve(PITPROPS, k))
        assert found.radius >= (values[-1] - values[-2]) / 2 * (1 - 1e-6)
        assert found.runner_up == pytest.approx(values[-2], rel=1e-8)


@pytest.mark.parametrize("k", draws((2, 9, 13), range(2, 14)))
def test_pitprops_is_optimal_for_every_matrix_that_rounds_to_it(k):
    found = rs.stability(rs.solve(PITPROPS, k), decimals=3)
    assert found.is_optimal_as_printed is True
    assert found.reason.startswith("proved")


def test_the_optimum_of_rounded_matrices_lies_between_the_bounds():
    rng, (low, high) = np.random.default_rng(0), rs.stability(rs.solve(PITPROPS, 4), decimals=3).bounds
    for _ in range(draws(8, 20)):
        E = rng.uniform(-0.0005, 0.0005, size=(13, 13))
        E = np.triu(E, 1)
        assert low <= rs.solve(rs.Covariance(PITPROPS.matrix + E + E.T), 4).lower <= high


def test_a_matrix_printed_too_shortly_is_refuted_by_another_that_rounds_to_it():
    rough = np.array([[2.0, 0.8, 0.0, 0.0], [0.8, 2.0, 0.0, 0.0], [0.0, 0.0, 2.0, 0.7], [0.0, 0.0, 0.7, 2.0]])
    found = rs.stability(rs.solve(rs.Covariance(rough), 2), decimals=1, fixed_diagonal=True)
    # Half a unit, .05, on either side makes them equal at most: nothing overtakes, and nothing is proved.
    assert found.is_optimal_as_printed in (True, None)
    found = rs.stability(rs.solve(rs.Covariance(rough), 2), decimals=1)
    assert found.is_optimal_as_printed is False
    changed = found.counterexample
    assert np.array_equal(np.round(changed, 1), rough)
    assert "x2, x3" in found.reason
    other, mine = (np.linalg.eigvalsh(changed[np.ix_(T, T)])[-1] for T in ([2, 3], [0, 1]))
    assert other > mine


@pytest.mark.filterwarnings("error")
def test_nothing_is_noted_of_a_counterexample_that_is_indefinite():
    found = rs.stability(rs.solve(PITPROPS, 4), decimals=0)
    assert np.linalg.eigvalsh(found.counterexample)[0] < -0.1


def test_a_tie_is_safe_against_nothing():
    found = rs.stability(rs.solve(rs.Covariance(np.full((4, 4), 0.5) + 0.5 * np.eye(4)), 2), decimals=1)
    assert set(found.radii.values()) == {0.0}
    assert found.is_optimal_as_printed is None
    assert "as much" in found.reason
    assert "No perturbation is proved safe" in repr(found)  # 0 is not called unsafe


def test_a_search_that_is_stopped_claims_no_tie():
    """The best five of pitprops are alone, though no time is left to prove it."""
    found = rs.stability(rs.solve(PITPROPS, 5), decimals=3, time_limit=0)
    assert (found.status, found.is_optimal_as_printed) == ("time limit", None)
    assert "as much, to a relative" not in repr(found)
    assert "not decided, the search was stopped before it excluded all other sets" in repr(found)
    assert "The search was stopped by the time limit: a longer one may prove more." in repr(found)
    whole = rs.stability(rs.solve(PITPROPS, 5), decimals=3)
    assert whole.status == "complete"
    assert "stopped" not in repr(whole)


def test_a_list_is_used_as_it_is():
    near = rs.near_optimal(PITPROPS, 10, within=0.02)
    found = rs.stability(near)
    assert found.certificate is near.certificate
    assert found.radius > near.radius > 0
    assert rs.verify(found.certificate)


def test_some_entries_may_have_more_decimals_than_the_others():
    """R prints columns of different lengths: the shortest says how much every entry may differ."""
    rng = np.random.default_rng(4)
    S = np.array([[2.0, 0.81, 0.1, 0.0], [0.81, 2.0, 0.0, 0.1], [0.1, 0.0, 2.0, 0.6], [0.0, 0.1, 0.6, 2.0]])
    found = rs.stability(rs.solve(rs.Covariance(S), 2), decimals=1, fixed_diagonal=True)
    assert found.is_optimal_as_printed is True  # 0.81 - 0.05 > 0.6 + 0.05
    for _ in range(draws(16, 50)):
        E = np.triu(rng.choice([-0.05, 0.05], size=(4, 4)), 1)
        assert rs.solve(rs.Covariance(S + E + E.T), 2).support == ("x0", "x1")
    S[0, 1] = S[1, 0] = 0.65
    found = rs.stability(rs.solve(rs.Covariance(S), 2), decimals=1, fixed_diagonal=True)
    assert found.is_optimal_as_printed is False
    assert 0 < np.abs(found.counterexample - S).max() < 0.05
    assert rs.solve(rs.Covariance(found.counterexample), 2).support == ("x2", "x3")


@pytest.mark.parametrize(("decimals", "size"), [(9, 0.05), (10, 0.01)])
def test_a_counterexample_rounds_to_the_printed_matrix_at_many_decimals_too(decimals, size):
    k, unit = 4, 10.0**-decimals
    S = np.kron(np.eye(2), np.full((k, k), size))
    S[k, k + 1] = S[k + 1, k] = float(f"{size - unit:.{decimals}f}")
    found = rs.stability(rs.solve(rs.Covariance(S), k), decimals=decimals, fixed_diagonal=False)
    assert found.is_optimal_as_printed is False
    pairs = zip(found.counterexample.ravel().tolist(), S.ravel().tolist(), strict=True)
    half = Fraction(1, 2 * 10**decimals)
    assert all(abs(Fraction(new) - Fraction(f"{old:.{decimals}f}")) < half for new, old in pairs)


def test_one_variable_keeps_its_rank_where_the_diagonal_is_kept():
    """All pairs of pitprops tie at k = 1, and no entry beside the diagonal changes that."""
    found = rs.stability(rs.solve(rs.datasets.load_pitprops(), 1), decimals=3)
    assert found.is_optimal_as_printed
    assert found.radii["off-diagonal"] == math.inf
    assert found.radii["entries"] == 0
    S = np.array([[1.0, 0.5], [0.5, 2.0]])
    unequal = rs.stability(rs.solve(rs.Covariance(S), 1), decimals=1, fixed_diagonal=True)
    assert unequal.is_optimal_as_printed
    assert 0.49 < unequal.radii["entries"] <= 0.5
    free = rs.stability(rs.solve(rs.Covariance(np.eye(3)), 1), decimals=3, fixed_diagonal=False)
    assert free.is_optimal_as_printed is not True


@pytest.mark.parametrize("power", [-530, -600, -900])
def test_radii_of_a_block_far_smaller_than_another_entry_scale_with_it(power):
    """Squares of such numbers are 0: what a pair of supports is charged must not be."""
    A = np.random.default_rng(3).normal(size=(20, 6))
    radii = []
    for q in (0, power):
        S = np.zeros((7, 7))
        S[0, 0], S[1:, 1:] = 1.0, np.ldexp(np.corrcoef(A.T), q)
        S = (S + S.T) / 2
        near = rs.near_optimal(rs.Covariance(S), 3, within=0.3, exclude=[0])
        radii.append({name: r * 2.0**-q for name, r in rs.stability(near).radii.items()})
    for measure in MEASURES:
        assert radii[1][measure] == pytest.approx(radii[0][measure], rel=1e-6)
        assert radii[0][measure] > 0


@pytest.mark.parametrize("rows", [40, 5])  # entries, and a thin factor
def test_it_speaks_of_the_same_matrix_as_the_result_it_is_asked_about(rows):
    cov = rs.Covariance.from_data(np.random.default_rng(3).standard_normal((rows, 7)))
    result = rs.solve(cov, 2)
    found = rs.stability(result)
    assert found.certificate.digest == result.certificate.digest == cov.digest
    assert f"covariance matrix of {rows} observations of 7 variables" in found.statement


def test_a_margin_that_underflows_proves_no_radius():
    """Its share of the change is 0, and twice that is no larger."""
    cov = rs.Covariance(np.diag([1.0, 0.5]))
    best, other = (rs.Candidate.from_support(cov, [i]) for i in (0, 1))
    least = 5e-324
    listed = replace(list_supports(cov, 1, best, within=1.0), candidates=(best, other), upper=0.0)
    compared = _Compared(cov, replace(listed, values=((least, 1.0), (0.0, 0.0))), listed.status)
    assert compared.radius(Perturbations("entries")) == 0.0


def test_the_sampling_error_of_correlations_is_beside_changes_that_keep_the_diagonal():
    rng = np.random.default_rng(4)
    X = rng.normal(size=(40, 6)) + rng.normal(size=(40, 1))
    for is_correlation, measure in ((True, "off-diagonal"), (False, "entries")):
        cov = rs.Covariance.from_data(X, correlation=is_correlation)
        found = rs.stability(rs.solve(cov, 3))
        [said] = re.findall("standard error of about .*, (\\S+) times the proved change", found.statement)
        error = sampling_error(found.certificate)
        assert float(said) == pytest.approx(error / found.radii[measure], rel=0.06)
