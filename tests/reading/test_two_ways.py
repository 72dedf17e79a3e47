"""A matrix that is not quite symmetric is never taken for observations, in whatever file or frame it comes."""

import json

import numpy as np
import pytest
from commands import as_text
from draws import draws
from scipy import io, sparse

import relaxspca as rs
from relaxspca import Covariance, DataWarning, InputError
from relaxspca.command.cli import main
from relaxspca.datasets import load_pitprops
from relaxspca.problem.symmetry import is_matrix
from relaxspca.reading.files import read_covariance

R = load_pitprops().matrix[:12, :12]
NAMES = tuple(f"v{i}" for i in range(1, 13))
D = np.linspace(1.0, 4.0, 12)
S = R * np.outer(D, D)  # a covariance: no unit diagonal
ORDER = np.random.default_rng(0).permutation(12)


def off_by(M, what):
    changed = M.copy()
    changed[0, 1] += what
    return changed


def rounded_halves(M):
    """One half with three digits, the other with four, as two people type them."""
    return np.round(np.triu(M), 4) + np.round(np.tril(M, -1), 3)


ALMOST = {
    "one correlation off by .001": off_by(R, 0.001),
    "one correlation mistyped": off_by(R, -0.9),
    "one covariance off by a little": off_by(S, 1e-3),
    "one covariance mistyped": off_by(S, 5.0),
    "rounded halves": rounded_halves(S),
    "lower triangle": np.tril(S),
    "upper triangle": np.triu(S),
    "lower triangle of correlations": np.tril(R),
    "strict triangle and unit diagonal": np.triu(R, 1) + np.eye(12),
    "rows of a correlation shuffled": R[ORDER],
    "rows of a covariance shuffled": S[ORDER],
    "columns shuffled": S[:, ORDER],
}


@pytest.fixture
def written(tmp_path, saved):
    """Return a function that writes a matrix, with names where the kind of file has any."""
    arrays = {
        "npy": np.save,
        "npz": lambda file, M: sparse.save_npz(file, sparse.csr_array(M)),
        "mtx": lambda file, M: io.mmwrite(file, sparse.coo_array(M)),
    }

    def of(M, kind):
        if kind not in arrays:
            frame = pytest.importorskip("pandas").DataFrame(M, columns=list(NAMES))
            return saved(frame, kind, **({"index": False} if kind in ("csv", "xlsx") else {}))
        arrays[kind](tmp_path / f"m.{kind}", M)
        return tmp_path / f"m.{kind}"

    return of


FILES = pytest.mark.parametrize("kind", ["csv", "npy", "npz", "mtx", "parquet", "feather", "xlsx"])


@FILES
def test_a_symmetric_matrix_is_read_in_every_kind_of_file(written, kind):
    assert np.array_equal(read_covariance(written(R, kind))[0].matrix, R)


@FILES
@pytest.mark.parametrize("what", ALMOST)
def test_what_is_almost_a_matrix_in_a_file_is_refused_until_it_is_said_what_it_is(written, kind, what):
    if kind != "npy" and what not in draws(("one covariance mistyped", "lower triangle"), ALMOST):
        return
    M = ALMOST[what]
    file = written(M, kind)
    with pytest.raises(InputError, match="two ways: as a covariance matrix, .*as 12 observations.*--data on"):
        read_covariance(file)
    told = rs.read(file, data=True)
    assert told.matrix == pytest.approx(np.cov(M, rowvar=False), rel=1e-9, abs=1e-12)
    if "triangle" in what and kind not in ("npz", "mtx"):
        with pytest.warns(DataWarning, match="nothing (above|below) the diagonal .* is taken from the other"):
            told = rs.read(file, data=False)
        whole = np.tril(M) + np.tril(M, -1).T + np.triu(M, 1) + np.triu(M, 1).T
        assert told.matrix == pytest.approx(whole, rel=1e-14)
        return
    with pytest.raises(InputError, match="the covariance matrix is not symmetric"):
        rs.read(file, data=False)


def test_the_error_says_which_entries_differ(refused):
    said = refused(as_text(ALMOST["one correlation off by .001"], NAMES), "as 12 observations of 12 variables")
    assert "entry (v1, v2) is 0.955 but entry (v2, v1) is 0.954" in said


def test_rows_in_another_order_are_put_in_order_by_their_labels(tmp_path):
    truth = Covariance(S, NAMES)
    labels = [NAMES[i] for i in ORDER]
    (tmp_path / "m.csv").write_text(as_text(S[ORDER], ["", *NAMES], labels))
    for data in (None, False):
        with pytest.warns(DataWarning, match="rows stood in another order than the columns"):
            cov, taken = read_covariance(tmp_path / "m.csv", data=data)
        assert (cov.digest, cov.names) == (truth.digest, NAMES)
        assert taken == "a covariance matrix of 12 variables"
    told, taken = read_covariance(tmp_path / "m.csv", data=True)
    assert taken.startswith("12 observations of 12 variables")
    assert told.matrix == pytest.approx(np.cov(S, rowvar=False))


def test_a_frame_with_rows_in_another_order_is_put_in_order():
    pandas = pytest.importorskip("pandas")
    datasets = pytest.importorskip("sklearn.datasets")
    w = datasets.load_wine(as_frame=True).data
    with pytest.warns(DataWarning, match="rows stood in another order"):
        shuffled = Covariance(w.corr().sample(frac=1, random_state=0))
    assert shuffled.digest == Covariance(w.corr()).digest
    with pytest.warns(DataWarning, match="rows stood in another order"):  # at the doors of verbs too
        assert rs.solve(w.corr().sample(frac=1, random_state=0), 3).lower == pytest.approx(2.570, abs=1e-3)
    bare = w.corr().sample(frac=1, random_state=0).to_numpy()
    with pytest.raises(InputError, match="rows seem to stand in another order") as caught:
        Covariance(bare)
    assert "(S + S.T) / 2" not in str(caught.value)
    other = pandas.DataFrame(R, columns=NAMES, index=[f"w{i}" for i in range(12)])
    with pytest.raises(InputError, match="row 0 is called 'w0', but column 0 is called 'v1'"):
        Covariance(other)
    misspelt = pandas.DataFrame(R, columns=NAMES, index=["V1", *NAMES[1:]])
    with pytest.raises(InputError, match="row 0 is called 'V1', but column 0 is called 'v1'"):
        Covariance(misspelt)
    numbered = pandas.DataFrame(R, columns=NAMES, index=range(1, 13))
    assert Covariance(numbered).names == NAMES
    order = pandas.DataFrame(S, columns=NAMES).sample(frac=1, random_state=1)
    with pytest.raises(InputError, match="is called"):
        Covariance(order)


@pytest.mark.parametrize("kind", ["parquet", "feather", "csv", "xlsx"])
def test_labels_are_compared_in_every_kind_of_file(saved, kind):
    pandas = pytest.importorskip("pandas")
    file = saved(pandas.DataFrame(S, columns=NAMES, index=NAMES).iloc[ORDER], kind)
    with pytest.warns(DataWarning, match="rows stood in another order"):
        cov = rs.read(file)
    assert cov.names == NAMES
    assert cov.matrix == pytest.approx(S, rel=1e-14)  # a workbook keeps 16 digits


@pytest.mark.parametrize(
    "labels",
    [["w", *NAMES[1:]], [*NAMES[1:], "w"], [f"site{i}" for i in range(12)]],
    ids=["one", "moved", "all"],
)
def test_a_symmetric_matrix_whose_rows_are_called_otherwise_is_refused(refused, labels):
    refused(as_text(S, ["", *NAMES], labels), "two ways: .* it is symmetric, though row 0 is called")


def test_a_part_of_a_matrix_is_no_table_of_observations(tmp_path):
    (tmp_path / "m.csv").write_text(as_text(S[:, :5], ["", *NAMES[:5]], NAMES))
    with pytest.raises(InputError, match="'v1' is the name of a row and of a column, .* 12 rows and 5"):
        read_covariance(tmp_path / "m.csv")
    assert rs.read(tmp_path / "m.csv", data=True).n == 5


def test_a_float32_matrix_is_read_as_it_is_taken_in_python(tmp_path, saved):
    X = np.random.default_rng(0).normal(size=(50, 6)).astype(np.float32)
    M = np.corrcoef(X, rowvar=False).astype(np.float32)
    M[0, 1] = np.nextafter(M[1, 0], np.float32(2))
    np.save(tmp_path / "m.npy", M)
    np.savez(tmp_path / "m.npz", S=M)
    saved(pytest.importorskip("pandas").DataFrame(M, columns=list("abcdef")), "parquet")
    with pytest.warns(DataWarning, match="symmetric only to the precision"):
        expected = Covariance(M)
    for name in ("m.npy", "m.npz", "m.parquet"):
        with pytest.warns(DataWarning, match="symmetric only to the precision"):
            cov, taken = read_covariance(tmp_path / name)
        assert np.array_equal(cov.matrix, expected.matrix)
        assert taken.startswith("a correlation matrix of 6 variables")


@pytest.mark.parametrize("n", [2, 3, 5, 12, 30])
@pytest.mark.parametrize("kind", ["normal", "counts", "binary", "positive", "autoregressive", "scales"])
def test_square_tables_of_observations_are_observations(n, kind):
    rng = np.random.default_rng(n)
    misread, count = 0, draws(40, 200)
    for _ in range(count):
        X = {
            "normal": lambda: rng.normal(size=(n, n)),
            "counts": lambda: rng.poisson(3.0, (n, n)).astype(float),
            "binary": lambda: rng.integers(0, 2, (n, n)).astype(float),
            "positive": lambda: 1000 + rng.normal(size=(n, n)),
            "autoregressive": lambda: np.cumsum(rng.normal(size=(n, n)), axis=0),
            "scales": lambda: rng.normal(size=(n, n)) * 10.0 ** rng.integers(-2, 4, n),
        }[kind]()
        if np.array_equal(X, X.T):
            continue
        try:
            assert not is_matrix(X, epsilon=2.2e-16)
        except InputError:
            misread += 1
    # A question too many is a nuisance; a wrong answer would be a wrong proof. Tiny tables of few values are
    # asked about more often.
    assert misread <= {2: 0.5, 3: 0.3, 5: 0.1}.get(n, 0.01) * count


@pytest.mark.parametrize("n", [2, 3, 8])
def test_any_matrix_that_is_nearly_symmetric_is_never_observations(n):
    rng = np.random.default_rng(n)
    for _ in range(draws(40, 200)):
        X = rng.normal(size=(n + 2, n)) * 10.0 ** rng.integers(-3, 4)
        M = X.T @ X
        noisy = M + 1e-5 * np.abs(M).max() * rng.uniform(-1, 1, (n, n))
        with pytest.raises(InputError, match="two ways"):
            is_matrix(noisy, epsilon=2.2e-16)
        scale = np.sqrt(np.diagonal(M))
        C = M / np.outer(scale, scale)
        assert is_matrix((C + C.T) / 2, epsilon=2.2e-16)
        C[0, -1] = rng.uniform(-1, 1)
        with pytest.raises(InputError, match="two ways"):
            is_matrix(C, epsilon=2.2e-16)


def test_a_matrix_that_is_called_observations_is_read_so_with_a_warning(tmp_path):
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame(R, columns=NAMES, index=NAMES)
    frame.to_csv(tmp_path / "m.csv")
    for make in (
        lambda: Covariance.from_data(frame),
        lambda: Covariance.from_data(off_by(R, 0.001)),
        lambda: Covariance.from_data(S),
        lambda: rs.read(tmp_path / "m.csv", data=True),
    ):
        with pytest.warns(DataWarning, match=r"look like a covariance matrix; .* use Covariance\(S\)"):
            assert make().description.observations == 12


@pytest.mark.parametrize("path", [3, None, b"x", np.eye(3)])
def test_a_path_is_a_name(path):
    kind = type(path).__name__
    with pytest.raises(InputError, match=f"name of a file, not {kind}; .* write Covariance[.]from_data"):
        rs.read(path)


def test_a_matrix_that_is_off_by_its_rounding_is_averaged_when_told(tmp_path, capsys, answered):
    S = np.array([[2.0, 0.5, 0.1], [0.5 + 1e-7, 1.0, 0.2], [0.1, 0.2, 1.5]])
    np.savetxt(tmp_path / "S.csv", S, delimiter=",")
    words = ["solve", str(tmp_path / "S.csv"), "-k", "2", "--symmetrise"]
    assert main([*words, "--covariance", "--json"]) == 0
    out, err = capsys.readouterr()
    expected = rs.solve(rs.Covariance((S + S.T) / 2), 2)
    assert json.loads(out)["upper"] == pytest.approx(expected.upper, rel=1e-12)
    assert "differ by up to 1e-07; their mean is taken, as told" in err
    # Without --covariance too: what is averaged is a matrix.
    assert answered(*words)["upper"] == pytest.approx(expected.upper, rel=1e-12)
    with pytest.warns(rs.DataWarning, match="as told"):
        cov = rs.read(tmp_path / "S.csv", symmetrise=True)
    assert np.array_equal(cov.matrix, (S + S.T) / 2)
