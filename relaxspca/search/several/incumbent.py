"""A table of components to begin a search with."""

from __future__ import annotations

import numpy as np

from relaxspca.candidates.several.blocks import block_table
from relaxspca.candidates.several.common import common_table, on_common
from relaxspca.candidates.several.local_search import overlapping_table
from relaxspca.candidates.several.portfolio import disjoint_table
from relaxspca.candidates.several.table import CandidateTable
from relaxspca.problem.covariance import Covariance
from relaxspca.relaxations.several.shape import Shape
from relaxspca.runtime.deadline import Deadline

__all__ = ["first_table", "table_at_once"]

QUICK = 1.0  # seconds for a table after Ctrl-C


def first_table(cov: Covariance, shape: Shape, deadline: Deadline) -> CandidateTable:
    """Return a table to begin with: on disjoint supports, and where they may overlap also others."""
    if shape.is_common:
        common = common_table(cov, shape.sizes[0], shape.copies, deadline=deadline)
        assert common is not None
        return common
    if len(shape.sizes) == cov.n:  # any orthonormal basis explains the trace
        return _single_variables(cov, shape)
    # The local search comes first: among many variables they take a second, and the others what is left.
    is_free = not shape.is_disjoint and len(shape.sizes) > 1
    half = deadline.part(2)
    found = []
    if is_free and sum(shape.sizes) > cov.n:  # disjoint supports would have to be smaller
        found.append(block_table(cov, shape.sizes, deadline=half))
    if is_free:
        found.append(overlapping_table(cov, shape.sizes, deadline=half))
    apart = disjoint_table(cov, shape.sizes, deadline=deadline)
    tables = [table for table in (*found, apart) if table is not None]
    return max(tables, key=lambda table: table.lower)


def table_at_once(cov: Covariance, shape: Shape) -> CandidateTable:
    """Return a quick table, for work that was stopped before it had one."""
    try:
        return first_table(cov, shape, Deadline.after(QUICK))
    except KeyboardInterrupt:
        return _single_variables(cov, shape)


def _single_variables(cov: Covariance, shape: Shape) -> CandidateTable:
    ranked = np.argsort(-cov.diagonal, kind="stable")
    if shape.is_common:
        table = on_common(cov, np.sort(ranked[: shape.sizes[0]]), shape.copies)
    else:
        table = CandidateTable.on(cov, [[i] for i in ranked[: len(shape.sizes)]])
    assert table is not None
    return table
