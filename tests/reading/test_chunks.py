"""Data read in blocks give the covariance of the whole, whatever they come from."""

import itertools

import numpy as np
import pytest
from commands import write_csv
from scipy import sparse

import relaxspca as rs
from relaxspca.reading import chunks as chunks_module


def counts(rows=200, columns=30, seed=0):
    rng = np.random.default_rng(seed)
    rates = 3.0 / np.arange(1, columns + 1)
    return sparse.csr_array(rng.poisson(rates * rng.gamma(1.0, 1.0, (rows, 1))).astype(float))


@pytest.mark.parametrize("centred", [True, False])
@pytest.mark.parametrize("make", [np.asarray, sparse.csr_array])
def test_blocks_agree_with_what_numpy_makes_of_all_data(make, centred):
    X = counts().toarray() + (0.0 if centred else 1.0)
    moments = np.cov(X, rowvar=False) if centred else X.T @ X / 200
    variances = np.diagonal(moments)
    kept = np.sort(np.argsort(-variances, kind="stable")[:12])
    words = "covariance matrix of 200 observations"
    if not centred:
        words = "matrix of second moments of 200 observations about zero"
    for cov in (
        rs.Covariance.from_sparse(sparse.csr_array(X), limit=12, centred=centred),
        rs.Covariance.from_chunks([make(X[:90]), make(X[90:])], limit=12, centred=centred),
    ):
        assert (cov.names, cov.description.words) == (tuple(f"x{i}" for i in kept), words)
        np.testing.assert_allclose(cov.matrix, moments[np.ix_(kept, kept)], rtol=1e-12, atol=1e-14)
        left = [int(name[1:]) for name in cov.eliminated.names]
        assert sorted([*left, *kept]) == list(range(30))
        assert (cov.eliminated.variances >= variances[left]).all()
        np.testing.assert_allclose(cov.eliminated.variances, variances[left], rtol=1e-9)


def folder_of(tmp_path, kind):
    """Return observations, and a folder of files of them."""
    X = counts()
    for i, block in enumerate((X[:90], X[90:101], X[101:])):
        path = tmp_path / f"part{i:02d}.{kind}"
        if kind == "npz":
            sparse.save_npz(path, block)
        else:
            pandas = pytest.importorskip("pandas")
            pytest.importorskip("pyarrow")
            frame = pandas.DataFrame(block.toarray(), columns=[f"w{j}" for j in range(block.shape[1])])
            frame.to_parquet(path)
    return X, tmp_path


@pytest.mark.parametrize("kind", ["npz", "parquet"])
def test_a_folder_of_files_is_read_in_order_of_names(tmp_path, kind):
    X, source = folder_of(tmp_path, kind)
    cov = rs.Covariance.from_chunks(source, limit=7)
    np.testing.assert_allclose(cov.matrix, rs.Covariance.from_sparse(X, limit=7).matrix, rtol=1e-12, atol=1e-14)


def test_a_memory_map_with_a_large_mean_keeps_its_digits(tmp_path):
    X = np.random.default_rng(1).standard_normal((300, 6)) * np.arange(1, 7) + 1e8
    np.save(tmp_path / "x.npy", X)
    cov = rs.Covariance.from_chunks(tmp_path / "x.npy", block_rows=37, limit=4)
    np.testing.assert_allclose(cov.matrix, np.cov(X[:, 2:], rowvar=False), rtol=1e-7)
    assert (cov.eliminated.variances < 10).all()


def test_the_claimed_shift_makes_the_whole_matrix_semidefinite_in_exact_arithmetic():
    from fractions import Fraction

    X = counts(60, 5).toarray() * 0.1
    cov = rs.Covariance.from_chunks([X[:20], X[20:]], limit=4)
    kept = [int(name[1:]) for name in cov.names]
    exact = [[Fraction(value) for value in row] for row in X.tolist()]
    mean = [sum(column) / 60 for column in zip(*exact, strict=True)]
    worst = 0.0
    for (i, a), (j, b) in itertools.product(enumerate(kept), enumerate(kept)):
        true = sum((row[a] - mean[a]) * (row[b] - mean[b]) for row in exact) / 59
        worst += float(abs(true - Fraction(float(cov.matrix[i, j])))) ** 2
    assert worst**0.5 <= cov.eliminated.shift < 1e-9


def less_at_each_reading():
    rows = iter([9, 6])
    return lambda: iter([np.eye(9)[: next(rows)]])


def mapped(tmp_path, array):
    np.save(tmp_path / "X.npy", array)
    return tmp_path / "X.npy"


ONCE, FEW = iter([np.eye(9)]), np.array([[1.0, 2.0], [3.0, 5.0], [2.0, 2.0]])
REFUSED = [  # a source, or an array that is one as a memory map; the words of the error; options
    (iter([np.eye(3)]), "more than once"),
    ([], "no blocks"),
    ([np.eye(3), np.eye(4)], "block 1 has 4 columns"),
    ([np.array([[1.0, np.nan], [0.0, 1.0]])], "block of rows 0 contains nan at row 0, column 1"),
    ([np.ones((1, 3))], "at least two observations"),
    ([np.ones((5, 3))], "every column is constant"),
    ([np.eye(3), sparse.csr_array(np.eye(3))], "sparse but the first block is dense"),
    ("/nowhere/at/all", "no file or folder"),
    (5, "cannot be read from a int"),
    (lambda: 5, "must return an iterator of blocks, not a int"),
    (less_at_each_reading(), "second reading of the data gave 6 rows, but the first gave 9"),
    (lambda: ONCE, "second reading of the data gave 0 rows, but the first gave 9"),
    (mapped, "complex entries: only real numbers", np.array([[1.0 + 1j, 2.0], [3.0, 4.0]])),
    (mapped, "entries, not numbers", np.array([["a", "b"]])),
    (mapped, "two dimensions, but it has 1", np.arange(3.0)),
    *((size * FEW, "rescale the data") for size in (1e-120, 1e101, 1e160)),
    (np.eye(3), "block_rows must be a whole number, not 1.5", {"block_rows": 1.5}),
    (np.eye(3), "client must be a distributed.Client or an address such as tcp:.*3", {"client": 3}),
]


@pytest.mark.parametrize("case", range(len(REFUSED)))
def test_what_cannot_be_read_is_said(case, tmp_path):
    source, message, *more = REFUSED[case]
    options = more[0] if more and source is not mapped else {}
    if "client" in options:
        pytest.importorskip("distributed")
    source = mapped(tmp_path, *more) if source is mapped else source
    with np.errstate(over="ignore"), pytest.raises(rs.InputError, match=message):
        rs.Covariance.from_chunks(source, **options)


def test_dask_workers_give_the_same_bits(tmp_path):
    distributed = pytest.importorskip("distributed")
    X, source = folder_of(tmp_path, "npz")
    alone = rs.Covariance.from_chunks(source, limit=8)
    shared = rs.Covariance.from_chunks(source, limit=8, n_jobs=2)
    assert np.array_equal(alone.matrix, shared.matrix)
    with (
        distributed.LocalCluster(
            n_workers=2, threads_per_worker=1, processes=False, dashboard_address=None
        ) as cluster,
        distributed.Client(cluster) as client,
    ):
        spread = rs.Covariance.from_chunks(source, limit=8, client=client)
        streamed = rs.Covariance.from_chunks([X[:90], X[90:]], limit=8, client=client)
    assert np.array_equal(alone.matrix, spread.matrix)
    np.testing.assert_allclose(streamed.matrix, alone.matrix, rtol=1e-12, atol=1e-14)


def test_files_bring_their_names_and_must_agree_in_them(tmp_path):
    write_csv(tmp_path / "1.csv", "ab", [[1, 2], [3, 4]])
    write_csv(tmp_path / "2.csv", "ba", [[9, 3], [8, 5]])
    with pytest.raises(rs.InputError, match=r"2\.csv: its columns are not those .*: 'b' stands for 'a'"):
        rs.Covariance.from_chunks(tmp_path)
    write_csv(tmp_path / "2.csv", "abc", [[9, 3, 1], [8, 5, 1]])
    with pytest.raises(rs.InputError, match="there are 3, not 2"):
        rs.Covariance.from_chunks(tmp_path)
    write_csv(tmp_path / "2.csv", "ab", [[3, 9], [5, 8]])
    cov = rs.Covariance.from_chunks(tmp_path)
    assert cov.names == rs.Covariance.from_chunks(tmp_path / "1.csv").names == ("a", "b")
    assert cov.matrix == pytest.approx(np.cov([[1, 3, 3, 5], [2, 4, 9, 8]]))
    assert rs.Covariance.from_chunks(tmp_path, names=["p", "q"]).names == ("p", "q")


def test_frames_are_blocks_with_names():
    pd = pytest.importorskip("pandas")
    frame = pd.DataFrame(np.random.default_rng(0).normal(size=(9, 3)), columns=list("abc"))
    for source in (frame, [frame[:4], frame[4:]], lambda: iter([frame[:4], frame[4:]])):
        cov = rs.Covariance.from_chunks(source)
        assert cov.names == ("a", "b", "c")
        assert cov.matrix == pytest.approx(frame.cov().to_numpy())
    with pytest.raises(rs.InputError, match="columns of block 1 are not named as those of the first"):
        rs.Covariance.from_chunks([frame[:4], frame[["b", "a", "c"]][4:]])


def test_blocks_may_be_lists_and_the_first_may_be_empty():
    X = np.array([[1.0, 2.0], [3.0, 5.0], [2.0, 2.0]])
    for source in (lambda: iter([X[:2].tolist(), X[2:].tolist()]), [X[:0], X]):
        assert rs.Covariance.from_chunks(source).matrix == pytest.approx(np.cov(X, rowvar=False))


@pytest.mark.parametrize("centred", [True, False])
def test_data_are_read_twice_and_no_more(centred):
    X, called, loaded = counts(), [], []

    def source():
        called.append(1)
        for i in range(0, 200, 40):
            loaded.append(i)
            yield X[i : i + 40]

    rs.Covariance.from_chunks(source, limit=9, centred=centred)
    assert (len(called), len(loaded)) == (2, 10)


def test_files_are_read_twice_and_no_more(tmp_path, monkeypatch):
    X, source = folder_of(tmp_path, "npz")
    read, files = chunks_module.read_matrix, []
    monkeypatch.setattr(chunks_module, "read_matrix", lambda path: (files.append(path.name), read(path))[1])
    rs.Covariance.from_chunks(source, limit=7)
    assert sorted(files) == ["part00.npz", "part00.npz", "part01.npz", "part01.npz", "part02.npz", "part02.npz"]
