"""Choices of sets of variables, one for each component, and what a dual point proves of each set."""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt

from relaxspca.numerics.linalg import UNDERFLOW, UNIT_ROUNDOFF, Array, Indices, eigenvalues_upper
from relaxspca.problem.covariance import Covariance
from relaxspca.relaxations.several.formula import MultiplierMatrix, charged_diagonal
from relaxspca.relaxations.several.shape import Part, Shape
from relaxspca.relaxations.several.smooth import kinds_of

MOST_SETS = 1 << 15  # supports of one component, of all sizes, or partial choices, that are listed
COSINE_ROOM = 2.0**-44  # for roundings of products and lengths of vectors of at most 62 entries
ROOM = 1 - 2.0**-20  # what a reader of the certificate may miss of a loss
TINY = 2.0**40 * UNDERFLOW  # below it roundings are not relative


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


class OrthogonalityCuts:
    r"""Losses of pairs of sets.

    .. math:: x'Mx+y'My\le\lambda_{\max}(M_{SS})+\lambda_{\max}(M_{S'S'})-\text{loss}

    where x and y are orthogonal unit vectors on S and S'. Let u, v be the leading unit eigenvectors of the two
    blocks, g, g' the distances to their second eigenvalues, t = g + g' and c the inner product of u and v:

    .. math:: \text{loss}=\tfrac12\big(t-\sqrt{t^2-4gg'c^2}\big)\ge\tfrac t{32}\,e\,(8+2e+e^2),
              \quad e=4gg'c^2/t^2.

    Proof: docs/theory/several.md, section 5. What is found is proved: it is lowered by all roundings.

    Parameters
    ----------
    M : (m, m) symmetric.
    bounds : (count,) proved bounds on lambda_max(M_SS) of all sets; what is lost is lost from these.
    by_size : numbers of the sets of each size, and their positions in M, a row each.
    """

    def __init__(self, M: Array, bounds: Array, by_size: Sequence[tuple[Indices, Indices]]) -> None:
        self.M, self.bounds, self.by_size = M, bounds, by_size
        self.vectors = np.zeros((len(bounds), len(M)))
        self.gaps = np.zeros(len(bounds))
        self.excess = np.zeros(len(bounds))
        self.is_found = ~np.isfinite(bounds)

    def prepare(self, numbers: Indices) -> None:
        """Find the vectors of some sets, once."""
        is_wanted = np.zeros(len(self.bounds), dtype=bool)
        is_wanted[numbers] = True
        is_wanted &= ~self.is_found
        for own, rows in self.by_size:
            chosen = is_wanted[own]
            if chosen.any() and rows.shape[1] > 1:
                self._find(own[chosen], rows[chosen])
        self.is_found |= is_wanted

    def of(self, ones: Indices, others: Indices) -> Array:
        """Return the losses of pairs of prepared sets."""
        cosines = np.einsum("ij,ij->i", self.vectors[ones], self.vectors[others])
        return self._lost(cosines, ones, others)

    def table(self, ones: Indices, others: Indices) -> Array:
        """Return the losses of each of some prepared sets with each of others."""
        cosines = self.vectors[ones] @ self.vectors[others].T
        return self._lost(cosines, ones[:, None], others[None, :])

    @np.errstate(over="ignore", invalid="ignore", under="ignore", divide="ignore")
    def _lost(self, cosines: Array, ones: Indices, others: Indices) -> Array:
        g, h = self.gaps[ones], self.gaps[others]
        c = np.abs(cosines) - COSINE_ROOM
        t = g + h
        e = 4 * (g / t) * (h / t) * np.maximum(c, 0) ** 2
        lost = t / 32 * e * (8 + e * (2 + e)) * ROOM
        is_sure = (e > TINY) & (lost > TINY) & np.isfinite(lost)
        return np.where(is_sure, np.maximum(lost - (self.excess[ones] + self.excess[others]), 0), 0.0)

    @np.errstate(over="ignore", invalid="ignore", under="ignore")
    def _find(self, numbers: Indices, rows: Indices) -> None:
        """Find u, g and how much a bound with them is above the one there is.

        B = M - g uu' on S, so M is at most lambda_max(B) I + g uu', and a = lambda_max(B) + g.
        """
        blocks = self.M[rows[:, :, None], rows[:, None, :]]
        try:
            values, bases = np.linalg.eigh(blocks)
        except np.linalg.LinAlgError:
            return
        gaps, u = values[:, -1] - values[:, -2], bases[:, :, -1]
        size = np.abs(blocks).sum(axis=2).max(axis=1) + gaps
        lengths = np.einsum("ij,ij->i", u, u)
        is_sure = (np.abs(lengths - 1) < COSINE_ROOM / 2) & (gaps > 0) & (size < 2.0**1000)
        if not is_sure.any():
            return
        found = numbers, rows, blocks, gaps, u, size
        numbers, rows, blocks, gaps, u, size = (some[is_sure] for some in found)
        B = blocks - gaps[:, None, None] * (u[:, :, None] * u[:, None, :])
        below = eigenvalues_upper(B, 8 * UNIT_ROUNDOFF * rows.shape[1] * float(size.max()))
        a = (below + gaps * (1 + COSINE_ROOM)) + 4 * UNIT_ROUNDOFF * size
        self.gaps[numbers] = gaps
        self.excess[numbers] = np.maximum(a - self.bounds[numbers], 0) * (1 + 4 * UNIT_ROUNDOFF)
        spread: npt.NDArray[np.float64] = np.zeros((len(rows), len(self.M)))
        np.put_along_axis(spread, rows, u, axis=1)
        self.vectors[numbers] = spread
