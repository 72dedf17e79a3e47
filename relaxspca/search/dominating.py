r"""The matrix that bounds a component under a condition on its groups or on the signs of its loadings.

Upper bounds come from a matrix M with :math:`x'Mx\ge x'\Sigma x` for every feasible x (docs/theory/beyond.md,
sections 5 to 7); lower bounds come from :math:`\Sigma` itself.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from relaxspca.numerics.linalg import Array
from relaxspca.problem.checks import without_data_warnings
from relaxspca.problem.covariance import Covariance


def dominating(cov: Covariance, change: Callable[[Array], Array]) -> Covariance:
    """Return the covariance of the changed entries; the rounding error of a factor is added to the diagonal."""
    entries = cov.matrix.copy()
    if cov.is_factored:
        entries = entries + cov.rounding() * (1 + 1e-12) * np.eye(cov.n)
    with without_data_warnings():
        # Unchecked: the matrix may be 0, or below the smallest entry that a user's matrix may have.
        return Covariance._of_entries(change(entries), cov.names)
