"""The best support of one component by trying them all, where there are few: stacked blocks, with a proof."""

from __future__ import annotations

import itertools
import math
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
import numpy.typing as npt

from relaxspca.numerics.linalg import SMALLEST_DENORMAL, UNIT_ROUNDOFF, Array, is_proved_below
from relaxspca.problem.node import Indices
from relaxspca.relaxations.several.shape import Part

MOST = 4000  # supports, or choices of them, that are tried one by one


@dataclass(frozen=True, eq=False)
class Listed:
    """Every support of a part, and lambda_max(M_TT) + y(T) for each.

    Attributes
    ----------
    supports : arrays (count, size), one for each size; positions among the variables of the part.
    values : one (count,) array for each of them; not proved, see `proved_largest`.
    """

    supports: tuple[Indices, ...]
    values: tuple[Array, ...]


def count_supports(part: Part, *, is_at_most: bool = False) -> int:
    """Return how many supports a part has.

    Examples
    --------
    >>> count_supports(Part(2, np.array([3]), np.array([0, 1])))
    2
    """
    return sum(math.comb(len(part.free), more) for more in _added(part, is_at_most))


def listed(M: Array, y: Array, part: Part, *, is_at_most: bool = False) -> Listed:
    """Return all supports of a part, one at least and at most `MOST`, with their values."""
    inside = np.flatnonzero(np.isin(part.variables, part.inside))
    free = np.flatnonzero(np.isin(part.variables, part.free))
    supports, values = [], []
    for more in _added(part, is_at_most):
        chosen = free[_combinations(len(free), more)]
        forced = np.broadcast_to(inside, (len(chosen), len(inside)))
        some = np.concatenate([forced, chosen], axis=1)
        supports.append(some)
        values.append(np.linalg.eigvalsh(_blocks(M, some))[:, -1] + y[some].sum(axis=1))
    return Listed(tuple(supports), tuple(values))


def proved_largest(M: Array, y: Array, found: Listed) -> float:
    """Return a proved bound on the largest lambda_max(M_TT) + y(T) of the supports listed."""
    largest = max((float(values.max()) for values in found.values if values.size), default=-math.inf)
    if not math.isfinite(largest):
        return largest if largest == -math.inf else math.inf
    scale = float(np.abs(M).sum(axis=1).max() + np.abs(y).sum()) + abs(largest)
    margin = 64 * (len(M) + 1) * UNIT_ROUNDOFF * scale + SMALLEST_DENORMAL * 2**60
    while math.isfinite(margin):
        tau = math.nextafter(largest + margin, math.inf)
        if all(are_proved_below(M, y, some, tau) for some in found.supports):
            return tau
        margin *= 4
    return math.inf


def are_proved_below(M: Array, y: Array, supports: Indices, tau: float) -> bool:
    r"""Say whether :math:`\lambda_{\max}(M_{TT})+y(T)<\tau` is proved for every support, a row each."""
    if len(supports) == 0:
        return True
    k = supports.shape[1]
    paid = y[supports].sum(axis=1)
    paid = paid + 4 * (k + 4) * UNIT_ROUNDOFF * np.abs(y[supports]).sum(axis=1) + SMALLEST_DENORMAL
    return is_proved_below(_blocks(M, supports), np.nextafter(tau - paid, -np.inf), 0.0)


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


def _blocks(M: Array, supports: Indices) -> npt.NDArray[np.float64]:
    return np.asarray(M[supports[:, :, None], supports[:, None, :]])
