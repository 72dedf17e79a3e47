"""A set of components to begin a search with."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from relaxspca.candidates.several.candidate_set import CandidateSet
from relaxspca.candidates.several.common import common_set, on_common
from relaxspca.candidates.several.disjoint import block_set, disjoint_set
from relaxspca.candidates.several.local_search import overlapping_set
from relaxspca.problem.covariance import Covariance
from relaxspca.relaxations.several.shape import Shape
from relaxspca.runtime.deadline import Deadline
from relaxspca.runtime.task_queue import PATIENCE


def first_set(cov: Covariance, shape: Shape, deadline: Deadline) -> CandidateSet:
    """Return components to begin with: on disjoint supports, and if supports may overlap on such ones too."""
    if shape.forced:
        return _with_forced(cov, shape, deadline)
    if shape.is_common:
        common = common_set(cov, shape.sizes[0], shape.copies, deadline=deadline)
        assert common is not None
        return common
    if len(shape.sizes) == cov.n:  # any orthonormal basis explains the trace
        return single_variables(cov, shape)
    # The local search comes first, with half of the time; disjoint supports have what is left of it all.
    is_free = not shape.is_disjoint and len(shape.sizes) > 1
    half = deadline.part(2)
    found = []
    if is_free and sum(shape.sizes) > cov.n:  # disjoint supports would have to be smaller
        found.append(block_set(cov, shape.sizes, deadline=half))
    if is_free:
        found.append(overlapping_set(cov, shape.sizes, deadline=half))
    apart = disjoint_set(cov, shape.sizes, deadline=deadline)
    tables = [table for table in (*found, apart) if table is not None]
    return max(tables, key=lambda table: table.lower)


def _with_forced(cov: Covariance, shape: Shape, deadline: Deadline) -> CandidateSet:
    """Return components that include what is forced: those found without, repaired, or single variables."""
    free = first_set(cov, replace(shape, forced=()), deadline)
    supports, every = [], {i for J in shape.forced for i in J}
    for t, (size, J) in enumerate(zip(shape.sizes, shape.forced, strict=True)):
        barred = every if shape.is_disjoint else {*J}
        ranked = np.argsort(-np.abs(free.loadings[:, t]), kind="stable").tolist()
        others = [i for i in ranked if i not in barred and free.loadings[i, t]]
        supports.append([*J, *others[: size - len(J)]])
    # What is forced into one component may be all that another has without it.
    found = CandidateSet.on(cov, supports) if all(supports) else None
    single = single_variables(cov, shape)
    is_better = found is not None and shape.takes(found.order) and found.lower > single.lower
    return found if found is not None and is_better else single


def single_set(cov: Covariance, shape: Shape) -> CandidateSet | None:
    """Return the best components of one variable each, all different; None if none are orthogonal (Hall).

    Examples
    --------
    >>> import relaxspca as rs
    >>> cov = rs.datasets.load_pitprops()
    >>> single_set(cov, Shape((1, 1), forced=((0,), (0,)))) is None
    True
    """
    from scipy.optimize import linear_sum_assignment

    forced = shape.forced or ((),) * len(shape.sizes)
    every = [i for J in forced for i in J]
    worth = np.tile(cov.diagonal, (len(shape.sizes), 1))
    for t, (size, J) in enumerate(zip(shape.sizes, forced, strict=True)):
        is_barred = np.full(cov.n, len(J) == size)
        is_barred[every] |= shape.is_disjoint
        is_barred[list(J)] = False
        worth[t, is_barred] = -np.inf
    try:
        chosen = linear_sum_assignment(worth, maximize=True)[1]
    except ValueError:
        return None
    return CandidateSet.on(cov, [[int(i)] for i in chosen])


def set_at_once(cov: Covariance, shape: Shape, found: CandidateSet | None = None) -> CandidateSet:
    """Return quick components, for work that was stopped before it had any, or those found, if better."""
    tables = [] if found is None or shape.forced else [found]
    try:
        tables.append(first_set(cov, shape, Deadline.after(PATIENCE)))
    except KeyboardInterrupt:
        tables.append(single_variables(cov, shape))
    return max(tables, key=lambda table: table.lower)


def single_variables(cov: Covariance, shape: Shape) -> CandidateSet:
    """Return components of one variable each, those of largest variance."""
    if shape.is_common:
        largest = np.argsort(-cov.diagonal, kind="stable")[: shape.sizes[0]]
        table = on_common(cov, np.sort(largest), shape.copies)
    else:
        table = single_set(cov, shape)
    assert table is not None  # that there are such components was asked before
    return table
