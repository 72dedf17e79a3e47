"""Numbers of columns that are no whole numbers, and columns that the data do not have."""

import numpy as np
import pytest

from relaxspca import Covariance, InputError
from relaxspca.applications import isometry_bounds, subset_path, subset_selection
from relaxspca.columns import SELECTIONS, best_rank_k_in_span, exchange_columns, pursuit_columns
from relaxspca.encoders import black_box_encoder
from relaxspca.regression import dsf_select, sparse_feature_regression

X = np.random.default_rng(0).normal(size=(20, 5))
y = X[:, 0]


@pytest.mark.parametrize("wrong", [1.5, "a", None, np.nan, True])
@pytest.mark.parametrize("name", SELECTIONS)
def test_a_selection_counts_in_whole_numbers(name, wrong):
    for k, r in ((wrong, 3), (1, wrong)):
        with pytest.raises(InputError, match=r"must be a whole number|draws r >= 1"):
            SELECTIONS[name](X, k, r)


@pytest.mark.parametrize("name", SELECTIONS)
def test_a_selection_of_nothing_is_refused(name):
    with pytest.raises(InputError, match="got"):
        SELECTIONS[name](X, 1, -1)
    with pytest.raises(InputError, match="got"):
        SELECTIONS[name](X, -1, 3)


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


@pytest.mark.parametrize(
    "call",
    [
        lambda wrong: isometry_bounds(X, wrong),
        lambda wrong: subset_selection(X, y, wrong),
        lambda wrong: subset_path(X, y, [wrong]),
    ],
)
def test_whole_numbers_are_asked_for(call):
    for wrong in (1.5, "a", None):
        with pytest.raises(InputError, match="must be a whole number"):
            call(wrong)


def test_other_arguments_of_the_wrong_kind():
    with pytest.raises(InputError, match="k must be a list of whole numbers, not 2"):
        subset_path(X, y, 2)
    with pytest.raises(InputError, match="the response y is not numeric: it holds 'a'"):
        subset_selection(X, "a", 2)
    with pytest.raises(InputError, match="the matrix of targets is not numeric: it holds .a."):
        dsf_select(X, ["a"] * 20, 1, 2)
    with pytest.raises(InputError, match="names must be a list of 5, not 3"):
        Covariance.from_data(X, names=3)
