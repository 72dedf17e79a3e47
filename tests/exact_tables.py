"""The truth about small tables of several components, in rational arithmetic."""

import itertools
from fractions import Fraction

import numpy as np
import scipy.optimize
from exact_truth import Truth
from small_tables import best_vectors_on


class Tables(Truth):
    """The largest sum of variances of orthonormal components, between two rational numbers.

    Where the supports of two components share exactly one variable, one of the two loadings on it is 0. So the
    supports of some best table are disjoint, alike, or share two variables or more; the last does not occur
    with more than two components, of which none, or one beside those of one variable, has more than two here.
    """

    def __init__(self, matrix):
        super().__init__(matrix)
        self.trace = sum(self.S[i][i] for i in range(self.n))
        self.pairs = {}

    def eigenvalue(self, T, j=0):
        return self.spectrum(T).largest(j)

    def best(self, sizes, *, is_disjoint=False, within=None):
        """Return the best of all supports of these sizes, or of those within some supports."""
        assert is_disjoint or len(sizes) == 2 or max(sizes) <= 2 or sorted(sizes)[-2] == 1
        choices = [
            [T for size in range(1, k + 1) for T in itertools.combinations(some, size)]
            for k, some in zip(sizes, within or [range(self.n)] * len(sizes), strict=True)
        ]
        found, meeting = [], set()
        for supports in itertools.product(*choices):
            shared = {len(set(a) & set(b)) for a, b in itertools.combinations(supports, 2) if a != b}
            if shared <= {0} and all(supports.count(T) <= (1 if is_disjoint else len(T)) for T in supports):
                found.append([self.eigenvalue(T, supports[:t].count(T)) for t, T in enumerate(supports)])
            elif not is_disjoint and len(supports) == 2 and min(shared, default=0) > 1:
                meeting.add(tuple(sorted(supports)))
        low, high = self.highest(found)
        for pair in meeting:
            # Not orthogonal, they would explain so much.
            if sum(self.eigenvalue(T)[1] for T in pair) >= low:
                if pair not in self.pairs:
                    self.pairs[pair] = best_pair(self.S, *pair)
                low, high = (max(ends) for ends in zip((low, high), self.pairs[pair], strict=True))
        return low, high

    def best_common(self, k, r):
        supports = itertools.combinations(range(self.n), k)
        return self.highest([[self.eigenvalue(T, j) for j in range(r)] for T in supports])

    @staticmethod
    def highest(found):
        sums = [[sum(pair[end] for pair in each) for end in (0, 1)] for each in found]
        return max(low for low, _ in sums), max(high for _, high in sums)


def best_pair(S, first, second):
    """Return two numbers, very near to each other, for the best pair of orthogonal vectors on two supports.

    The lower one is attained, by rational vectors that are exactly orthogonal. That nothing is above the upper
    one is what some starts of a local method found. The value at a nearly stationary point misses by a square.
    """
    floats = np.array([[float(x) for x in row] for row in S])
    scale = np.abs(floats).max() or 1.0
    _, X = best_vectors_on(floats / scale, (first, second), np.random.default_rng(0), starts=4)
    x, y, error = _stationary(floats / scale, X[:, 0], X[:, 1], first, second)
    x, y = ([Fraction(float(number)) for number in vector] for vector in (x, y))
    part = [number if j in second else Fraction(0) for j, number in enumerate(x)]
    if any(part):
        by = _product(x, y) / _product(part, part)
        y = [a - by * b for a, b in zip(y, part, strict=True)]
    assert _product(x, y) == 0
    low = sum(_product(v, [_product(row, v) for row in S]) / _product(v, v) for v in (x, y))
    return low, low + Fraction(scale) * (Fraction(1, 10**24) + 100 * Fraction(error) ** 2)


def _product(x, y):
    return sum(a * b for a, b in zip(x, y, strict=True))


def _stationary(S, x, y, first, second):
    """Return a stationary pair near another, and by how much it misses the conditions."""
    A, B, both = np.array(first), np.array(second), np.eye(len(S))[np.ix_(first, second)]

    def missed(z):
        u, v, (a, b, c) = z[: len(A)], z[len(A) : -3], z[-3:]
        left = S[np.ix_(A, A)] @ u - a * u - c * both @ v
        right = S[np.ix_(B, B)] @ v - b * v - c * both.T @ u
        return np.concatenate([left, right, [(u @ u - 1) / 2, (v @ v - 1) / 2, u @ both @ v]])

    begin = np.concatenate([x[A], y[B], [x @ S @ x, y @ S @ y, x @ S @ y]])
    z = scipy.optimize.least_squares(missed, begin, xtol=1e-15, ftol=1e-15, gtol=1e-15).x
    x[A], y[B] = z[: len(A)], z[len(A) : -3]
    return x, y, float(np.abs(missed(z)).max())


def exact_span(S, V):
    """Return what the span of the first 1, 2, ... columns of V explains, in rational arithmetic."""
    basis, found = [], []
    for column in V.T:
        left = x = [Fraction(float(value)) for value in column]
        for b in basis:
            part = _product(x, b) / _product(b, b)
            left = [u - part * v for u, v in zip(left, b, strict=True)]
        size = _product(left, left)
        gain = Fraction(0)
        if size > Fraction(1, 10**14) * _product(x, x):  # shorter: the same direction but for rounding
            basis.append(left)
            gain = _product(left, [_product(row, left) for row in S]) / size
        found.append(gain + (found[-1] if found else 0))
    return found
