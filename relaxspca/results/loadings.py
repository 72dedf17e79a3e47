"""Loadings by name, and the scores of observations: their projections on components."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from relaxspca.certificate.subject import Description
from relaxspca.errors import InputError, Paragraph
from relaxspca.numerics.decimals import rounded
from relaxspca.numerics.linalg import Array
from relaxspca.problem.observations import check_finite, label_text


class Loadings(Paragraph, Mapping[str, float]):
    """The loadings that are not 0, by the name of their variable, the largest first; they cannot be changed.

    Parameters
    ----------
    names : names of all n variables.
    values : (n,) array.

    Examples
    --------
    >>> import numpy as np
    >>> loadings = Loadings(["height", "age", "weight"], np.array([0.6, 0.0, -0.8]))
    >>> loadings
    {weight: -0.8000, height: 0.6000}
    >>> loadings["height"], dict(loadings), len(loadings)
    (0.6, {'weight': -0.8, 'height': 0.6}, 2)
    """

    def __init__(self, names: Sequence[str], values: Array) -> None:
        used = sorted((i for i, value in enumerate(values) if value), key=lambda i: -abs(values[i]))
        self._values = {names[i]: float(values[i]) for i in used}

    def __getitem__(self, name: str) -> float:
        return self._values[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._values)

    def __len__(self) -> int:
        return len(self._values)

    def __repr__(self) -> str:
        return "{" + ", ".join(f"{name}: {rounded(value)}" for name, value in self._values.items()) + "}"

    def cells(self) -> list[list[str]]:
        """Return a row of name and loading for every variable: four decimals, or two digits of a small one."""
        return [[name, loading_text(x, 4)] for name, x in self._values.items()]


def loading_text(value: float, decimals: int) -> str:
    """Return a loading to so many decimals, with two digits if it is small; nothing if it is 0.

    Examples
    --------
    >>> loading_text(-0.25, 3), loading_text(0.0004, 3), loading_text(0.0, 3)
    ('-0.250', '0.00040', '')
    """
    if not value:
        return ""
    return f"{value:.{decimals}f}" if abs(value) >= 0.5 * 0.1**decimals else rounded(value, 2)


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
        twice = [name for name in names if labels.count(name) > 1]
        if twice:
            raise InputError(f"X has several columns {twice[0]!r}: keep one of them")
        X = X.iloc[:, [labels.index(name) for name in names]]
    try:
        values = np.asarray(X, dtype=np.float64)
    except (TypeError, ValueError, OverflowError):
        raise InputError("X must be observations of numbers") from None
    n = len(names)
    if values.ndim != 2 or values.shape[1] != n:
        raise InputError(f"X must be observations of {n} variables, not of shape {values.shape}")
    check_finite(values, "array of observations", names)
    is_centred = description.is_centred is not False
    if is_centred:
        values = values - values.mean(axis=0)
    if description.kind != "correlation":
        return values
    deviations = np.sqrt(np.square(values).sum(axis=0) / max(len(values) - is_centred, 1))
    return np.asarray(values / np.where(deviations > 0, deviations, 1.0))
