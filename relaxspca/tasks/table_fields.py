"""What every result with several components says of its loadings and its matrix."""

from __future__ import annotations

from typing import Any

import numpy as np

from relaxspca.candidates.spectrum import leading_eigenpairs
from relaxspca.numerics.linalg import Array, as_array
from relaxspca.problem.covariance import Covariance
from relaxspca.problem.variance import (
    adjusted_variance,
    raw_variance,
    score_correlations,
    span_variance,
)
from relaxspca.results.claims import matrix_words, total_variance
from relaxspca.results.duplicates import copies


def table_fields(cov: Covariance, X: Array) -> dict[str, Any]:
    """Return the fields that all classes of sets of components have, of (n, r) loadings X in unit columns."""
    r = X.shape[1]
    # Eigenvalues of the variables kept would not be those of all.
    dense = np.full(r, np.nan) if cov.eliminated is not None else leading_eigenpairs(cov, r)[0]
    return {
        "loadings_array": as_array(X),
        "raw": as_array(raw_variance(cov, X)),
        "explained": as_array(span_variance(cov, X)),
        "adjusted": as_array(adjusted_variance(cov, X)),
        "score_correlations": as_array(score_correlations(cov, X)),
        "total": total_variance(cov),
        "eigenvalues": as_array(dense),
        "names": cov.names,
        "matrix": matrix_words(cov),
        "copies": copies(cov, X),
        "description": cov.description,
    }
