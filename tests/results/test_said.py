"""What a reader has to know beside the numbers is said with them."""

import numpy as np

import relaxspca as rs


def test_where_the_rest_of_a_table_is(tmp_path):
    found = rs.bootstrap(np.random.default_rng(0).normal(size=(9, 25)), 2, resamples=1, search=False)
    assert "The first 20 are shown; --csv (to_csv) has all." in repr(found)
    assert len(found.to_csv().splitlines()) == 26
    assert "The first 20 are shown." in found.to_latex()


def test_of_correlations_no_single_variable_is_the_best():
    X = np.random.default_rng(0).normal(size=(30, 4))
    for correlation in (True, False):
        told = (
            rs.bootstrap(X, 1, correlation=correlation, resamples=2),
            rs.held_out(X, [1, 2], correlation=correlation),
        )
        assert all(("rounding decides" in repr(found)) is correlation for found in told)
    assert "rounding decides" not in repr(rs.held_out(X, 2, correlation=True))
