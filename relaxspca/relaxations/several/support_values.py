"""Choices of sets of variables, one for each component, and what a dual point proves of each set."""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt

from relaxspca.numerics.linalg import UNIT_ROUNDOFF, Array, eigenvalues_upper
from relaxspca.problem.covariance import Covariance
from relaxspca.problem.node import Indices
from relaxspca.relaxations.several.formula import MultiplierMatrix, charged_diagonal
from relaxspca.relaxations.several.orthogonality_cut import OrthogonalityCuts
from relaxspca.relaxations.several.shape import Part, Shape
from relaxspca.relaxations.several.smooth import kinds_of

MOST_SETS = 1 << 15  # supports of one component, of all sizes, or partial choices, that are listed


def count_sets(part: Part) -> int:
    """Return how many sets S of variables have 0 < |S| and |S + J| <= k for a part.

    Examples
    --------
    >>> count_sets(Part(2, np.array([3]), np.array([0, 1])))
    5
    """
    room = part.size - len(part.inside)
    outside = sum(math.comb(len(part.free), more) for more in range(min(room, len(part.free)) + 1))
    return int(2 ** len(part.inside)) * outside - 1


class Choices:
    r"""Choices :math:`S_1,\dots,S_r` of the sets where loadings are not 0, at a node.

    S_t is not empty, within J_t + F_t, and has with J_t at most k_t variables. No two share exactly one
    variable: their inner product would be one product of loadings, not 0. Disjoint ones share none.

    Parameters
    ----------
    shape : Shape, separate supports.
    parts : of the node, together of at most 62 variables.

    Attributes
    ----------
    parts : those that are equal one after another; `order` says where each stood.
    variables : (m,) of the parts, sorted.
    masks : all sets, each once, as bits of positions among the variables.
    of_part : numbers of the sets of each part.
    """

    def __init__(self, shape: Shape, parts: Sequence[Part]) -> None:
        self.shape = shape
        self.order = sorted(range(len(parts)), key=kinds_of(parts)[1].__getitem__)
        self.parts = [parts[t] for t in self.order]
        self.variables = np.unique(np.concatenate([part.variables for part in parts]))
        by_key = {part.key: _sets(self.variables, part) for part in parts}
        self.masks = np.unique(np.concatenate(list(by_key.values())))
        numbers = {key: np.searchsorted(self.masks, masks) for key, masks in by_key.items()}
        self.keys = [part.key for part in self.parts]
        self.of_part: list[Indices] = [numbers[key] for key in self.keys]
        self.equal_after = [self.keys[t + 1 :].count(key) for t, key in enumerate(self.keys)]

    @cached_property
    def by_size(self) -> tuple[tuple[Indices, Indices], ...]:
        """Numbers of the sets of each size, and their positions, a row each."""
        found = []
        is_in = (self.masks[:, None] >> np.arange(len(self.variables))) & 1
        sizes = is_in.sum(axis=1)
        for size in np.unique(sizes):
            some = np.flatnonzero(sizes == size)
            found.append((some, np.nonzero(is_in[some])[1].reshape(len(some), int(size))))
        return tuple(found)

    def fit(self, ones: Indices, others: Indices) -> npt.NDArray[np.bool_]:
        """Say of each pair of sets of two parts whether they may stand beside each other."""
        both = self.masks[ones] & self.masks[others]
        return np.asarray((both == 0) if self.shape.is_disjoint else (both == 0) | (both & (both - 1) != 0))


@dataclass(frozen=True, eq=False)
class SupportValues:
    """What a dual point proves of each set; r bounds plus the cost of the union of the sets bound r components.

    Attributes
    ----------
    point : MultiplierMatrix
    sets : a proved bound on lambda_max(M_SS) for each set; inf where the point does not say.
    own : (m,) what a variable that is used costs, rounded upwards; inf where the point does not speak of it.
    shift : what is added to every sum: -r delta, and room for the roundings of the sums.
    losses : of pairs of sets.
    """

    point: MultiplierMatrix
    sets: Array
    own: Array
    shift: float
    losses: OrthogonalityCuts

    @cached_property
    def most(self) -> float:
        """The largest cost of a union, `shift` included."""
        return float(np.maximum(self.own, 0.0).sum()) + self.shift

    def of_unions(self, unions: npt.NDArray[np.int64]) -> Array:
        """Return the cost of each union, `shift` included."""
        total = np.full(len(unions), self.shift)
        for i, cost in enumerate(self.own):
            total += np.where((unions >> i) & 1, cost, 0.0)
        return total

    def of(self, sets: Indices, unions: npt.NDArray[np.int64], level: float = -math.inf) -> Array:
        """Return a proved bound on the components of each choice, a row of `sets`.

        What pairs lose is left out where the bound is at most the level without it.
        """
        total = np.asarray(self.sets[sets].sum(axis=1) + self.of_unions(unions))
        above = np.flatnonzero(total > level)
        total[above] -= self.lost(sets[above])
        return total

    def lost(self, sets: Indices) -> Array:
        """Return the largest loss of two sets of each choice."""
        self.losses.prepare(sets.ravel())
        found = np.zeros(len(sets))
        for s, t in itertools.combinations(range(sets.shape[1]), 2):
            found = np.maximum(found, self.losses.of(sets[:, s], sets[:, t]))
        return found


@np.errstate(over="ignore", invalid="ignore")
def valued(
    cov: Covariance, point: MultiplierMatrix, choices: Choices, wanted: Indices | None = None
) -> SupportValues:
    """Return what a dual point proves of the sets of choices, or of some of them.

    The multipliers and rows of the point do not matter here, and it need not speak of all variables.
    """
    r, here = len(choices.parts), np.isin(choices.variables, point.variables)
    variables = choices.variables[here]
    at = np.searchsorted(point.variables, variables)
    M = np.zeros((len(here), len(here)))
    M[np.ix_(here, here)] = point.rest[np.ix_(at, at)]
    delta, own = charged_diagonal(cov, variables, point.rest[np.ix_(at, at)])
    costs = np.full(len(here), np.inf)
    costs[here] = own
    is_wanted = np.ones(len(choices.masks), dtype=bool)
    if wanted is not None:
        is_wanted[:] = False
        is_wanted[wanted] = True
    is_wanted &= choices.masks & ~sum(1 << int(i) for i in np.flatnonzero(here)) == 0
    values = np.full(len(choices.masks), np.inf)
    for numbers, rows in choices.by_size:
        chosen = is_wanted[numbers]
        some = rows[chosen]
        if len(some):
            values[numbers[chosen]] = eigenvalues_upper(M[some[:, :, None], some[:, None, :]])
    size = r * float(np.abs(values[is_wanted]).max(initial=0.0)) + float(np.abs(own).sum()) + r * delta
    room = 8 * (len(here) + 2 * r + 8) * UNIT_ROUNDOFF * size
    if not math.isfinite(size):  # inf less inf would not be above any level
        values, costs, room, delta = np.full_like(values, np.inf), np.full_like(costs, np.inf), 0.0, 0.0
    return SupportValues(point, values, costs, room - r * delta, OrthogonalityCuts(M, values, choices.by_size))


def _sets(variables: Indices, part: Part) -> npt.NDArray[np.int64]:
    """Return the sets of a part as bits."""
    inside = _subsets(np.searchsorted(variables, part.inside), len(part.inside))
    outside = _subsets(np.searchsorted(variables, part.free), part.size - len(part.inside))
    return np.asarray((inside[:, None] | outside[None, :]).ravel()[1:])


def _subsets(places: Indices, most: int) -> npt.NDArray[np.int64]:
    """Return all sets of at most so many places, the empty one first."""
    masks = [np.zeros(1, dtype=np.int64)]
    bits = np.int64(1) << places.astype(np.int64)
    for size in range(1, min(most, len(places)) + 1):
        chosen = np.array(list(itertools.combinations(range(len(places)), size)), dtype=np.int64)
        masks.append(bits[chosen].sum(axis=1))
    return np.concatenate(masks)
