"""A time limit of several searches, one after another, is that of all of them together."""

import importlib

import numpy as np
import pytest

import relaxspca as rs
from relaxspca.applications import canonical_correlations, discriminants

PITPROPS = rs.datasets.load_pitprops().restrict(range(6))
X = np.random.default_rng(0).normal(size=(60, 8))

# What is asked, and where the name of its searches is looked up.
VERBS = {
    "components": (
        "relaxspca.tasks.components",
        "solve",
        lambda s: rs.components(PITPROPS, 2, 3, time_limit=s),
    ),
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
def test_each_search_has_an_equal_part_of_what_is_left(verb, ten_seconds_each):
    name, search, asked = VERBS[verb]
    given = ten_seconds_each(importlib.import_module(name), search)
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
