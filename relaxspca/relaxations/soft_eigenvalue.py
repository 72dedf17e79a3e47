"""The smoothed largest eigenvalue of both dual methods, on this machine's processor or on an accelerator."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any

import numpy as np

from relaxspca.numerics.linalg import Array

__all__ = ["accelerated", "soft_largest"]

_namespace: ContextVar[Any] = ContextVar("namespace", default=np)
NEGLIGIBLE = 1e-14  # share of an eigenvector in the gradient


def soft_largest(M: Array, width: float) -> tuple[float, Array]:
    r"""Return a smooth bound on the largest eigenvalue, and its gradient.

    .. math:: \mu\log\mathrm{tr}\,e^{M/\mu},\qquad X=e^{M/\mu}/\mathrm{tr}\,e^{M/\mu}

    Parameters
    ----------
    M : (m, m) symmetric array.
    width : :math:`\mu>0`; the value exceeds the eigenvalue by at most :math:`\mu\log m`.

    Returns
    -------
    value : float
    X : (m, m) positive semidefinite array of trace one.

    Examples
    --------
    >>> value, X = soft_largest(np.diag([1.0, 0.0]), 1e-3)
    >>> value, X.tolist()
    (1.0, [[1.0, 0.0], [0.0, 0.0]])
    """
    values, vectors = _eigh(M)
    weights = np.exp((values - values[-1]) / width)
    total = weights.sum()
    used = weights > NEGLIGIBLE * total
    vectors = vectors[:, used]
    return float(values[-1] + width * np.log(total)), (vectors * (weights[used] / total)) @ vectors.T


@contextmanager
def accelerated(namespace: Any) -> Iterator[None]:
    """Take the eigendecompositions of the dual methods from another array namespace while this is open.

    Parameters
    ----------
    namespace : module
        ``torch`` or ``cupy``, or any namespace with ``asarray`` and ``linalg.eigh``. Its default device is
        used: call ``torch.set_default_device("cuda")`` first. Worker processes (`n_jobs`) do not see it.

    Notes
    -----
    Only proposals come from there: every bound is evaluated and proved in numpy, as without it.

    Examples
    --------
    >>> import relaxspca as rs
    >>> with accelerated(np):
    ...     rs.solve(rs.datasets.load_pitprops(), 8).status
    'optimal'
    """
    token = _namespace.set(namespace)
    try:
        yield
    finally:
        _namespace.reset(token)


def _eigh(M: Array) -> tuple[Array, Array]:
    namespace = _namespace.get()
    if namespace is np:
        values, vectors = np.linalg.eigh(M)
        return values, vectors
    values, vectors = namespace.linalg.eigh(namespace.asarray(M))
    return _on_host(values), _on_host(vectors)


def _on_host(array: Any) -> Array:
    """Return an array of torch (``cpu``) or cupy (``get``) as one of numpy."""
    for method in ("cpu", "get"):
        array = getattr(array, method, lambda array=array: array)()
    return np.asarray(array)
