"""Bound lambda_max(M_TT), or the largest lambda_max(M_TT) + y(T), over a list of supports of one size.

As `eigenvalue_upper` does for one matrix, in either arithmetic: with a tau for every support; or with one for
all, and tau - y(T) in its place.
"""

from __future__ import annotations

import contextlib
import math
from fractions import Fraction
from typing import Any

import numpy as np

from relaxspca.checker.exact import Exact, dyadic_above, is_positive_definite
from relaxspca.checker.rounded import UNIT, Ball, Rounded


def largest_of_blocks(arithmetic: Exact | Rounded, M: Any, y: Any, supports: Any) -> Any:
    """Return the bound, for arrays of the arithmetic; `supports` has a row of positions for each."""
    if isinstance(arithmetic, Exact):
        return _exact(M, y, supports)
    return _rounded(arithmetic, M, y, supports)


def _exact(M: Any, y: Any, supports: Any) -> Any:
    paid = y[supports].sum(axis=1)
    rows = np.abs(M).sum(axis=1).max()
    plain = rows + paid.max()
    blocks = M.astype(np.float64)[supports[:, :, None], supports[:, None, :]]
    try:
        estimate = float((np.linalg.eigvalsh(blocks)[:, -1] + paid.astype(np.float64)).max())
    except (OverflowError, np.linalg.LinAlgError):
        return plain
    margin = len(M) * (rows + np.abs(paid).max()) / 2**52
    # In whole numbers, so that no fraction is reduced again and again.
    scale = math.lcm(*(x.denominator for x in (*M.ravel(), *paid)))
    whole = np.frompyfunc(lambda x: int(x * scale), 1, 1)(M)
    while math.isfinite(estimate) and 0 < margin < plain - Fraction(estimate):
        tau = Fraction(estimate) + dyadic_above(margin, bits=4)
        if _are_below(whole, scale, tau - paid, supports):
            return min(tau, plain)
        margin *= 16
    return plain


def _are_below(whole: Any, scale: int, levels: Any, supports: Any) -> bool:
    """Say whether every level I - M_TT is proved positive definite, for M times `scale` in whole numbers."""
    finer = math.lcm(*(level.denominator for level in levels))
    eye = np.eye(supports.shape[1], dtype=object)
    for T, level in zip(supports, levels, strict=True):
        shift = int(level * finer) * scale
        if not is_positive_definite(shift * eye - finer * whole[np.ix_(T, T)]):
            return False
    return True


def each_of_blocks(arithmetic: Exact | Rounded, blocks: Any) -> Any:
    """Return for every matrix of a list, of one size, a bound on its largest eigenvalue."""
    if isinstance(arithmetic, Exact):
        return [arithmetic.eigenvalue_upper(block) for block in blocks]
    k, eye = blocks.shape[1], np.eye(blocks.shape[1])
    rows = arithmetic.total(arithmetic.magnitude(blocks), axis=1).max(axis=1)
    with contextlib.suppress(np.linalg.LinAlgError):
        estimates = np.linalg.eigvalsh(blocks.middle)[:, -1]
        levels = estimates + 2 * (k + 2) ** 2 * UNIT * rows + 2.0**-1000
        remainder = Ball(levels[:, None, None] * eye) - blocks
        L = np.linalg.cholesky(remainder.middle)
        errors = remainder - Ball(L) @ Ball(np.swapaxes(L, 1, 2))
        error = arithmetic.total(arithmetic.magnitude(errors), axis=1).max(axis=1)
        proved = arithmetic.upper(Ball(levels) + Ball(error))
        return np.minimum(rows, proved).tolist()
    return rows.tolist()


def _rounded(arithmetic: Rounded, M: Ball, y: Ball, supports: Any) -> float:
    k, eye = supports.shape[1], np.eye(supports.shape[1])
    paid = arithmetic.upper(y[supports].sum(axis=1))
    blocks = M[supports[:, :, None], supports[:, None, :]]
    rows = arithmetic.total(arithmetic.magnitude(blocks), axis=1).max(axis=1)
    plain = arithmetic.upper(Ball(rows) + Ball(paid)).max()
    if not math.isfinite(plain):
        return math.inf
    try:
        estimate = float((np.linalg.eigvalsh(blocks.middle)[:, -1] + paid).max())
        size = rows.max() + np.abs(paid).max() + abs(estimate)
        tau = estimate + 4 * (k + 2) ** 2 * UNIT * size + 2.0**-1000
        levels = Ball(np.full(len(paid), tau)) - Ball(paid)
        shifts = Ball(levels.middle[:, None, None] * eye, levels.radius[:, None, None] * eye)
        remainder = shifts - blocks
        L = np.linalg.cholesky(remainder.middle)
    except np.linalg.LinAlgError:
        return float(plain)
    errors = remainder - Ball(L) @ Ball(np.swapaxes(L, 1, 2))
    error = arithmetic.total(arithmetic.magnitude(errors), axis=1).max()
    return float(min(plain, arithmetic.total([tau, error])))
