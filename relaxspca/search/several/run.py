"""Prove a table of components: a first table, a bound of the root, and the search between them."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np

from relaxspca.candidates.several.common import common_table, on_common
from relaxspca.candidates.several.portfolio import disjoint_table, improved, overlapping_table
from relaxspca.candidates.several.restarts import Start, restarted_table, table_of
from relaxspca.candidates.several.table import CandidateTable
from relaxspca.certificate import PerronPoint
from relaxspca.numerics.linalg import eigenvalue_upper, sum_upper
from relaxspca.problem.covariance import Covariance
from relaxspca.problem.node import Indices
from relaxspca.relaxations.several.formula import PriceMatrix, upper_bound
from relaxspca.relaxations.several.minimise import start
from relaxspca.relaxations.several.shape import Shape, everything
from relaxspca.results.progress import Progress
from relaxspca.runtime.deadline import FOREVER, Deadline
from relaxspca.runtime.progress import say
from relaxspca.search.several.listing import can_be_listed
from relaxspca.search.several.node import JointEffort, JointNode
from relaxspca.search.several.search import JointSearch, is_proved
from relaxspca.search.several.tree import JointProof, Tree

__all__ = ["Proved", "proof_at_first", "prove_table"]


SMALL = 60  # variables up to which disjoint supports are searched before those that may overlap
SHORT = 20  # nodes of that search
FAR_OFF = 0.025  # relative gap of the root above which a table is looked for once more
LITTLE = 5e-4  # the same of a root whose choices could not be listed above its table
LONG = 100  # nodes of a search after which tables are looked for again,
OPEN = 0.003  # where the relative gap is above this,
WALKS = (1, 2)  # by walks from these seeds
QUICK = 1.0  # seconds for a table after Ctrl-C


@dataclass(frozen=True, eq=False)
class Proved:
    """A table with bounds.

    Attributes
    ----------
    shape : Shape, which supports were allowed.
    table : CandidateTable, its components in the order of `shape`.
    lower, upper : proved bounds on the best sum of variances.
    status : "optimal", "gap", "time_limit", "node_limit", "interrupted"; or "open" where all was searched
        and the bound of some overlapping supports is not tight.
    tree : the proof of `upper`.
    order : variables in the order by which supports of equal sizes were compared.
    node_count : nodes evaluated.
    root : bound after the root node alone.
    history : state after every node.
    is_interrupted : Ctrl-C ended it, whatever was proved by then.
    """

    shape: Shape
    table: CandidateTable
    lower: float
    upper: float
    status: str
    tree: Tree
    order: Indices
    node_count: int
    root: float
    history: tuple[Progress, ...]
    is_interrupted: bool = False


def prove_table(
    cov: Covariance,
    shape: Shape,
    *,
    gap: float = 0.0,
    enough: float = -math.inf,
    deadline: Deadline = FOREVER,
    node_limit: int | None = None,
    callback: Callable[[Progress], Any] | None = None,
) -> Proved:
    """Find the best table of a shape and prove it.

    Parameters
    ----------
    cov : Covariance of n variables.
    shape : Shape, equal sizes beside each other.
    gap : relative gap at which to stop.
    enough : bound at which to stop too (variance). A good table is looked for only where the root is above it.
    deadline, node_limit : limits.
    callback : called with a `Progress` after every node; True stops the search.
    """
    # Half of the time for the table, half for its proof.
    is_interrupted = False
    seen: list[Start] = []
    try:
        half = deadline.part(2)
        is_quick = enough > -math.inf and not shape.is_common
        table = quick_table(cov, shape, half) if is_quick else first_table(cov, shape, half, seen)
    except KeyboardInterrupt:
        table, is_interrupted = _at_once(cov, shape, seen), True
    search = _search(cov, shape, table, gap, enough=enough)
    history: list[Progress] = []
    is_told = False

    def report(progress: Progress) -> bool:
        nonlocal is_told
        history.append(progress)
        say(progress.line)
        is_told = bool(callback is not None and callback(progress))
        return is_told

    try:
        if is_interrupted:
            raise KeyboardInterrupt
        status = _in_turns(search, deadline, math.inf if node_limit is None else node_limit, report)
    except KeyboardInterrupt:
        status = "interrupted"
    is_interrupted = status == "interrupted" and not is_told
    missing = search.upper - search.lower
    if is_proved(search.lower, search.upper, cov):
        status = "optimal"
    elif missing <= gap * abs(search.lower):
        status = "gap"
    elif status == "closed":
        status = "open"  # supports that overlap, whose own bound is not tight
    return Proved(
        shape,
        search.table,
        search.lower,
        search.upper,
        status,
        search.tree,
        search.order,
        search.node_count,
        history[0].upper if history else search.upper,
        tuple(history),
        is_interrupted,
    )


def _search(
    cov: Covariance,
    shape: Shape,
    table: CandidateTable,
    gap: float,
    *,
    enough: float = -math.inf,
    may_list: bool = True,
) -> JointSearch:
    return JointSearch(
        cov,
        shape,
        table,
        proof_at_first(cov, shape),
        order=_order(cov, shape),
        propose=lambda supports: proposed(cov, shape, supports),
        gap=gap,
        enough=enough,
        may_list=may_list,
    )


def _in_turns(
    search: JointSearch, deadline: Deadline, node_limit: float, callback: Callable[[Progress], Any]
) -> str:
    """Bound the root, look for a table again where it, or a search that turns out long, leaves much open."""
    status = _run(search, deadline, min(node_limit, 1), callback)
    if search.enough > -math.inf and status == "node_limit":
        found = first_table(search.cov, search.shape, deadline.part(2))
        search.table = max(search.table, found, key=lambda table: table.lower)
    if status != "node_limit" or node_limit <= 1:
        return status
    at_once = 0
    if can_be_listed(everything(search.shape, search.cov.n), search.shape):
        # The root is open though its choices were to be listed: the search will be long.
        at_once = len(WALKS) * _is_open(search, LITTLE)
    elif _is_open(search, FAR_OFF):
        at_once = 1
    _walk_again(search, WALKS[:at_once], deadline, parts=4)
    status = search.divide(deadline=deadline, node_limit=node_limit, callback=callback)
    if status != "open":
        return status
    effort = partial(_effort, deadline=deadline)
    most = min(node_limit, LONG)
    status = search.run(effort, deadline=deadline, node_limit=most, callback=callback)
    if status != "node_limit" or node_limit <= LONG:
        return status
    if _is_open(search, OPEN):
        _walk_again(search, WALKS[at_once:], deadline, parts=8)
    return search.run(effort, deadline=deadline, node_limit=node_limit, callback=callback)


def _is_open(search: JointSearch, gap: float) -> bool:
    return search.upper - search.lower > gap * abs(search.lower)


def _walk_again(search: JointSearch, seeds: Sequence[int], deadline: Deadline, *, parts: int) -> None:
    """Take the best table of other walks; of few variables, where walks end in different tables."""
    shape = search.shape
    if search.cov.n > SMALL or shape.is_disjoint or len(shape.sizes) < 2:
        return
    for seed in seeds:
        until = deadline.part(parts)
        found = restarted_table(search.cov, shape.sizes, deadline=until, rng=np.random.default_rng(seed))
        if found is not None and found.lower > search.lower:
            search.table = found


def _run(
    search: JointSearch,
    deadline: Deadline,
    node_limit: float,
    callback: Callable[[Progress], Any] | None = None,
) -> str:
    if deadline.is_over:
        return "time_limit"
    parts = everything(search.shape, search.cov.n)
    search.add(0, JointNode(parts, start(search.cov.matrix, search.shape, parts), 0))
    return search.run(
        lambda node: _effort(node, deadline), deadline=deadline, node_limit=node_limit, callback=callback
    )


def first_table(
    cov: Covariance, shape: Shape, deadline: Deadline, seen: list[Start] | None = None
) -> CandidateTable:
    """Return a table to begin with: on disjoint supports, and where they may overlap also others.

    What the restarts meet is added to `seen`, and the table on disjoint supports where that is better.
    """
    if shape.is_common:
        common = common_table(cov, shape.sizes[0], shape.copies, deadline=deadline)
        assert common is not None
        return common
    if len(shape.sizes) == cov.n:  # any orthonormal basis explains the trace
        return _single_variables(cov, shape)
    # The restarts come first: among many variables they take a second, and the others what is left.
    is_free = not shape.is_disjoint and len(shape.sizes) > 1
    half = deadline.part(2)
    found = [restarted_table(cov, shape.sizes, deadline=half, seen=seen)] if is_free else []
    apart = disjoint_table(cov, shape.sizes, deadline=deadline)
    if seen is not None and apart is not None and (not seen or apart.lower > seen[-1][0]):
        seen.append((apart.lower, list(apart.supports), apart.loadings))
    if apart is not None and not shape.is_disjoint:
        if cov.n <= SMALL and is_free:
            apart = _searched(cov, shape, apart, deadline.part(2))
        apart = improved(cov, apart, deadline=deadline)
        found.append(overlapping_table(cov, shape.sizes, deadline=deadline))
    tables = [table for table in (*found, apart) if table is not None]
    return max(tables, key=lambda table: table.lower)


def quick_table(cov: Covariance, shape: Shape, deadline: Deadline) -> CandidateTable:
    """Return a table of separate supports that takes little time."""
    apart = disjoint_table(cov, shape.sizes, deadline=deadline)
    if apart is None or shape.is_disjoint:
        return apart or first_table(cov, shape, deadline)
    return improved(cov, apart, deadline=deadline)


def _searched(cov: Covariance, shape: Shape, table: CandidateTable, deadline: Deadline) -> CandidateTable:
    """Return the table of a short search over disjoint supports: its bounds are tight."""
    search = _search(cov, Shape.disjoint(shape.sizes, cov.n), table, 0.0, may_list=False)
    _run(search, deadline, SHORT)
    return search.table


def _at_once(cov: Covariance, shape: Shape, seen: Sequence[Start]) -> CandidateTable:
    """Return the best table there is, or a quick one, for work that was stopped before it had one."""
    found = [table_of(cov, start) for start in seen[-1:]]
    try:
        found.append(first_table(cov, shape, Deadline.after(QUICK)))
    except KeyboardInterrupt:
        found.append(_single_variables(cov, shape))
    return max((table for table in found if table is not None), key=lambda table: table.lower)


def _single_variables(cov: Covariance, shape: Shape) -> CandidateTable:
    ranked = np.argsort(-cov.diagonal, kind="stable")
    if shape.is_common:
        table = on_common(cov, np.sort(ranked[: shape.sizes[0]]), shape.copies)
    else:
        table = CandidateTable.on(cov, [[i] for i in ranked[: len(shape.sizes)]])
    assert table is not None
    return table


def proposed(cov: Covariance, shape: Shape, supports: Sequence[Indices]) -> CandidateTable | None:
    """Return the best table found on a choice of supports; one common support is that of all components."""
    if shape.is_common:
        return on_common(cov, supports[0], shape.copies)
    return CandidateTable.on(cov, supports)


def proof_at_first(cov: Covariance, shape: Shape) -> JointProof:
    """Return a bound that costs next to nothing: Z is what exceeds the r-th eigenvalue (Ky Fan)."""
    values, vectors = np.linalg.eigh(cov.matrix)
    heights = np.maximum(values - values[max(cov.n - shape.count, 0)], 0.0)
    Z = (vectors * heights) @ vectors.T
    rest = cov.matrix - (Z + Z.T) / 2
    free = PerronPoint(np.arange(cov.n), np.zeros((cov.n, cov.n)), np.zeros((cov.n, cov.n)))
    point = PriceMatrix(np.arange(cov.n), (rest + rest.T) / 2, np.zeros(cov.n), (free,) * len(shape.sizes))
    top = eigenvalue_upper(cov.matrix, cov.rounding())
    largest = JointProof("spectral", None, sum_upper(np.full(shape.count, top)))
    all_of_it = JointProof("prices", point, upper_bound(cov, point, shape, everything(shape, cov.n)))
    return min(largest, all_of_it, key=lambda proof: proof.bound)


def _order(cov: Covariance, shape: Shape) -> Indices:
    """Return the variables, those that matter most to the leading eigenvectors first."""
    values, vectors = np.linalg.eigh(cov.matrix)
    r = min(shape.count, cov.n)
    part = (vectors[:, -r:] ** 2) @ np.maximum(values[-r:], 0.0)
    return np.argsort(-part, kind="stable").astype(np.int64)


def _effort(node: JointNode, deadline: Deadline) -> JointEffort:
    """Work hard at the root, where every decision taken is taken for good."""
    if node.depth == 0:
        return JointEffort(stages=16, iterations=300, shrink=2.0, enough=0.02, share=0.005, deadline=deadline)
    # Deeper the factors of the parent are near the best: a wide smoothing would lead away from them.
    return JointEffort(stages=2, iterations=60, smoothing=0.05, enough=0.0, deadline=deadline)
