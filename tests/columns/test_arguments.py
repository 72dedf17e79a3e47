"""What selections of columns, encoders and regressions do not take is an error of input, in words."""

from functools import partial

import numpy as np
import pytest

from relaxspca import Covariance, DataWarning, InputError
from relaxspca.applications import certify_subset, discriminants, isometry_bounds, subset_path, subset_selection
from relaxspca.columns import (
    SELECTIONS,
    as_data_matrix,
    best_rank_k_in_span,
    dual_set_columns,
    exchange_columns,
    near_optimal_columns,
    pursuit_columns,
)
from relaxspca.datasets import load_pitprops
from relaxspca.encoders import batch_encoder, black_box_encoder, iterative_encoder, optimal_encoder
from relaxspca.regression import dsf_select, principal_regression, sparse_feature_regression

X = np.random.default_rng(0).normal(size=(20, 5))
y = X[:, 0]
WHOLE = r"must be a whole number|draws r >= 1"


@pytest.mark.parametrize("wrong", [1.5, "a", None, np.nan, True])
@pytest.mark.parametrize("name", SELECTIONS)
def test_a_selection_counts_in_whole_numbers(name, wrong):
    for k, r, words in ((wrong, 3, WHOLE), (1, wrong, WHOLE), (-1, 3, "got|is outside"), (1, -1, "got")):
        with pytest.raises(InputError, match=words):
            SELECTIONS[name](X, k, r)


COLUMNS = {
    "exchange": lambda columns: exchange_columns(X, 1, 2, start=columns),
    "pursuit": lambda columns: pursuit_columns(X, 1, 4, start=columns),
    "span": lambda columns: best_rank_k_in_span(X, columns, 1),
    "encoder": lambda columns: black_box_encoder(X, columns, 1),
    "regression": lambda columns: sparse_feature_regression(X, y, columns, 1),
}


@pytest.mark.parametrize("door", COLUMNS)
@pytest.mark.parametrize(
    ("columns", "message"),
    [
        ([0, 5], r"column 5 is outside 0\.\.4"),
        ([-1, 2], r"column -1 is outside 0\.\.4"),
        ([0.5, 2], "whole numbers from 0 to 4"),
        (["a"], "whole numbers from 0 to 4"),
        ([True, False], "whole numbers from 0 to 4"),
    ],
)
def test_columns_that_the_data_do_not_have(door, columns, message):
    with pytest.raises(InputError, match=message):
        COLUMNS[door](columns)


REFUSED = [
    *(
        (lambda ask=ask, wrong=wrong: ask(wrong), "must be a whole number")
        for ask in (
            partial(isometry_bounds, X),
            partial(subset_selection, X, y),
            lambda k: subset_path(X, y, [k]),
        )
        for wrong in (1.5, "a", None)
    ),
    *((lambda size=size: isometry_bounds(X, size), "outside") for size in (0, 6)),
    (lambda: discriminants(X, [0] * 20, 2), "one group"),
    (lambda: discriminants(X, [0, 1], 2), "labels are given"),
    (lambda: subset_path(X, y, 2), "k must be a list of whole numbers, not 2"),
    (lambda: subset_selection(X, "a", 2), "the response y is not numeric: it holds 'a'"),
    (lambda: subset_selection(X, [1.0, 2.0], 2), "y has 2 entries"),
    *(
        (lambda at=at: subset_selection(X, at * y, 2), "y must be finite and not all zero")
        for at in (0.0, np.nan)
    ),
    (lambda: subset_selection(X, y, 6), "outside 1..5"),
    *(
        (lambda ridge=ridge: subset_selection(X, y, 2, ridge=ridge), "ridge must be")
        for ridge in (-1.0, np.nan, np.inf, "much")
    ),
    (lambda: subset_selection(X, y, 1, include=[0, 1]), "include at most k"),
    (lambda: certify_subset(X, y, [0, 1], include=[2]), "lacks a variable to include"),
    (lambda: certify_subset(X, y, [0, 3], groups={"a": [0, 3]}), "two variables of one group"),
    (lambda: dsf_select(X, ["a"] * 20, 1, 2), "the matrix of targets is not numeric: it holds .a."),
    (lambda: dsf_select(X, y[:10], 2, 4), "targets for 20 observations"),
    (lambda: dsf_select(X, y, 2, 2), "r=2"),
    *((lambda k=k: dsf_select(X, y, k, 5), f"features k = {k} is outside 1..5") for k in (0, -1, 6)),
    (lambda: dsf_select(X, y, 1.5, 4), "k must be a whole number, not 1.5"),
    (lambda: dsf_select(X, y, 2, 4.5), "r must be a whole number, not 4.5"),
    (lambda: principal_regression(X, np.full(20, np.nan), 2), "NaN"),
    (lambda: principal_regression(X, y, 0), "k = 0"),
    (lambda: Covariance.from_data(X, names=3), "names must be a list of 5, not 3"),
    *((lambda k=k, r=r: dual_set_columns(X, k, r), f"r={r}") for k, r in ((2, 2), (3, 2), (2, 6))),
    (lambda: near_optimal_columns(np.eye(6), 2, 3), "r=3"),
    (lambda: pursuit_columns(np.eye(6), 1, 1, start=[0, 1]), "2 taken"),
    (lambda: as_data_matrix(np.eye(3)).leading(4), "k = .* is outside 1..3"),
    (lambda: as_data_matrix([[np.nan]]), "nan"),
    (lambda: batch_encoder(X, 1, 2, selection="best"), "selection"),
    (lambda: batch_encoder(X, 3, 2), "k=3, r=2"),
    (lambda: iterative_encoder(X, 2, [2, 6]), r"r=\[2, 6\]"),
    (lambda: black_box_encoder(X, [1, 1], 2), "at least 2 distinct"),
    (lambda: optimal_encoder(load_pitprops(), 2, gap=0.0), "gap"),
    *((lambda k=k: optimal_encoder(load_pitprops(), k), f"k = {k}") for k in (0, 14)),
]


@pytest.mark.parametrize(("call", "message"), REFUSED)
def test_what_a_selection_an_encoder_or_a_regression_does_not_take_is_named(call, message):
    with pytest.raises(InputError, match=message):
        call()


@pytest.mark.parametrize("use", [as_data_matrix, lambda cov: optimal_encoder(cov, 1)])
def test_an_indefinite_covariance_has_no_data(use):
    with pytest.warns(DataWarning):
        indefinite = Covariance(np.array([[1.0, 2.0], [2.0, 1.0]]))
    with pytest.raises(InputError, match="positive semidefinite"):
        use(indefinite)
