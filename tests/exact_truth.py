"""The truth about small covariances in rational arithmetic, to hold against what is printed."""

import itertools
import math
from fractions import Fraction


class Spectrum:
    """Eigenvalues of a symmetric matrix of Fractions, counted exactly and enclosed to some thirty digits.

    All roots of its characteristic polynomial are real, so as many are positive as the signs of the
    coefficients change (Descartes); those above a number are the positive ones of the shifted polynomial.
    """

    def __init__(self, matrix):
        self.unit = math.lcm(*(x.denominator for row in matrix for x in row))
        M = [[int(x * self.unit) for x in row] for row in matrix]
        self.polynomial = characteristic(M)
        self.width = max(sum(map(abs, row)) for row in M) or self.unit
        self.found = {}

    def above(self, value, *, or_equals=False):
        """Count the eigenvalues above a number, or at it too."""
        value = Fraction(value) * self.unit
        above, at_it = signs(scaled(self.polynomial, value.denominator), value.numerator)
        return above + at_it if or_equals else above

    def largest(self, j=0):
        """Return two numbers between which the eigenvalue of rank j (from 0) lies."""
        if j not in self.found:
            fine = 2**101
            polynomial, high = scaled(self.polynomial, fine), 2 * self.width * fine
            low = -high
            while high - low > 2 * self.width:
                middle = (low + high) // 2
                low, high = (middle, high) if signs(polynomial, middle)[0] > j else (low, middle)
            self.found[j] = Fraction(low, fine * self.unit), Fraction(high, fine * self.unit)
        return self.found[j]


def scaled(polynomial, factor):
    """Return the polynomial whose roots are larger by a factor."""
    return [a * factor**i for i, a in enumerate(polynomial)]


def signs(polynomial, value):
    """Return how many of the roots of p(x + value) are positive and how many are 0, if all of them are real."""
    c = list(polynomial)
    for end in range(len(c) - 1, 0, -1):
        for i in range(1, end + 1):
            c[i] += value * c[i - 1]
    positive = [a > 0 for a in c if a]
    return sum(a != b for a, b in itertools.pairwise(positive)), next(i for i, a in enumerate(reversed(c)) if a)


def characteristic(M):
    """Return the coefficients of det(x - M) of whole numbers, the highest first (Faddeev and LeVerrier)."""
    n = len(M)
    found, N = [1], [[0] * n for _ in range(n)]
    for step in range(1, n + 1):
        N = [[x + found[-1] * (i == j) for j, x in enumerate(row)] for i, row in enumerate(N)]
        N = [
            [sum(a * b for a, b in zip(row, column, strict=True)) for column in zip(*N, strict=True)]
            for row in M
        ]
        found.append(-sum(N[i][i] for i in range(n)) // step)
    return found


class Truth:
    """Decide inequalities about v_k and phi(rho) of a covariance of floats exactly, support by support."""

    def __init__(self, matrix):
        self.S = [[Fraction(float(x)) for x in row] for row in matrix]
        self.n = len(self.S)
        self.scale = max(abs(x) for row in self.S for x in row)
        self.spectra = {}

    def spectrum(self, T):
        """Return the eigenvalues of the block of a support."""
        if T not in self.spectra:
            self.spectra[T] = Spectrum([[self.S[a][b] for b in T] for a in T])
        return self.spectra[T]

    def exceeds(self, T, value, *, or_equals):
        """Say whether the largest eigenvalue on T is above a value, or equals it."""
        return self.spectrum(T).above(value, or_equals=or_equals) > 0

    def is_upper(self, k, value, rho=None):
        """Say whether no support of k variables explains more; or, less rho for each, no support and not 0."""
        if rho is not None:
            return value >= 0 and all(self.is_upper(m, value + rho * m) for m in range(1, self.n + 1))
        return not any(
            self.exceeds(T, value, or_equals=False) for T in itertools.combinations(range(self.n), k)
        )

    def is_lower(self, k, value, rho=None):
        """Say whether a support of k variables explains as much; or, less rho for each, a support or 0."""
        if rho is not None:
            return value <= 0 or any(self.is_lower(m, value + rho * m) for m in range(1, self.n + 1))
        return any(self.exceeds(T, value, or_equals=True) for T in itertools.combinations(range(self.n), k))

    def encloses(self, k, lower, upper, rho=None):
        """Say whether the optimum is within two bounds, of which the lower one may be None."""
        return self.is_upper(k, upper, rho) and (lower is None or self.is_lower(k, lower, rho))

    def variance(self, loadings):
        """Return x'Sigma x / x'x of a vector of floats."""
        x = [Fraction(float(value)) for value in loadings]
        used = [i for i in range(self.n) if x[i]]
        form = sum(x[i] * self.S[i][j] * x[j] for i in used for j in used)
        return form / sum(x[i] ** 2 for i in used) if used else Fraction(0)


class Supports:
    """The largest eigenvalue on every support of k variables, between two rational numbers."""

    def __init__(self, matrix, k):
        truth = Truth(matrix)
        self.values = {T: truth.spectrum(T).largest() for T in itertools.combinations(range(truth.n), k)}
        self.scale = truth.scale

    def best(self, supports=None):
        """Return between which numbers the largest value lies, of all or of some."""
        chosen = self.values if supports is None else supports
        return tuple(max(self.values[T][end] for T in chosen) for end in (0, 1))


def ratio_is_upper(A, B, k, value):
    """Say whether value B - A has no negative eigenvalue on any support."""
    M = [[a - value * b for a, b in zip(*pair, strict=True)] for pair in zip(A, B, strict=True)]
    supports = itertools.combinations(range(len(A)), k)
    return not any(Spectrum([[M[a][b] for b in T] for a in T]).above(0) for T in supports)
