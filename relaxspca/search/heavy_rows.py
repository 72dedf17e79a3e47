r"""Heavy rows: bound by one pass over all pairs which variables a better support may hold.

For weights w let :math:`p_{ij}=|\Sigma_{ij}|w_j/w_i`, and :math:`c_{h|i}` what row h pays at most in a support
of a node that holds h and i: :math:`\Sigma_{hh}`, i, the variables forced in and the largest others. By the
theorem of Gershgorin a support T with :math:`\lambda_{\max}(\Sigma_{TT})>\tau` has a row h with
:math:`\Sigma_{hh}+\sum_{j\in T-h}p_{hj}>\tau`, and for every i in T that sum is at most :math:`c_{h|i}`. So a
better support holds only variables i whose *reach* :math:`\max_hc_{h|i}` exceeds :math:`\tau`. Only heavy rows,
those that themselves exceed it, reach anything: of thousands of variables a few dozen are left. Nothing of
n x n entries is kept.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from relaxspca.numerics.linalg import AT_ONCE, FEW, HELD, UNIT_ROUNDOFF, Array, Indices
from relaxspca.problem.covariance import Covariance
from relaxspca.problem.node import Node
from relaxspca.problem.size import Size
from relaxspca.relaxations.perron.weights import better_weights, floored
from relaxspca.runtime.deadline import FOREVER, Deadline

WORTH = 0.5  # the share of the variables that is left by a restriction worth its weights
PASSES, PATIENCE = 24, 6  # most passes, and how many in a row may gain less than 1e-4
MOST = (1000, 2000, HELD)  # variables of a node; the last takes 83 bytes for each pair: 1.6 GB


@dataclass(frozen=True, eq=False)
class Restriction:
    """A node and those of its free variables that a support above a level may hold.

    Attributes
    ----------
    level : the value that no other support exceeds (variance).
    variables : (m,) the variables of the node.
    weights : (m,) the weights of its rows.
    kept : the free variables that are left, sorted.
    """

    level: float
    variables: Indices
    weights: Array
    kept: Indices


@dataclass(frozen=True, eq=False)
class Restricted:
    """The variables of a node that row sums leave.

    Attributes
    ----------
    chain : restrictions at the level asked for, each of the node that the one before leaves.
    higher : where they leave too many variables for a node, restrictions at higher levels, the fewest first.
    """

    chain: tuple[Restriction, ...]
    higher: tuple[Restriction, ...] = ()


def heavy_variables(
    cov: Covariance,
    size: Size,
    node: Node,
    level: float,
    *,
    weights: Array | None = None,
    most: Sequence[int] = MOST,
    longest: int = PASSES,
    passes: int = PASSES,
    deadline: Deadline = FOREVER,
) -> Restricted:
    """Restrict a node by rows as long as that pays.

    A better support exceeds the level (variance). The weights begin with the standard deviations unless they
    are given, for the variables of the node. At most `longest` restrictions are made, in so many passes, none
    of which begins after the deadline. How many variables may be left stands in `most`, increasing.

    Examples
    --------
    >>> import relaxspca as rs
    >>> from relaxspca.problem.size import Cardinality
    >>> cov = rs.Covariance.from_factor(np.eye(200) + np.eye(200)[0])
    >>> found = heavy_variables(cov, Cardinality(2), Node.of([], None, range(200)), 204.0)
    >>> len(found.chain), len(found.chain[-1].kept)
    (1, 0)
    """
    rows, chain = _RowCosts(cov, size, node), list[Restriction]()
    # At standard deviations no row exceeds the largest trace.
    w = floored(np.sqrt(np.abs(rows.diagonal))) if weights is None else np.asarray(weights, dtype=np.float64)
    higher, idle = dict[int, Restriction](), 0
    for _ in range(passes):
        if deadline.is_over or len(rows.free) <= FEW or idle == PATIENCE or len(chain) == longest:
            break
        totals, reach = rows.reach(w, level)
        left = np.sort(reach[~rows.inside])[::-1]
        if np.count_nonzero(left > level) <= WORTH * len(left):
            chain.append(rows.restriction(level, w, reach))
            rows = _RowCosts(cov, size, Node(node.inside, chain[-1].kept))
            w, totals = (x[np.isin(chain[-1].variables, rows.variables)] for x in (w, totals))
            higher, idle = {}, 0
        else:
            idle += 1
            for count in most if len(left) > most[-1] else ():
                least = max(level, float(left[count]))
                if count not in higher or least < higher[count].level - 1e-4 * abs(least):
                    higher[count], idle = rows.restriction(least, w, reach), 0
        w = better_weights(w, totals)
    return Restricted(tuple(chain), tuple(higher[count] for count in most if count in higher))


class _RowCosts:
    """The weighted rows of a node, in single precision where that serves, with what it can err."""

    def __init__(self, cov: Covariance, size: Size, node: Node) -> None:
        self.cov, self.size = cov, size.on(node.variables)
        self.variables, self.inside, self.free = node.variables, node.is_inside, node.free
        self.m, self.diagonal = len(self.variables), cov.diagonal[self.variables]
        self.slots, self.is_whole = self.size.slots(self.inside), len(self.variables) == cov.n
        self.A = cov.factor[:, self.variables] if cov.is_factored else None
        # More than a checker allows for in its sums and products, so that it sees the same.
        self.error = 8 * (self.size.most(self.m) + (0 if self.A is None else len(self.A)) + 16) * UNIT_ROUNDOFF

    def restriction(self, level: float, w: Array, reach: Array) -> Restriction:
        """Return the restriction to the free variables whose reach is above a level."""
        return Restriction(level, self.variables, w, self.variables[~self.inside & ~(reach <= level)])

    def reach(self, w: Array, level: float) -> tuple[Array, Array]:
        """Return the total of every row, and of every variable the largest c_{h|i} of heavy rows h."""
        totals, reach = np.empty(self.m), np.full(self.m, -np.inf)
        with np.errstate(over="ignore", under="ignore", invalid="ignore"):
            for first, N, unit, margin in self._parts(w):
                rows = slice(first, first + len(N))
                charges = self.size.row_charges(N, self.inside, first=first)
                paid = self.size.proved_totals(charges)
                own = self.diagonal[rows]
                totals[rows] = own + (paid + margin * (1 + np.abs(paid))) * unit
                totals[rows] += self.error * (np.abs(own) + np.abs(totals[rows])) + 2.0**-1000
                heavy = np.flatnonzero(~(totals[rows] <= level) & (self.slots[rows] >= 0))
                reach[first + heavy] = np.maximum(reach[first + heavy], totals[first + heavy])
                paying = heavy[self.slots[first + heavy] > 0]
                if len(paying):
                    loss = np.maximum(charges.least[paying, None] - N[paying], 0.0) * (1 - margin - 2.0**-50)
                    reached = totals[first + paying, None] - loss * unit[paying, None]
                    reach = np.maximum(reach, reached.max(axis=0))
        return totals, reach

    def _parts(self, w: Array) -> Iterator[tuple[int, Array, Array, float]]:
        """Yield blocks of rows in a unit for each row, and how far sums of a row may miss in that unit."""
        step = max(1, AT_ONCE // self.m)
        if self.A is None or self.size.is_penalised:
            for first in range(0, self.m, step):
                rows = np.arange(first, min(first + step, self.m))
                yield first, self._entries(rows) * w / w[rows, None], np.ones(len(rows)), 0.0
            return
        lengths = np.sqrt(np.maximum(self.diagonal, 0.0)) * (1 + 1e-9)
        scales = lengths * w
        largest = max(float(scales.max()), 1e-300)
        columns = np.divide(self.A, lengths, out=np.zeros_like(self.A), where=lengths > 0)
        left, right = columns.T.astype(np.float32), (columns * (scales / largest)).astype(np.float32)
        # A product of unit columns misses by less than 2 (r + 8) u times the scale of its column, at most 1.
        paying = self.size.most(self.m)
        trace = np.sort(scales)[-paying:].sum() + scales[self.inside].sum()
        margin = float(np.finfo(np.float32).eps) * (len(self.A) + paying + 16) * (2 + trace / largest)
        for first in range(0, self.m, step):
            yield (
                first,
                np.abs(left[first : first + step] @ right),
                (lengths / w * largest)[first : first + step],
                margin,
            )

    def _entries(self, rows: Indices) -> Array:
        """Return the moduli of rows of Sigma, rounded upwards."""
        if self.A is not None:
            lengths = np.sqrt(np.maximum(self.diagonal, 0.0)) * (1 + 1e-9)
            return np.abs(self.A[:, rows].T @ self.A) + self.error * lengths[rows, None] * lengths
        columns = self.cov.columns(self.variables[rows])
        return np.abs(columns if self.is_whole else columns[self.variables]).T
