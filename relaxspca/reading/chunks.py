"""Rows of a data matrix, block by block, as often as they are needed: files, memory maps, iterators."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import chain
from pathlib import Path
from typing import Any

import numpy as np

from relaxspca.errors import InputError
from relaxspca.problem.observations import checked_matrix, is_sparse, real_array, whole_number
from relaxspca.reading.files import read_matrix

Block = Any  # (rows, n) numpy array or scipy.sparse array
Loader = Callable[[], Block]

BLOCK_BYTES = 64 * 2**20
FILE_TYPES = (".npz", ".npy", ".parquet", ".feather", ".mtx", ".csv", ".csv.gz", ".tsv", ".tsv.gz")


@dataclass(frozen=True)
class Chunks:
    """A data matrix as loaders of its blocks of rows, in order.

    ``opened()`` iterates over them anew at each call; `count` is their number, and `names` are those of the
    columns, where they are known beforehand.
    """

    opened: Callable[[], Iterator[Loader]]
    count: int | None
    names: tuple[str, ...] | None = None
    _begun: list[tuple[Block, Iterator[Loader]]] = field(default_factory=list)

    def first(self) -> Block:
        """Return the first block; the next reading goes on from it, and does not read it again."""
        if not self._begun:
            loaders = self.opened()
            loader = next(loaders, None)
            if loader is None:
                raise InputError("there are no blocks of data to read")
            self._begun.append((loader(), loaders))
        return self._begun[0][0]

    def loaders(self) -> Iterator[Loader]:
        """Return the loaders of all blocks: one reading."""
        if not self._begun:
            return self.opened()
        block, rest = self._begun.pop()
        return chain([partial(_same, block)], rest)


def open_chunks(source: Any, *, block_rows: int | None = None) -> Chunks:
    """Open a data matrix that is read in blocks of rows.

    Parameters
    ----------
    source : str or Path, array, scipy.sparse array, sequence of blocks, or callable
        A folder whose .npz, .npy, .parquet, .feather, .mtx, .csv, .tsv, .csv.gz or .tsv.gz files, in the
        order of their names, are the blocks; a .npy file, which is memory-mapped; a matrix in memory; a
        list of blocks; or a function without arguments that returns a fresh iterator of blocks each time it
        is called.
    block_rows : int, optional
        Rows in a block of a memory map or of a matrix; by default about 64 MB of them.

    Raises
    ------
    InputError
        There is nothing to read, or the source can be read only once.

    Examples
    --------
    >>> chunks = open_chunks(np.arange(10.0).reshape(5, 2), block_rows=2)
    >>> chunks.count, [load().shape for load in chunks.loaders()]
    (3, [(2, 2), (2, 2), (1, 2)])
    """
    if isinstance(source, str | Path):
        return _open_path(Path(source), block_rows)
    if hasattr(source, "columns") and hasattr(source, "to_numpy"):
        matrix, names = checked_matrix(source, what="data matrix")
        return replace(open_chunks(matrix, block_rows=block_rows), names=names)
    if isinstance(source, np.ndarray) and source.ndim != 2:
        raise InputError(f"the data matrix must have two dimensions, but it has {source.ndim}")
    if is_sparse(source) or isinstance(source, np.ndarray):
        matrix = source.tocsr() if is_sparse(source) else source
        held = 12 * matrix.nnz // max(matrix.shape[0], 1) if is_sparse(source) else 8 * matrix.shape[1]
        return _open_rows(partial(_slice, matrix), matrix.shape, block_rows, held + 1)
    if callable(source):
        return Chunks(partial(_streamed, source), None)
    if isinstance(source, Sequence):
        loaders = [partial(_same, block) for block in source]
        return Chunks(lambda: iter(loaders), len(loaders))
    if isinstance(source, Iterable):
        raise InputError(
            "the data are read more than once: give a function that returns a fresh iterator of blocks, "
            f"not the {type(source).__name__} itself"
        )
    raise InputError(f"blocks of data cannot be read from a {type(source).__name__}")


def _open_path(path: Path, block_rows: int | None) -> Chunks:
    if path.is_dir():
        files = sorted(file for file in path.iterdir() if file.name.lower().endswith(FILE_TYPES))
        if not files:
            raise InputError(f"the folder {path} holds no {', '.join(FILE_TYPES)} file")
        matrix, names = read_matrix(files[0])
        loaders = [partial(_file_block, file, names) for file in files]
        return Chunks(lambda: iter(loaders), len(loaders), names, [(matrix, iter(loaders[1:]))])
    if not path.exists():
        raise InputError(f"there is no file or folder {path}")
    mapped = _array_in(path) if path.suffix.lower() == ".npy" else None
    if mapped is not None:
        held = mapped.dtype.itemsize * mapped.shape[1] + 1
        return _open_rows(lambda i, j: partial(_mapped, path, i, j), mapped.shape, block_rows, held)
    matrix, names = read_matrix(path)
    return replace(open_chunks(matrix, block_rows=block_rows), names=names)


def _open_rows(
    loader: Callable[[int, int], Loader], shape: tuple[int, ...], block_rows: int | None, held: int
) -> Chunks:
    most = max(1, BLOCK_BYTES // held)
    step = most if block_rows is None else whole_number(block_rows, "block_rows", most=math.inf)
    bounds = [(i, min(i + step, shape[0])) for i in range(0, shape[0], step)]
    return Chunks(lambda: (loader(i, j) for i, j in bounds), len(bounds))


def _streamed(source: Callable[[], Iterable[Block]]) -> Iterator[Loader]:
    blocks = source()
    if not isinstance(blocks, Iterable):
        raise InputError(f"the function must return an iterator of blocks, not a {type(blocks).__name__}")
    return (partial(_same, block) for block in blocks)


def _same(block: Block) -> Block:
    return block if hasattr(block, "ndim") else real_array(block, "block of rows")


def _slice(matrix: Block, start: int, stop: int) -> Loader:
    # Cut here, not in the loader: a worker elsewhere is sent its own rows only.
    return partial(_same, matrix[start:stop])


def _array_in(path: Path) -> Block | None:
    """Return the matrix of real numbers in a .npy file, memory-mapped; None where it is no such file."""
    try:
        mapped = np.load(path, mmap_mode="r", allow_pickle=False)
    except (OSError, ValueError, EOFError):
        return None
    is_real = isinstance(mapped, np.ndarray) and mapped.ndim == 2 and mapped.dtype.kind in "biuf"
    return mapped if is_real else None


def _mapped(path: Path, start: int, stop: int) -> Block:
    return np.array(np.load(path, mmap_mode="r", allow_pickle=False)[start:stop], dtype=np.float64)


def _file_block(path: Path, names: tuple[str, ...] | None) -> Block:
    matrix, own = read_matrix(path)
    if names is not None and own is not None and own != names:
        wrong = next((pair for pair in zip(own, names, strict=False) if pair[0] != pair[1]), None)
        which = f"{wrong[0]!r} stands for {wrong[1]!r}" if wrong else f"there are {len(own)}, not {len(names)}"
        raise InputError(f"{path}: its columns are not those of the first file: {which}")
    return matrix
