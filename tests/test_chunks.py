"""Data read in blocks give the covariance of the whole, whatever they come from and however often they stop."""

import itertools
import os
import signal
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from scipy import sparse

import relaxspca as rs
from relaxspca import checkpoint as checkpoints
from relaxspca.chunks import open_chunks
from relaxspca.moments import column_moments


def counts(rows=200, columns=30, seed=0):
    rng = np.random.default_rng(seed)
    rates = 3.0 / np.arange(1, columns + 1)
    return sparse.csr_array(rng.poisson(rates * rng.gamma(1.0, 1.0, (rows, 1))).astype(float))


def reference(X, kept):
    return np.cov(X.toarray() if sparse.issparse(X) else X, rowvar=False)[np.ix_(kept, kept)]


def test_sparse_rows_in_blocks_agree_with_numpy_cov():
    X = counts()
    cov = rs.Covariance.from_sparse(X, limit=12)
    variances = X.toarray().var(axis=0, ddof=1)
    kept = np.sort(np.argsort(-variances)[:12])
    assert cov.names == tuple(f"x{i}" for i in kept)
    np.testing.assert_allclose(cov.matrix, reference(X, kept), rtol=1e-12, atol=1e-14)
    left = [int(name[1:]) for name in cov.eliminated.names]
    assert sorted([*left, *kept]) == list(range(30))
    assert (cov.eliminated.variances >= variances[left]).all()
    np.testing.assert_allclose(cov.eliminated.variances, variances[left], rtol=1e-9)


def folder_of(tmp_path, blocks, kind):
    for i, block in enumerate(blocks):
        path = tmp_path / f"part{i:02d}.{kind}"
        if kind == "npz":
            sparse.save_npz(path, block)
        else:
            pandas = pytest.importorskip("pandas")
            pytest.importorskip("pyarrow")
            frame = pandas.DataFrame(block.toarray(), columns=[f"w{j}" for j in range(block.shape[1])])
            frame.to_parquet(path)
    return tmp_path


@pytest.mark.parametrize("kind", ["npz", "parquet"])
def test_a_folder_of_files_is_read_in_order_of_names(tmp_path, kind):
    X = counts()
    source = folder_of(tmp_path, [X[:90], X[90:101], X[101:]], kind)
    cov = rs.Covariance.from_chunks(source, limit=7)
    np.testing.assert_allclose(cov.matrix, rs.Covariance.from_sparse(X, limit=7).matrix, rtol=1e-12, atol=1e-14)


def test_a_memory_map_with_a_large_mean_keeps_its_digits(tmp_path):
    X = np.random.default_rng(1).standard_normal((300, 6)) * np.arange(1, 7) + 1e8
    np.save(tmp_path / "x.npy", X)
    cov = rs.Covariance.from_chunks(tmp_path / "x.npy", block_rows=37, limit=4)
    np.testing.assert_allclose(cov.matrix, reference(X, [2, 3, 4, 5]), rtol=1e-7)
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


class Interrupted(Exception):
    """Stands for a kill."""


@pytest.mark.parametrize("stop_at", [("moments", 2), ("gram", 3)])
def test_a_kill_and_the_same_call_end_with_the_same_result(tmp_path, monkeypatch, stop_at):
    monkeypatch.setattr(checkpoints, "SECONDS_BETWEEN", 0.0)
    X = counts()
    reads = itertools.count()
    blocks = [X[i : i + 40] for i in range(0, 200, 40)]

    def source():
        for block in blocks:
            next(reads)
            yield block

    def kill(stage, done, total):
        if (stage, done) == stop_at:
            raise Interrupted

    whole = rs.Covariance.from_chunks(source, limit=9)
    options = {"limit": 9, "checkpoint": tmp_path / "work.npz"}
    with pytest.raises(Interrupted):
        rs.Covariance.from_chunks(source, progress=kill, **options)
    seen = []
    again = rs.Covariance.from_chunks(source, progress=lambda *what: seen.append(what[:2]), **options)
    assert np.array_equal(again.matrix, whole.matrix)
    assert np.array_equal(again.eliminated.variances, whole.eliminated.variances)
    assert seen[0] == (stop_at[0], stop_at[1] + 1)
    assert not [*tmp_path.glob("*.part")]


PASSES = """
import sys
import time
import relaxspca as rs
from relaxspca import checkpoint

checkpoint.SECONDS_BETWEEN = 0.0
folder, file, slow = sys.argv[1:]

def said(stage, done, total):
    print(stage, done, flush=True)
    if slow == "slow" and stage == "gram" and done == 3:
        time.sleep(60)

print(rs.Covariance.from_chunks(folder, limit=9, checkpoint=file, progress=said).digest)
"""


def test_a_process_killed_in_pass_two_is_continued_by_the_same_call(tmp_path):
    X = counts()
    (tmp_path / "data").mkdir()
    folder = folder_of(tmp_path / "data", [X[i : i + 40] for i in range(0, 200, 40)], "npz")
    command = [sys.executable, "-c", PASSES, str(folder), str(tmp_path / "work.npz")]
    options = {"env": os.environ | {"PYTHONPATH": str(Path(rs.__file__).parents[1])}, "text": True}
    with subprocess.Popen([*command, "slow"], stdout=subprocess.PIPE, **options) as process:
        for line in process.stdout:
            if line.strip() == "gram 3":
                break
        process.kill()
    assert process.returncode == -signal.SIGKILL
    again = subprocess.run([*command, "fast"], capture_output=True, check=True, timeout=60, **options)
    *stages, digest = again.stdout.split("\n")[:-1]
    assert stages == ["gram 4", "gram 5"]
    assert digest == rs.Covariance.from_chunks(folder, limit=9).digest


def test_a_checkpoint_of_other_data_is_refused(tmp_path):
    file = tmp_path / "work.npz"
    rs.Covariance.from_chunks([counts()], checkpoint=file)
    with pytest.raises(rs.InputError, match="other data"):
        rs.Covariance.from_chunks([counts(seed=1)], checkpoint=file)
    file.write_bytes(b"PK no checkpoint")
    with pytest.raises(rs.InputError, match="not a checkpoint"):
        rs.Covariance.from_chunks([counts()], checkpoint=file)


@pytest.mark.parametrize(
    ("source", "message"),
    [
        (iter([np.eye(3)]), "more than once"),
        ([], "no blocks"),
        ([np.eye(3), np.eye(4)], "block 1 has 4 columns"),
        ([np.array([[1.0, np.nan], [0.0, 1.0]])], "block 0 contains nan"),
        ([np.ones((1, 3))], "at least two observations"),
        ([np.ones((5, 3))], "every column is constant"),
        ([np.eye(3), sparse.csr_array(np.eye(3))], "sparse but the first block is dense"),
        ("/nowhere/at/all", "no file or folder"),
        (5, "cannot be read from a int"),
    ],
)
def test_what_cannot_be_read_is_said(source, message):
    with pytest.raises(rs.InputError, match=message):
        rs.Covariance.from_chunks(source)


def test_a_dense_origin_cannot_change_the_variances():
    X = np.random.default_rng(2).standard_normal((50, 4))
    from_zero = column_moments(open_chunks([sparse.csr_array(X)])).variances
    from_mean = column_moments(open_chunks([X])).variances
    np.testing.assert_allclose(from_zero, from_mean, rtol=1e-12)


def test_dask_workers_give_the_same_bits(tmp_path):
    distributed = pytest.importorskip("distributed")
    X = counts()
    source = folder_of(tmp_path, [X[:90], X[90:101], X[101:]], "npz")
    alone = rs.Covariance.from_chunks(source, limit=8)
    threads = rs.Covariance.from_chunks(source, limit=8, scheduler="threads")
    assert np.array_equal(alone.matrix, threads.matrix)
    with (
        distributed.LocalCluster(
            n_workers=2, threads_per_worker=1, processes=False, dashboard_address=None
        ) as cluster,
        distributed.Client(cluster) as client,
    ):
        spread = rs.Covariance.from_chunks(source, limit=8, scheduler=client)
        streamed = rs.Covariance.from_chunks([X[:90], X[90:]], limit=8, scheduler=client)
    assert np.array_equal(alone.matrix, spread.matrix)
    np.testing.assert_allclose(streamed.matrix, alone.matrix, rtol=1e-12, atol=1e-14)
