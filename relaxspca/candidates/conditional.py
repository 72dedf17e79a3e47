"""Candidates that include and exclude given variables."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any

import numpy as np

from relaxspca.candidates.greedy import grow
from relaxspca.candidates.local_search import in_range, swap_until_best
from relaxspca.candidates.rows import EVALUATED, row_reader, support_values
from relaxspca.candidates.spectrum import leading_eigenpairs
from relaxspca.numerics.linalg import Array, Indices, spread
from relaxspca.problem.candidate import Candidate
from relaxspca.problem.conditions import Conditions
from relaxspca.problem.covariance import Covariance
from relaxspca.problem.gap import RELATIVE_WIDTH
from relaxspca.runtime.deadline import FOREVER, Deadline

PATIENCE = 5  # variables in a row that are not worth their penalty before greedy growth ends


def conditional(
    cov: Covariance, k: int, conditions: Conditions, method: Callable[..., Candidate], **options: Any
) -> Candidate:
    r"""Return a good component whose support T has :math:`J\subseteq T` and :math:`T\cap E=\emptyset`.

    The method, a function of a covariance, a cardinality and the options, sees the variables that are not
    excluded. With J the component is the best, after swaps of the other variables, of three supports: the
    method's with J in place of its smallest loadings, J with the largest entries of the leading eigenvector, J
    grown greedily.

    Examples
    --------
    >>> import relaxspca as rs
    >>> from relaxspca.candidates.portfolio import auto
    >>> cov = rs.datasets.load_pitprops()
    >>> conditional(cov, 3, Conditions(include=(4,), exclude=(0,)), auto).indices.tolist()
    [4, 5, 6]
    """
    if not conditions:
        return method(cov, k, **options)
    node = conditions.node(cov.n)
    allowed, inside, free = node.variables, node.inside, node.free
    block = cov.restrict(allowed.tolist()) if conditions.exclude else cov
    found = method(block, k, **options)
    support = allowed[found.indices]
    if not conditions.include:
        return Candidate.from_support(cov, support, method=found.method)
    weights = (found.loadings, leading_eigenpairs(block, 1)[1][:, 0])
    starts = [_completed(inside, free, spread(np.abs(x), allowed, cov.n), k) for x in weights]
    deadline = options.get("deadline", FOREVER)
    may_enter = np.isin(np.arange(cov.n), free)
    starts += [*grow(row_reader(cov), cov.diagonal, inside[None], k, free=may_enter, deadline=deadline)]
    swapped_starts = np.array([swapped(cov, start, conditions, deadline) for start in starts])
    values = support_values(row_reader(cov), swapped_starts)
    best = swapped_starts[int(np.argmax(values))]
    return Candidate.from_support(cov, best, method=found.method)


def padded(cov: Covariance, k: int, component: Candidate, conditions: Conditions) -> Candidate:
    """Return a component of k variables; one with fewer is padded by the allowed ones of largest variance.

    Examples
    --------
    >>> cov = Covariance([[3.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 2.0]])
    >>> padded(cov, 2, Candidate.from_support(cov, [0]), Conditions()).indices.tolist()
    [0, 2]
    """
    if component.k >= k:
        return component
    free = np.setdiff1d(conditions.node(cov.n).free, component.indices)
    support = _completed(component.indices, free, cov.diagonal, k)
    return Candidate.from_support(cov, support, method=component.method)


def swapped(cov: Covariance, support: Indices, conditions: Conditions, deadline: Deadline = FOREVER) -> Indices:
    """Return the support that best swaps reach from a support; all meet the conditions."""
    free = np.isin(np.arange(cov.n), conditions.node(cov.n).free)
    return swap_until_best(row_reader(cov), cov.diagonal, support, free=free, deadline=deadline)


def best_exchange(cov: Covariance, support: Indices, conditions: Conditions) -> Indices | None:
    """Return the best support one exchange away that meets the conditions; None if there is none.

    Examples
    --------
    >>> cov = Covariance([[3.0, 1.0, 0.0], [1.0, 2.0, 0.5], [0.0, 0.5, 1.0]])
    >>> best_exchange(cov, np.array([0, 1]), Conditions()).tolist()
    [0, 2]
    """
    free = conditions.node(cov.n).free
    allowed = np.isin(np.arange(cov.n), np.setdiff1d(free, support))
    leaving = np.flatnonzero(np.isin(support, free))
    if not len(leaving) or not allowed.any():
        return None
    if len(support) == 1:
        return np.array([np.argmax(np.where(allowed, cov.diagonal, -np.inf))])
    read_rows = row_reader(cov)
    rests = np.array([np.delete(support, place) for place in leaving])
    trials = grow(read_rows, cov.diagonal, rests, len(support), free=allowed)
    return np.asarray(trials[int(np.argmax(support_values(read_rows, trials)))])


def grown_from(cov: Covariance, include: Iterable[int], most: int, rho: float) -> Iterator[Candidate]:
    """Yield components grown greedily from given variables, until several in a row do not pay rho each."""
    conditions = Conditions(include=tuple(sorted(int(i) for i in include)))
    node = conditions.node(cov.n)
    read_rows, diagonal = in_range(row_reader(cov), cov.diagonal)
    support, free = node.inside, np.isin(np.arange(cov.n), node.free)
    best, losses = -np.inf, 0
    for size in range(len(support), most + 1):
        support = grow(read_rows, diagonal, support[None], size, free=free)[0]
        found = Candidate.from_support(cov, support, method="greedy")
        worth = found.value - rho * found.k
        yield found
        best, losses = max(best, worth), 0 if worth > best else losses + 1
        if losses > PATIENCE:
            return


def tied_exchanges(cov: Covariance, best: Candidate, conditions: Conditions) -> tuple[tuple[str, ...], ...]:
    """Return the supports one exchange away whose value equals that of a component, to a relative 1e-9.

    With more than a few hundred exchanges nothing is examined and the result is empty.

    Examples
    --------
    >>> cov = Covariance([[1.0, 0.5, 0.5], [0.5, 1.0, 0.5], [0.5, 0.5, 1.0]])
    >>> tied_exchanges(cov, Candidate.from_support(cov, [0, 1]), Conditions())
    (('x1', 'x2'), ('x0', 'x2'))
    """
    free = conditions.node(cov.n).free
    leaving, entering = np.flatnonzero(np.isin(best.indices, free)), np.setdiff1d(free, best.indices)
    count = len(leaving) * len(entering)
    if not 0 < count <= EVALUATED:
        return ()
    supports = np.repeat(best.indices[None], count, axis=0)
    supports[np.arange(count), np.repeat(leaving, len(entering))] = np.tile(entering, len(leaving))
    supports = np.sort(supports, axis=1)
    values = support_values(row_reader(cov), supports)
    tied = supports[values >= best.value - RELATIVE_WIDTH * abs(best.value)]
    return tuple(tuple(cov.names[i] for i in support) for support in tied)


def _completed(inside: Indices, free: Indices, parts: Array, k: int) -> Indices:
    """Return k variables: those inside and the free ones of largest `parts`."""
    order = free[np.argsort(-parts[free], kind="stable")]
    return np.sort(np.concatenate([inside, order[: k - len(inside)]]))
