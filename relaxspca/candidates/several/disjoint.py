"""Components on disjoint supports or blocks: from rotated eigenvectors or what is left over, then exchanges."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator, Sequence
from functools import partial

import numpy as np

from relaxspca.candidates.portfolio import auto
from relaxspca.candidates.several.candidate_set import CandidateSet
from relaxspca.candidates.spectrum import leading_eigenpairs
from relaxspca.numerics.linalg import FEW, Array, Indices
from relaxspca.problem.covariance import Covariance
from relaxspca.problem.gap import RELATIVE_WIDTH
from relaxspca.runtime.deadline import FOREVER, Deadline

Move = Callable[[list[Indices]], list[Indices]]

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
    return CandidateSet.on(cov, _best(cov, None, starts, deadline))


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
    moves = [partial(_exchanged, cov, r, pair) for pair in itertools.combinations(range(len(lengths)), 2)]
    best = _best(cov, r, (_climbed(cov, r, start, moves, deadline) for start in starts), deadline)
    return CandidateSet.of(cov, *_leading(cov, best, r))


def _best(cov: Covariance, r: int | None, found: Iterator[list[Indices]], deadline: Deadline) -> list[Indices]:
    """Return the best of several, one at least, that are found by the deadline; r is as in `_explained`."""
    best = next(found)
    while not deadline.is_over and (other := next(found, None)) is not None:
        best = max(best, other, key=lambda blocks: _explained(cov, r, blocks))
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
            yield _solved(solve, _fitting(sizes, order, cov.n), order, [np.arange(0)] * len(sizes))
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
    solve: _Remembered, sizes: Sequence[int], again: Sequence[int], supports: Sequence[Indices]
) -> list[Indices]:
    """Return the supports with those of some components new, one after another, beside all the others."""
    found = [support[:0] if t in again else support for t, support in enumerate(supports)]
    for t in again:
        found[t] = solve(np.setdiff1d(np.arange(solve.cov.n), np.concatenate(found)), sizes[t])
    return found


def _cyclic(cov: Covariance, supports: list[Indices], solve: _Remembered) -> list[Indices]:
    """Solve one component, then two, again beside the others, and exchange between two, until nothing moves."""
    sizes, parts = [len(support) for support in supports], range(len(supports))
    again = [*((t,) for t in parts), *itertools.permutations(parts, 2)]
    moves = [partial(_solved, solve, sizes, some) for some in again]
    moves += [partial(_exchanged, cov, None, pair) for pair in itertools.combinations(parts, 2)]
    return _climbed(cov, None, supports, moves, solve.deadline)


def _climbed(
    cov: Covariance, r: int | None, found: list[Indices], moves: Sequence[Move], deadline: Deadline
) -> list[Indices]:
    """Make one move after another, in turn, as long as one of them helps; r is as in `_explained`."""
    best, at, waiting = _explained(cov, r, found), 0, len(moves)
    while waiting and not deadline.is_over:
        trial = moves[at](found)
        new = _explained(cov, r, trial)
        at, waiting = (at + 1) % len(moves), waiting - 1
        if new > best + RELATIVE_WIDTH * abs(best):
            found, best, waiting = trial, new, len(moves)
    return found


def _exchanged(cov: Covariance, r: int | None, pair: Sequence[int], blocks: list[Indices]) -> list[Indices]:
    """Return blocks after the best exchange between two of them; r is as in `_explained`."""
    s, t = pair
    here, size = np.concatenate([blocks[s], blocks[t]]), len(blocks[s])
    Sigma = cov.submatrix(here)
    first, second = exchanges(np.arange(size), np.arange(size, len(here)))
    both = _eigenvalues(Sigma, first), _eigenvalues(Sigma, second)
    if r is None:
        worth = both[0][:, -1] + both[1][:, -1]
    else:
        rest = [np.linalg.eigvalsh(cov.submatrix(block)) for c, block in enumerate(blocks) if c not in pair]
        others = np.tile(np.concatenate([np.zeros(0), *rest]), (len(first), 1))
        worth = np.sort(np.concatenate([*both, others], axis=1), axis=1)[:, -r:].sum(axis=1)
    best, new = int(np.argmax(worth)), list(blocks)
    new[s], new[t] = np.sort(here[first[best]]), np.sort(here[second[best]])
    return new


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
    """Return the eigenvalues of blocks, one in each row."""
    return np.asarray(np.linalg.eigvalsh(Sigma[blocks[:, :, None], blocks[:, None, :]]))


def _explained(cov: Covariance, r: int | None, blocks: Sequence[Indices]) -> float:
    """Return the sum of the r largest eigenvalues of all blocks; None is for the largest of each block."""
    values = [np.linalg.eigvalsh(cov.submatrix(block)) for block in blocks]
    leading = [own[-1] for own in values] if r is None else np.sort(np.concatenate(values))[-r:]
    return float(sum(leading))


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
