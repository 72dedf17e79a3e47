import numpy as np
import pytest
from scipy import sparse

from relaxspca import Covariance, DataWarning, InputError, certify, solve

GOOD = np.array([[2.0, 1.0, 0.5], [1.0, 3.0, 0.0], [0.5, 0.0, 1.0]])
MASKED = np.ma.masked_array([[1.0, 2.0, 0.0], [3.0, 1e6, 1.0], [0.0, 1.0, 5.0]], np.eye(3, k=1)[::-1] > 0)


@pytest.mark.parametrize(
    "read",
    [
        Covariance.from_data,
        Covariance,
        Covariance.from_factor,
        Covariance.from_chunks,
        lambda X: Covariance.from_chunks([X[:1], X[1:]], limit=2),
    ],
)
def test_a_masked_cell_is_a_missing_value(read):
    with pytest.raises(InputError, match=r"contains nan at row [01], column 2"):
        read(MASKED)
    unmasked = np.ma.masked_array(GOOD, False)
    assert np.array_equal(read(unmasked).matrix, read(GOOD).matrix)


def test_dates_and_complex_numbers_are_no_numbers():
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame({"a": [1.0, 2.0, 4.0], "b": [False, True, False]})
    assert Covariance.from_data(frame).names == ("a", "b")
    dates = pandas.to_datetime(["2020-01-01", "2020-02-01", "2021-01-01"])
    bad = [
        dates,
        dates - dates[0],
        dates.tz_localize("UTC"),
        [1 + 1j, 2.0, 3.0],
        np.array([np.complex128(1j), 2.0, 3.0], dtype=object),
        np.array([np.datetime64("2020-01-01"), 2.0, 3.0], dtype=object),
    ]
    for column in bad:
        with pytest.raises(InputError, match="column 'when' is not numeric: it holds"):
            Covariance.from_data(frame.assign(when=column))
    for X in (dates.to_numpy()[:, None], (dates - dates[0]).to_numpy()[:, None]):
        with pytest.raises(InputError, match="data matrix is not numeric"):
            Covariance.from_data(X)
        with pytest.raises(InputError, match="block of rows 0 is not numeric"):
            Covariance.from_chunks([X, X])
    for read in (Covariance.from_data, Covariance.from_sparse):
        with pytest.raises(InputError, match="complex"):
            read(sparse.csr_array(GOOD * 1j))


@pytest.mark.parametrize("shape", [(5, 40), (40, 5)])
@pytest.mark.parametrize("correlation", [False, True])
def test_the_layout_in_memory_does_not_change_the_digest(shape, correlation):
    pandas = pytest.importorskip("pandas")
    X = np.random.default_rng(0).normal(size=shape) + 3.0
    frame = pandas.DataFrame(X, columns=[f"x{i}" for i in range(shape[1])])
    layouts = [X, np.asfortranarray(X), np.repeat(X, 2, axis=1)[:, ::2], frame, X.tolist()]
    assert len({Covariance.from_data(Y, correlation=correlation).digest for Y in layouts}) == 1
    assert len({Covariance.from_factor(Y).digest for Y in layouts}) == 1
    assert len({Covariance.from_chunks(np.array(Y, copy=None), limit=4).digest for Y in layouts[:3]}) == 1


def test_a_float32_correlation_matrix_is_averaged_with_a_message():
    S = np.corrcoef(np.random.default_rng(0).normal(size=(6, 50)).astype(np.float32)).astype(np.float32)
    S[0, 1] = np.nextafter(S[1, 0], np.float32(2))
    with pytest.warns(DataWarning, match="entries .* differ by up to"):
        matrix = Covariance(S).matrix
    assert np.array_equal(matrix, matrix.T)
    assert matrix[0, 1] == (float(S[0, 1]) + float(S[1, 0])) / 2
    with pytest.raises(InputError, match=r"a difference of \d.*take the mean"):
        Covariance(S.astype(np.float64))


@pytest.mark.parametrize("limit", [2.5, "2", None, True])
def test_a_limit_is_a_whole_number(limit):
    with pytest.raises(InputError, match=f"limit must be a whole number, not {limit!r}"):
        Covariance.from_sparse(sparse.csr_array(GOOD), limit=limit)
    with pytest.raises(InputError, match="limit = 0 is below 1, the number of variables to keep"):
        Covariance.from_chunks(GOOD, limit=0)


def test_a_whole_number_beyond_all_floats_is_not_finite():
    cov, large = Covariance([[2.0, 1.0], [1.0, 2.0]]), 10**400
    for read in (Covariance, Covariance.from_data, Covariance.from_factor):
        with pytest.raises(InputError, match="inf at row 0, column 0: every entry must be finite"):
            read([[large, 1], [1, 2]])
    with pytest.raises(InputError, match="loadings contain inf"):
        certify(cov, {"x0": large, "x1": 1})
    with pytest.raises(InputError, match="X must be observations of numbers"):
        solve(cov, 1).scores([[large, 1], [1, 2]])
