"""Bound lambda_max(M_TT), or the largest lambda_max(M_TT) + y(T), over a list of supports of one size."""

from __future__ import annotations

import contextlib
from typing import Any

import numpy as np

from relaxspca.checker.exact import Exact
from relaxspca.checker.rounded import UNIT, Ball, Rounded


def largest_of_blocks(arithmetic: Exact | Rounded, M: Any, y: Any, supports: Any) -> Any:
    """Return the bound, for arrays of the arithmetic; `supports` has a row of positions for each."""
    bounds = each_of_blocks(arithmetic, M[supports[:, :, None], supports[:, None, :]])
    return arithmetic.upper(arithmetic.array(bounds) + y[supports].sum(axis=1)).max()


def each_of_blocks(arithmetic: Exact | Rounded, blocks: Any) -> Any:
    """Return for matrices of one size bounds on their largest eigenvalues, found as in `eigenvalue_upper`."""
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
