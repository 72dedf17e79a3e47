"""Inner products of columns to long double accuracy, by products of doubles."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt

from relaxspca.numerics.linalg import AT_ONCE

LONG = np.longdouble
DIGITS = 8 - round(math.log2(float(np.finfo(LONG).eps)))  # least number of bits of all slices of a column
ROWS = range(100, 2**22)  # rows for which slices pay and their error bound holds

Long = npt.NDArray[np.longdouble]
Floats = npt.NDArray[np.floating[Any]]


def long_gram(X: Floats, *, look: Callable[[], None] = lambda: None) -> Long:
    r"""Return X'X for (p, n) doubles or long floats, every entry to within :math:`p\,\epsilon\,|X_i||X_j|`.

    Here :math:`\epsilon` is the machine epsilon of long floats; overflow and underflow are excluded. `look` is
    called before every step: what it raises ends the work.

    Notes
    -----
    A product of long matrices takes fifty times as long as one of doubles. So with enough rows the entries of
    column j, at most :math:`2^{e_j}` in size, are cut into slices,
    :math:`X_{ij}=2^{e_j}\sum_t 2^{-bt}N^{(t)}_{ij}`, of whole numbers of at most b digits. Where
    :math:`p\,2^{2b}\le2^{53}` doubles make no error in the products of two slices, in any order of the sums.

    Of s slices the products with :math:`t+u\le s+1` are added, in long floats. The other products, and the
    remainder of X, are at most :math:`(s+1)\,p\,2^{e_i+e_j-bs}\le\frac14p\,\epsilon|X_i||X_j|`, as
    :math:`2^{e_j}\le2|X_j|`, :math:`2^{-bs}\le2^{-8}\epsilon` and :math:`s\le8`. In absolute value the
    slices of a column add up to no more than :math:`2|X_j|` in length, so the fewer than :math:`s^2` additions
    err by at most :math:`2s^2\epsilon|X_i||X_j|`, and :math:`2s^2\le\frac34p` from 100 rows on.

    Examples
    --------
    >>> X = np.full((300, 2), [3.0, 0.1]).astype(np.longdouble)
    >>> float(long_gram(X)[0, 0]), float(long_gram(X)[0, 1])
    (2700.0, 90.0)
    """
    p, n = X.shape
    if p not in ROWS:
        X = X.astype(LONG)
        return np.asarray(X.T @ X)
    digits = (53 - math.ceil(math.log2(p))) // 2
    count = -(-DIGITS // digits)
    exponents = np.frexp(np.abs(X).max(axis=0))[1]
    slices = _slices(X, exponents, digits, count, look)
    total, columns = np.zeros((n, n), dtype=LONG), max(1, AT_ONCE // n)
    for level in range(count + 1, 1, -1):  # the smallest first
        for t in range(max(1, level - count), level // 2 + 1):
            u = level - t
            for first in range(0, n, columns):
                look()
                part = slice(first, min(first + columns, n))
                product = slices[t - 1].T @ slices[u - 1][:, part]
                here = np.ldexp(product.astype(LONG), -digits * level)
                total[:, part] += here
                if t != u:
                    total[part] += here.T
    return np.asarray(np.ldexp(total, exponents[:, None] + exponents[None, :]))


def _slices(
    X: Floats, exponents: Any, digits: int, count: int, look: Callable[[], None]
) -> list[npt.NDArray[np.float64]]:
    """Cut floats into slices of integers without rounding; only the remainder after the last is lost."""
    left, found = np.ldexp(X, -exponents), []
    for _ in range(count):
        look()
        left *= 2.0**digits
        whole = np.rint(left).astype(np.float64)
        left -= whole
        found.append(whole)
    return found
