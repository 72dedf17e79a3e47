"""Rank-one parts of the matrices in a solution of psi's cone program."""

from __future__ import annotations

import math

import numpy as np

from relaxspca.numerics.linalg import Array

__all__ = ["rank_one_part"]


def rank_one_part(Y: Array, a: Array, rho: float) -> Array:
    r"""Return y with :math:`yy'\preceq Y_+` and :math:`yy'\succeq aa'-\rho I`, for Y that satisfies the latter.

    Notes
    -----
    With :math:`q=(Y+\rho I)^{-1}a` and :math:`y=Yq/\sqrt{q'Yq}`: :math:`(yy'+\rho I)q=a`, so
    :math:`a'(yy'+\rho I)^{-1}a=a'q\le1`.

    Examples
    --------
    >>> rank_one_part(np.diag([1.0, 5.0]), np.array([1.0, 1.0]), 1.0).round(6).tolist()
    [0.801784, 1.336306]
    """
    values, vectors = np.linalg.eigh((Y + Y.T) / 2)
    values = np.maximum(values, 0.0)
    total = values + rho
    q = (vectors.T @ a) / np.where(total > 0, total, math.inf)
    size = float(values @ q**2)
    if size <= 0:
        return np.zeros_like(a)
    return np.asarray(vectors @ (values * q) / math.sqrt(size))
