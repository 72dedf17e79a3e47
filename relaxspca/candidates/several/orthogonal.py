"""Make vectors exactly orthogonal inside their supports, in rational numbers."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

import numpy as np

from relaxspca.numerics.linalg import Array
from relaxspca.problem.node import Indices

__all__ = ["exactly_orthogonal"]

MOST_WORK = 8e11  # products of binary digits for one vector: about two seconds

Vector = dict[int, Fraction]
Step = tuple[
    Vector, Vector, Fraction
]  # a vector, what later ones have to be orthogonal to, their inner product


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
        Each column is rounded from rationals, not normalised; None where a vector vanishes, or where its
        rationals would be too long: they are about three times as long as those of the vector before, if
        supports overlap and none holds the others.

    Notes
    -----
    A has the earlier vectors restricted to the support of x_t, as many of them as are independent. The vector
    on the smallest support is the first: one on a single variable cannot give way to the others. All of this
    is done in rationals, so that there *are* orthogonal vectors one rounding away from what is returned.

    Where the support holds all the earlier ones, :math:`x_t - \sum_s x_s\,(x_s'\Sigma x_t)/(x_s'\Sigma x_s)` is
    uncorrelated with them too. It stays in the span of what was given, and so its rationals stay short.

    Examples
    --------
    >>> X = np.array([[0.6, 0.8], [0.8, -0.6000001]])
    >>> exactly_orthogonal(X, [np.array([0, 1]), np.array([0, 1])]).round(6).tolist()
    [[0.6, 0.8], [0.8, -0.6]]
    """
    n, r = loadings.shape
    rows = None if Sigma is None else [[Fraction(float(value)) for value in row] for row in Sigma]
    done: list[Step] = []
    rounded = np.zeros((n, r))
    for t in sorted(range(r), key=lambda t: len(supports[t])):
        variables = [int(i) for i in supports[t]]
        x = {i: Fraction(float(loadings[i, t])) for i in variables if loadings[i, t]}
        steps = _steps(done, variables, len(rows or ()))
        if steps is None:
            return None
        for step, image, square in steps:
            x = _less(x, step, _inner(image, x) / square)
        if not any(x.values()):
            return None
        image = x if rows is None else {i: _inner(x, dict(enumerate(row))) for i, row in enumerate(rows)}
        done.append((x, image, _inner(image, x)))
        for i, value in x.items():
            rounded[i, t] = float(value)
    return rounded


def _steps(done: Sequence[Step], variables: Sequence[int], rest: int) -> list[Step] | None:
    """Return along what a vector has to move to be orthogonal to which images; None if that takes too long.

    `rest` is how many products follow for each entry.
    """
    here = set(variables)
    met = [step for step in done if any(step[1].get(i) for i in here)]
    if all(x.keys() <= here and square for x, _, square in met):
        return met
    seen = [{i: value for i, value in image.items() if i in here} for _, image, _ in met]
    # Fractions take their greatest divisors: the time goes with the square of the digits.
    products = len(variables) * (len(seen) + rest)
    if (2 * sum(map(_digits, seen))) ** 2 * products > MOST_WORK:
        return None
    return [(a, a, _inner(a, a)) for a in _orthogonal_basis(seen)]


def _digits(v: Vector) -> int:
    return max(max(abs(x.numerator), x.denominator).bit_length() for x in v.values())


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
