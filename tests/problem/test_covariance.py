import hashlib
import tracemalloc
from fractions import Fraction

import numpy as np
import pytest
from draws import examples
from hypothesis import given
from hypothesis import strategies as st
from scipy import sparse

from relaxspca import Covariance, DataWarning, InputError, certify, path
from relaxspca.candidates.deflation import deflate
from relaxspca.datasets import load_pitprops, make_planted_clique, make_spiked

SEEDS = st.integers(0, 10**6)
GOOD = np.array([[2.0, 1.0, 0.5], [1.0, 3.0, 0.0], [0.5, 0.0, 1.0]])


def changed(i, j, value):
    S = GOOD.copy()
    S[i, j] = value
    return S


def exact_gram(A):
    A = [[Fraction(v) for v in row] for row in A.tolist()]
    n = len(A[0])
    return [[sum(row[i] * row[j] for row in A) for j in range(n)] for i in range(n)]


@examples(60)
@given(seed=SEEDS, m=st.integers(2, 9), n=st.integers(1, 7), offset=st.sampled_from([0, 100]))
def test_data_give_the_covariance_of_numpy(seed, m, n, offset):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(m, n)) * 10.0 ** rng.integers(-3, 4) + offset
    expected = np.atleast_2d(np.cov(X, rowvar=False))
    cov = Covariance.from_data(X)
    assert cov.matrix == pytest.approx(expected, abs=1e-11 * max(1, offset) * np.abs(expected).max())
    assert cov.is_factored == (m < n)
    if m > 2:
        correlations = np.atleast_2d(np.corrcoef(X, rowvar=False))
        assert Covariance.from_data(X, correlation=True).matrix == pytest.approx(correlations, abs=1e-8)
    moments, lengths = X.T @ X, np.linalg.norm(X, axis=0)
    uncentred, cosines = (Covariance.from_data(X, correlation=each, centred=False) for each in (False, True))
    assert uncentred.matrix == pytest.approx(moments / m, rel=1e-11, abs=1e-13 * np.abs(moments).max())
    assert cosines.matrix == pytest.approx(moments / np.outer(lengths, lengths), abs=1e-12)
    assert Covariance.from_data(X[:1], centred=False).matrix == pytest.approx(np.outer(X[0], X[0]))


@examples(60)
@given(seed=SEEDS, m=st.integers(2, 12), n=st.integers(1, 12), correlation=st.booleans(), centred=st.booleans())
def test_sparse_data_give_what_dense_data_give(seed, m, n, correlation, centred):
    rng = np.random.default_rng(seed)
    X = sparse.random_array((m, n), density=0.4, rng=rng, format="csr")
    X.data[:] = rng.integers(1, 6, size=X.data.size)
    dense = X.toarray()
    if (dense == dense[0]).all(axis=0).any():
        return
    ours, expected = (Covariance.from_data(Y, correlation, centred=centred) for Y in (X, dense))
    scale = np.abs(expected.matrix).max()
    assert ours.matrix == pytest.approx(expected.matrix, abs=1e-12 * scale)
    v = rng.normal(size=n)
    assert ours.product(v) == pytest.approx(expected.product(v), abs=1e-11 * scale)
    assert ours.diagonal == pytest.approx(np.diagonal(ours.matrix), abs=1e-12 * scale)
    some = rng.permutation(n)[: rng.integers(1, n + 1)]
    assert ours.submatrix(some).tolist() == ours.matrix[np.ix_(some, some)].tolist()
    assert ours.columns(some).tolist() == ours.matrix[:, some].tolist()
    residual = ours.matrix - ours.factor.T @ ours.factor
    assert np.linalg.norm(residual, 2) <= ours.factor_residual + 1e-12 * scale


def test_constant_columns_are_dropped_and_named_under_correlation():
    X = np.array([[1.0, 0.1, 3.0, 0.0], [2.0, 0.1, 1.0, 0.0], [4.0, 0.1, 5.0, 0.0], [3.0, 0.1, 0.0, 0.0]])
    names = ["a", "tenth", "b", "nothing"]
    for data in (X, sparse.csr_array(X), X[:3], sparse.csr_array(X[:3])):
        with pytest.warns(DataWarning, match="2 constant columns.*: tenth, nothing"):
            cov = Covariance.from_data(data, correlation=True, names=names)
        assert cov.names == ("a", "b")
        assert np.diagonal(cov.matrix) == pytest.approx([1, 1])
        assert Covariance.from_data(data, names=names).names == tuple(names)


@examples(60)
@given(seed=SEEDS, m=st.integers(3, 30), level=st.floats(0.01, 1e6))
def test_a_constant_column_of_sparse_data_is_found_at_any_level(seed, m, level):
    rng = np.random.default_rng(seed)
    X = np.column_stack([rng.normal(size=m), np.full(m, level), rng.normal(size=m)])
    for data in (X, sparse.csr_array(X)):
        with pytest.warns(DataWarning, match="1 constant column, which cannot be scaled to unit variance: x1"):
            assert Covariance.from_data(data, correlation=True).names == ("x0", "x2")


def test_sparse_data_far_from_zero_are_warned_about():
    X = np.random.default_rng(0).normal(size=(50, 3)) + [0, 0, 1e6]
    with pytest.warns(DataWarning, match="the mean of x2 is .* times its standard deviation"):
        Covariance.from_data(sparse.csr_array(X))


@examples(60)
@given(seed=SEEDS, n=st.integers(1, 7), rank=st.integers(1, 7))
def test_the_factor_is_thin_and_its_residual_is_proved(seed, n, rank):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(rank, n)) * 10.0 ** rng.integers(-4, 5)
    cov = Covariance(X.T @ X)
    assert cov.rank == min(rank, n)
    exact = exact_gram(cov.factor)
    residual = np.array([[float(Fraction(cov.matrix[i, j]) - exact[i][j]) for j in range(n)] for i in range(n)])
    assert np.linalg.norm(residual, 2) <= cov.factor_residual
    assert cov.factor_residual <= 1e-11 * np.trace(cov.matrix)


@examples(60)
@given(seed=SEEDS, n=st.integers(1, 6), r=st.integers(1, 6))
def test_a_factored_covariance_is_its_factor_and_its_rounding_is_proved(seed, n, r):
    rng = np.random.default_rng(seed)
    A = rng.normal(size=(r, n))
    cov = Covariance.from_factor(A)
    assert cov.is_factored
    assert (cov.factor_residual, cov.shift) == (0.0, 0.0)
    some = rng.permutation(n)[: rng.integers(1, n + 1)]
    exact = exact_gram(A[:, some])
    block = cov.submatrix(some)
    error = [[float(Fraction(block[i, j]) - exact[i][j]) for j in range(some.size)] for i in range(some.size)]
    assert np.linalg.norm(error, 2) <= cov.rounding(some)
    assert np.array_equal(block, block.T)


@examples(60)
@given(seed=SEEDS, n=st.integers(2, 7))
def test_an_indefinite_matrix_is_shifted_with_a_message_and_kept_as_it_was(seed, n):
    rng = np.random.default_rng(seed)
    S = rng.normal(size=(n, n))
    S = S + S.T - np.eye(n) * 0.1
    smallest = np.linalg.eigvalsh(S)[0]
    if smallest > -1e-3:
        return
    with pytest.warns(DataWarning, match="not positive semidefinite"):
        cov = Covariance(S)
    assert np.array_equal(cov.matrix, S)
    assert cov.shift == pytest.approx(-smallest, rel=1e-9)
    residual = S + cov.shift * np.eye(n) - cov.factor.T @ cov.factor
    assert np.linalg.norm(residual, 2) <= cov.factor_residual
    assert cov.restrict(range(n - 1)).shift == cov.shift


def test_a_mistyped_entry_is_told_from_rounding_where_the_matrix_is_indefinite():
    S = load_pitprops().matrix.copy()
    S[0, 1] = S[1, 0] = -0.954  # the sign of a correlation
    with pytest.warns(DataWarning, match="no data have it as their covariance, and an entry may be wrong"):
        Covariance(S)
    with pytest.warns(DataWarning, match="as rounded or pairwise matrices often are") as said:
        Covariance([[1.0, 1.0001], [1.0001, 1.0]])
    assert "wrong" not in str(said[0].message)
    with pytest.warns(DataWarning, match="^the deflated matrix is not positive semidefinite") as said:
        deflate(load_pitprops(), np.eye(13)[0], deflation="hotelling")
    assert "wrong" not in str(said[0].message)


def test_rounding_does_not_shift_a_singular_covariance():
    X = np.random.default_rng(0).normal(size=(4, 30))
    assert Covariance(X.T @ X).shift == 0
    S = load_pitprops().matrix
    assert Covariance(S - np.linalg.eigvalsh(S)[0] * np.eye(13)).shift == 0


def test_the_input_is_copied_and_the_result_cannot_be_written():
    S = GOOD.copy()
    cov = Covariance(S)
    S[0, 0] = 99
    assert cov.matrix[0, 0] == 2
    for array in (cov.matrix, cov.diagonal, cov.factor):
        with pytest.raises(ValueError, match="read-only"):
            array[0] = 1


def test_the_digest_is_of_the_exact_floats():
    entries = np.ascontiguousarray(GOOD, dtype="<f8").tobytes()
    named = b"1:a\n2:\xc3\xa9\n0:\n10:covariance\n"
    rest = b"observations unknown\ncentred unknown\ndeflation none\neliminated none\n"
    content = b"relaxspca matrix 2\ndense 3 3\n" + entries + named + rest
    expected = hashlib.sha256(content).hexdigest()
    assert Covariance(GOOD, names=["a", "\u00e9", ""]).digest == f"sha256:{expected}"
    assert Covariance(GOOD, names=["a", "b", "c"]).digest != Covariance(GOOD).digest
    assert Covariance(changed(0, 0, np.nextafter(2, 3))).digest != Covariance(GOOD).digest
    assert Covariance.from_factor(GOOD).digest != Covariance(GOOD).digest


@examples(40)
@given(seed=SEEDS, n=st.integers(1, 8), kind=st.sampled_from(["dense", "factor", "sparse"]))
def test_restriction_is_the_block_with_its_names(seed, n, kind):
    rng = np.random.default_rng(seed)
    X = np.round(rng.normal(size=(3, n)), 1) + rng.permutation(3)[:, None]
    makers = {"dense": Covariance, "factor": Covariance.from_factor, "sparse": Covariance.from_data}
    data = {"dense": X.T @ X, "factor": X, "sparse": sparse.csr_array(np.vstack([X, np.zeros(n)]))}
    cov = makers[kind](data[kind])
    some = rng.permutation(n)[: rng.integers(1, n + 1)]
    sub = cov.restrict(some)
    assert sub.names == tuple(f"x{i}" for i in some)
    assert sub.matrix == pytest.approx(cov.submatrix(some), rel=1e-12, abs=1e-12)
    assert cov.column(int(some[0])) == pytest.approx(cov.matrix[:, some[0]], rel=1e-12, abs=1e-12)
    v = rng.normal(size=n)
    assert cov.product(v) == pytest.approx(cov.matrix @ v, rel=1e-9, abs=1e-9)


@pytest.mark.parametrize(
    ("variables", "names"),
    [
        ([True, False, True], "ac"),
        (np.array([False, True, True]), "bc"),
        (["c", "a"], "ca"),
        ([2, 0], "ca"),
        (range(3), "abc"),
        (np.array([1], dtype=np.uint8), "b"),
    ],
)
def test_variables_are_restricted_by_mask_name_or_position(variables, names):
    assert Covariance(GOOD, names="abc").restrict(variables).names == tuple(names)


def test_a_variable_without_variance_is_exactly_zero_in_the_factor():
    S = np.array([[1.0, 0, -1, -1], [0, 0, 0, 0], [-1, 0, 3, -1], [-1, 0, -1, 3]])
    X = np.random.default_rng(0).normal(size=(9, 4))
    X[:, 1] = 0.1
    data = X, np.hstack([X[:3], X[3:6]])
    for cov in (
        Covariance(S),
        *(Covariance.from_data(form(Y)) for Y in data for form in (np.array, sparse.csr_array)),
    ):
        assert cov.diagonal[1] == 0.0
        assert not cov.factor[:, 1].any()
        assert np.linalg.norm(cov.matrix - cov.factor.T @ cov.factor, 2) <= cov.factor_residual + 1e-13


def test_a_factor_never_forms_the_large_matrix():
    A = np.random.default_rng(0).normal(size=(3, 40_000))
    cov = Covariance.from_factor(A)
    assert cov.diagonal.shape == (40_000,)
    assert cov.product(np.ones(40_000)).shape == (40_000,)
    assert cov.submatrix([1, 39_999]).shape == (2, 2)
    with pytest.raises(InputError, match="40000 x 40000 entries are too many"):
        _ = cov.matrix


def test_generated_matrices_have_what_was_planted():
    clique = make_planted_clique(12, 5)
    assert np.linalg.eigvalsh(clique.submatrix(range(5)))[-1] == pytest.approx(5)
    spiked = make_spiked(30, 4, strength=50.0, n_samples=400)
    assert set(np.argsort(-spiked.diagonal)[:4].tolist()) == {0, 1, 2, 3}


def test_pitprops_is_the_published_matrix(cov):
    # Jeffers 1967, table 3; eigenvalues as in table 1 of Jolliffe et al., JCGS 12, 2003 (32.4 % and 18.3 %).
    assert cov.names[:2] == ("topdiam", "length")
    assert cov.matrix[0, 1] == 0.954
    eigenvalues = np.linalg.eigvalsh(cov.matrix)[::-1]
    assert (100 * eigenvalues[:2] / 13).round(1).tolist() == [32.5, 18.3]


def test_messages_count_in_words():
    one = Covariance([[2.0]], names=["a"])
    assert repr(one) == "Covariance matrix: 1 variable (a), trace 2"
    assert "with at most 1 of 1 variable: 2.00" in repr(certify(one, [1.0]))
    assert repr(path(one)).startswith("Path of 1 row for the covariance matrix of 1 variable. 1 proved")


def test_a_matrix_of_many_variables_is_not_copied_again_and_again():
    n = 500
    X = np.random.default_rng(0).standard_normal((2 * n, n))
    S = X.T @ X
    tracemalloc.start()
    try:
        Covariance(S)
        largest = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert largest <= 2.5 * S.nbytes
