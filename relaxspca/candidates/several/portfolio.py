"""Tables on disjoint supports: what is left over, cyclic improvement, exchanges."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator, Sequence

import numpy as np

from relaxspca.candidates.portfolio import auto
from relaxspca.candidates.several.best_so_far import Start, remember
from relaxspca.candidates.several.rotation import assigned, rotations
from relaxspca.candidates.several.swaps import exchanges
from relaxspca.candidates.several.table import CandidateTable
from relaxspca.problem.covariance import Covariance
from relaxspca.problem.node import Indices
from relaxspca.runtime.deadline import FOREVER, Deadline

__all__ = ["disjoint_table"]

ORDERS = 6  # in which components of different sizes are taken from what is left over
SMALL = 100  # variables up to which many rotations are tried
ROTATIONS = 8


def disjoint_table(
    cov: Covariance,
    sizes: Sequence[int],
    *,
    deadline: Deadline = FOREVER,
    seen: list[Start] | None = None,
) -> CandidateTable | None:
    """Return a table on disjoint supports: components of what is left over, improved until nothing moves.

    Parameters
    ----------
    cov : Covariance of n variables.
    sizes : cardinalities. Where they do not fit into n variables, the last ones are smaller.
    deadline : when to stop improving.
    seen : as in `seen.remember`.

    Returns
    -------
    CandidateTable or None
        None where there are more components than variables.

    Examples
    --------
    >>> import relaxspca as rs
    >>> round(disjoint_table(rs.datasets.load_pitprops(), [5, 2]).lower, 6)
    5.288155
    """
    if len(sizes) > cov.n:
        return None
    best: list[Indices] | None = None
    for start in _starts(cov, sizes, deadline):
        found = _cyclic(cov, start, deadline, seen)
        if best is None or _value(cov, found) > _value(cov, best):
            best = found
        if deadline.is_over:
            break
    assert best is not None
    return CandidateTable.on(cov, best)


def _starts(cov: Covariance, sizes: Sequence[int], deadline: Deadline) -> Iterator[list[Indices]]:
    """Yield disjoint supports: of rotated leading eigenvectors, and before, in time, of what is left over."""
    orders = _orders(sizes)
    for order in orders:
        found = _left_over(cov, _fitting(sizes, order, cov.n), order, deadline)
        if found is not None:
            yield found
    rng = np.random.default_rng(0)
    for loadings in rotations(cov, len(sizes), ROTATIONS if cov.n <= SMALL else 1, rng):
        yield assigned(loadings, _fitting(sizes, orders[0], cov.n))


def _orders(sizes: Sequence[int]) -> list[tuple[int, ...]]:
    """Return orders of the components that differ in their sizes."""
    seen: dict[tuple[int, ...], tuple[int, ...]] = {}
    for order in itertools.islice(itertools.permutations(range(len(sizes))), 720):
        seen.setdefault(tuple(sizes[t] for t in order), order)
    return list(seen.values())[:ORDERS]


def _fitting(sizes: Sequence[int], order: Sequence[int], n: int) -> list[int]:
    """Return sizes that fit into n variables, those that come late in the order smaller, all at least 1."""
    left, fitting = n, list(sizes)
    for place, t in enumerate(order):
        after = len(order) - place - 1
        fitting[t] = max(1, min(sizes[t], left - after))
        left -= fitting[t]
    return fitting


def _left_over(
    cov: Covariance, sizes: Sequence[int], order: Sequence[int], deadline: Deadline
) -> list[Indices] | None:
    supports: list[Indices] = [np.zeros(0, dtype=np.int64)] * len(sizes)
    for t in order:
        if deadline.is_over:
            return None
        supports[t] = _solved(cov, supports, [t], sizes)[0]
    return supports


def _solved(
    cov: Covariance, supports: Sequence[Indices], again: Sequence[int], sizes: Sequence[int]
) -> list[Indices]:
    """Return new supports for some components, one after another, from variables that no other uses."""
    used = [support for s, support in enumerate(supports) if s not in again]
    found: list[Indices] = []
    for t in again:
        taken = np.concatenate([*used, *found, np.zeros(0, dtype=np.int64)]).astype(np.int64)
        left = np.setdiff1d(np.arange(cov.n), taken)
        size = min(sizes[t], len(left))
        found.append(left[auto(cov.restrict(left), size).indices])
    return found


def _cyclic(
    cov: Covariance, supports: list[Indices], deadline: Deadline, seen: list[Start] | None
) -> list[Indices]:
    """Solve one component, then two, again beside the others, and exchange between two, until nothing moves."""
    sizes = [len(support) for support in supports]
    value = _value(cov, supports)
    r = len(supports)
    moves: list[Callable[[list[Indices]], list[Indices]]] = []

    def again(chosen: Sequence[int]) -> Callable[[list[Indices]], list[Indices]]:
        def move(now: list[Indices]) -> list[Indices]:
            new = list(now)
            for t, support in zip(chosen, _solved(cov, now, chosen, sizes), strict=True):
                new[t] = support
            return new

        return move

    moves += [again([t]) for t in range(r)]
    moves += [again(pair) for pair in itertools.permutations(range(r), 2)]
    pairs = itertools.combinations(range(r), 2)
    moves += [lambda now, s=s, t=t: _exchanged(cov, now, s, t) for s, t in pairs]  # type: ignore[misc]
    waiting, at, nothing = len(moves), 0, np.zeros((cov.n, r))
    remember(seen, value, supports, nothing)
    while waiting and not deadline.is_over:
        trial = moves[at](supports)
        new = _value(cov, trial)
        if new > value * (1 + 1e-12) if value > 0 else new > value:
            supports, value, waiting = trial, new, len(moves)
            remember(seen, value, supports, nothing)
        waiting -= 1
        at = (at + 1) % len(moves)
    return supports


def _exchanged(cov: Covariance, supports: list[Indices], s: int, t: int) -> list[Indices]:
    """Return the supports after the best exchange of a variable of one for one of another."""
    S, T = supports[s], supports[t]
    here = np.concatenate([S, T])
    Sigma = cov.submatrix(here)
    first, second = exchanges(np.arange(len(S)), np.arange(len(S), len(here)))
    worth = sum(
        np.linalg.eigvalsh(Sigma[some[:, :, None], some[:, None, :]])[:, -1] for some in (first, second)
    )
    best = int(np.argmax(worth))
    new = list(supports)
    new[s], new[t] = np.sort(here[first[best]]), np.sort(here[second[best]])
    return new


def _value(cov: Covariance, supports: Sequence[Indices]) -> float:
    return sum(float(np.linalg.eigvalsh(cov.submatrix(support))[-1]) for support in supports)
