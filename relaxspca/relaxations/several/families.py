"""A dual point for tables whose components are in groups, each with a family of supports to choose from."""

from __future__ import annotations

import contextlib
import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from relaxspca.numerics.linalg import Array
from relaxspca.relaxations.several.shape import Indices
from relaxspca.relaxations.several.valued import Catalogue
from relaxspca.runtime.deadline import FOREVER, Deadline
from relaxspca.runtime.threads import one_thread

__all__ = ["Families", "Group", "Shares"]

LEADING = 4  # eigenvalues of a set that may share the largest place
LARGEST = 30  # entries of LL', in parts of the level
NEGLIGIBLE = 1e-10  # weight of an eigenvector in the gradient
UNIT = 100  # of the objective; its steps end at changes of a size of their own

Group = tuple[int, Indices]  # how many components, and the numbers of their supports
_Leading = list[tuple[Indices, Indices, Array, Array]]


@dataclass(frozen=True, eq=False)
class Shares:
    """Which supports count at a dual point.

    Attributes
    ----------
    of_groups : for each group the share of each of its sets in a smooth maximum; they add up to 1.
    vectors : for each group the leading eigenvectors of its sets, a row each.
    """

    of_groups: tuple[Array, ...]
    vectors: tuple[Array, ...]


class Families:
    r"""What a dual point proves of all tables with a support of its family for each component.

    .. math:: \sum_g m_g\max_{S\in\mathcal F_g}\lambda_{\max}((\Sigma-LL')_{SS})+\mathrm{tr}\,LL'

    It is convex in Z = LL'. The maxima over sets and eigenvalues are smoothed by exponentials.

    Parameters
    ----------
    Sigma : (m, m) block on the variables of the catalogue (variance).
    catalogue : Catalogue of supports.
    groups : how many components each has, and the numbers of their supports; no family is empty.
    """

    def __init__(self, Sigma: Array, catalogue: Catalogue, groups: Sequence[Group]) -> None:
        self.Sigma, self.counts = Sigma, [count for count, _ in groups]
        place = np.full(len(catalogue.masks), -1)
        wanted = np.unique(np.concatenate([family for _, family in groups]))
        place[wanted] = np.arange(len(wanted))
        self.count = len(wanted)
        self.families = [place[family] for _, family in groups]
        self.by_size: list[tuple[Indices, Indices, Indices]] = []
        for numbers, rows in catalogue.by_size:
            is_wanted = place[numbers] >= 0
            if is_wanted.any():
                some = rows[is_wanted]
                entries = some[:, :, None] * len(Sigma) + some[:, None, :]
                self.by_size.append((place[numbers[is_wanted]], some, entries))

    def minimised(
        self, L: Array, width: float, iterations: int, level: float, deadline: Deadline = FOREVER
    ) -> tuple[float, Array]:
        """Return the least bound that quasi-Newton steps come to, and its L.

        Parameters
        ----------
        L : (m, m) to begin with.
        width : of the smooth maxima (variance).
        iterations : at most.
        level : at which no more is wanted (variance).
        deadline : when to stop.
        """
        import scipy.optimize

        solve: Any = scipy.optimize.minimize
        side = L.shape
        largest = LARGEST * max(float(np.abs(self.Sigma).max()), abs(level), float((L**2).max()))
        best: tuple[float, Array] | None = None

        def objective(entries: Array) -> tuple[float, Array]:
            nonlocal best
            value, slope, bound = self(entries.reshape(side), width)
            is_small = np.abs(entries).max() ** 2 <= largest  # roundings grow with the entries of a point
            if is_small and (best is None or bound < best[0]):
                best = bound, entries.reshape(side).copy()
            if best is not None and (best[0] <= level or deadline.is_over):
                raise StopIteration
            return UNIT * value, UNIT * slope.ravel()

        options: Any = {"jac": True, "method": "L-BFGS-B", "options": {"maxiter": iterations, "maxcor": 20}}
        # Stopped on purpose or by numbers that overflow: what was reached by then counts.
        with one_thread(len(L)), contextlib.suppress(StopIteration, np.linalg.LinAlgError):
            solve(objective, L.ravel(), **options)
        return best or (self(L, width)[2], L)

    @np.errstate(over="ignore", invalid="ignore")
    def __call__(self, L: Array, width: float) -> tuple[float, Array, float]:
        """Return the smooth bound, its gradient in L, and the bound itself."""
        leading = self._leading(L)
        shares, tops = self._shares(leading, width)
        total = float((L**2).sum())
        smooth, bound = total, total
        weights = np.zeros((self.count, LEADING))
        for count, family, (share, least), top in zip(self.counts, self.families, shares, tops, strict=True):
            smooth, bound = smooth + count * (top + least), bound + count * top
            weights[family] += count * share
        slope = L.copy()
        for numbers, rows, _, bases in leading:
            few = min(LEADING, rows.shape[1])
            own = weights[numbers, -few:]
            set_, place = np.nonzero(own > NEGLIGIBLE)
            vectors = _spread(rows[set_], bases[set_, :, rows.shape[1] - few + place], len(L))
            slope -= (vectors.T * own[set_, place]) @ (vectors @ L)
        return smooth, 2 * slope, bound

    def shares(self, L: Array, width: float) -> Shares:
        """Return which supports count at a point."""
        leading = self._leading(L)
        vectors = np.zeros((self.count, len(L)))
        for numbers, rows, _, bases in leading:
            vectors[numbers] = _spread(rows, bases[:, :, -1], len(L))
        shares, _ = self._shares(leading, width)
        return Shares(
            tuple(share.sum(axis=1) for share, _ in shares), tuple(vectors[family] for family in self.families)
        )

    def _shares(self, leading: _Leading, width: float) -> tuple[list[tuple[Array, float]], list[float]]:
        """Return for each group shares of eigenvalues and what smoothing adds; and the largest eigenvalues."""
        values = np.full((self.count, LEADING), -np.inf)
        for numbers, rows, heights, _ in leading:
            few = min(LEADING, rows.shape[1])
            values[numbers, -few:] = heights[:, -few:]
        shares, tops = [], []
        for family in self.families:
            own = values[family]
            tops.append(float(own[:, -1].max()))
            share = np.exp((own - tops[-1]) / width)
            total = float(share.sum())
            shares.append((share / total, width * math.log(total)))
        return shares, tops

    def _leading(self, L: Array) -> _Leading:
        """Return numbers, rows, eigenvalues in increasing order and eigenvectors of the sets of each size."""
        M = (self.Sigma - L @ L.T).ravel()
        return [(numbers, rows, *np.linalg.eigh(M.take(entries))) for numbers, rows, entries in self.by_size]


def _spread(rows: Indices, vectors: Array, m: int) -> Array:
    """Return vectors on sets as vectors on all variables, a row each."""
    spread = np.zeros((len(rows), m))
    np.put_along_axis(spread, rows, vectors, axis=1)
    return spread
