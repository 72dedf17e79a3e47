"""A dual point for tables whose components are in groups, each with a family of supports to choose from."""

from __future__ import annotations

import contextlib
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
UNIT = 100  # of the objective; its steps end at changes of a size of their own

Group = tuple[int, Indices]  # how many components, and the numbers of their supports


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
        self.by_size = []
        for numbers, rows in catalogue.by_size:
            is_wanted = place[numbers] >= 0
            if is_wanted.any():
                self.by_size.append((place[numbers[is_wanted]], rows[is_wanted]))

    def minimised(
        self, L: Array, width: float, iterations: int, level: float, deadline: Deadline = FOREVER
    ) -> tuple[float, Array, Shares]:
        """Return the least bound that quasi-Newton steps come to, its L, and what counts there.

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
        best: tuple[float, Array, Shares] | None = None

        def objective(entries: Array) -> tuple[float, Array]:
            nonlocal best
            value, slope, bound, shares = self(entries.reshape(side), width)
            is_small = np.abs(entries).max() ** 2 <= largest  # roundings grow with the entries of a point
            if is_small and (best is None or bound < best[0]):
                best = bound, entries.reshape(side).copy(), shares
            if best is not None and (best[0] <= level or deadline.is_over):
                raise StopIteration
            return UNIT * value, UNIT * slope.ravel()

        options: Any = {"jac": True, "method": "L-BFGS-B", "options": {"maxiter": iterations, "maxcor": 20}}
        # Stopped on purpose or by numbers that overflow: what was reached by then counts.
        with one_thread(len(L)), contextlib.suppress(StopIteration, np.linalg.LinAlgError):
            solve(objective, L.ravel(), **options)
        if best is None:
            _, _, bound, shares = self(L, width)
            return bound, L, shares
        return best

    @np.errstate(over="ignore", invalid="ignore")
    def __call__(self, L: Array, width: float) -> tuple[float, Array, float, Shares]:
        """Return the smooth bound, its gradient in L, the bound itself, and the shares."""
        Z = L @ L.T
        values, vectors = self._leading(self.Sigma - Z)
        weights = np.zeros(values.shape)
        smooth = bound = float(np.trace(Z))
        shares = []
        for count, family in zip(self.counts, self.families, strict=True):
            own = values[family]
            top = float(own.max())
            share = np.exp((own - top) / width)
            total = float(share.sum())
            share /= total
            smooth, bound = smooth + count * (top + width * float(np.log(total))), bound + count * top
            weights[family] += count * share
            shares.append(share.sum(axis=1))
        flat = vectors.reshape(-1, len(L))
        slope = 2 * (L - (flat * weights.reshape(-1, 1)).T @ (flat @ L))
        leading = tuple(vectors[family, -1] for family in self.families)
        return smooth, slope, bound, Shares(tuple(shares), leading)

    def _leading(self, M: Array) -> tuple[Array, Array]:
        """Return the largest eigenvalues of all sets, in increasing order, and their eigenvectors."""
        values = np.full((self.count, LEADING), -np.inf)
        vectors = np.zeros((self.count, LEADING, len(M)))
        for numbers, rows in self.by_size:
            heights, bases = np.linalg.eigh(M[rows[:, :, None], rows[:, None, :]])
            few = min(LEADING, rows.shape[1])
            values[numbers, -few:] = heights[:, -few:]
            spread = np.zeros((len(rows), few, len(M)))
            places = np.broadcast_to(rows[:, None, :], (len(rows), few, rows.shape[1]))
            np.put_along_axis(spread, places, bases[:, :, -few:].transpose(0, 2, 1), axis=2)
            vectors[numbers, -few:] = spread
        return values, vectors
