"""Components on disjoint supports: one after another, then cyclic improvement and exchanges."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence

import numpy as np

from relaxspca.candidates.portfolio import auto
from relaxspca.candidates.several.candidate_set import CandidateSet
from relaxspca.candidates.several.rotation import STARTS, assigned, exchanges, rotations
from relaxspca.numerics.linalg import FEW
from relaxspca.problem.covariance import Covariance
from relaxspca.problem.node import Indices
from relaxspca.runtime.deadline import FOREVER, Deadline


def disjoint_set(
    cov: Covariance,
    sizes: Sequence[int],
    *,
    deadline: Deadline = FOREVER,
) -> CandidateSet | None:
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
    best: list[Indices] | None = None
    for start in _starts(cov, sizes, deadline):
        found = _cyclic(cov, start, deadline)
        if best is None or _value(cov, found) > _value(cov, best):
            best = found
        if deadline.is_over:
            break
    assert best is not None
    return CandidateSet.on(cov, best)


def _starts(cov: Covariance, sizes: Sequence[int], deadline: Deadline) -> Iterator[list[Indices]]:
    """Yield disjoint supports: of rotated leading eigenvectors, and before, in time, of what is left over."""
    orders = _orders(sizes)
    for order in orders:
        found = _left_over(cov, _fitting(sizes, order, cov.n), order, deadline)
        if found is not None:
            yield found
    for loadings in rotations(cov, len(sizes), STARTS if cov.n * len(sizes) <= FEW else 1):
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


def _left_over(
    cov: Covariance, sizes: Sequence[int], order: Sequence[int], deadline: Deadline
) -> list[Indices] | None:
    supports: list[Indices] = [np.zeros(0, dtype=np.int64)] * len(sizes)
    for t in order:
        if deadline.is_over:
            return None
        supports = _solved(cov, supports, sizes, [t])
    return supports


def _solved(
    cov: Covariance, supports: Sequence[Indices], sizes: Sequence[int], again: Sequence[int]
) -> list[Indices]:
    """Return the supports with those of some components new, one after another, beside all the others."""
    found = [support[:0] if t in again else support for t, support in enumerate(supports)]
    for t in again:
        left = np.setdiff1d(np.arange(cov.n), np.concatenate(found))
        found[t] = left[auto(cov.restrict(left), min(sizes[t], len(left))).indices]
    return found


def _cyclic(cov: Covariance, supports: list[Indices], deadline: Deadline) -> list[Indices]:
    """Solve one component, then two, again beside the others, and exchange between two, until nothing moves."""
    sizes, r = [len(support) for support in supports], len(supports)
    again = [*((t,) for t in range(r)), *itertools.permutations(range(r), 2)]
    moves = [*again, *itertools.combinations(range(r), 2)]
    value, is_better = _value(cov, supports), True
    while is_better:
        is_better = False
        for at, chosen in enumerate(moves):
            if deadline.is_over:
                return supports
            is_exchange = at >= len(again)
            trial = _exchanged(cov, supports, *chosen) if is_exchange else _solved(cov, supports, sizes, chosen)
            new = _value(cov, trial)
            if new > value + 1e-12 * abs(value):
                supports, value, is_better = trial, new, True
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
