"""A least-squares problem as given, and the pencil of its distinct, nonconstant columns."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from functools import cached_property
from typing import Any

import numpy as np

from relaxspca.candidates.pencils import best_support, swapped_support
from relaxspca.errors import InputError, counted, in_line
from relaxspca.numerics.decimals import float_above
from relaxspca.numerics.linalg import Array, Indices
from relaxspca.problem import observations
from relaxspca.problem.arguments import check_limits
from relaxspca.problem.budgets import OneOfEachSize
from relaxspca.problem.checks import check_flags, warn_of_data
from relaxspca.problem.conditions import NONE, Conditions
from relaxspca.problem.least_squares import LeastSquaresPencil, with_ridge
from relaxspca.problem.pencil import float_below
from relaxspca.problem.size import Cardinality
from relaxspca.runtime.deadline import FOREVER, Deadline


class RegressionProblem:
    """Variables M (p, n), a response y (p,), an optional intercept and ridge, and conditions on the subsets."""

    def __init__(
        self,
        M: Any,
        y: Any,
        names: Sequence[str] | None,
        intercept: bool,
        *,
        ridge: Any = 0.0,
        include: Any = (),
        exclude: Any = (),
        groups: Mapping[str, Iterable[Any]] | None = None,
        deadline: Deadline = FOREVER,
    ) -> None:
        check_flags(intercept=intercept)
        self.deadline = deadline
        self.M, found = observations.checked_dense(M, what="matrix of variables")
        self.y = observations.real_array(y, "response y").ravel()
        name = getattr(y, "name", None)  # of a Series
        self.data_words = counted(len(self.y), "observation") + ("" if name is None else f" of {name}")
        if self.y.shape != (self.M.shape[0],):
            raise InputError(f"y has {self.y.size} entries, but M has {self.M.shape[0]} rows")
        if not np.isfinite(self.y).all() or not self.y.any():
            raise InputError("y must be finite and not all zero")
        observations.check_range(float(np.abs(self.y).max()), "response y")
        if intercept and np.ptp(self.y) == 0:
            raise InputError("y is constant: the intercept explains all of it")
        self.names = observations.checked_names(names if names is not None else found, self.M.shape[1])
        self.intercept = bool(intercept)
        check_limits(ridge=ridge)
        self.ridge = float(ridge)
        self.conditions = Conditions.read(include, exclude, self.names)
        self.groups, self.labels = groups or {}, np.arange(len(self.names))
        if groups is not None:
            size = OneOfEachSize.read(self.names, max(len(self.conditions.include), 1), groups, self.conditions)
            self.labels = size.labels
        self.used = np.flatnonzero(np.ptp(self.M, axis=0) if self.intercept else self.M.any(axis=0))
        self._warn_of_response()
        # Equal columns can share a coefficient, which a ridge term prefers, and may be of two groups.
        if not self.ridge and not self.groups:
            self.used = _distinct(self.M, self.used, self.conditions)
        if self.groups and not np.isin(self.conditions.include, self.used).all():
            raise InputError("a variable to include is constant: with groups leave it out")

    def _warn_of_response(self) -> None:
        """Warn of variables that are the response but for a factor, and a constant where one is fitted."""
        used = np.setdiff1d(self.used, self.conditions.exclude)
        columns, y = self.M[:, used] / np.abs(self.M[:, used]).max(axis=0), self.y / np.abs(self.y).max()
        if self.intercept:
            columns, y = columns - columns.mean(axis=0), y - y.mean()
        alike = used[_correlations(columns, y) >= (1 - 1e-12) * np.linalg.norm(y)]
        if len(alike) and len(y) > 1 + self.intercept:  # so few observations are always alike
            listed = [self.names[j] for j in alike]
            what = f"{in_line(listed)} {'is' if len(listed) == 1 else 'are'} the response, or a multiple of it"
            warn_of_data(f"{what}: leave out with exclude={listed} (--exclude {in_line(listed, ',')})")

    @cached_property
    def pencil(self) -> LeastSquaresPencil | None:
        """The two quadratic forms of the columns `used`; None if there are none."""
        if not len(self.used):
            return None
        names = tuple(self.names[i] for i in self.used)
        options: dict[str, Any] = {"intercept": self.intercept, "ridge": self.ridge, "deadline": self.deadline}
        return LeastSquaresPencil(self.M[:, self.used], self.y, names, **options)

    def most_correlated(self, k: int) -> Indices:
        """Return k variables of the largest correlations with y that the conditions allow."""
        worth, own = _correlations(*self.centred), self.conditions_on_used
        worth[list(own.include)], worth[list(own.exclude)] = np.inf, -np.inf
        order = np.argsort(-worth, kind="stable")
        firsts = np.unique(self.labels[self.used[order]], return_index=True)[1]  # one of each group
        return np.sort(self.used[order[np.sort(firsts)[:k]]])

    @cached_property
    def centred(self) -> tuple[Array, Array]:
        """The data as floats, centred if there is an intercept, with a row for each penalty: for heuristics."""
        columns, y = self.M[:, self.used], self.y
        if self.intercept:
            columns, y = columns - columns.mean(axis=0), y - y.mean()
        return with_ridge(columns, y, self._roots(columns.shape[1]))

    @cached_property
    def conditions_on_used(self) -> Conditions:
        """The conditions as positions among the columns `used`."""
        given = self.conditions.include, self.conditions.exclude
        inside, outside = (tuple(np.flatnonzero(np.isin(self.used, some)).tolist()) for some in given)
        return Conditions(inside, outside)

    def places(self, k: int) -> int:
        """Return the cardinality left for the columns `used`; variables to include may be outside them."""
        own = self.conditions_on_used
        idle = len(self.conditions.include) - len(own.include)
        left = np.setdiff1d(np.arange(len(self.used)), own.exclude)
        return min(k - idle, len(np.unique(self.labels[self.used[left]])))

    def size(self, count: int) -> Cardinality:
        """Return the size of subsets of so many of the columns `used`."""
        return OneOfEachSize(count, self.labels[self.used]) if self.groups else Cardinality(count)

    @property
    def meant(self) -> str:
        """The conditions on the subsets in words; empty if there are none."""
        return self.conditions.words(self.names, groups=self.groups)

    def proposed(self, k: int, deadline: Deadline = FOREVER) -> tuple[Indices, str]:
        """Return the best k of the columns `used` that heuristics find, and the heuristic's name."""
        pencil, size, conditions = self.pencil, self.size(k), self.conditions_on_used
        assert pencil is not None
        fits = [best_support(pencil, size, conditions, deadline=deadline)]
        if not (conditions or self.groups or deadline.is_over):
            found = matching_pursuit(*self.centred, k, deadline)
            found = swapped_support(pencil, found, NONE, size, deadline=deadline)
            fits.append((found, "orthogonal matching pursuit"))
        return max(fits, key=lambda fit: pencil.fitted(fit[0])[0])

    def coefficients(self, indices: Indices) -> tuple[Array, float]:
        """Return least-squares coefficients on a support, 0 elsewhere, and the intercept."""
        w = np.zeros(self.M.shape[1])
        shift = self.M.mean(axis=0) if self.intercept else np.zeros(self.M.shape[1])
        centre = float(self.y.mean()) if self.intercept else 0.0
        if len(indices):
            columns = self.M[:, indices] - shift[indices]
            data = with_ridge(columns, self.y - centre, self._roots(len(indices)))
            w[indices] = np.linalg.lstsq(*data, rcond=None)[0]
        return w, centre - float(shift @ w)

    def _roots(self, count: int) -> Array:
        return np.full(count, math.sqrt(self.ridge))

    def residual_above(self, w: Array) -> float:
        """Return the residual of coefficients with the best intercept and the ridge term, rounded upwards."""
        if not len(self.used) or not w.any():
            return float_above(self.energy)
        return float_above(self._response.residual(w, self.M, self.y))

    @cached_property
    def energy(self) -> Fraction:
        """The sum of squares of y, centred if there is an intercept."""
        return self._response.energy

    @cached_property
    def _response(self) -> LeastSquaresPencil:
        """The response as its own only variable: sums of squares and residuals ask for no more."""
        options: dict[str, Any] = {"intercept": self.intercept, "ridge": self.ridge}
        return LeastSquaresPencil(self.y[:, None], self.y, ("y",), **options)

    def residual_below(self, ratio: float) -> float:
        """Return the lower bound on the residual that follows from an upper bound on the ratio."""
        if not len(self.used):
            return float_below(self.energy)
        if not math.isfinite(ratio):
            return 0.0
        explained = Fraction(ratio) / Fraction(self._response.y_scaling) ** 2
        return float_below(max(self.energy - explained, Fraction(0)))

    @property
    def highest_ratio(self) -> float:
        """The ratio at which the residual is 0, rounded upwards: an upper bound on every ratio."""
        return float_above(self.energy * Fraction(self._response.y_scaling) ** 2)


def matching_pursuit(M: Array, y: Array, k: int, deadline: Deadline = FOREVER) -> Indices:
    """Add the variable most correlated with the residual, k times; after the deadline that of the last one."""
    residual, support = y, np.empty(0, dtype=np.int64)
    for _ in range(k):
        worth = _correlations(M, residual)
        worth[support] = -1.0
        support = np.append(support, int(np.argmax(worth)))
        if not deadline.is_over:
            columns = M[:, support]
            residual = y - columns @ np.linalg.lstsq(columns, y, rcond=None)[0]
    return np.sort(support)


def _correlations(M: Array, residual: Array) -> Array:
    """Return the moduli of the inner products of a residual with the columns, over their lengths."""
    squares = np.einsum("pi,pi->i", M, M)
    return np.asarray(np.abs(M.T @ residual) / np.sqrt(np.maximum(squares, np.finfo(float).tiny)))


def checked_size(k: Any, problem: RegressionProblem) -> int:
    """Return the number of variables of a subset; raise `InputError` if there are no such subsets."""
    k = observations.whole_number(k, "k", most=problem.M.shape[1] if problem.ridge else min(problem.M.shape))
    return problem.conditions.cardinality(k, problem.M.shape[1])


def _distinct(M: Array, used: Indices, conditions: Conditions) -> Indices:
    """Return one of each set of columns that are equal up to sign and a power of two.

    One to include is preferred to others, and these to one that is excluded.
    """
    found: dict[bytes, int] = {}
    rank = 1 * np.isin(used, conditions.exclude) - np.isin(used, conditions.include)
    for j in used[np.argsort(rank, kind="stable")].tolist():
        column = M[:, j]
        first = column[np.flatnonzero(column)[0]]
        exponent = int(np.frexp(np.abs(column).max())[1])
        found.setdefault((np.ldexp(column, -exponent) * np.sign(first) + 0.0).tobytes(), j)
    return np.array(sorted(found.values()), dtype=np.int64)
