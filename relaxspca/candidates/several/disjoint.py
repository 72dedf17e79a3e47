"""Components on disjoint supports or blocks: from rotated eigenvectors or what is left over, then exchanges."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator, Sequence

import numpy as np

from relaxspca.candidates.portfolio import auto
from relaxspca.candidates.several.candidate_set import CandidateSet
from relaxspca.candidates.spectrum import leading_eigenpairs
from relaxspca.numerics.linalg import FEW, Array, Indices
from relaxspca.problem.covariance import Covariance
from relaxspca.problem.gap import RELATIVE_WIDTH
from relaxspca.runtime.deadline import FOREVER, Deadline

STARTS = 8  # rotations that are tried, or orders of components of different sizes


def disjoint_set(cov: Covariance, sizes: Sequence[int], *, deadline: Deadline = FOREVER) -> CandidateSet | None:
    """Return components on disjoint supports: found one after another, improved until nothing moves.

    Without time nothing is improved. Where sizes do not fit into n variables, the last ones are smaller; None
    if there are more components than variables.

    Examples
    --------
    >>> import relaxspca as rs
    >>> round(disjoint_set(rs.datasets.load_pitprops(), [5, 2]).lower, 6)
    5.288155
    """
    if len(sizes) > cov.n:
        return None
    solve = _Remembered(cov, deadline)
    starts = (_cyclic(cov, start, solve) for start in _starts(cov, sizes, solve))
    return CandidateSet.on(cov, _best(starts, lambda supports: _value(cov, supports), deadline))


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
    starts = (assigned(loadings, lengths) for loadings in _rotations(cov, len(lengths), STARTS))
    blocks = (_exchanged_blocks(cov, start, r, deadline) for start in starts)
    best = _best(blocks, lambda some: _explained(cov, some, r), deadline)
    return CandidateSet.of(cov, *_leading(cov, best, r))


def _best(
    found: Iterator[list[Indices]], value: Callable[[list[Indices]], float], deadline: Deadline
) -> list[Indices]:
    """Return the best of several, one at least, that are found by the deadline."""
    best = next(found)
    while not deadline.is_over and (other := next(found, None)) is not None:
        best = other if value(other) > value(best) else best
    return best


class _Remembered:
    """The best supports found among some variables; most are asked for again and again."""

    def __init__(self, cov: Covariance, deadline: Deadline) -> None:
        self.cov, self.deadline = cov, deadline
        self._known: dict[tuple[bytes, int], Indices] = {}

    def __call__(self, among: Indices, size: int) -> Indices:
        """Return the support of so many of these variables, or of all where these are fewer."""
        key = among.tobytes(), size
        if key not in self._known:
            best = auto(self.cov.restrict(among), min(size, len(among)), deadline=self.deadline)
            self._known[key] = among[best.indices]
        return self._known[key]


def _starts(cov: Covariance, sizes: Sequence[int], solve: _Remembered) -> Iterator[list[Indices]]:
    """Yield disjoint supports: of rotated leading eigenvectors, and before, in time, of what is left over."""
    orders = _orders(sizes)
    for order in orders:
        if not solve.deadline.is_over:
            yield _solved(solve, [np.arange(0)] * len(sizes), _fitting(sizes, order, cov.n), order)
    for loadings in _rotations(cov, len(sizes), STARTS if cov.n * len(sizes) <= FEW else 1):
        yield assigned(loadings, _fitting(sizes, orders[0], cov.n))


def _orders(sizes: Sequence[int]) -> list[tuple[int, ...]]:
    """Return orders of the components that differ in their sizes."""
    seen: dict[tuple[int, ...], tuple[int, ...]] = {}
    for order in itertools.islice(itertools.permutations(range(len(sizes))), 720):
        seen.setdefault(tuple(sizes[t] for t in order), order)
    return list(seen.values())[:STARTS]


def _fitting(sizes: Sequence[int], order: Sequence[int], n: int) -> list[int]:
    """Return sizes that fit into n variables, those that come late in the order smaller, all at least 1."""
    left, fitting = n, list(sizes)
    for place, t in enumerate(order):
        after = len(order) - place - 1
        fitting[t] = max(1, min(sizes[t], left - after))
        left -= fitting[t]
    return fitting


def _rotations(cov: Covariance, r: int, count: int) -> Iterator[Array]:
    """Yield (n, r) random rotations of the r leading eigenvectors, scaled by their variances."""
    (values, vectors), rng = leading_eigenpairs(cov, r), np.random.default_rng(0)
    loadings = vectors * np.sqrt(np.maximum(values, 0.0))
    for _ in range(count):
        yield loadings @ np.linalg.qr(rng.normal(size=(loadings.shape[1],) * 2))[0]


def assigned(loadings: Array, sizes: Sequence[int]) -> list[Indices]:
    """Return disjoint supports of given sizes: the largest loading that fits is taken first.

    Examples
    --------
    >>> [s.tolist() for s in assigned(np.array([[3.0, 2.0], [1.0, 2.5], [0.5, 0.1]]), [2, 1])]
    [[0, 2], [1]]
    """
    supports: list[list[int]] = [[] for _ in sizes]
    used: set[int] = set()
    for at in np.argsort(-np.abs(loadings), axis=None, kind="stable"):
        i, t = divmod(int(at), loadings.shape[1])
        if i not in used and len(supports[t]) < sizes[t]:
            supports[t].append(i)
            used.add(i)
    return [np.array(sorted(support), dtype=np.int64) for support in supports]


def _solved(
    solve: _Remembered, supports: Sequence[Indices], sizes: Sequence[int], again: Sequence[int]
) -> list[Indices]:
    """Return the supports with those of some components new, one after another, beside all the others."""
    found = [support[:0] if t in again else support for t, support in enumerate(supports)]
    for t in again:
        found[t] = solve(np.setdiff1d(np.arange(solve.cov.n), np.concatenate(found)), sizes[t])
    return found


def _cyclic(cov: Covariance, supports: list[Indices], solve: _Remembered) -> list[Indices]:
    """Solve one component, then two, again beside the others, and exchange between two, until nothing moves."""
    sizes, r = [len(support) for support in supports], len(supports)
    again = [*((t,) for t in range(r)), *itertools.permutations(range(r), 2)]
    moves = [*again, *itertools.combinations(range(r), 2)]
    value, is_better = _value(cov, supports), True
    while is_better:
        is_better = False
        for at, chosen in enumerate(moves):
            if solve.deadline.is_over:
                return supports
            if at < len(again):
                trial = _solved(solve, supports, sizes, chosen)
            else:
                trial = _exchanged(cov, supports, chosen)
            new = _value(cov, trial)
            if new > value + RELATIVE_WIDTH * abs(value):
                supports, value, is_better = trial, new, True
    return supports


def _exchanged(cov: Covariance, supports: list[Indices], pair: Sequence[int]) -> list[Indices]:
    """Return the supports after the best exchange of a variable of one for one of another."""
    s, t = pair
    here, size = np.concatenate([supports[s], supports[t]]), len(supports[s])
    Sigma = cov.submatrix(here)
    first, second = exchanges(np.arange(size), np.arange(size, len(here)))
    best = int(np.argmax(_eigenvalues(Sigma, first)[:, -1] + _eigenvalues(Sigma, second)[:, -1]))
    new = list(supports)
    new[s], new[t] = np.sort(here[first[best]]), np.sort(here[second[best]])
    return new


def _exchanged_blocks(cov: Covariance, blocks: list[Indices], r: int, deadline: Deadline) -> list[Indices]:
    """Exchange variables of two blocks, the best pair at a time, while the sum of the eigenvalues grows."""
    Sigma, pairs = cov.matrix, list(itertools.combinations(range(len(blocks)), 2))
    value, waiting, at = _explained(cov, blocks, r), len(pairs), 0
    while waiting and not deadline.is_over:
        a, b = pairs[at]
        rest = [np.zeros(0), *(_eigenvalues(Sigma, block) for c, block in enumerate(blocks) if c not in (a, b))]
        first, second = exchanges(blocks[a], blocks[b])
        others = np.tile(np.concatenate(rest), (len(first), 1))
        of_all = np.concatenate([_eigenvalues(Sigma, first), _eigenvalues(Sigma, second), others], axis=1)
        sums = np.sort(of_all, axis=1)[:, -r:].sum(axis=1)
        best = int(np.argmax(sums))
        if sums[best] > value + RELATIVE_WIDTH * abs(value):
            blocks[a], blocks[b], value, waiting = first[best], second[best], float(sums[best]), len(pairs)
        waiting, at = waiting - 1, (at + 1) % len(pairs)
    return blocks


def exchanges(S: Indices, T: Indices) -> tuple[Indices, Indices]:
    """Return two disjoint supports after each exchange of a variable of one for one of the other, a row each.

    Examples
    --------
    >>> [some.tolist() for some in exchanges(np.array([0, 1]), np.array([2]))]
    [[[2, 1], [0, 2]], [[0], [1]]]
    """
    a, b = len(S), len(T)
    first, second = np.tile(S, (a, b, 1)), np.tile(T, (a, b, 1))
    first[np.arange(a), :, np.arange(a)] = T
    second[:, np.arange(b), np.arange(b)] = S[:, None]
    return first.reshape(a * b, a), second.reshape(a * b, b)


def _eigenvalues(Sigma: Array, blocks: Indices) -> Array:
    """Return the eigenvalues of a block, or of one in each row."""
    return np.asarray(np.linalg.eigvalsh(Sigma[blocks[..., :, None], blocks[..., None, :]]))


def _value(cov: Covariance, supports: Sequence[Indices]) -> float:
    return sum(float(np.linalg.eigvalsh(cov.submatrix(support))[-1]) for support in supports)


def _explained(cov: Covariance, blocks: Sequence[Indices], r: int) -> float:
    return float(np.sort(np.concatenate([_eigenvalues(cov.matrix, block) for block in blocks]))[-r:].sum())


def _leading(cov: Covariance, blocks: Sequence[Indices], r: int) -> tuple[tuple[Indices, ...], Indices, Array]:
    """Return the supports of the r largest eigenvalues of all blocks, all variables, and the vectors."""
    found: list[tuple[float, Indices, Array]] = []
    for block in map(np.sort, blocks):
        values, vectors = np.linalg.eigh(cov.submatrix(block))
        found += [(value, block, x) for value, x in zip(values.tolist(), vectors.T, strict=True)]
    found = sorted(found, key=lambda triple: -triple[0])[:r]
    X = np.zeros((cov.n, r))
    for t, (_, block, x) in enumerate(found):
        X[block, t] = x
    return tuple(block for _, block, _ in found), np.arange(cov.n), X
