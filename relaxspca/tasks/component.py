"""Read a component from anywhere: loadings, a support by index or by name, or a candidate."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

import numpy as np

from relaxspca.errors import InputError
from relaxspca.problem.candidate import Candidate
from relaxspca.problem.checks import likely
from relaxspca.problem.covariance import Covariance
from relaxspca.problem.observations import label_text
from relaxspca.problem.selected import positions


def read_component(cov: Covariance, component: Any) -> Candidate:
    """Return the candidate that somebody's loadings or support stand for.

    Parameters
    ----------
    cov : Covariance of n variables.
    component : Candidate, array_like, pandas Series or DataFrame of one column
        n loadings, of any length and sign (zeros outside the support); or the support: n booleans, variables
        by index, or variables by name. Whole numbers are indices unless there are n of them and they are
        not 0, ..., n - 1 in some order. A Series indexed by names is put in the order of the variables; those
        that it leaves out have the loading 0.

    Returns
    -------
    Candidate
        Loadings as given but of length 1; for a support, the best loadings on it.

    Raises
    ------
    InputError
        It is neither, names an unknown variable, or holds several components.

    Examples
    --------
    >>> cov = Covariance([[2.0, 1.0], [1.0, 2.0]], names=["height", "weight"])
    >>> read_component(cov, ["weight"]).indices.tolist(), read_component(cov, [0.6, 0.8]).indices.tolist()
    ([1], [0, 1])
    """
    if isinstance(component, Candidate):
        return Candidate.from_loadings(cov, component.loadings, method=component.method)
    values = _in_order(cov, component)
    if values.ndim == 0:
        kind = type(component).__name__
        raise InputError(f"the component must be loadings, names of variables or a Candidate, not a {kind}")
    if values.ndim != 1:
        raise InputError(
            f"one component at a time: an array of shape {values.shape} is not a vector of {cov.n} loadings"
        )
    if values.dtype.kind == "U":
        return Candidate.from_support(cov, [_index_of(cov, str(name)) for name in values])
    if values.dtype.kind == "b":
        if values.size != cov.n:
            raise InputError(f"a mask needs {cov.n} entries, one for each variable, not {values.size}")
        return Candidate.from_support(cov, np.flatnonzero(values))
    if _are_indices(cov, values):
        return Candidate.from_support(cov, values)
    if values.dtype.kind not in "iuf":
        first = values[:1].tolist()
        raise InputError(f"loadings must be real numbers, but these begin with {first} ({values.dtype})")
    return Candidate.from_loadings(cov, values)


def check_labels(cov: Covariance, labels: Sequence[str]) -> None:
    """Raise `InputError` where n loadings have names that are not those of the variables.

    They would be taken in the order in which they stand. Counts as pandas and R give them (0, 1, ..., V1, V2,
    ...) name nothing, and variables that are only counted themselves have no names to hold against others.
    """
    if _are_counts(labels) or _are_counts(cov.names):
        return
    other = next((label for label in labels if label not in cov.names), None)
    if other is None:
        raise InputError("a variable is given twice among the loadings")
    raise InputError(
        f"the loadings are of {other!r}, which is not a variable; {likely(other, cov.names)}; give the numbers "
        "alone (to_numpy()) if they stand in the order of the variables"
    )


def _are_counts(labels: Sequence[str]) -> bool:
    parts = [re.fullmatch(r"(\D*)(\d+)", label) for label in labels]
    counts = [int(part[2]) for part in parts if part]
    in_turn = len(counts) == len(labels) and counts == list(range(counts[0], counts[0] + len(counts)))
    return in_turn and counts[0] in (0, 1) and len({part[1] for part in parts if part}) == 1


def _in_order(cov: Covariance, component: Any) -> np.ndarray[Any, Any]:
    """Return an array, a labelled Series in the order of the variables, without axes of length one."""
    if hasattr(component, "columns") and hasattr(component, "iloc"):
        if component.shape[1] != 1:
            raise InputError(f"one component at a time: this frame has {component.shape[1]} columns")
        component = component.iloc[:, 0]
    if np.ma.is_masked(component):
        raise InputError("the component has masked entries: fill them, with 0 where a variable is not used")
    labels = getattr(component, "index", None)
    if labels is not None and hasattr(component, "to_numpy") and getattr(component, "ndim", 0) == 1:
        names = [*map(label_text, labels)]
        if sorted(names) == sorted(cov.names):
            component = component.to_numpy()[positions(cov.names, names)]
        elif _are_some_variables(cov, labels) and component.to_numpy().dtype.kind in "iuf":
            given = dict(zip(names, component.to_numpy().tolist(), strict=True))
            component = np.array([float(given.get(name, 0.0)) for name in cov.names])
        elif len(names) == cov.n:
            check_labels(cov, names)
    try:
        values = np.asarray(component)
    except ValueError:
        raise InputError("loadings must be a vector of numbers, but their rows differ in length") from None
    if values.dtype.kind == "O":
        are_words = all(isinstance(v, str) for v in values.ravel())
        values = np.array([str(v) for v in values.ravel()]) if are_words else values
    return values.reshape(-1) if values.ndim > 1 and values.size == max(values.shape) else values


def _are_some_variables(cov: Covariance, labels: Any) -> bool:
    """Say whether labels are the names of some variables, none of them twice, and no mere numbers of lines."""
    are_words = len(labels) > 0 and all(isinstance(label, str | tuple) for label in labels)
    names = set(map(label_text, labels))
    return are_words and len(names) == len(labels) and names <= set(cov.names)


def _index_of(cov: Covariance, name: str) -> int:
    if name not in cov.names:
        raise InputError(f"there is no variable {name!r}; {likely(name, cov.names)}")
    return cov.names.index(name)


def _are_indices(cov: Covariance, values: np.ndarray[Any, Any]) -> bool:
    if values.dtype.kind not in "iu":
        return False
    return values.size != cov.n or bool(np.array_equal(np.sort(values), np.arange(values.size)))
