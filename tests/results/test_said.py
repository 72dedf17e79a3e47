"""What a reader has to know beside the numbers is said with them."""

import numpy as np
import pytest

import relaxspca as rs
from relaxspca.applications import certify_subset, subset_path, subset_selection

UNCHECKED = "Uniqueness not checked."
EQUAL = rs.Covariance(np.diag([2.0, 2.0, 1.0]))


def test_whatever_is_called_optimal_may_not_be_the_only_optimum(cov):
    for found in (rs.path(EQUAL, k=[1, 2]), rs.components(EQUAL, [2, 1]), rs.components(cov, 4)):
        assert "proved optimal" in repr(found) or "| optimal |" in repr(found)
        assert UNCHECKED in found.statement
    assert "in component 1; later components depend on the choice" in rs.components(EQUAL, [2, 1]).statement
    assert "Perhaps" not in rs.components(cov, 4).statement
    X = np.random.default_rng(0).normal(size=(30, 3))
    fits = subset_selection(X, X[:, 0], 1), subset_path(X, X[:, 0], [1, 2]), certify_subset(X, X[:, 0], [0])
    assert all(UNCHECKED in found.statement for found in fits)
    stopped = rs.path(cov, k=[7], time_limit=0)
    assert stopped[0].status == "open"
    assert UNCHECKED not in stopped.statement


def test_a_variable_with_loading_0_is_in_the_table_too():
    found = rs.solve(EQUAL, 2)
    assert found.support == ("x0", "x1")
    assert len(found.loadings) == 1
    assert repr(found).endswith("| x1 | 1.0000 |\n| x0 | 0 |")


@pytest.mark.filterwarnings("ignore::relaxspca.DataWarning")
def test_what_is_above_the_trace_is_no_share_of_it():
    """The trace 0.5 has the eigenvalues sqrt(5), 0.5 and -sqrt(5); 0.5 is a share of it, 2.236 is not."""
    cov = rs.Covariance([[1.0, 2.0, 0.0], [2.0, -1.0, 0.0], [0.0, 0.0, 0.5]])
    given = rs.certify(cov, np.array([[0.8, 0.6, 0.0], [0.0, 0.0, 1.0]]).T)
    one, path = rs.solve(cov, 2), rs.path(cov, k=[1, 2])
    for found in (one, path, rs.components(cov, [2, 1]), rs.components(cov, [2, 1], joint=True), given):
        assert "is given where it is above 100 %: the matrix is indefinite." in repr(found)
        assert "447" not in repr(found)
        shares = [row["share"] for row in found.to_records()]
        assert np.isnan(shares[0])
        assert np.nanmax([0.0, *shares]) <= 1 + 1e-9
    assert len(path.plot().axes[0].child_axes) == 0  # no axis of shares
    below = rs.solve(cov.restrict(["x2"]), 1)
    assert "Explains 100.0 % of the total variance" in below.statement


def test_where_the_rest_of_a_table_is(tmp_path):
    found = rs.bootstrap(np.random.default_rng(0).normal(size=(9, 25)), 2, resamples=1, search=False)
    assert "The first 20 are shown; --csv (to_csv) has all." in repr(found)
    assert len(found.to_csv().splitlines()) == 26
    assert "The first 20 are shown." in found.to_latex()
    own = found.support
    unseen = rs.results.resampled.Bootstrap(2, found.names, own, (found.names[-2:],), None, "a matrix")
    assert [*unseen.frequencies][2:4] == sorted(own, key=found.names.index)


def test_of_correlations_no_single_variable_is_the_best():
    X = np.random.default_rng(0).normal(size=(30, 4))
    for correlation in (True, False):
        way = {"correlation": correlation}
        told = rs.bootstrap(X, 1, **way, resamples=2), rs.held_out(X, [1, 2], **way)
        assert all(("rounding decides" in repr(found)) is correlation for found in told)
    assert "rounding decides" not in repr(rs.held_out(X, 2, correlation=True))
