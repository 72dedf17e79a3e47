r"""The Perron dual of many variables: a full matrix B on a small active set, weighted rows elsewhere.

Pairs with a variable outside the active set A are paid in full by weighted rows, so that off its diagonal the
matrix in the eigenvalue is zero outside the block of A:

    v_k  <=  max( lambda_max(Sigma_AA - B o B' + Diag c_A),  max_{i not in A} Sigma_ii + c_i ),

c_i the sum of the k - 1 largest charges of row i: B_ij^2 for i, j in A, and |Sigma_ij| w_j / w_i for all other
pairs. With A everything it is the Perron dual, with A empty it is the weighted row sums.
"""

from __future__ import annotations

import numpy as np

from relaxspca.certificate import RowsPoint
from relaxspca.numerics.linalg import Array, Indices, Mask
from relaxspca.problem.size import Size
from relaxspca.relaxations.perron.formula import perron_point
from relaxspca.relaxations.perron.minimise import stepped
from relaxspca.relaxations.perron.weights import floored
from relaxspca.relaxations.soft_eigenvalue import soft_largest
from relaxspca.relaxations.soft_top import SoftTop
from relaxspca.runtime.deadline import FOREVER, Deadline

NEAR = 60  # largest charges of a row used while weights are optimised; the exact bound reads all


def descend_active(
    Sigma: Array,
    inside: Mask,
    size: Size,
    active: Indices,
    B: Array,
    weights: Array,
    *,
    scale: float,
    smoothing: float,
    iterations: int = 40,
    deadline: Deadline = FOREVER,
) -> tuple[Array, Array]:
    """Minimise the smoothed bound by quasi-Newton steps in B and the logarithms of all weights.

    The active positions are sorted, one at least; B is on these (square root of variance) and zero on its
    diagonal. Returned are B and weights, better ones as a rule; any values prove a bound (`active_point`). The
    rest is as in `relaxspca.relaxations.perron.minimise.descend`.
    """
    objective = _ActiveSmoothed(Sigma, inside, size, active, weights, scale, smoothing)
    begin = np.append(B[objective.off_diagonal] / np.sqrt(scale), np.zeros(len(Sigma)))
    found = stepped(objective, begin, len(active), iterations=iterations, deadline=deadline)
    B, log_weights = objective.unpack(found)
    return B * np.sqrt(scale), weights * np.exp(log_weights - log_weights.max())


def active_point(variables: Indices, active: Indices, B: Array, weights: Array) -> RowsPoint:
    """Return the dual point: from B where both variables are active, from weighted rows elsewhere."""
    few = perron_point(variables[active], B * B.T, B * B)
    return RowsPoint(variables, few.P, few.N, weights=floored(weights), paid=few.variables)


class _ActiveSmoothed:
    """The smoothed bound and its gradient in the off-diagonal entries of B and in log weights."""

    def __init__(
        self,
        Sigma: Array,
        inside: Mask,
        size: Size,
        active: Indices,
        weights: Array,
        scale: float,
        mu: float,
    ) -> None:
        m, a = len(Sigma), len(active)
        self.m, self.a, self.mu, self.active = m, a, mu, active
        self.block = Sigma[np.ix_(active, active)] / scale
        self.variances = np.diagonal(Sigma) / scale
        self.off_diagonal = ~np.eye(a, dtype=bool)
        self.is_active = np.zeros(m, dtype=bool)
        self.is_active[active] = True
        self.others = np.flatnonzero(~self.is_active)
        slots, unit = size.slots(inside), size.in_unit(scale)
        places = 0 if size.is_penalised else int(slots.max()) + int(inside.sum())
        self.near = np.empty((m, min(max(NEAR, 4 * places), m - 1)), dtype=np.int64)
        self.charges = np.empty(self.near.shape)
        self.usable = np.empty(self.near.shape, dtype=bool)
        for start in range(0, m, 256):
            rows = np.arange(start, min(start + 256, m))
            self._gather(rows, Sigma, inside, weights, scale)
        forced_near = inside[self.near] & self.usable
        forced_block = inside[active][None, :] & self.off_diagonal
        self.forced_active = np.hstack([forced_block, forced_near[active]]).astype(float)
        self.forced_others = forced_near[self.others].astype(float)
        payable = np.hstack([self.off_diagonal & ~forced_block, self.usable[active] & ~forced_near[active]])
        width, margin = mu / 4, unit.penalty if size.is_penalised else None
        self.largest_active = SoftTop(payable, slots[active], width, threshold=margin)
        open_others = self.usable[self.others] & ~forced_near[self.others]
        self.largest_others = SoftTop(open_others, slots[self.others], width, threshold=margin)
        number = inside.sum() - inside
        self.cost = unit.penalty * (1 + number)

    def _gather(self, rows: Indices, Sigma: Array, inside: Mask, weights: Array, scale: float) -> None:
        """Store the largest charges of some rows, and the charges for variables forced in."""
        charges = np.abs(Sigma[rows]) * (weights[None, :] / weights[rows, None]) / scale
        rank = np.where(inside[None, :], np.inf, charges)
        rank[np.ix_(self.is_active[rows], self.is_active)] = -1.0
        rank[np.arange(len(rows)), rows] = -1.0
        width = self.near.shape[1]
        near = np.argpartition(-rank, width - 1, axis=1)[:, :width]
        self.near[rows] = near
        self.charges[rows] = np.take_along_axis(charges, near, axis=1)
        self.usable[rows] = np.take_along_axis(rank, near, axis=1) >= 0

    def unpack(self, entries: Array) -> tuple[Array, Array]:
        B = np.zeros((self.a, self.a))
        B[self.off_diagonal] = entries[: -self.m]
        return B, entries[-self.m :]

    def __call__(self, entries: Array) -> tuple[float, Array]:
        B, u = self.unpack(entries)
        charges = self.charges * np.exp(np.clip(u[self.near] - u[:, None], -60, 60))
        N = np.hstack([B * B, charges[self.active]])
        total, share = self.largest_active(N)
        share += self.forced_active
        c = total + (self.forced_active * N).sum(axis=1) - self.cost[self.active]
        M = self.block - B * B.T
        M[np.diag_indices(self.a)] += c
        outside, share_outside = self.largest_others(charges[self.others])
        share_outside += self.forced_others
        outside = outside + (self.forced_others * charges[self.others]).sum(axis=1)
        values = self.variances[self.others] + outside - self.cost[self.others]
        inner, X = soft_largest(M, self.mu)
        # Each row outside the active set is an eigenvalue by itself.
        top = max(inner, float(values.max(initial=-np.inf)))
        parts = np.exp((values - top) / self.mu)
        first = np.exp((inner - top) / self.mu)
        sum_ = first + parts.sum()
        X *= first / sum_
        parts /= sum_
        weight = np.diagonal(X)
        slope = 2 * B * (weight[:, None] * share[:, : self.a]) - 2 * X * B.T
        flow = np.empty_like(charges)
        flow[self.active] = weight[:, None] * share[:, self.a :]
        flow[self.others] = parts[:, None] * share_outside
        flow *= charges
        slope_u = np.bincount(self.near.ravel(), weights=flow.ravel(), minlength=self.m) - flow.sum(axis=1)
        return float(top + self.mu * np.log(sum_)), np.append(slope[self.off_diagonal], slope_u)
