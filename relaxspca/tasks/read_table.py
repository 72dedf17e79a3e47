"""Read components from anywhere, one or several: loadings, supports, tables, fitted estimators, dicts."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from relaxspca.errors import InputError, counted
from relaxspca.problem.candidate import Candidate
from relaxspca.problem.checks import likely, warn_of_data
from relaxspca.problem.conditions import positions
from relaxspca.problem.covariance import Covariance
from relaxspca.problem.observations import label_text, real_array
from relaxspca.reading.cells import is_number
from relaxspca.results.component_table import ComponentTable

Titled = list[tuple[str, Any]]  # a name for messages, and what `read_component` takes


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
    are_whole = values.dtype.kind in "iu"
    are_indices = are_whole and (values.size != cov.n or np.array_equal(np.sort(values), np.arange(cov.n)))
    if values.dtype.kind in "Ub" or are_indices:
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
        are_words = all(isinstance(label, str | tuple) for label in labels)  # and no mere numbers of lines
        if sorted(names) == sorted(cov.names):
            component = component.to_numpy()[positions(cov.names, names)]
        elif are_words and _are_variables(cov, names) and component.to_numpy().dtype.kind in "iuf":
            component = _vector(cov, dict(zip(names, component.to_numpy().tolist(), strict=True)))
        elif len(names) == cov.n:
            check_labels(cov, names)
    try:
        values = np.asarray(component)
    except ValueError:
        raise InputError("loadings must be a vector of numbers, but their rows differ in length") from None
    if values.dtype.kind == "O" and all(isinstance(v, str) for v in values.ravel()):
        values = np.array([str(v) for v in values.ravel()])
    return values.reshape(-1) if values.ndim > 1 and values.size == max(values.shape) else values


def read_table(cov: Covariance, table: Any) -> tuple[Candidate, ...]:
    """Return the components that somebody's loadings stand for; one component is a list of one.

    Parameters
    ----------
    cov : Covariance of n variables.
    table : Components or JointComponents; pandas DataFrame; array_like; fitted estimator; dict; sequence
        A frame has the names of variables in its index, in its columns or in a column of their own, in any
        order; variables that it leaves out have loading 0. An array is (n, r) or (r, n). Of an estimator the
        rows of `components_` or the columns of `coef_` are taken. A dict has loadings or a support by the
        name of the component, or a loading by the name of each variable; a sequence may hold whatever
        `read_component` takes.

    Returns
    -------
    tuple of Candidate

    Raises
    ------
    InputError
        It cannot be read, or in two ways: the message says which two.

    Examples
    --------
    >>> cov = Covariance([[2.0, 1.0], [1.0, 2.0]], names=["height", "weight"])
    >>> [found.support for found in read_table(cov, {"size": {"height": 1}, "other": ["weight"]})]
    [('height',), ('weight',)]
    """
    found = []
    titled = _titled(cov, table)
    for title, component in titled:
        try:
            found.append(read_component(cov, component))
        except InputError as error:
            raise InputError(f"{title}: {error}" if len(titled) > 1 else str(error)) from None
    return tuple(found)


def _titled(cov: Covariance, table: Any) -> Titled:
    if isinstance(table, ComponentTable):
        return _by_variable(cov, table.names, table.loadings_array, table._titles())
    if isinstance(table, Mapping):
        return _of_mapping(cov, table)
    if hasattr(table, "columns") and hasattr(table, "iloc"):
        return _of_frame(cov, table)
    if hasattr(table, "components_") or hasattr(table, "coef_"):
        return _of_estimator(cov, table)
    if hasattr(table, "fit") and hasattr(table, "get_params"):
        raise InputError(_without_components(table))
    parts = [one for one in table if not isinstance(one, str)] if isinstance(table, list | tuple) else []
    if parts and all(map(_is_component, parts)):
        return _of_sequence(cov, table)
    if isinstance(table, np.ndarray) and table.ndim == 2 and min(table.shape) > 1:
        return _of_array(cov, table)
    return [("the component", getattr(table, "candidate", table))]


def _of_mapping(cov: Covariance, table: Mapping[Any, Any]) -> Titled:
    if not table:
        raise InputError("the dict is empty: give loadings or variables for each component")
    if all(isinstance(value, int | float | np.number) for value in table.values()):
        return [("the component", _vector(cov, table))]
    return [
        (str(title), _vector(cov, of) if isinstance(of, Mapping) else getattr(of, "candidate", of))
        for title, of in table.items()
    ]


def _of_sequence(cov: Covariance, table: Sequence[Any]) -> Titled:
    """Read a list of components; a list of n rows, as an array is printed, is an array."""
    rows = [isinstance(row, list | tuple | np.ndarray) for row in table]
    if all(rows) and len({len(row) for row in table}) == 1:
        array = np.asarray(table)
        if array.ndim == 2 and array.dtype.kind in "biuf" and cov.n in array.shape:
            return _of_array(cov, array) if min(array.shape) > 1 else [("the component", array)]
    return _of_mapping(cov, {f"component {j + 1}": value for j, value in enumerate(table)})


def _of_array(cov: Covariance, array: Any, *, what: str = "an array") -> Titled:
    n, (rows, columns) = cov.n, array.shape
    if rows == columns == n and not np.array_equal(array, array.T):
        raise InputError(
            f"{what} of {n} x {n} can be read in two ways, its columns or its rows as components: give "
            "a dict with the loadings of each component, or a DataFrame with the names of the variables"
        )
    if n not in array.shape:
        raise InputError(
            f"{what} of {rows} x {columns} has neither {n} rows nor {n} columns, one for each variable"
        )
    titled = [(f"component {j}", x) for j, x in enumerate(array.T if rows == n else array, start=1)]
    _check_no_counts(titled)
    return titled


def _check_no_counts(titled: Titled) -> None:
    """Raise `InputError` where the numbers of lines, as pandas and R write them, stand beside components."""
    for title, column in titled:
        places = np.arange(len(column))
        if len(titled) > 1 and len(places) > 2 and any(np.array_equal(column, places + i) for i in (0, 1)):
            start = ", ".join(f"{count:g}" for count in column[:3])
            raise InputError(
                f"{title} counts {start}, ...: does it number the lines, or are these loadings? Leave out what "
                "numbers lines (pandas: index_col=0), or divide them by two"
            )


def _of_estimator(cov: Covariance, model: Any) -> Titled:
    """Take rows of `components_`, as scikit-learn has them, or columns of `coef_`, as abess has them."""
    columns = np.asarray(getattr(model, "components_", getattr(model, "coef_", None)))
    if hasattr(model, "components_") or columns.ndim == 1:
        columns = np.atleast_2d(columns).T
    names = [str(name) for name in getattr(model, "feature_names_in_", cov.names)]
    if columns.ndim != 2 or len(columns) != len(names) or len(names) != cov.n:
        raise InputError(
            f"this {type(model).__name__} was fitted to {counted(len(columns), 'variable')}, not to {cov.n}"
        )
    if sorted(names) != sorted(cov.names):
        other = next(name for name in names if name not in cov.names)
        raise InputError(f"this {type(model).__name__} was fitted to {other!r}, which is not a variable here")
    return _by_variable(cov, names, columns, [f"component {j + 1}" for j in range(columns.shape[1])])


def _without_components(model: Any) -> str:
    """Say why an object that can be fitted has no components, and what to give instead."""
    if isinstance(model, type):
        return f"{model.__name__} is a class: give a fitted object of it"
    if hasattr(model, "steps"):
        return (
            f"a {type(model).__name__} has no components of its own: give its last step, model[-1], and the "
            "covariance of what reaches it (correlation=True after a StandardScaler)"
        )
    return f"this {type(model).__name__} has no components_ and no coef_: fit it first, or give the loadings"


def _of_frame(cov: Covariance, frame: Any) -> Titled:
    frame = _with_names_as_index(cov, frame)
    if 0 in frame.shape:
        raise InputError(f"the table of {frame.shape[0]} x {frame.shape[1]} has no component")
    try:
        values = frame.replace(r"^\s*$", np.nan, regex=True).to_numpy(dtype=np.float64)
    except (TypeError, ValueError):
        cells = [str(cell).strip() for cell in frame.to_numpy().flat]
        other = next((cell for cell in cells if not is_number(cell)), "")
        raise InputError(
            f"the table has cells that are no numbers, as {other!r}: it needs loadings, with the variables as "
            "index"
        ) from None
    if count := int(np.isnan(values).sum()):
        warn_of_data(f"{counted(count, 'empty cell')} of the table read as 0: a variable that is not used")
        values = np.where(np.isnan(values), 0.0, values)
    rows, columns = ([*map(label_text, labels)] for labels in (frame.index, frame.columns))
    are_rows, are_columns = _are_variables(cov, rows), _are_variables(cov, columns)
    if are_rows and are_columns:
        raise InputError(
            "both the rows and the columns of the table are named as variables, so that either may be the "
            "components: rename the components"
        )
    if are_rows or are_columns:
        sides = (rows, values, columns) if are_rows else (columns, values.T, rows)
        return _by_variable(cov, *sides)
    known = set(cov.names)
    for labels in (rows, columns):
        unknown = [label for label in labels if label not in known]
        if unknown and len(unknown) < len(labels):
            hint = likely(unknown[0], cov.names)
            raise InputError(f"the table names {unknown[0]!r}, which is not a variable; {hint}")
        if not unknown:
            raise InputError(f"{next(one for one in labels if labels.count(one) > 1)!r} is given twice")
    if cov.n in values.shape:
        check_labels(cov, rows if len(rows) == cov.n else columns)
    return _of_array(cov, values, what="a table without names of variables")


def _with_names_as_index(cov: Covariance, frame: Any) -> Any:
    """Return the frame with the column that holds names of variables, if there is one, as its index."""
    for place in range(frame.shape[1]):
        cells = [str(cell) for cell in frame.iloc[:, place]]
        if frame.dtypes.iloc[place].kind not in "biuf" and _are_variables(cov, cells):
            return frame.set_axis(cells, axis=0).drop(columns=frame.columns[place])
    return frame


def _are_variables(cov: Covariance, labels: Sequence[str]) -> bool:
    return len(labels) > 0 and set(labels) <= set(cov.names) and len(set(labels)) == len(labels)


def _by_variable(cov: Covariance, names: Sequence[str], columns: Any, titles: Sequence[str]) -> Titled:
    """Return columns of loadings, a line a variable, in the order of the variables."""
    titled = list(zip(titles, np.asarray(columns).T, strict=True))
    _check_no_counts(titled)
    return [(title, _vector(cov, dict(zip(names, column, strict=True)))) for title, column in titled]


def _vector(cov: Covariance, loadings: Mapping[Any, Any]) -> Any:
    given = {label_text(name): value for name, value in loadings.items()}
    for name, value in given.items():
        if name not in cov.names:
            raise InputError(f"there is no variable {name!r}; {likely(name, cov.names)}")
        if isinstance(value, str) or np.ndim(value) != 0:
            raise InputError(f"the loading of {name!r} is {value!r}: it must be a number")
    return real_array([given.get(name, 0.0) for name in cov.names], "list of loadings")


def _is_component(part: Any) -> bool:
    """Say whether a part of a sequence is a component rather than a loading, index or name."""
    return isinstance(part, Candidate | Mapping) or hasattr(part, "candidate") or np.ndim(part) > 0
