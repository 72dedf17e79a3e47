"""How sure the data make a support: bootstrap and observations held out. Statistics, and no proofs."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from functools import partial
from typing import Any, TypeVar

import numpy as np
import numpy.typing as npt

from relaxspca.candidates import candidate
from relaxspca.errors import InputError
from relaxspca.numerics.linalg import Array, Indices, leading_eigenpair
from relaxspca.problem.arguments import check_limits, check_rng, one_or_several
from relaxspca.problem.checks import without_data_warnings
from relaxspca.problem.covariance import Covariance
from relaxspca.problem.observations import whole_number
from relaxspca.results.claims import matrix_words
from relaxspca.results.resampled import Bootstrap, HeldOut
from relaxspca.results.status import Status
from relaxspca.runtime.distributed import parallel
from relaxspca.runtime.interrupt import until_interrupted
from relaxspca.runtime.task_queue import ordered_map
from relaxspca.tasks.solve import solve

T = TypeVar("T")


@parallel
def bootstrap(
    X: npt.ArrayLike,
    k: int,
    *,
    correlation: bool = False,
    resamples: int = 100,
    search: bool = True,
    time_limit: float | None = 10.0,
    rng: np.random.Generator | None = None,
    n_jobs: int | None = None,
    names: Sequence[str] | None = None,
) -> Bootstrap:
    r"""Count how often each variable is in the best support when the observations are drawn again.

    Parameters
    ----------
    X : (m, n) array_like or DataFrame
        Observations, as `Covariance.from_data` takes them; columns that are constant are left out.
    k : int, the cardinality.
    correlation : as in `Covariance.from_data`.
    resamples : int
        How often m observations are drawn, with replacement.
    search : bool
        Search for every support, or take that of `candidate`.
    time_limit : float, optional
        Seconds a search; the best component by then counts.
    rng : numpy.random.Generator, optional
        None is a fixed seed.
    n_jobs : int, optional
        Processes, as in `solve`. The result does not depend on it.
    names : sequence of n str, optional
        Of the columns, where `X` does not have them.

    Returns
    -------
    Bootstrap
        Frequencies: statistics about the observations, not a proof about any matrix. Ctrl-C ends the work: of
        the resamples done by then, if there are two, and `is_interrupted`.

    Raises
    ------
    InputError
        The observations cannot be read, or a parameter is out of range.

    References
    ----------
    B. Efron, Bootstrap methods: another look at the jackknife, Annals of Statistics 7:1-26, 1979.

    Examples
    --------
    >>> X = np.random.default_rng(0).normal(size=(60, 5))
    >>> X[:, 1] += 3 * X[:, 0]
    >>> X[:, 0] *= 3
    >>> found = bootstrap(X, 2, resamples=10)
    >>> found.support, found.support_frequency
    (('x0', 'x1'), 1.0)
    """
    resamples = whole_number(resamples, "resamples", most=math.inf)
    check_limits(time_limit=time_limit)
    check_rng(rng)
    whole = Covariance.from_data(X, correlation=correlation, names=names)
    k = whole.check_cardinality(k)
    rows, names = _plain(X, whole)
    rng = np.random.default_rng(0) if rng is None else rng
    drawn = (rows[rng.integers(len(rows), size=len(rows))] for _ in range(resamples))
    support_of = partial(_support_of, names, k, correlation, search, time_limit)
    support, _ = support_of(rows)
    found, is_interrupted = _at_least_two(ordered_map(support_of, drawn))
    supports, optimal = zip(*found, strict=True)
    proved = sum(optimal) if search else None
    return Bootstrap(k, whole.names, support, supports, proved, matrix_words(whole), is_interrupted)


def held_out(
    X: npt.ArrayLike,
    k: int | Iterable[int],
    *,
    correlation: bool = False,
    folds: int = 5,
    rng: np.random.Generator | None = None,
    names: Sequence[str] | None = None,
) -> HeldOut:
    r"""Estimate by cross-validation how much variance of new observations sparse components explain.

    Parameters
    ----------
    X : (m, n) array_like or DataFrame
        Observations.
    k : int or iterable of int, the cardinalities.
    correlation : bool, scale by the standard deviations of the training observations.
    folds : int
        From 2 to m.
    rng : numpy.random.Generator, optional
        Divides the observations; None is a fixed seed.
    names : sequence of n str, optional
        Of the columns, where `X` does not have them.

    Returns
    -------
    HeldOut
        :math:`x'S x/d'S d` of the held-out second moments S about the training means, averaged: x is the
        component of `candidate` and d the dense one of the training observations. Ctrl-C ends the work: of the
        folds done by then, if there are two, and `is_interrupted`.

    Raises
    ------
    InputError
        The observations cannot be read, or a parameter is out of range.

    Examples
    --------
    >>> X = np.random.default_rng(0).normal(size=(60, 5))
    >>> held_out(X, [1, 5]).means[-1]
    1.0
    """
    check_rng(rng)
    whole = Covariance.from_data(X, correlation=correlation, names=names)
    rows, names = _plain(X, whole)
    folds = whole_number(folds, "folds", least=2, most=len(rows), of=", the number of observations")
    sizes = tuple(whole.check_cardinality(m) for m in one_or_several(k))
    if not sizes:
        raise InputError("k is empty: give at least one cardinality")
    rng = np.random.default_rng(0) if rng is None else rng
    parts = np.array_split(rng.permutation(len(rows)), folds)
    done, is_interrupted = _at_least_two(_shares(rows, names, part, sizes, correlation) for part in parts)
    shares = np.array(done)
    errors = shares.std(axis=0, ddof=1) / math.sqrt(len(done))
    means = tuple(shares.mean(axis=0).tolist())
    return HeldOut(sizes, means, tuple(errors.tolist()), len(done), matrix_words(whole), is_interrupted)


def _at_least_two(items: Iterable[T]) -> tuple[list[T], bool]:
    """Return the items computed before Ctrl-C and whether it came: of one alone nothing can be said."""
    done, is_interrupted = until_interrupted(items)
    if is_interrupted and len(done) < 2:
        raise KeyboardInterrupt
    return done, is_interrupted


def _plain(X: Any, whole: Covariance) -> tuple[Array, tuple[str, ...]]:
    """Return the observations of the variables kept as an array."""
    table = np.asarray(X.toarray() if hasattr(X, "toarray") else X, dtype=np.float64)
    if table.shape[1] != whole.n:  # what does not vary was left out, with a note
        table = table[:, (table != table[0]).any(axis=0)]
    if table.shape[1] != whole.n:
        raise InputError("leave out columns that are constant up to rounding first")
    return table, whole.names


def _support_of(
    names: tuple[str, ...], k: int, correlation: bool, search: bool, limit: float | None, rows: Array
) -> tuple[tuple[str, ...], bool]:
    """Return the best support that is found, and whether it is proved optimal."""
    if not np.ptp(rows, axis=0).any():
        raise InputError("in a resample every column is constant: there are too few observations")
    with without_data_warnings():
        cov = Covariance.from_data(rows, correlation=correlation, names=names)
    if k > cov.n:
        raise InputError(f"a resample has only {cov.n} columns that are not constant, fewer than k = {k}")
    if not search:
        return candidate(cov, k).support, False
    found = solve(cov, k, time_limit=limit)
    if found.status == "interrupted":
        raise KeyboardInterrupt
    return found.support, found.status is Status.OPTIMAL


def _shares(
    rows: Array, names: tuple[str, ...], part: Indices, sizes: tuple[int, ...], correlation: bool
) -> list[float]:
    """Return, for one fold, what the components explain of it in parts of the dense component."""
    training = np.delete(rows, part, axis=0)
    with without_data_warnings():  # what holds of all observations was said once
        cov = Covariance.from_data(training, correlation=correlation, names=names)
    if max(sizes) > cov.n:
        raise InputError(
            f"a fold has only {cov.n} columns that are not constant, fewer than k = {max(sizes)}: take fewer "
            "folds"
        )
    # A column that is constant in this fold takes no part in its components.
    kept = np.isin(names, cov.names)
    training = training[:, kept]
    scales = training.std(axis=0, ddof=1) if correlation else np.ones(cov.n)
    tested = (rows[part][:, kept] - training.mean(axis=0)) / scales
    dense = float(np.sum((tested @ leading_eigenpair(cov.matrix)[1]) ** 2))
    if dense == 0:
        raise InputError("the dense component explains nothing of a fold: take fewer folds")
    return [float(np.sum((tested @ candidate(cov, k).loadings) ** 2)) / dense for k in sizes]
