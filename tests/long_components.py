"""Certificates of components that overlap so that their orthogonal vectors are long, for tests."""

import numpy as np
from building import components

from relaxspca.certificate import Leaf


def overlapping(n, r, spread):
    """Return a true claim of r components, each without one of n variables, times 2^-spread to 2^spread."""
    rng = np.random.default_rng(5)
    X = np.linalg.qr(rng.normal(size=(n, r)))[0] * 2.0 ** rng.integers(-spread, spread + 1, size=(n, r))
    X[np.arange(r), np.arange(r)] = 0.0
    return components(
        names=[f"x{i}" for i in range(n)],
        matrix=np.eye(n),
        supports="orthogonal",
        sizes=[n - 1] * r,
        lower=float(r) - 0.5,
        upper=float(r) + 0.5,
        indices=[np.delete(np.arange(n), t) for t in range(r)],
        loadings=X,
        tree=[Leaf("multipliers")],
    )
