"""Make vectors exactly orthogonal inside their supports, in rational numbers."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence

import numpy as np

from relaxspca.numerics.linalg import Array
from relaxspca.problem.node import Indices

# Products of digits for one vector: a second for the maker and for each checker, which refuse far more only.
MOST_WORK = 1.5e12

Vector = dict[int, int]  # a vector times some whole number
Step = tuple[Vector, int]  # what later vectors have to be orthogonal to, and the sum of its squares


def exactly_orthogonal(loadings: Array, supports: Sequence[Indices]) -> Array | None:
    r"""Return the floats nearest to vectors that are exactly orthogonal and stay on their supports.

    .. math:: x_t \leftarrow x_t - A(A'A)^{-1}A'x_t

    Each column of the (n, r) loadings is rounded from rationals, not normalised. None where a vector vanishes,
    or where its rationals would be too long: they are about three times as long as those of the vector before,
    if supports overlap and none holds the others.

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
    done: list[Step] = []
    rounded = np.zeros((n, r))
    for t in sorted(range(r), key=lambda t: len(supports[t])):
        variables = [int(i) for i in supports[t]]
        scale = max(float(value).as_integer_ratio()[1] for value in loadings[:, t])  # makes them whole numbers
        x = _whole(((i, loadings[i, t]) for i in variables), scale)
        steps = _steps(done, variables)
        for basis, square in steps or ():
            x, scale = _moved(x, scale, basis, square)
        if steps is None or not any(x.values()) or _is_too_long(x, len(variables) * len(steps)):
            return None
        done.append((x, _inner(x, x)))
        for i, value in x.items():
            rounded[i, t] = value / scale
    return rounded


def _steps(done: Sequence[Step], variables: Sequence[int]) -> list[Step] | None:
    """Return an orthogonal basis of earlier vectors on some variables; None if that takes too long."""
    here = set(variables)
    met = [step for step in done if any(step[0].get(i) for i in here)]
    if all(x.keys() <= here and square for x, square in met):
        return met
    basis: list[Step] = []
    for x, _ in met:
        rest = {i: value for i, value in x.items() if i in here}
        for along, square in basis:
            rest, _ = _moved(rest, 0, along, square)
        if _is_too_long(rest, len(variables) * len(met)):
            return None
        if any(rest.values()):
            basis.append((rest, _inner(rest, rest)))
    return basis


def _moved(x: Vector, scale: int, along: Vector, square: int) -> tuple[Vector, int]:
    """Return x/scale less its projection on a vector, in lowest terms."""
    inner = _inner(along, x)
    if inner == 0:
        return x, scale
    common = math.gcd(inner, square)  # half of the digits of both
    inner, square = inner // common, square // common
    moved = {i: x.get(i, 0) * square - along.get(i, 0) * inner for i in {*x, *along}}
    scale *= square
    divisor = math.gcd(scale, *moved.values()) or 1
    return {i: value // divisor for i, value in moved.items()}, scale // divisor


def _is_too_long(x: Vector, products: int) -> bool:
    """Say whether so many products of entries take too long: the time grows as the square of their digits."""
    return max(value.bit_length() for value in x.values()) ** 2 * products > MOST_WORK


def _whole(entries: Iterable[tuple[int, float]], scale: int) -> Vector:
    ratios = ((i, float(value).as_integer_ratio()) for i, value in entries)
    return {i: above * (scale // below) for i, (above, below) in ratios if above}


def _inner(a: Vector, b: Vector) -> int:
    return sum(value * b[i] for i, value in a.items() if i in b)
