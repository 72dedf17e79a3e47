"""The smoothed largest eigenvalue (log-sum-exp of the spectrum) that the dual methods minimise."""

from __future__ import annotations

import numpy as np

from relaxspca.numerics.linalg import Array

NEGLIGIBLE = 1e-14  # share of an eigenvector in the gradient


def soft_largest(M: Array, width: float) -> tuple[float, Array]:
    r"""Return a smooth upper bound on the largest eigenvalue of a symmetric matrix, and its gradient X.

    .. math:: \mu\log\mathrm{tr}\,e^{M/\mu},\qquad X=e^{M/\mu}/\mathrm{tr}\,e^{M/\mu}

    The width is :math:`\mu>0`; the value exceeds the eigenvalue by at most :math:`\mu\log m`. X is semidefinite
    and of trace one. The value guides steps and proves nothing.

    Examples
    --------
    >>> value, X = soft_largest(np.diag([0.0, 1.0]), 1e-2)
    >>> round(value, 9), X.round(9).tolist()
    (1.0, [[0.0, 0.0], [0.0, 1.0]])
    """
    values, vectors = np.linalg.eigh(M)
    weights = np.exp((values - values[-1]) / width)
    total = weights.sum()
    used = weights > NEGLIGIBLE * total
    vectors = vectors[:, used]
    gradient = (vectors * (weights[used] / total)) @ vectors.T
    return float(values[-1] + width * np.log(total)), gradient
