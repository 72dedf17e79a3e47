"""Small matrices are worked on by one thread, so that results do not depend on how many there are."""

import numpy as np
import pytest
from threadpoolctl import threadpool_limits

import relaxspca as rs
from relaxspca.runtime import threads
from relaxspca.runtime.threads import MANY, one_thread


def pools():
    """Return the threads of every BLAS; that of another package may be built without."""
    return [pool["num_threads"] for pool in threads._pools().info() if pool["user_api"] == "blas"]


def test_one_thread_within_and_as_before_after():
    with threadpool_limits(2, "blas"):
        before = pools()
        assert max(before) == 2
        with one_thread(MANY):
            assert max(pools()) == 1
        assert pools() == before
        with pytest.raises(ZeroDivisionError), one_thread(MANY):
            raise ZeroDivisionError
        assert pools() == before
        with one_thread(MANY + 1):
            assert pools() == before


def test_a_search_is_the_same_with_any_number_of_threads():
    A = np.random.default_rng(1).standard_normal((36, 36))
    cov = rs.Covariance(A.T @ A / 36)
    found = []
    for count in (1, 2):
        with threadpool_limits(count, "blas"):
            found.append(rs.solve(cov, 12))
    assert found[0].node_count > 1
    assert len({(one.lower, one.upper, one.node_count) for one in found}) == 1
