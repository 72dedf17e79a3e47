"""Searches for one cardinality after another, each starting from what the one before found."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import numpy as np

from relaxspca.candidates import candidate
from relaxspca.candidates.local_search import local_search
from relaxspca.certificate import Certificate, WeightsPoint
from relaxspca.numerics.linalg import Array
from relaxspca.problem.candidate import Candidate
from relaxspca.problem.conditions import NONE, Conditions
from relaxspca.problem.covariance import Covariance
from relaxspca.results.result import Result
from relaxspca.runtime.deadline import FOREVER, Deadline
from relaxspca.runtime.interrupt import until_interrupted
from relaxspca.runtime.progress import followed
from relaxspca.tasks.solve import solve

__all__ = ["grown", "solve_each"]


def solve_each(
    cov: Covariance,
    cardinalities: Sequence[int],
    *,
    gap: float = 0.0,
    deadline: Deadline = FOREVER,
    rng: np.random.Generator | None = None,
    conditions: Conditions = NONE,
) -> dict[int, Result]:
    """Search every cardinality, in ascending order.

    Parameters
    ----------
    cov : Covariance of n variables.
    cardinalities : 1 to n, in any order.
    gap : relative gap at which a search stops.
    deadline : when to stop; every search may use an equal share of what is left.
    rng : source of randomness for the candidates; None is a fixed seed.
    conditions : which supports are searched.

    Returns
    -------
    dict of Result by cardinality
        Ctrl-C ends it: the last result has then the status "interrupted", or the last ones are missing.

    Examples
    --------
    >>> import relaxspca as rs
    >>> found = solve_each(rs.datasets.load_pitprops(), [4, 2])
    >>> [(k, found[k].status) for k in found]
    [(2, 'optimal'), (4, 'optimal')]
    """
    order = sorted(set(cardinalities))
    results, _ = until_interrupted(_each(cov, order, gap, deadline, rng, conditions))
    return dict(zip(order, results, strict=False))


def _each(
    cov: Covariance,
    order: Sequence[int],
    gap: float,
    deadline: Deadline,
    rng: np.random.Generator | None,
    conditions: Conditions,
) -> Iterator[Result]:
    best: Candidate | None = None
    weights: Array | None = None
    for done, k in enumerate(followed(order, "row")):
        scope: dict[str, Any] = {}
        if conditions:
            scope = {"include": list(conditions.include), "exclude": list(conditions.exclude)}
        starts = [candidate(cov, k, rng=rng, **scope)]
        if best is not None and not conditions:
            starts.append(local_search(cov, k, start=np.array(grown(cov, best.indices, k))))
        found = solve(
            cov,
            k,
            gap=gap,
            start=max(starts, key=lambda c: c.value),
            weights=weights,
            **scope,
            time_limit=deadline.share(len(order) - done),
        )
        yield found
        if found.status == "interrupted":
            return
        best, weights = found.candidate, _weights(found.certificate, cov.n)


def _weights(certificate: Certificate, n: int) -> Array | None:
    """Return the weights of row sums over all n variables that a certificate holds, if it does."""
    points = (p for p in certificate.points if isinstance(p, WeightsPoint) and p.weights.size == n)
    return next((point.weights for point in points), None)


def grown(cov: Covariance, support: Iterable[int], k: int) -> list[int]:
    """Return a support enlarged to k variables, each time by the one that adds most variance.

    Examples
    --------
    >>> import relaxspca as rs
    >>> grown(rs.datasets.load_pitprops(), [0, 1], 4)
    [0, 1, 8, 9]
    """
    chosen = sorted(int(i) for i in support)
    while len(chosen) < k:
        others = np.setdiff1d(np.arange(cov.n), chosen)
        block = cov.submatrix(np.array(chosen))
        stack = np.empty((len(others), len(chosen) + 1, len(chosen) + 1))
        stack[:, :-1, :-1] = block
        columns = np.array([cov.column(i)[others] for i in chosen])
        stack[:, :-1, -1] = stack[:, -1, :-1] = columns.T
        stack[:, -1, -1] = cov.diagonal[others]
        chosen = sorted([*chosen, int(others[np.argmax(np.linalg.eigvalsh(stack)[:, -1])])])
    return chosen
