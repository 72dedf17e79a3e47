"""The truth about small covariances in rational arithmetic, to hold against what is printed."""

import itertools
from fractions import Fraction


def is_positive_definite(M):
    """Say whether a symmetric matrix of Fractions is positive definite, by its pivots."""
    M = [list(row) for row in M]
    for i in range(len(M)):
        if M[i][i] <= 0:
            return False
        for j in range(i + 1, len(M)):
            factor = M[j][i] / M[i][i]
            M[j] = [a - factor * b for a, b in zip(M[j], M[i], strict=True)]
    return True


class Truth:
    """Decide inequalities about v_k and phi(rho) of a covariance of floats exactly, support by support."""

    def __init__(self, matrix):
        self.S = [[Fraction(float(x)) for x in row] for row in matrix]
        self.n = len(self.S)

    def exceeds(self, T, value, *, or_equals):
        """Say whether the largest eigenvalue on T is above a value, or equals it."""
        M = [[(value if i == j else 0) - self.S[i][j] for j in T] for i in T]
        if or_equals:
            return not is_positive_definite(M)
        # Not semidefinite: a matrix is semidefinite when every principal minor of it plus epsilon is definite,
        # which pivots do not decide; all principal submatrices of at most four rows do.
        return any(
            determinant([[M[i][j] for j in part] for i in part]) < 0
            for size in range(1, len(T) + 1)
            for part in itertools.combinations(range(len(T)), size)
        )

    def is_upper(self, k, value):
        return not any(
            self.exceeds(T, value, or_equals=False) for T in itertools.combinations(range(self.n), k)
        )

    def is_lower(self, k, value):
        return any(self.exceeds(T, value, or_equals=True) for T in itertools.combinations(range(self.n), k))

    def is_upper_of_penalised(self, rho, value):
        sizes = range(1, self.n + 1)
        return value >= 0 and all(self.is_upper(k, value + rho * k) for k in sizes)

    def is_lower_of_penalised(self, rho, value):
        return value <= 0 or any(self.is_lower(k, value + rho * k) for k in range(1, self.n + 1))

    def variance(self, loadings):
        """Return x'Sigma x / x'x of a vector of floats."""
        x = [Fraction(float(value)) for value in loadings]
        used = [i for i in range(self.n) if x[i]]
        form = sum(x[i] * self.S[i][j] * x[j] for i in used for j in used)
        return form / sum(x[i] ** 2 for i in used) if used else Fraction(0)


def determinant(M):
    if len(M) == 1:
        return M[0][0]
    rest = [row[1:] for row in M[1:]]
    total = M[0][0] * determinant(rest)
    for j in range(1, len(M)):
        minor = [row[:j] + row[j + 1 :] for row in M[1:]]
        total += (-1) ** j * M[0][j] * determinant(minor)
    return total


class Spectrum:
    """Eigenvalues of a symmetric matrix of Fractions, enclosed to some thirty digits."""

    def __init__(self, matrix):
        self.M = [list(row) for row in matrix]
        self.n = len(self.M)
        self.found = {}

    def above(self, value):
        """Count the eigenvalues above a number that is none of them; None where a pivot vanishes."""
        M = [[x - value * (i == j) for j, x in enumerate(row)] for i, row in enumerate(self.M)]
        count = 0
        for i in range(self.n):
            if M[i][i] == 0:
                return None
            count += M[i][i] > 0
            for j in range(i + 1, self.n):
                factor = M[j][i] / M[i][i]
                M[j] = [a - factor * b for a, b in zip(M[j], M[i], strict=True)]
        return count

    def largest(self, j=0):
        """Return two numbers between which the eigenvalue of rank j (from 0) lies."""
        if j not in self.found:
            width = max(sum(abs(x) for x in row) for row in self.M) or Fraction(1)
            low, high = -2 * width, 2 * width
            while high - low > width / 2**100:
                middle, step = (low + high) / 2, (high - low) / 1024
                count = self.above(middle)
                while count is None:
                    middle += step
                    count = self.above(middle)
                low, high = (middle, high) if count > j else (low, middle)
            self.found[j] = low, high
        return self.found[j]


class Supports:
    """The largest eigenvalue on every support of k variables, between two rational numbers."""

    def __init__(self, matrix, k):
        self.S = [[Fraction(float(x)) for x in row] for row in matrix]
        self.values = {
            T: Spectrum([[self.S[a][b] for b in T] for a in T]).largest()
            for T in itertools.combinations(range(len(self.S)), k)
        }
        self.scale = max(abs(x) for row in self.S for x in row)

    def best(self, supports=None):
        """Return between which numbers the largest value lies, of all or of some."""
        chosen = self.values if supports is None else supports
        return tuple(max(self.values[T][end] for T in chosen) for end in (0, 1))


def ratio_is_upper(A, B, k, value):
    """Say whether value B - A has no negative eigenvalue on any support."""
    n = len(A)
    M = [[value * B[i][j] - A[i][j] for j in range(n)] for i in range(n)]
    supports = itertools.combinations(range(n), k)
    return all(Spectrum([[-M[a][b] for b in T] for a in T]).largest()[0] <= 0 for T in supports)
