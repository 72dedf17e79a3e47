"""Leave out observations with missing cells, and say which."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from relaxspca.errors import InputError, counted
from relaxspca.numerics.linalg import Array
from relaxspca.problem.checks import first_ten, warn_of_data
from relaxspca.problem.observations import checked_names, is_sparse, observed, row_labels


def without_missing(X: Any) -> tuple[Any, int]:
    """Return the observations that have no missing cell, as they came, and the number of the others.

    Examples
    --------
    >>> without_missing(np.ones((3, 2)))[1]
    0
    """
    if is_sparse(X):
        raise InputError("drop_missing is for dense observations: drop rows of a sparse array yourself")
    values, names = observed(X, "data matrix")
    kept = rows_kept(values, checked_names(names, values.shape[-1]), row_labels(X))
    if len(kept) == len(values):
        return X, 0
    return (X.iloc[kept] if hasattr(X, "iloc") else values[kept]), len(values) - len(kept)


def rows_kept(values: Array, names: Sequence[str], labels: Sequence[str] | None) -> list[int]:
    """Return the rows without a missing cell, at least two, and warn of those that have one."""
    missing = np.isnan(values)
    gone, kept = (np.flatnonzero(some) for some in (missing.any(axis=1), ~missing.any(axis=1)))
    m = len(values)
    if gone.size and kept.size < 2:
        worst = int(missing.sum(axis=0).argmax())
        raise InputError(
            f"only {kept.size} of {counted(m, 'observation')} would be left without missing cells: "
            "leave out columns that have many (--exclude, exclude=[...]), such as "
            f"{names[worst]!r}, which has {int(missing[:, worst].sum())}"
        )
    if gone.size:
        rows = first_ten([f"{i + 1}" + (f" ({labels[i]})" if labels else "") for i in gone.tolist()])
        warn_of_data(
            f"dropped {gone.size} of {m} observations, which have missing cells: "
            f"row{'s' * (gone.size > 1)} {rows}"
        )
    return [int(i) for i in kept]
