"""Components that share blocks of variables, each block used by several of them."""

from __future__ import annotations

import itertools
from collections.abc import Sequence

import numpy as np

from relaxspca.candidates.several.candidate_set import CandidateSet
from relaxspca.candidates.several.rotation import STARTS, assigned, exchanges, rotations
from relaxspca.numerics.linalg import Array
from relaxspca.problem.covariance import Covariance
from relaxspca.problem.node import Indices
from relaxspca.runtime.deadline import FOREVER, Deadline


def block_set(cov: Covariance, sizes: Sequence[int], *, deadline: Deadline = FOREVER) -> CandidateSet | None:
    """Return eigenvectors of disjoint blocks of variables, those of the largest eigenvalues.

    Two eigenvectors of a block use the same variables, two of different blocks share none: they are orthogonal
    whatever the matrix is. Where components are many, that is nearly as good as any table. No block is larger
    than the smallest size. Variables of two blocks are exchanged while the sum of the eigenvalues grows. None
    where there are more components than variables.

    Examples
    --------
    >>> import relaxspca as rs
    >>> round(block_set(rs.datasets.load_pitprops(), [4] * 10).lower, 2)
    12.85
    """
    r, size = len(sizes), min(sizes)
    if r > cov.n:
        return None
    lengths = [min(size, cov.n - at) for at in range(0, cov.n, size)]
    best: list[Indices] | None = None
    for loadings in rotations(cov, len(lengths), STARTS):
        blocks = _exchanged(cov, assigned(loadings, lengths), r, deadline)
        if best is None or _explained(cov, blocks, r) > _explained(cov, best, r):
            best = blocks
        if deadline.is_over:
            break
    assert best is not None
    supports, X = _leading(cov, best, r)
    return CandidateSet.of(cov, supports, np.arange(cov.n), X)


def _exchanged(cov: Covariance, blocks: list[Indices], r: int, deadline: Deadline) -> list[Indices]:
    """Exchange variables of two blocks, the best pair at a time, while the sum of the eigenvalues grows."""
    pairs = list(itertools.combinations(range(len(blocks)), 2))
    value, waiting, at = _explained(cov, blocks, r), len(pairs), 0
    while waiting and not deadline.is_over:
        a, b = pairs[at]
        rest = np.concatenate(
            [np.zeros(0), *(_eigenvalues(cov, block) for c, block in enumerate(blocks) if c not in (a, b))]
        )
        first, second = exchanges(blocks[a], blocks[b])
        of_both = [_eigenvalues(cov, first), _eigenvalues(cov, second), np.tile(rest, (len(first), 1))]
        sums = np.sort(np.concatenate(of_both, axis=1), axis=1)[:, -r:].sum(axis=1)
        best = int(np.argmax(sums))
        if sums[best] > value + 1e-12 * abs(value):
            blocks[a], blocks[b], value, waiting = first[best], second[best], float(sums[best]), len(pairs)
        waiting, at = waiting - 1, (at + 1) % len(pairs)
    return blocks


def _explained(cov: Covariance, blocks: Sequence[Indices], r: int) -> float:
    return float(np.sort(np.concatenate([_eigenvalues(cov, block) for block in blocks]))[-r:].sum())


def _eigenvalues(cov: Covariance, blocks: Indices) -> Array:
    """Return the eigenvalues of a block, or of one in each row."""
    return np.asarray(np.linalg.eigvalsh(cov.matrix[blocks[..., :, None], blocks[..., None, :]]))


def _leading(cov: Covariance, blocks: Sequence[Indices], r: int) -> tuple[tuple[Indices, ...], Array]:
    """Return the supports and vectors of the r largest eigenvalues of all blocks."""
    found: list[tuple[float, Indices, Array]] = []
    for block in map(np.sort, blocks):
        values, vectors = np.linalg.eigh(cov.submatrix(block))
        found += [(value, block, x) for value, x in zip(values.tolist(), vectors.T, strict=True)]
    found = sorted(found, key=lambda triple: -triple[0])[:r]
    X = np.zeros((cov.n, r))
    for t, (_, block, x) in enumerate(found):
        X[block, t] = x
    return tuple(block for _, block, _ in found), X
