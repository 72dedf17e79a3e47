"""No evidence, at any scale that doubles have, proves less than an exact quotient attains. No tolerance."""

import itertools
from fractions import Fraction

import numpy as np
import pytest
from building import component
from draws import draws

from relaxspca.certificate import FactorPoint, Leaf, RowsPoint, Split
from relaxspca.checker import verify
from relaxspca.checker.exact import Exact

EXACT = Exact()
LARGEST = float(np.finfo(float).max)
SCALES = [2.0**-1074, 2.0**-1050, 2.0**-600, 2.0**-500, 1.0, 1.0, 1.0, 2.0**500, 2.0**600, 2.0**1000]


def symmetric(rng, n):
    """Return a random matrix of one of many kinds: definite or not, of low rank, whole, or nearly in blocks."""
    B = rng.normal(size=(n, n))
    b = rng.integers(-3, 4, size=n).astype(float)
    linked = rng.random((n, n)) < 0.5
    weak = rng.choice([0.0, 2.0**-60, 2.0**-199, 2.0**-201])
    almost = np.where(linked | linked.T | np.eye(n, dtype=bool), 1.0, weak)
    S = [B.T @ B, np.outer(b, b), B + B.T, np.diag(b), (B + B.T) * almost, np.add.outer(b, b) * almost]
    S = S[rng.integers(len(S))]
    return (S + S.T) / 2


ROWS = ("spectral", "trace", "rowsum", "weights", "perron")


def evidence(rng, S, kinds=(*ROWS, "psi")):
    """Return a leaf and its points, not good ones: any are valid."""
    n, size = len(S), np.abs(S).max() or 1.0
    kind = rng.choice(kinds)
    if kind == "spectral":
        return Leaf("rows"), []
    if kind in ("trace", "rowsum"):
        weights = np.sqrt(np.abs(np.diag(S))) if kind == "trace" else np.ones(n)
        return Leaf("rows", 0), [RowsPoint(range(n), weights=np.maximum(weights, 1e-300))]
    if kind == "weights":
        return Leaf("rows", 0), [RowsPoint(range(n), weights=np.exp(rng.normal(size=n) * rng.choice([1, 100])))]
    if kind == "perron":
        P, w = (S - np.diag(np.diag(S))) * rng.choice([0.0, 0.5, 1.0, -1.0]), np.exp(rng.normal(size=n))
        N = np.abs(P) * w[:, None] / w[None, :] * (1 + 2.0**-40)
        N += np.triu(rng.random((n, n)), 1) * size * rng.choice([0.0, 2.0**-200, 2.0**-53])
        return Leaf("rows", 0), [RowsPoint(range(n), P, N)]
    A = rng.normal(size=(rng.integers(n + 2), n)) * np.sqrt(size)
    rho, shift = rng.exponential() * size, abs(rng.normal()) * size
    Y = A * rng.random(n) + rng.normal(size=A.shape) * np.sqrt(size) * rng.choice([0.0, 0.1])
    return Leaf("factor", 0), [FactorPoint(range(n), rho, Y, A, shift)]


def attained(S, k):
    """Return the largest exact Rayleigh quotient of LAPACK's vectors of all supports of size k."""
    size, found = np.abs(S).max() or 1.0, []
    for T in itertools.combinations(range(len(S)), k):
        block = S[np.ix_(T, T)]
        # A scale at which LAPACK works; the quotient is that of the matrix itself.
        scaled = np.ldexp(block, 600) if size < 1e-200 else block / size
        z = EXACT.array(np.linalg.eigh(scaled)[1][:, -1])
        found.append(z @ EXACT.array(block) @ z / (z @ z))
    return max(found)


def random_claim(rng, most=5):
    """Return a claim that nothing proves, so that the checker tries all its bounds, at any scale."""
    n = int(rng.integers(1, most + 1))
    k, scale = int(rng.integers(1, n + 1)), rng.choice(SCALES)
    with np.errstate(under="ignore", over="ignore"):
        S = symmetric(rng, n) * scale
        leaf, points = evidence(rng, S)
    penalty = rng.exponential() * np.abs(S).max() if rng.random() < 0.3 else None
    tree = [leaf] if n == 1 or rng.random() < 0.5 else [Split(0, int(rng.integers(n)), 1, 2), leaf, leaf]
    return component(
        names="abcdef"[:n], matrix=S, k=k if penalty is None else None, rho=penalty, lower=-LARGEST,
        upper=-LARGEST, indices=[0], loadings=np.eye(n)[0], points=points, tree=tree,
    )  # fmt: skip


@pytest.mark.parametrize("seed", range(draws(1, 3)))
def test_nothing_is_proved_below_what_is_attained(seed):
    rng, tight = np.random.default_rng(seed), 0
    for count in range(250):
        made = random_claim(rng)
        S, n = made.matrix, made.n
        if made.k:
            value = attained(S, made.k)
        else:
            value = max(0, max(attained(S, m) - m * Fraction(made.claim.rho) for m in range(1, n + 1)))
        proved = verify(made, exact=count % 5 == 0).proved_upper
        assert proved == np.inf or Fraction(proved) >= value, (seed, count)
        tight += proved < np.inf and Fraction(proved) <= value * (1 + Fraction(1, 10**12)) and value > 0
    assert tight > 30  # of many, the bound is the value but for rounding
