r"""Two passes over data that do not fit: column moments, then the Gram matrix of the variables kept.

Both passes sum over rows about a fixed origin o (0 for sparse blocks, the means of the first block for
dense ones), and the centring is a rank-one term:

.. math:: (m-1)\,\Sigma = \sum_t (x_t-o)(x_t-o)' - m\,cc',\qquad c=\tfrac1m\sum_t (x_t-o).

The matrix of second moments has o = 0, no such term, and the divisor m.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
import numpy.typing as npt

from relaxspca.certificate import Description, Eliminated
from relaxspca.errors import InputError, counted
from relaxspca.numerics.linalg import UNIT_ROUNDOFF, Array
from relaxspca.problem import observations
from relaxspca.problem.covariance import Covariance
from relaxspca.problem.gram import DenseGram
from relaxspca.problem.semidefinite import provable_shift
from relaxspca.reading.chunks import Block, Chunks, Loader, open_chunks
from relaxspca.runtime.distributed import parallel
from relaxspca.runtime.progress import say, shows_progress
from relaxspca.runtime.task_queue import ordered_map

Numbered = tuple[int, Loader]


@dataclass(frozen=True)
class Moments:
    """Sums over all rows of x - origin and of its square, by column; and names, where the blocks have them."""

    rows: int
    origin: Array
    sums: Array
    squares: Array
    names: tuple[str, ...] | None = None
    is_centred: bool = True

    @property
    def centre(self) -> Array:
        """(n,) means that are taken out, counted from the origin; zeros where the data are not centred."""
        return self.sums / self.rows if self.is_centred else np.zeros(self.sums.size)

    @property
    def degrees(self) -> int:
        """By what the sums of squares are divided."""
        return self.rows - 1 if self.is_centred else self.rows

    @property
    def variances(self) -> Array:
        """(n,) variances, rounded up: no true variance is above them."""
        centred = self.squares - self.sums * self.centre
        return (np.maximum(centred, 0.0) + self._growth * self.squares) * (1 + 1e-15) / self.degrees

    @property
    def _growth(self) -> float:
        # Sums of m products err by at most m + 8 units of their moduli; so does the product of two
        # column sums over m, twice; Cauchy-Schwarz bounds the moduli by the sums of squares.
        return 5 * (self.rows + 8) * UNIT_ROUNDOFF

    def gram_error(self, kept: npt.NDArray[np.int64]) -> float:
        """Return a bound on the spectral norm of the rounding in the covariance of some variables."""
        return float(self._growth * self.squares[kept].sum() * (1 + 1e-6) / self.degrees)


@shows_progress
@parallel
def kept_covariance(
    source: Any,
    *,
    limit: int,
    names: Sequence[str] | None = None,
    centred: bool = True,
    block_rows: int | None = None,
    **_: Any,  # n_jobs, client and verbose, which the decorators read
) -> Covariance:
    """Make both passes: the work of `Covariance.from_chunks`, which has the parameters."""
    limit = observations.whole_number(limit, "limit", most=math.inf, of=", the number of variables to keep")
    chunks = open_chunks(source, block_rows=block_rows)
    moments = column_moments(chunks, centred=centred)
    variances = moments.variances
    largest = float(variances.max())
    if largest > observations.LARGEST_ENTRY**2 or not math.isfinite(largest):
        raise InputError(f"the largest variance is {largest:.3g}: rescale the data")
    found = moments.names if chunks.names is None else chunks.names
    all_names = observations.checked_names(found if names is None else names, variances.size)
    order = np.argsort(-variances, kind="stable")
    kept, others = np.sort(order[:limit]), np.sort(order[limit:])
    matrix = gram_matrix(chunks, moments, kept)
    if not np.diagonal(matrix).max() > 0:
        raise InputError("every column is constant: there is no variance to explain")
    if np.diagonal(matrix).max() < 1 / observations.LARGEST_ENTRY**2:
        raise InputError(f"the largest variance is {np.diagonal(matrix).max():.3g}: rescale the data")
    shift = provable_shift(matrix, moments.gram_error(kept))
    eliminated = Eliminated(tuple(all_names[i] for i in others), variances[others], shift)
    return Covariance._made(
        DenseGram(matrix),
        tuple(all_names[i] for i in kept),
        Description("covariance" if centred else "second moments", moments.rows, centred),
        eliminated=eliminated if eliminated.count else None,
    )


def column_moments(chunks: Chunks, *, centred: bool = True) -> Moments:
    """Read the data once and return the sums and squares of every column, about the mean or about zero."""
    first = chunks.first()
    names, block = _names(first), _checked(first, None, 0)
    about_zero = observations.is_sparse(block) or not block.shape[0] or not centred
    origin = np.zeros(block.shape[1]) if about_zero else block.mean(axis=0)
    del first, block
    total = _summed(chunks, "moments", partial(_block_moments, origin=origin, names=names))
    rows = int(total["rows"])
    if rows < 2 and centred:
        raise InputError(f"a covariance needs at least two observations, but there is {rows}")
    return Moments(rows, origin, total["sums"], total["squares"], names, centred)


def gram_matrix(chunks: Chunks, moments: Moments, kept: npt.NDArray[np.int64]) -> Array:
    """Read the data again and return the (p, p) covariance of the p variables kept."""
    total = _summed(chunks, "gram", partial(_block_gram, origin=moments.origin, kept=kept))
    if int(total["rows"]) != moments.rows:
        raise InputError(
            f"the second reading of the data gave {total['rows']} rows, but the first gave {moments.rows}: "
            "give a function that returns the same blocks each time"
        )
    centre = moments.centre[kept]
    gram = total["gram"] - moments.rows * np.outer(centre, centre)
    return np.asarray((gram + gram.T) / (2 * moments.degrees))


def _summed(chunks: Chunks, stage: str, work: Callable[[Numbered], dict[str, Any]]) -> dict[str, Any]:
    """Return the sums over all blocks of what `work` makes of each."""
    of = "" if chunks.count is None else f" of {chunks.count}"
    total: dict[str, Any] = {"rows": 0}
    for done, part in enumerate(ordered_map(work, enumerate(chunks.loaders())), start=1):
        total = {name: total.get(name, 0) + value for name, value in part.items()}
        say(f"{stage}: {done}{of} blocks", passing=True)
    return total


def _names(block: Block) -> tuple[str, ...] | None:
    """Return the names of the columns of a frame; None for any other block."""
    return tuple(map(observations.label_text, block.columns)) if hasattr(block, "columns") else None


def _block_moments(item: Numbered, origin: Array, names: tuple[str, ...] | None) -> dict[str, Any]:
    number, load = item
    loaded = load()
    block = _checked(loaded, origin.size, number)
    if _names(loaded) not in (None, names):
        raise InputError(f"the columns of block {number} are not named as those of the first block")
    if observations.is_sparse(block):
        sums = np.bincount(block.indices, block.data, origin.size)
        squares = np.bincount(block.indices, block.data**2, origin.size)
        if origin.any():
            raise InputError(f"block {number} is sparse but the first block is dense: use one kind for all")
    else:
        about = block - origin
        sums, squares = about.sum(axis=0), np.einsum("ti,ti->i", about, about)
    return {"rows": block.shape[0], "sums": sums, "squares": squares}


def _block_gram(item: Numbered, origin: Array, kept: npt.NDArray[np.int64]) -> dict[str, Any]:
    number, load = item
    block = _checked(load(), origin.size, number)[:, kept]
    about = block if observations.is_sparse(block) else block - origin[kept]
    gram = about.T @ about
    return {"rows": block.shape[0], "gram": gram.toarray() if observations.is_sparse(block) else gram}


def _checked(block: Block, n: int | None, number: int) -> Block:
    """Return a block as float64, CSR if sparse, or say what is wrong with it; n columns where that is known."""
    if getattr(block, "ndim", 0) != 2:
        raise InputError(f"block {number} is not a matrix with two dimensions")
    if n is not None and block.shape[1] != n:
        columns = counted(block.shape[1], "column")
        raise InputError(f"block {number} has {columns}, but the first block has {n}")
    what = f"block of rows {number}"
    if observations.is_sparse(block):
        observations.check_real(block, what)
        block = block.tocsr().astype(np.float64, copy=False)
    else:
        block = observations.real_array(block, what)
    observations.check_finite(block, what)
    return block
