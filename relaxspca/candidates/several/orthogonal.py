"""Make vectors exactly orthogonal inside their supports, in rational numbers."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

import numpy as np

from relaxspca.numerics.linalg import Array
from relaxspca.problem.node import Indices

__all__ = ["exactly_orthogonal"]

Vector = dict[int, Fraction]


def exactly_orthogonal(
    loadings: Array, supports: Sequence[Indices], Sigma: Array | None = None
) -> Array | None:
    r"""Return the floats nearest to vectors that are exactly orthogonal and stay on their supports.

    .. math:: x_t \leftarrow x_t - A(A'A)^{-1}A'x_t

    Parameters
    ----------
    loadings : (n, r) array, each column zero off its support.
    supports : variables of each column.
    Sigma : (n, n) symmetric array, optional
        Make them exactly uncorrelated instead: A has the earlier Sigma x_s.

    Returns
    -------
    (n, r) array or None
        Each column is rounded from rationals, not normalised; None where a vector vanishes.

    Notes
    -----
    A has the earlier vectors restricted to the support of x_t, as many of them as are independent. The vector
    on the smallest support is the first: one on a single variable cannot give way to the others. All of this
    is done in rationals, so that there *are* orthogonal vectors one rounding away from what is returned.

    Examples
    --------
    >>> X = np.array([[0.6, 0.8], [0.8, -0.6000001]])
    >>> exactly_orthogonal(X, [np.array([0, 1]), np.array([0, 1])]).round(6).tolist()
    [[0.6, 0.8], [0.8, -0.6]]
    """
    n, r = loadings.shape
    done: list[Vector] = []
    rows = None if Sigma is None else [[Fraction(float(value)) for value in row] for row in Sigma]
    rounded = np.zeros((n, r))
    for t in sorted(range(r), key=lambda t: len(supports[t])):
        variables = [int(i) for i in supports[t]]
        x = {i: Fraction(float(loadings[i, t])) for i in variables if loadings[i, t]}
        earlier = [{i: v[i] for i in variables if i in v} for v in done]
        for a in _orthogonal_basis([v for v in earlier if v]):
            x = _less(x, a, _inner(a, x) / _inner(a, a))
        if not any(x.values()):
            return None
        done.append(x if rows is None else {i: _inner(x, dict(enumerate(row))) for i, row in enumerate(rows)})
        for i, value in x.items():
            rounded[i, t] = float(value)
    return rounded


def _orthogonal_basis(vectors: Sequence[Vector]) -> list[Vector]:
    """Return orthogonal vectors with the same span; dependent ones are dropped."""
    basis: list[Vector] = []
    for v in vectors:
        rest = v
        for a in basis:
            rest = _less(rest, a, _inner(a, v) / _inner(a, a))
        if any(rest.values()):
            basis.append(rest)
    return basis


def _inner(a: Vector, b: Vector) -> Fraction:
    return sum((value * b[i] for i, value in a.items() if i in b), Fraction(0))


def _less(x: Vector, a: Vector, factor: Fraction) -> Vector:
    """Return x - factor a."""
    if factor == 0:
        return x
    return {i: x.get(i, Fraction(0)) - factor * a.get(i, Fraction(0)) for i in {*x, *a}}
