"""What minimising the pairwise bound returns: a dual point, and what its prices settled."""

from __future__ import annotations

from dataclasses import dataclass

from relaxspca.certificate import PairwisePoint
from relaxspca.problem.node import Indices

__all__ = ["FixingRound", "PairwiseSolution", "Stage"]


@dataclass(frozen=True, eq=False)
class FixingRound:
    """Variables that one dual point takes out of, or puts into, every support still of interest.

    For i in `outside`, forcing i in has a bound of at most `worst` at `point`; for i in `inside`,
    excluding i has. Those bounds hold on the node as the earlier fixings left it.
    """

    point: PairwisePoint
    inside: Indices
    outside: Indices
    worst: float


@dataclass(frozen=True)
class Stage:
    """Record one stage: width of the smoothing, bound, free variables left, evaluations and seconds so far."""

    width: float
    value: float
    free: int
    evaluations: int
    seconds: float


@dataclass(frozen=True, eq=False)
class PairwiseSolution:
    """Hold a dual point of the pairwise relaxation and what its prices settled.

    Attributes
    ----------
    point : PairwisePoint
        Covers `inside` and `free`.
    value : float
        Proved bound for the supports that contain `inside` and otherwise use `free`; the eigenvalue
        itself when one support is left, that of the best of the `survivors` (but at least `lower`) when they
        are listed, ``-inf`` when there is no support.
    upper : float
        Proved bound for the whole node: the larger of `value` and what the fixed variables can do, or a
        bound found before anything was fixed.
    inside, free : int arrays
        Variables forced in (those given, and those fixed) and those still undecided.
    fixings : tuple of FixingRound, in order
    survivors : tuple of int arrays
        Supports evaluated one by one: the price of every other support is at most `lower` at `point`. Empty
        when there was nothing to list or the list would have been long.
    iterations : int
        Evaluations of the smoothed dual, one eigendecomposition each.
    history : tuple of Stage

    Notes
    -----
    A certificate shows one point. Where `rests_on_fixings` is true, `value` and `upper` are proved, but by
    several points and supports together: `point` alone proves less, and they carry no certificate.
    """

    point: PairwisePoint
    value: float
    upper: float
    inside: Indices
    free: Indices
    fixings: tuple[FixingRound, ...]
    survivors: tuple[Indices, ...]
    iterations: int
    history: tuple[Stage, ...]

    @property
    def rests_on_fixings(self) -> bool:
        """Whether the bounds rest on variables fixed before, or on supports evaluated one by one."""
        return bool(self.fixings or self.survivors)
