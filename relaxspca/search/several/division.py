"""Choose the sets that tell the components of a case apart: those after which the bounds fall furthest."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from relaxspca.numerics.linalg import Array
from relaxspca.relaxations.several.families import Group, Shares
from relaxspca.relaxations.several.foretold import foretold

__all__ = ["CaseDivision", "best_division"]

Marks = npt.NDArray[np.bool_]

VARIABLES = 4  # that are used nearest to a half of a component
DIRECTIONS, PARTS = 3, (0.3, 0.5, 0.7)  # vectors, and the parts of a component that are nearest to them
COUNTED = 200  # sets with the largest shares, by which it is measured how far vectors are apart
LEAST_PART = 1e-4  # of the shares on one side of a division
DECAY = 10.0  # how fast the number of cases falls with the square of what a division moves
TRIED = 12  # divisions that are looked at more closely,
VECTORS = 60  # with so many vectors of a group
WIDTH, STEPS = 2e-4, 12
GROWTH = 6.0  # logarithm of how many cases follow for what the first case leaves open
CLOSED = 0.02  # cost of a case that closes at once, in those that are left open by next to nothing


@dataclass(frozen=True, eq=False)
class CaseDivision:
    """A group of a case, and marks of the sets of its family that divide it."""

    group: int
    is_named: Marks

    def apply(self, groups: Sequence[Group]) -> Iterator[tuple[Group, ...]]:
        """Yield the groups where none, one, two, ... components of this one have some of the marked sets."""
        count, family = groups[self.group]
        for i in range(count + 1):
            parts = [(i, family[self.is_named]), (count - i, family[~self.is_named])]
            first, *further = [part for part in parts if part[0]]
            yield (*groups[: self.group], first, *groups[self.group + 1 :], *further)


def best_division(
    Sigma: Array,
    masks: npt.NDArray[np.int64],
    groups: Sequence[Group],
    shares: Shares,
    L: Array,
    *,
    target: float,
    gap: float,
) -> CaseDivision:
    """Return the division after which the fewest cases are expected.

    Candidates are the sets that use a variable, and those whose vectors are near one that is used much. Of
    those that move the supports most, what follows is foretold with the vectors as they are.

    Parameters
    ----------
    Sigma : (m, m) block on the variables of the sets (variance).
    masks : all sets, as bits.
    groups : of the case; one at least has two sets.
    shares : of the sets at the last point.
    L : the factor of the last point.
    target : what is to be proved (variance).
    gap : what the first case left open (variance).
    """
    ranked: list[tuple[float, int, CaseDivision]] = []
    for group, ((count, family), share, vectors) in enumerate(
        zip(groups, shares.of_groups, shares.vectors, strict=True)
    ):
        is_in = (masks[family][:, None] >> np.arange(len(Sigma))) & 1 == 1
        found = np.array(list(_candidates(count, share, vectors, is_in)), dtype=bool)
        marks = np.unique(found.reshape(-1, len(family)), axis=0)
        costs = _expected(count, share, vectors, marks)
        ranked += [
            (cost, -len(family), CaseDivision(group, mark)) for cost, mark in zip(costs, marks, strict=True)
        ]
    ranked.sort(key=lambda one: one[:2])
    tried = [division for _, _, division in ranked[:TRIED]]
    return tried[int(np.argmin(_cases(Sigma, groups, shares, L, tried, target, gap)))]


def _candidates(count: int, share: Array, vectors: Array, is_in: Marks) -> Iterator[Marks]:
    """Yield marks of some sets of a family, neither none nor all of them; there are some if it has two sets."""
    if len(share) == 1:
        return
    used = count * (share @ is_in)
    for variable in np.argsort(np.abs(used - np.floor(used) - 0.5))[:VARIABLES]:
        if 0 < is_in[:, variable].sum() < len(share):
            yield is_in[:, variable]
    for at in np.argsort(-share)[:DIRECTIONS]:
        order = np.argsort(-((vectors @ vectors[at]) ** 2), kind="stable")
        used = count * np.cumsum(share[order])
        for part in PARTS:
            is_near = np.zeros(len(share), dtype=bool)
            is_near[order[: min(int(np.searchsorted(used, part)) + 1, len(share) - 1)]] = True
            yield is_near


def _expected(count: int, share: Array, vectors: Array, marks: Marks) -> Array:
    """Return how many cases are expected after each division, by how far it moves the mean of vv'.

    Where i components have their support among marked sets with the part p of the shares, the sum of vv' over
    the group moves by i - count p times what the means of marked and other sets are apart.
    """
    counted = np.argsort(-share)[:COUNTED]
    squares = (vectors[counted, :, None] * vectors[counted, None, :]).reshape(len(counted), -1)
    weight, own = share[counted], marks[:, counted]
    total = weight.sum()
    part = own @ weight / total
    marked, mean = (own * weight) @ squares / total, weight @ squares / total
    scale = np.maximum(part * (1 - part), LEAST_PART)[:, None]
    apart = (((marked - part[:, None] * mean) / scale) ** 2).sum(axis=1)
    moved = (np.arange(count + 1)[:, None] - count * part) ** 2 * apart
    return np.asarray(np.exp(-DECAY * moved).sum(axis=0))


def _cases(
    Sigma: Array,
    groups: Sequence[Group],
    shares: Shares,
    L: Array,
    divisions: Sequence[CaseDivision],
    target: float,
    gap: float,
) -> Array:
    """Return how many cases are foretold after each division, up to a factor that all have in common."""
    few = [np.sort(np.argsort(-share)[:VECTORS]) for share in shares.of_groups]
    vectors = np.concatenate([own[some] for own, some in zip(shares.vectors, few, strict=True)])
    ends = np.cumsum([len(some) for some in few])
    starts, counts = ends - [len(some) for some in few], np.array([float(count) for count, _ in groups])
    of_division, is_named, named, others = [], [], [], []
    for number, division in enumerate(divisions):
        group, marks = division.group, division.is_named[few[division.group]]
        own = np.ones(len(vectors), dtype=bool)
        own[starts[group] : ends[group]] = marks
        for i in range(groups[group][0] + 1):
            rest = np.zeros(len(groups))
            rest[group] = counts[group] - i
            if (i == 0 or marks.any()) and (rest[group] == 0 or not marks.all()):
                of_division.append(number)
                is_named.append(own)
                named.append(counts - rest)
                others.append(rest)
    scale = max(abs(target), float(np.abs(Sigma).max()))
    bounds = foretold(
        Sigma,
        vectors,
        starts,
        np.array(is_named),
        np.array(named),
        np.array(others),
        L,
        width=WIDTH * scale,
        steps=STEPS,
    )
    with np.errstate(over="ignore"):  # the first case may leave open next to nothing
        left = np.clip((bounds - target) / gap, 0.0, 1.0)
    cases = np.where(left > 0, np.exp(GROWTH * left), CLOSED)
    return np.asarray(np.bincount(of_division, weights=cases, minlength=len(divisions)), dtype=float)
