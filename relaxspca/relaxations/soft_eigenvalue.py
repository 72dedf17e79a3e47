"""The smoothed largest eigenvalue (log-sum-exp of the spectrum) that the dual methods minimise."""

from __future__ import annotations

import numpy as np

from relaxspca.numerics.linalg import FEW, Array

NEGLIGIBLE = 1e-14  # share of an eigenvector in the gradient
LEFT_OUT = 14.0  # widths below the largest eigenvalue; the weight there is exp(-14), about 1e-6
SPARE = 4.0  # widths by which the largest eigenvalue may fall from one matrix to the next
SHARE = 0.2  # of the eigenvectors: up to it computing them alone is quicker than computing all
TOO_FINE = 1e-6  # least width, relative to the largest entry, for single precision


class SoftLargest:
    r"""A smooth upper bound on the largest eigenvalue of a matrix that changes little between calls.

    .. math:: \mu\log\mathrm{tr}\,e^{M/\mu},\qquad X=e^{M/\mu}/\mathrm{tr}\,e^{M/\mu}

    The width is :math:`\mu>0`; the value exceeds the eigenvalue by at most :math:`\mu\log m`.

    Notes
    -----
    If few eigenvalues of the previous matrix were near its largest, only those few are computed; the others
    have weights below 1e-6. Their eigenspace is computed in single precision, and the eigenvalues and
    eigenvectors in it in double (Rayleigh and Ritz), so that the errors of the value are of second order in
    those of the space. The value guides the steps and proves nothing: bounds are proved for the point
    that the steps lead to.

    Examples
    --------
    >>> soft, M = SoftLargest(1e-2), np.diag(np.linspace(0.0, 1.0, 200))
    >>> round(soft(M)[0] - soft(M)[0], 6) == 0  # the second call uses the few eigenvalues near 1
    True
    """

    def __init__(self, width: float) -> None:
        self.width = width
        self.cut: float | None = None  # below it eigenvalues are left out

    def __call__(self, M: Array) -> tuple[float, Array]:
        """Return the smooth value at a symmetric M, and its gradient X, semidefinite and of trace one."""
        found = None if self.cut is None else _above(M, self.cut, self.width)
        if found is None or found[0][-1] - self.cut < LEFT_OUT * self.width:
            found = np.linalg.eigh(M)
        values = found[0]
        low = values[-1] - (LEFT_OUT + SPARE) * self.width
        is_few = len(M) >= FEW and np.count_nonzero(values > low) <= SHARE * len(M)
        self.cut = float(low) if is_few else None
        weights = np.exp((values - values[-1]) / self.width)
        total = weights.sum()
        used = weights > NEGLIGIBLE * total
        vectors = found[1][:, used]
        gradient = (vectors * (weights[used] / total)) @ vectors.T
        return float(values[-1] + self.width * np.log(total)), gradient


def _above(M: Array, cut: float, width: float) -> tuple[Array, Array] | None:
    """Return the eigenpairs above `cut`; None if single precision is too coarse or finds none."""
    import scipy.linalg

    if not TOO_FINE * np.abs(M).max() < width < 1e30:
        return None
    try:
        _, space = scipy.linalg.eigh(
            M.astype(np.float32),
            driver="evr",
            subset_by_value=(cut, np.inf),
            overwrite_a=True,
            check_finite=False,
        )
    except np.linalg.LinAlgError:
        return None
    if not space.size:
        return None
    Q, _ = np.linalg.qr(space.astype(float))
    values, vectors = np.linalg.eigh(Q.T @ (M @ Q))
    return values, Q @ vectors
