"""The search over the supports of one component, whose supports are polished by swaps."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from itertools import chain
from typing import Any, ClassVar

import numpy as np

from relaxspca.candidates.conditional import swapped
from relaxspca.certificate import Point, RowsPoint
from relaxspca.numerics.linalg import FEW, Array
from relaxspca.problem.candidate import Candidate
from relaxspca.problem.certificates import claimed, net_value
from relaxspca.problem.checks import without_data_warnings
from relaxspca.problem.conditions import NONE, Conditions
from relaxspca.problem.covariance import Covariance
from relaxspca.problem.gap import largest_entry, relative_gap
from relaxspca.problem.node import Node
from relaxspca.problem.size import Size
from relaxspca.problem.slack import slack
from relaxspca.relaxations.perron.minimise import start_from_point
from relaxspca.relaxations.perron.weights import floored
from relaxspca.results.result import Result
from relaxspca.results.status import Status, closing_width, settle, vanishing
from relaxspca.runtime.deadline import Deadline
from relaxspca.search.engine import Engine
from relaxspca.search.evaluate import expand
from relaxspca.search.heavy_rows import Restricted, Restriction, heavy_variables
from relaxspca.search.node import Division, Effort, Expansion, OpenNode
from relaxspca.search.proof_tree import Points, Proof, at_level


class Search(Engine[Candidate, OpenNode, Expansion]):
    """A search over the supports of a size or at a penalty, its incumbent and its proof.

    Where `own` is given, it is the Sigma of the claim, and bounds come from another matrix M, `cov`, with x'Mx
    >= x'Sigma x for every feasible x. What else the claim says is in `claim_fields`, by the names of `Claim`.
    The candidate meets the conditions, and nodes are closed at the relative gap.
    """

    MATRICES: ClassVar[tuple[str, ...]] = ("cov", "own")

    def __init__(
        self,
        cov: Covariance,
        size: Size,
        candidate: Candidate,
        root: Proof,
        *,
        gap: float = 0.0,
        conditions: Conditions = NONE,
        own: Covariance | None = None,
        claim_fields: dict[str, Any] | None = None,
    ) -> None:
        self.cov, self.size, self.gap, self.conditions = cov, size, gap, conditions
        self.own, self.claim_fields = cov if own is None else own, claim_fields or {}
        super().__init__(candidate, self.worth(candidate), root)
        self._largest = largest_entry(cov, size.parts(cov.n), conditions.include, conditions.exclude)
        # Largest entry that the checker reads; for k = 1 it reads the diagonal alone.
        most = size.most(cov.n)
        self.largest_read = self._largest if most == 1 else largest_entry(cov, exclude=conditions.outside)
        self.is_open = False
        self.floor = -math.inf  # what others may reach: nothing is won by a bound below it

    @property
    def scale(self) -> float:
        """Denominator of the relative width where the value cannot serve: at a penalty, or where it is 0."""
        return self._largest if self.size.is_penalised else vanishing(self.lower, self._largest)

    @property
    def target(self) -> float:
        """Bound at which a node is closed."""
        return max(self.lower + closing_width(self.lower, scale=self.scale, gap=self.gap), self.floor)

    @property
    def aim(self) -> float:
        """Value towards which bounds are tightened."""
        return self.lower

    def effort(self, node: OpenNode) -> Effort:
        """Return the effort for a node; it is larger at the root, where a fixed variable is fixed for good."""
        if node.depth == 0:
            return Effort(stages=14, iterations=50, deadline=self.deadline)
        return Effort(stages=2, iterations=25, deadline=self.deadline)

    def worth(self, candidate: Candidate) -> float:
        """Return a proved lower bound on the variance of a component less its penalty."""
        return net_value(self.own, self.size, candidate)

    def restrictions(self, deadline: Deadline) -> Restricted:
        """Return how rows restrict the root (`search.heavy_rows`)."""
        if self.cov.n <= FEW or not math.isfinite(self.target):
            return Restricted(())
        return heavy_variables(self.cov, self.size, self._root(), self.target, deadline=deadline)

    def open(self, found: Restricted, last: Restriction | None = None) -> None:
        """Open the root: make it, with the variables that row sums leave, the first node to be searched.

        The tree records each restriction of `found` as a node with one child. Where these leave too many
        variables, a `last` one leaves fewer, and its level bounds the supports left out. The first weights are
        standard deviations: no row then exceeds the trace.
        """
        node, at, self.is_open = self._root(), 0, True
        first = self.tree.proof(0).point
        weights = floored(np.sqrt(np.abs(self.cov.diagonal)))[node.variables]
        for each in (*found.chain, *(() if last is None else (last,))):
            point = RowsPoint(each.variables, weights=each.weights)
            at = self._decide(at, [(each.kept, Proof("rowsum", point, each.level))])
            node = Node(node.inside, each.kept)
            weights = each.weights[np.isin(each.variables, node.variables)]
        left = np.ix_(node.variables, node.variables)
        is_whole = isinstance(first, RowsPoint) and first.weights is None
        B = start_from_point(first.P, first.N)[left] if is_whole else None
        self.add(at, OpenNode(node.inside, node.free, 0, weights, B))

    def _root(self) -> Node:
        """Return the node of all supports: what is included leaves out what it conflicts with."""
        root = self.conditions.node(self.cov.n)
        return self.size.fixed(root, root.inside, root.inside[:0])

    def result(self, status: Status | None, *, seconds: float = 0.0) -> Result:
        """Return the result proved so far with its certificate; status None: all nodes are closed."""
        upper, points = self.upper, Points(self.cov)
        nodes = self.tree.pruned(upper, points)
        added = slack(max(abs(upper), self.read_with(points.found)), n=self.cov.n, points=points.found)
        if self.own is not self.cov:
            added += 4 * self.own.n * self.own.rounding()
        upper += added
        certificate = claimed(
            self.own,
            self.size,
            self.candidate,
            upper,
            [self.point(each) for each in points.found],
            at_level(nodes, upper),
            conditions=self.conditions,
            made_by="relaxspca solve",
            **self.claim_fields,
        )
        settled = settle(
            status,
            self.lower,
            upper,
            scale=self.scale,
            slack=added,
            gap=self.gap,
            width=relative_gap(self.lower, upper, certificate),
        )
        history = tuple(self.history)
        return Result(
            self.candidate, self.lower, upper, settled, certificate, self.node_count, seconds, history
        )

    def read_with(self, points: Sequence[Point]) -> float:
        """Return the largest entry that the checker reads where these points are the evidence."""
        return self.largest_read

    def point(self, point: Point) -> Point:
        """Return a dual point of the matrix that was searched as one of the claim."""
        return point

    def _expanded(self, at: int, node: OpenNode) -> Expansion:
        proof, effort = self.tree.proof(at), self.effort(node)
        return expand(self.cov, self.size, node, proof, self.aim, self.target, effort)

    def _absorb(self, at: int, outcome: Expansion) -> None:
        ends = () if outcome.division is None else outcome.division.ends
        for support in chain(outcome.supports, *(end.supports for _, end in ends)):
            self._consider(support)
        at = self._decide(at, outcome.fixings)
        self.tree.improve(at, outcome.proof)
        if outcome.division is not None:
            self._divide(at, outcome.division)
        elif outcome.node is None:
            self._close(at, outcome)
        elif outcome.branch is None:
            self.add(at, outcome.node)
        else:
            self._branch(at, outcome.node, outcome.branch)

    def _divide(self, at: int, division: Division) -> None:
        """Split a node into leaves of one support each, and close them."""
        nodes = [at]
        for parent, variable in division.splits:
            nodes += self.tree.split(nodes[parent], variable)
        for number, end in division.ends:
            self.tree.improve(nodes[number], end.proof)
            self._close(nodes[number], end)

    def _close(self, at: int, outcome: Expansion) -> None:
        """Close a node whose proof is in the tree; subclasses look at the outcome."""
        self._shut(at)

    def _branch(self, at: int, node: OpenNode, branch: int) -> None:
        for child, here in zip(self.tree.split(at, branch), self.size.halves(node, branch), strict=True):
            kept = np.isin(node.variables, here.variables)
            B = node.B if node.B is None or kept.all() else node.B[np.ix_(kept, kept)]
            self.add(child, OpenNode(here.inside, here.free, node.depth, node.weights[kept], B))

    def _consider(self, support: tuple[int, ...]) -> None:
        """Improve a support by best swaps and make it the incumbent if it is better."""
        found = Candidate.from_support(self.cov, support, method="branch and bound")
        if self.worth(found) <= self.lower:
            return
        if len(self.size.parts(self.cov.n)) == 1:  # swaps would violate the limits of the parts
            # Swaps keep included variables and leave out excluded ones.
            support_of_swaps = swapped(self.cov, found.indices, self.conditions, self.deadline)
            polished = Candidate.from_support(self.cov, support_of_swaps, method="local_search")
            found = max(found, polished, key=self.worth)
        self.offer(found, self.worth(found))


def dominating(cov: Covariance, change: Callable[[Array], Array]) -> Covariance:
    """Return a matrix M with x'Mx >= x'Sigma x for every x with a condition on its groups or its signs.

    The entries are changed as docs/theory/beyond.md, sections 5 to 7, says; the rounding error of a factor is
    added to the diagonal.
    """
    entries = cov.matrix.copy()
    if cov.is_factored:
        entries = entries + cov.rounding() * (1 + 1e-12) * np.eye(cov.n)
    return unchecked(change(entries), cov.names)


def unchecked(matrix: Array, names: Sequence[str] | None = None) -> Covariance:
    """Return a matrix that may be indefinite on purpose, 0, or of entries too small for a user's matrix."""
    with without_data_warnings():
        return Covariance._of_entries(matrix, names)
