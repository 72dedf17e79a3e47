"""The best support of one component by trying them all, where there are few: stacked blocks, with a proof."""

from __future__ import annotations

import itertools
import math
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from relaxspca.numerics.linalg import SMALLEST_DENORMAL, UNIT_ROUNDOFF, Array, eigenvalues_upper
from relaxspca.problem.node import Indices
from relaxspca.relaxations.several.shape import Part

MOST = 4000  # supports, or choices of them, that are tried one by one


@dataclass(frozen=True, eq=False)
class Listed:
    """Every support of a part, and a proved bound on lambda_max(M_TT) + y(T) for each.

    Attributes
    ----------
    supports : arrays (count, size), one for each size; positions among the variables of the part.
    values : one (count,) array for each of them.
    """

    supports: tuple[Indices, ...]
    values: tuple[Array, ...]

    @property
    def largest(self) -> float:
        """Proved bound on the best support."""
        return max(float(values.max()) for values in self.values)


def count_supports(part: Part, *, is_at_most: bool = False) -> int:
    """Return how many supports a part has.

    Examples
    --------
    >>> count_supports(Part(2, np.array([3]), np.array([0, 1])))
    2
    """
    return sum(math.comb(len(part.free), more) for more in _added(part, is_at_most))


def listed(M: Array, y: Array, part: Part, *, is_at_most: bool = False) -> Listed:
    """Return all supports of a part, one at least and at most `MOST`, with their bounds."""
    inside = np.flatnonzero(np.isin(part.variables, part.inside))
    free = np.flatnonzero(np.isin(part.variables, part.free))
    supports, values = [], []
    for more in _added(part, is_at_most):
        chosen = free[_combinations(len(free), more)]
        forced = np.broadcast_to(inside, (len(chosen), len(inside)))
        some = np.concatenate([forced, chosen], axis=1)
        supports.append(some)
        paid, moduli = y[some].sum(axis=1), np.abs(y[some]).sum(axis=1)
        paid = paid + 4 * (some.shape[1] + 4) * UNIT_ROUNDOFF * moduli + SMALLEST_DENORMAL
        values.append(np.nextafter(eigenvalues_upper(M[some[:, :, None], some[:, None, :]]) + paid, np.inf))
    return Listed(tuple(supports), tuple(values))


def _added(part: Part, is_at_most: bool) -> range:
    """Return how many free variables a support may have."""
    most = min(part.size - len(part.inside), len(part.free))
    if is_at_most:
        return range(0 if len(part.inside) else 1, most + 1)
    return range(part.size - len(part.inside), most + 1)


@lru_cache(maxsize=256)
def _combinations(m: int, size: int) -> Indices:
    chosen = np.array(list(itertools.combinations(range(m), size)), dtype=np.int64)
    return chosen.reshape(math.comb(m, size), size)
