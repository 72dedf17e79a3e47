"""Minimise the bound of several components over lists of supports by a primal-dual interior point method."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from relaxspca.numerics.linalg import Array
from relaxspca.relaxations.several.program import Program

__all__ = ["Blocks", "follow_path", "inverted"]

BACK = 0.85  # by which a step that leaves the cones is shortened
LEAST = 1e-3  # step below which the path is given up
INSIDE = 0.9  # of a step that was shortened, taken
RIDGE = 1e-13  # of the diagonal: multipliers may be undetermined

Blocks = list[Array]


def follow_path(
    program: Program,
    v: Array,
    X: Blocks,
    *,
    is_enough: Callable[[float, float, float], bool],
    iterations: int = 50,
) -> tuple[Array, Blocks, bool]:
    """Return unknowns near the best, inside all cones, the multipliers, and whether that is enough.

    Parameters
    ----------
    program : Program.
    v, X : unknowns to begin with, and multipliers, all blocks definite.
    is_enough : asked before each step, with the value, its distance to that of the multipliers, and the
        most that these miss of being feasible; True ends the steps.
    iterations : most steps.

    References
    ----------
    C. Helmberg, F. Rendl, R. J. Vanderbei and H. Wolkowicz, An interior-point method for semidefinite
    programming, SIAM J. Optimization 6, 1996; S. Mehrotra's predictor and corrector.
    """
    S = program.blocks(v)
    P = inverted(S)
    for at in range(iterations):
        gap = sum(float(np.vdot(s, x)) for s, x in zip(S, X, strict=True))
        missing = float(np.abs(program.objective - program.adjoint(X)).max())
        if is_enough(float(program.objective @ v), gap, missing):
            return v, X, True
        step = _Step(program, X, S, P)
        # What is handed on is seldom central: the first step only mends that.
        dv, dS, dX = step(gap / program.order, None) if at == 0 else _corrected(step, gap)
        alpha, beta = _length(S, dS), _length(X, dX)
        if not (np.isfinite(dv).all() and max(alpha, beta) > LEAST):
            break
        trial = v + _shortened(alpha) * dv
        changed = program.blocks(trial)
        if not _is_definite(changed):
            break
        v, S, P = trial, changed, inverted(changed)
        X = [_sym(x + _shortened(beta) * dx) for x, dx in zip(X, dX, strict=True)]
    return v, X, False


class _Step:
    """The solution of the linearised conditions, for one target after another."""

    def __init__(self, program: Program, X: Blocks, S: Blocks, P: Blocks) -> None:
        self.program, self.X, self.S, self.P = program, X, S, P
        self._solve = _factored(program.hessian(X, P))

    def __call__(self, mu: float, products: Blocks | None) -> tuple[Array, Blocks, Blocks]:
        """Return the changes of unknowns, blocks and multipliers toward X S = mu I less the products."""
        aim = [mu * p for p in self.P]
        if products is not None:
            aim = [goal - product for goal, product in zip(aim, products, strict=True)]
        dv = self._solve(self.program.adjoint(aim) - self.program.objective)
        dS = self.program.blocks(dv, is_change=True)
        rows = zip(aim, self.X, dS, self.P, strict=True)
        return dv, dS, [goal - x - _sym(x @ ds @ p) for goal, x, ds, p in rows]


def _corrected(step: _Step, gap: float) -> tuple[Array, Blocks, Blocks]:
    """Return a step toward a mean product that the step toward 0 suggests, its second order mended."""
    _, dS, dX = step(0.0, None)
    alpha, beta = _length(step.S, dS), _length(step.X, dX)
    rows = zip(step.X, dX, step.S, dS, strict=True)
    after = sum(float(np.vdot(x + beta * dx, s + alpha * ds)) for x, dx, s, ds in rows)
    center = min(1.0, max(LEAST, (after / gap) ** 2))
    return step(
        center * gap / step.program.order, [_sym(x @ s @ p) for x, s, p in zip(dX, dS, step.P, strict=True)]
    )


def _factored(H: Array) -> Callable[[Array], Array]:
    import scipy.linalg

    H[np.diag_indices_from(H)] *= 1 + RIDGE
    factors: Any = scipy.linalg.lu_factor(H, check_finite=False)
    return lambda right: np.asarray(scipy.linalg.lu_solve(factors, right, check_finite=False))


def _length(blocks: Blocks, changes: Blocks) -> float:
    """Return a step after which all blocks are definite, at most 1."""
    length = 1.0
    while length > LEAST:
        if _is_definite([block + length * change for block, change in zip(blocks, changes, strict=True)]):
            return length
        length *= BACK
    return 0.0


def _shortened(length: float) -> float:
    return length if length == 1.0 else INSIDE * length


def _is_definite(blocks: Blocks) -> bool:
    try:
        pivots = [np.diagonal(np.linalg.cholesky(block), axis1=1, axis2=2) for block in blocks]
    except np.linalg.LinAlgError:
        return False
    return all(bool((some > 0).all()) for some in pivots)


def inverted(blocks: Blocks) -> Blocks:
    """Return the inverses of symmetric blocks."""
    return [_sym(np.asarray(np.linalg.inv(block))) for block in blocks]


def _sym(blocks: Array) -> Array:
    return np.asarray((blocks + np.swapaxes(blocks, 1, 2)) / 2)
