"""Rows of a data matrix, block by block, as often as they are needed: files, memory maps, iterators."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np

from relaxspca.errors import InputError
from relaxspca.observations import is_sparse

__all__ = ["Block", "Chunks", "Loader", "open_chunks"]

Block = Any  # (rows, n) numpy array or scipy.sparse array
Loader = Callable[[], Block]

BLOCK_BYTES = 64 * 2**20
FILE_TYPES = (".npz", ".npy", ".parquet", ".mtx", ".csv", ".tsv")


@dataclass(frozen=True)
class Chunks:
    """A data matrix as loaders of its blocks of rows, in order.

    Attributes
    ----------
    loaders_from : callable
        ``loaders_from(i)`` iterates over the loaders of blocks i, i + 1, ...
    count : int or None
        Number of blocks, when it is known beforehand.
    signature : str
        What tells this source from another one without reading all of it.
    """

    loaders_from: Callable[[int], Iterator[Loader]]
    count: int | None
    signature: str

    def first(self) -> Block:
        """Return the first block."""
        loader = next(self.loaders_from(0), None)
        if loader is None:
            raise InputError("there are no blocks of data to read")
        return loader()


def open_chunks(source: Any, *, block_rows: int | None = None) -> Chunks:
    """Open a data matrix that is read in blocks of rows.

    Parameters
    ----------
    source : str or Path, array, scipy.sparse array, sequence of blocks, or callable
        A folder whose .npz, .npy, .parquet, .mtx, .csv or .tsv files, in the order of their names, are
        the blocks; a .npy file, which is memory-mapped; a matrix in memory; a list of blocks; or a
        function without arguments that returns a fresh iterator of blocks each time it is called.
    block_rows : int, optional
        Rows in a block of a memory map or of a matrix; by default about 64 MB of them.

    Raises
    ------
    InputError
        There is nothing to read, or the source can be read only once.

    Examples
    --------
    >>> chunks = open_chunks(np.arange(10.0).reshape(5, 2), block_rows=2)
    >>> chunks.count, [load().shape for load in chunks.loaders_from(0)]
    (3, [(2, 2), (2, 2), (1, 2)])
    """
    if isinstance(source, str | Path):
        return _open_path(Path(source), block_rows)
    if is_sparse(source):
        matrix = source.tocsr()
        held = 12 * matrix.nnz // max(matrix.shape[0], 1) + 1
        return _open_rows(partial(_slice, matrix), matrix.shape, block_rows, held, "sparse")
    if isinstance(source, np.ndarray):
        if source.ndim != 2:
            raise InputError(f"the data matrix must have two dimensions, but it has {source.ndim}")
        held = 8 * source.shape[1] + 1
        return _open_rows(partial(_slice, source), source.shape, block_rows, held, "dense")
    if callable(source):
        return Chunks(partial(_streamed, source), None, "stream")
    if isinstance(source, Sequence):
        return _listed([partial(_same, block) for block in source], f"{len(source)} blocks")
    if isinstance(source, Iterable):
        raise InputError(
            "the data are read more than once: give a function that returns a fresh iterator of blocks, "
            f"not the {type(source).__name__} itself"
        )
    raise InputError(f"blocks of data cannot be read from a {type(source).__name__}")


def fingerprint(chunks: Chunks) -> str:
    """Return a digest of the signature and the first block, by which a checkpoint knows its data."""
    block = chunks.first()
    state = hashlib.sha256(f"{chunks.signature} {block.shape}".encode())
    if is_sparse(block):
        block = block.tocsr()
        for part in (block.indptr, block.indices, block.data):
            state.update(np.ascontiguousarray(part).tobytes())
    else:
        state.update(np.ascontiguousarray(block).tobytes())
    return state.hexdigest()


def _open_path(path: Path, block_rows: int | None) -> Chunks:
    if path.is_dir():
        files = sorted(file for file in path.iterdir() if file.suffix.lower() in FILE_TYPES)
        if not files:
            raise InputError(f"the folder {path} holds no {', '.join(FILE_TYPES)} file")
        listing = " ".join(f"{file.name}:{file.stat().st_size}" for file in files)
        return _listed([partial(_file_block, file) for file in files], listing)
    if not path.exists():
        raise InputError(f"there is no file or folder {path}")
    if path.suffix.lower() == ".npy":
        mapped = np.load(path, mmap_mode="r", allow_pickle=False)
        if mapped.ndim != 2:
            raise InputError(f"{path}: the array must have two dimensions, but it has {mapped.ndim}")
        held = mapped.dtype.itemsize * mapped.shape[1] + 1
        return _open_rows(partial(_mapped, path), mapped.shape, block_rows, held, path.name)
    return open_chunks(_file_block(path), block_rows=block_rows)


def _open_rows(
    loader: Callable[[int, int], Loader], shape: tuple[int, ...], block_rows: int | None, held: int, what: str
) -> Chunks:
    step = max(1, BLOCK_BYTES // held) if block_rows is None else block_rows
    if step < 1:
        raise InputError(f"block_rows = {block_rows} must be at least 1")
    bounds = [(i, min(i + step, shape[0])) for i in range(0, shape[0], step)]
    signature = f"{what} {shape} {step}"
    return Chunks(lambda start: (loader(i, j) for i, j in bounds[start:]), len(bounds), signature)


def _listed(loaders: list[Loader], signature: str) -> Chunks:
    return Chunks(lambda start: iter(loaders[start:]), len(loaders), signature)


def _streamed(source: Callable[[], Iterable[Block]], start: int) -> Iterator[Loader]:
    return (partial(_same, block) for block in islice(source(), start, None))


def _same(block: Block) -> Block:
    return block


def _slice(matrix: Block, start: int, stop: int) -> Loader:
    # Cut here, not in the loader: a worker elsewhere is sent its own rows only.
    return partial(_same, matrix[start:stop])


def _mapped(path: Path, start: int, stop: int) -> Loader:
    return partial(_mapped_rows, path, start, stop)


def _mapped_rows(path: Path, start: int, stop: int) -> Block:
    return np.array(np.load(path, mmap_mode="r", allow_pickle=False)[start:stop], dtype=np.float64)


def _file_block(path: Path) -> Block:
    from relaxspca.datasets.files import read_matrix

    return read_matrix(path)[0]
