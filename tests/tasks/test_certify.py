import itertools

import numpy as np
import pytest

from relaxspca import Candidate, certify, path
from relaxspca.checker import verify
from relaxspca.datasets import load_pitprops
from relaxspca.tasks import certify as assessing


@pytest.mark.parametrize(
    ("k", "by"), [(2, "rowsum"), (6, "search"), (7, "search"), (9, "search"), (11, "kkt"), (13, "spectral")]
)
def test_optimal_components_of_pitprops_and_what_proves_them(k, by, cov):
    best = max(
        (Candidate.from_support(cov, T) for T in itertools.combinations(range(13), k)), key=lambda c: c.value
    )
    result = certify(cov, best.loadings)
    assert (result.status, result.bound.relaxation) == ("optimal", by)
    assert result.gap < 1e-6
    assert result.lower == pytest.approx(best.value, abs=1e-12)
    verdict = verify(result.certificate)
    assert verdict
    assert verdict.proved_upper <= result.upper
    assert "proved optimal (relative gap " in repr(result)


def test_loadings_are_judged_as_given(cov):
    rounded = [0.5, 0.5, 0, 0, 0, 0, 0.4, 0, 0.5, 0.4, 0, 0, 0]
    result = certify(cov, rounded)
    direct = rounded @ cov.matrix @ rounded / np.dot(rounded, rounded)
    assert result.lower == pytest.approx(direct, rel=1e-12)
    assert result.status == "improvable"
    assert result.refit_gain == pytest.approx(result.refitted.value / direct - 1)
    assert result.better.indices.tolist() == result.candidate.indices.tolist()
    assert certify(cov, rounded, tol=0.01).status == "within the gap"
    assert verify(result.certificate)


def test_a_poor_support_is_shown_a_better_one(cov):
    result = certify(cov, [0, 1, 2, 3, 4], time_limit=0)
    assert result.status == "improvable"
    assert result.better.indices.tolist() == [0, 1, 6, 8, 9]
    assert result.upper >= result.better.value
    assert "Best known: topdiam, length, ringbut, bowdist, whorls (+32.5 %;" in repr(result)
    assert "<br>" in result._repr_html_()


def test_an_open_gap_is_called_a_gap():
    result = certify(load_pitprops(), Candidate.from_support(load_pitprops(), [0, 1, 8, 9]), time_limit=0)
    assert result.status == "open"
    assert result.better is None
    assert result.gap > 0.05


def test_a_component_may_be_judged_at_a_larger_cardinality(cov):
    result = certify(cov, ["topdiam", "length"], k=5)
    assert (result.k, result.status, result.better.k) == (5, "improvable", 5)


def test_dearer_steps_are_not_taken_once_one_suffices(cov):
    history = certify(cov, [0, 1]).bound.history
    assert [step.relaxation for step in history] == ["rowsum"]
    history = certify(cov, [0, 1, 6, 7, 8, 9]).bound.history
    assert [step.relaxation for step in history] == ["rowsum", "kkt", "search"]
    assert history[-1].upper == min(step.upper for step in history)


def test_half_of_the_time_is_for_the_component_to_compare_with(ten_seconds_each):
    limits = ten_seconds_each(assessing, "best_candidate")
    certify(load_pitprops(), [0, 1, 2], time_limit=1000.0)
    certify(load_pitprops(), [0, 1, 2])
    assert limits == [500.0, None]


def test_nothing_wider_than_a_millionth_is_called_optimal_whatever_the_tolerance(cov):
    judged = certify(cov, ["moist", "testsg"], k=3, tol=0.9)
    assert judged.gap > 0.1
    assert judged.status == "within the gap"
    assert "optimal (" not in judged.statement
    wide = path(cov, k=[4, 5], tol=0.5, time_limit=0)
    assert {row.status for row in wide.rows} == {"within the gap"}
    assert wide.status == "within the gap"
    assert all(row.certified for row in wide.rows)
    assert "0 proved optimal (relative gap at most 1e-6); 2 within the gap asked for, 0.5." in wide.statement
