"""What is no covariance, and no selection of its variables, is an error in one line that says what is wrong."""

from functools import partial

import numpy as np
import pytest
from problem.test_covariance import GOOD, changed
from scipy import sparse

from relaxspca import Covariance, InputError, certify, solve
from relaxspca.datasets import make_planted_clique, make_spiked

SPARSE = sparse.csr_array(GOOD)
MASKED = np.ma.masked_array([[1.0, 2.0, 0.0], [3.0, 1e6, 1.0], [0.0, 1.0, 5.0]], np.eye(3, k=1)[::-1] > 0)
BEYOND = [[10**400, 1], [1, 2]]  # a whole number above all floats
TWO = Covariance([[2.0, 1.0], [1.0, 2.0]])
NAMES = [
    (["a", "b"], "2 names given for 3 variables"),
    (["a", "b", "a"], "the name 'a' is used twice"),
    ([1, 1, 2], "the name '1' is used twice"),
]
OBSERVATIONS = [
    ([[1.0, 2.0]], "at least two observations, but there is 1"),
    (np.empty((3, 0)), "empty: its shape is 3 x 0"),
    ([[1.0, 2.0], [1.0, 2.0]], "every column is constant"),
    ([[1.0, np.nan], [2.0, 3.0]], "data matrix contains nan at row 0, column 1"),
    ([["1", "x"], ["2", "3"]], "data matrix is not numeric: it holds 'x'"),
    (np.zeros((4, 2)), "entries of the data matrix are zero"),
    (sparse.csr_array((5, 3)), "entries of the data matrix are zero"),
    (sparse.csr_array([[1.0, np.inf], [2.0, 3.0]]), "contains inf"),
    (sparse.csr_array([[1.0, 2.0], [1.0, 2.0]]), "every column is constant"),
    (SPARSE * 1j, "complex"),
]
COUNTS = [(counts, "must be a whole number") for counts in (("a", 2), (5, 1.5), (None, 2))]
COUNTS += [((4, 5), "k = 5 is outside 1..4")]


def in_two_blocks(X):
    return Covariance.from_chunks([X[:1], X[1:]], limit=2)


REFUSED = [
    (Covariance, [
        ([], "must have two dimensions, but it has 1"),
        (np.empty((0, 0)), "empty: its shape is 0 x 0"),
        (np.ones((2, 2, 2)), "two dimensions, but it has 3"),
        (3.0, "two dimensions, but it has 0"),
        (None, "two dimensions, but it has 0"),
        (np.ones((2, 3)), "square, but this one is 2 x 3"),
        (changed(0, 1, 1.5), r"not symmetric: entry \(0, 1\) is 1.5 but entry \(1, 0\) is 1"),
        (changed(0, 1, 1.0000001), r"is 1\.0000001 but entry \(1, 0\) is 1\.0, a difference"),
        (changed(1, 1, np.nan), "contains nan at row 1, column 1"),
        (changed(2, 2, np.inf), "contains inf at row 2, column 2"),
        (np.zeros((3, 3)), "entries of the covariance matrix are zero"),
        (1e101 * GOOD, "largest entry of the covariance matrix is 3e\\+101: rescale"),
        (1e-101 * GOOD, "largest entry of the covariance matrix is 3e-101: rescale"),
        ([["a", "b"], ["b", "a"]], "not numeric: it holds 'a'"),
        ([[1.0, None], [None, 1.0]], "contains nan at row 0, column 1|not numeric: it holds 'None'"),
        ([[1.0, 2.0], [3.0]], "not numeric|rows"),
        (GOOD + 1j, "complex entries"),
        (sparse.csr_array(np.ones((2, 3))), "square, but this one is 2 x 3"),
        (sparse.csr_array(np.diag([1.0, np.nan])), "contains nan"),
        ({"a": 1}, "not numeric"),
        ("pitprops", "not numeric: it holds 'pitprops'"),
        (TWO, "must be an array or a data frame of numbers, not a Covariance"),
    ]),
    (partial(Covariance, GOOD), NAMES),
    (partial(Covariance.from_factor, GOOD), NAMES),
    (partial(Covariance, [[2.0]]), [(["a", "b"], "2 names given for 1 variable$")]),
    (Covariance.from_data, OBSERVATIONS),
    (partial(Covariance.from_data, correlation=True), OBSERVATIONS),
    (Covariance.from_sparse, OBSERVATIONS[-1:]),
    *((read, [(MASKED, r"contains nan at row [01], column 2")]) for read in (
        Covariance, Covariance.from_data, Covariance.from_factor, Covariance.from_chunks, in_two_blocks,
    )),
    *((read, [(BEYOND, "inf at row 0, column 0: every entry must be finite")]) for read in (
        Covariance, Covariance.from_data, Covariance.from_factor,
    )),
    (partial(certify, TWO), [({"x0": 10**400, "x1": 1}, "loadings contain inf")]),
    (lambda X: solve(TWO, 1).scores(X), [(BEYOND, "X must be observations of numbers")]),
    (lambda limit: Covariance.from_sparse(SPARSE, limit=limit), [
        (limit, f"limit must be a whole number, not {limit!r}") for limit in (2.5, "2", None, True)
    ]),
    (lambda limit: Covariance.from_chunks(GOOD, limit=limit), [
        (0, "limit = 0 is below 1, the number of variables to keep"),
    ]),
    (lambda counts: make_planted_clique(*counts), COUNTS),
    (lambda counts: make_spiked(*counts), COUNTS),
    (Covariance(GOOD, names="abc").restrict, [
        ([0, 0], "variable a is selected twice"),
        (["b", "b"], "variable b is selected twice"),
        ([-1], "variable -1 is outside 0..2"),
        ([0, 3], "variable 3 is outside 0..2"),
        ([], "no variable is selected"),
        ([False] * 3, "at least one that is true"),
        ([True, False], "a mask needs 3 entries"),
        (["z"], "no variable 'z'; the first names are a, b, c"),
        (["aa"], "no variable 'aa'; do you mean 'a'"),
        ("a", "as a list, not 'a'"),
        (1, "as a list, not 1"),
        ([0, "b"], "several ways"),
        ([True, 1, 0], "several ways"),
        ([0.5], "by whole numbers or by names, not 0.5"),
        ([None], "by whole numbers or by names, not None"),
    ]),
]  # fmt: skip


@pytest.mark.parametrize(
    ("make", "given", "message"), [(make, *case) for make, cases in REFUSED for case in cases]
)
def test_what_cannot_be_read_gets_one_clear_error(make, given, message):
    with pytest.raises(InputError, match=message) as caught:
        make(given)
    assert "\n" not in str(caught.value)


def test_dates_and_complex_numbers_are_no_numbers():
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame({"a": [1.0, 2.0, 4.0], "b": [False, True, False]})
    assert Covariance.from_data(frame).names == ("a", "b")
    dates = pandas.to_datetime(["2020-01-01", "2020-02-01", "2021-01-01"])
    bad = [dates, dates - dates[0], dates.tz_localize("UTC"), [1 + 1j, 2.0, 3.0]]
    bad += [np.array([one, 2.0, 3.0], dtype=object) for one in (np.complex128(1j), np.datetime64("2020-01-01"))]
    for column in bad:
        with pytest.raises(InputError, match="column 'when' is not numeric: it holds"):
            Covariance.from_data(frame.assign(when=column))
    for X in (dates.to_numpy()[:, None], (dates - dates[0]).to_numpy()[:, None]):
        with pytest.raises(InputError, match="data matrix is not numeric"):
            Covariance.from_data(X)
        with pytest.raises(InputError, match="block of rows 0 is not numeric"):
            Covariance.from_chunks([X, X])
