"""Prove a table of components: a first table, a bound of the root, and the search between them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from relaxspca.candidates.several.best_so_far import Start
from relaxspca.candidates.several.restarts import restarted_table
from relaxspca.candidates.several.table import CandidateTable
from relaxspca.problem.covariance import Covariance
from relaxspca.relaxations.several.shape import Shape, everything
from relaxspca.results.progress import Progress
from relaxspca.results.settle import settle, vanishing
from relaxspca.results.status import Status
from relaxspca.runtime.deadline import Deadline
from relaxspca.search.limits import UNLIMITED, SearchLimits
from relaxspca.search.proof_tree import ProofTree
from relaxspca.search.several.incumbent import first_table, table_at_once
from relaxspca.search.several.listing import can_be_listed
from relaxspca.search.several.opening import proof_one_by_one, search_from, search_of_root, search_on
from relaxspca.search.several.search import JointSearch
from relaxspca.search.several.slack import Room

__all__ = ["Proved", "prove_table"]

FAR_OFF = 0.025  # relative gap of the root above which a table is looked for once more
LITTLE = 1e-4  # the same of a root whose choices could not be listed above its table
LONG = 100  # nodes of a search after which tables are looked for again,
OPEN = 0.003  # where the relative gap is above this,
WALKS = (1, 2)  # by walks from these seeds
SMALL = 60  # variables up to which that is done
ROWS = 600  # variables up to which row sums take half a second


@dataclass(frozen=True, eq=False)
class Proved:
    """A table with bounds.

    Attributes
    ----------
    shape : Shape, which supports were allowed.
    table : CandidateTable, its components in the order of `shape`.
    lower, upper : proved bounds on the best sum of variances.
    status : Status, "open" where all was searched and the bound of some overlapping supports is not tight.
    tree : the proof of `upper`.
    node_count : nodes evaluated.
    root : bound after the root node alone.
    history : state after every node.
    is_interrupted : Ctrl-C ended it, whatever was proved by then.
    """

    shape: Shape
    table: CandidateTable
    lower: float
    upper: float
    status: Status
    tree: ProofTree
    node_count: int
    root: float
    history: tuple[Progress, ...]
    is_interrupted: bool = False


def prove_table(
    cov: Covariance,
    shape: Shape,
    *,
    gap: float = 0.0,
    limits: SearchLimits = UNLIMITED,
) -> Proved:
    """Find the best table of a shape and prove it.

    Parameters
    ----------
    cov : Covariance of n variables.
    shape : Shape, equal sizes beside each other.
    gap : relative gap at which to stop.
    limits : when to stop besides; the callback is called after every node.
    """
    # Half of the time for the table, half for its proof.
    table, is_interrupted = _begun(cov, shape, limits.deadline.part(2))
    search = search_from(cov, shape, table, gap=gap)
    history: list[Progress] = []
    is_told = False

    def told(progress: Progress) -> bool:
        nonlocal is_told
        history.append(progress)
        is_told = limits.told(progress)
        return is_told

    stopped: Status | None = Status.INTERRUPTED
    if not is_interrupted:
        stopped = _until_interrupted(search, replace(limits, callback=told))
        is_interrupted = stopped is Status.INTERRUPTED and not is_told
    if stopped is not None:
        try:
            _compare_with_single_components(search)
        except KeyboardInterrupt:
            stopped, is_interrupted = Status.INTERRUPTED, True
    scale = vanishing(search.lower, search.largest)
    status = settle(stopped, search.lower, search.upper, scale=scale, gap=gap)
    return Proved(
        shape,
        search.candidate,
        search.lower,
        search.upper,
        status,
        search.tree,
        node_count=search.node_count,
        root=history[0].upper if history else search.upper,
        history=tuple(history),
        is_interrupted=is_interrupted,
    )


def _begun(cov: Covariance, shape: Shape, deadline: Deadline) -> tuple[CandidateTable, bool]:
    """Return a table to begin with, and whether Ctrl-C came before it was found."""
    seen: list[Start] = []
    try:
        return first_table(cov, shape, deadline, seen), False
    except KeyboardInterrupt:
        return table_at_once(cov, shape, seen), True


def _compare_with_single_components(search: JointSearch) -> None:
    """Take what row sums prove of the components one by one where a search that was stopped proves less."""
    if search.cov.n > ROWS:
        return
    alone = proof_one_by_one(search.cov, search.shape)
    # With the room that a certificate of it needs, which may be much where the entries of its rows are large.
    if Room(search.cov, search.shape).above((), alone) < search.upper:
        search.tree.improve(0, alone)


def _until_interrupted(search: JointSearch, limits: SearchLimits) -> Status | None:
    try:
        return _in_turns(search, limits)
    except KeyboardInterrupt:
        return Status.INTERRUPTED


def _in_turns(search: JointSearch, limits: SearchLimits) -> Status | None:
    """Bound the root, look for a table again where it, or a search that turns out long, leaves much open."""
    deadline = limits.deadline
    status = search_of_root(search, limits.at_most(1))
    if status is not Status.NODE_LIMIT or limits.most_nodes <= 1:
        return status
    at_once = 0
    if can_be_listed(everything(search.shape, search.cov.n), search.shape):
        # The root is open though its choices were to be listed: the search will be long.
        at_once = len(WALKS) * _is_open(search, LITTLE)
    elif _is_open(search, FAR_OFF):
        at_once = 1
    _walk_again(search, WALKS[:at_once], deadline, parts=3)
    status = search_on(search, limits.at_most(LONG))
    if status is not Status.NODE_LIMIT or limits.most_nodes <= LONG:
        return status
    if _is_open(search, OPEN):
        _walk_again(search, WALKS[at_once:], deadline, parts=8)
    return search_on(search, limits)


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
        if found is not None:
            search.offer(found, found.lower)
