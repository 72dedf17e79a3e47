"""Scores of observations: their projections on components, after the matrix's own centring and scaling."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from relaxspca.certificate.description import Description
from relaxspca.errors import InputError
from relaxspca.numerics.linalg import Array
from relaxspca.problem.observations import label_text


def scores_of(
    X: Any, loadings: Array, names: Sequence[str], description: Description, titles: Sequence[str]
) -> Any:
    """Return scores (m, r): an array, or a DataFrame with the rows of X where that is one."""
    scores = centred_and_scaled(X, names, description) @ loadings
    if not hasattr(X, "iloc"):
        return scores
    import pandas

    return pandas.DataFrame(scores, index=X.index, columns=list(titles))


def centred_and_scaled(X: Any, names: Sequence[str], description: Description) -> Array:
    """Return observations of the variables in their order, centred and scaled as those of the matrix were."""
    if hasattr(X, "columns"):
        labels = [*map(label_text, X.columns)]
        missing = [name for name in names if name not in labels]
        if missing:
            raise InputError(f"X has no column {missing[0]!r}")
        X = X.iloc[:, [labels.index(name) for name in names]]
    try:
        values = np.asarray(X, dtype=np.float64)
    except (TypeError, ValueError):
        raise InputError("X must be observations of numbers") from None
    n = len(names)
    if values.ndim != 2 or values.shape[1] != n or not np.isfinite(values).all():
        raise InputError(f"X must be observations of {n} variables, all finite, not of shape {values.shape}")
    is_centred = description.is_centred is not False
    if is_centred:
        values = values - values.mean(axis=0)
    if description.kind != "correlation":
        return values
    deviations = np.sqrt(np.square(values).sum(axis=0) / max(len(values) - is_centred, 1))
    return np.asarray(values / np.where(deviations > 0, deviations, 1.0))
