"""A time limit of several searches, one after another, is that of all of them together."""

import importlib
import itertools
from types import SimpleNamespace

import numpy as np
import pytest
import scipy.linalg

import relaxspca as rs
from relaxspca.applications import canonical_correlations, discriminants, subset_selection, topics
from relaxspca.runtime import deadline

PITPROPS = rs.datasets.load_pitprops()
X = np.random.default_rng(0).normal(size=(60, 8))
Y = np.random.default_rng(1).normal(size=60)
BETWEEN, WITHIN = X[:20].T @ X[:20], X[20:].T @ X[20:]
THREE = [list(some) for some in itertools.combinations(range(8), 3)]

# What is asked, and where the name of its searches is looked up.
VERBS = {
    "components": (
        "relaxspca.tasks.deflated",
        "solve",
        lambda s: rs.components(PITPROPS, 4, 3, time_limit=s),
    ),
    "topics": ("relaxspca.applications.text_topics", "solve", lambda s: topics(PITPROPS, 3, 3, time_limit=s)),
    "discriminants": (
        "relaxspca.applications.discriminant",
        "generalized",
        lambda s: discriminants(X, np.arange(60) % 4, 3, 3, time_limit=s),
    ),
    "canonical_correlations": (
        "relaxspca.applications.discriminant",
        "generalized",
        lambda s: canonical_correlations(X[:, :4], X[:, 4:], 3, 3, time_limit=s),
    ),
}


@pytest.mark.parametrize("verb", VERBS)
def test_each_search_has_an_equal_part_of_what_is_left(verb, monkeypatch):
    name, search, asked = VERBS[verb]
    module = importlib.import_module(name)
    begun, now, given = getattr(module, search), [0.0], []

    def taking_ten_seconds(*arguments, time_limit, **options):
        given.append(time_limit)
        found = begun(*arguments, **options)
        now[0] += 10.0
        return found

    monkeypatch.setattr(module, search, taking_ten_seconds)
    monkeypatch.setattr(deadline, "time", SimpleNamespace(monotonic=lambda: now[0]))
    asked(60.0)
    assert given == [60 / 3, 50 / 2, 40 / 1]
    given.clear()
    asked(15.0)
    assert given == [5.0, 2.5, 0.0]
    given.clear()
    asked(None)
    assert given == [None] * 3


@pytest.mark.parametrize("verb", VERBS)
def test_a_limit_that_is_none_is_told_at_the_door(verb):
    with pytest.raises(rs.InputError, match="time_limit must be a number of at least 0, not 'soon'"):
        VERBS[verb][2]("soon")


def largest_ratio(A, B):
    """Return the largest ratio of two forms over three of eight variables."""
    return max(scipy.linalg.eigh(A[np.ix_(some, some)], B[np.ix_(some, some)])[0][-1] for some in THREE)


def least_residual(M, y):
    """Return the least sum of squares that three of eight variables leave."""
    return min(np.linalg.lstsq(M[:, some], y, rcond=None)[1][0] for some in THREE)


# What is asked, and its optimum by enumeration (tests/candidates/test_greedy.py). A clock that goes on by a
# second whenever it is asked ends the work in every one of its loops.
ENDED = {
    "penalty": (lambda s: rs.solve(PITPROPS, rho=0.2, time_limit=s), 2.5961896449),
    "penalty, one held": (lambda s: rs.solve(PITPROPS, rho=0.2, include=[0], time_limit=s), 2.5961896449),
    "both sides of a penalty": (lambda s: rs.phi_bounds(PITPROPS, 0.2, time_limit=s), 2.5961896449),
    "nonnegative": (lambda s: rs.nonnegative(PITPROPS, 5, time_limit=s), 3.4061549468),
    "path": (lambda s: rs.path(PITPROPS, k=[5], relaxation="pairwise", time_limit=s).rows[0], 3.4061549468),
    "exact path": (lambda s: rs.path(PITPROPS, k=[5], exact=True, time_limit=s).rows[0], 3.4061549468),
    "certify": (lambda s: rs.certify(PITPROPS, [0, 1, 6, 8, 9], time_limit=s), 3.4061549468),
    "certify another": (lambda s: rs.certify(PITPROPS, [0, 1, 2, 3, 4], time_limit=s), 3.4061549468),
    "ratio": (lambda s: rs.generalized(BETWEEN, WITHIN, 3, time_limit=s), largest_ratio(BETWEEN, WITHIN)),
    "subset": (lambda s: subset_selection(X, X[:, 0] + Y, 3, time_limit=s), least_residual(X, X[:, 0] + Y)),
}


@pytest.mark.parametrize("ends", [0, 1, 2, 3, 5, 8, 13, 21, 34])
@pytest.mark.parametrize("verb", ENDED)
def test_wherever_time_ends_the_bounds_hold_and_are_verified(verb, ends, monkeypatch):
    asked, best = ENDED[verb]
    monkeypatch.setattr(deadline, "time", SimpleNamespace(monotonic=itertools.count().__next__))
    found = asked(float(ends))
    assert found.lower <= best * (1 + 1e-9)
    assert found.upper >= best * (1 - 1e-9)
    assert rs.verify(found.certificate)


@pytest.mark.parametrize("limit", [float("inf"), 10**400, float("nan")])
def test_a_limit_beyond_the_doubles_is_refused_and_none_is_proposed(limit):
    with pytest.raises(rs.InputError, match=r"time_limit must be .* \(leave it out for no limit\)"):
        rs.solve(rs.datasets.load_pitprops(), 3, time_limit=limit)
