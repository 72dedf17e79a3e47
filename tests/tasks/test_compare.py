import numpy as np
import pytest

from relaxspca.candidates import METHODS
from relaxspca.datasets import load_pitprops
from relaxspca.problem.covariance import Covariance
from relaxspca.tasks.compare import compare


@pytest.fixture(scope="module")
def comparison():
    return compare(load_pitprops(), 4)


def test_every_method_is_judged_by_the_proved_optimum(comparison):
    # The optimum of pitprops at k = 4 is 2.9374789467 (brute force).
    assert comparison.result.status == "optimal"
    assert comparison.upper == pytest.approx(2.9374789467, rel=2e-9)
    assert {*comparison.methods} == set(METHODS)
    assert [row["method"] for row in comparison.to_records()] == [*comparison.methods]
    values = [row.candidate.value for row in comparison.methods.values()]
    assert np.all(np.diff(values) <= 1e-9)
    assert all(value <= comparison.upper for value in values)
    for name, row in comparison.methods.items():
        assert row.gap == pytest.approx(comparison.upper / row.candidate.value - 1, abs=1e-12)
        assert comparison.shortfall(name) == pytest.approx(1 - row.candidate.value / max(values), abs=1e-12)
        assert row.status == ("improvable" if comparison.shortfall(name) > 1e-6 else "optimal")
    assert comparison.shortfall("auto") <= 1e-12
    assert comparison.methods["thresholding"].gap >= comparison.methods["auto"].gap


def test_figure_has_one_marker_a_method(comparison):
    pytest.importorskip("matplotlib")
    axes = comparison.plot().axes[0]
    assert [label.get_text() for label in axes.get_yticklabels()][::-1] == [*comparison.methods]


def test_the_search_gets_a_row_of_its_own_where_it_finds_more():
    found = compare(load_pitprops(), 3, methods=["columns_pursuit", "columns_dual_set"])
    first, *_, last = found.methods
    assert first == "solve"
    assert found.methods[first].candidate.value == pytest.approx(2.4753313532, abs=1e-9)
    assert found.methods[last].gap > 0


def test_shortfalls_are_said_to_be_of_the_optimum_only_where_it_is_known():
    noise = Covariance.from_data(np.random.default_rng(1).normal(size=(60, 40)))
    stopped = compare(noise, 8, methods=["greedy"], time_limit=0)
    assert stopped.result.status != "optimal"
    assert "Shortfalls are relative to the optimum" not in str(stopped)
    assert "shortfalls are relative to the upper bound" in str(stopped)
    assert "Shortfalls are relative to the optimum" in str(compare(load_pitprops(), 5, methods=["greedy"]))


def test_methods_for_which_no_time_is_left_are_named():
    found = compare(load_pitprops(), 5, methods=["greedy", "thresholding", "auto"], time_limit=0)
    assert [*found.methods] == ["greedy"]
    assert found.left_out == ("thresholding", "auto")
    assert "No time was left for thresholding, auto." in str(found)
    assert found.upper >= 3.4061549467  # the optimum, by brute force
