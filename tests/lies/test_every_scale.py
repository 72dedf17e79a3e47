"""No evidence, at any scale that doubles have, proves less than an exact quotient attains. No tolerance."""

from fractions import Fraction

import numpy as np
import pytest
from building import component
from draws import draws
from enumeration import supports

from relaxspca.certificate import FactorPoint, Leaf, RowsPoint, Split, WeightsPoint
from relaxspca.checker import verify
from relaxspca.checker.exact import Exact

EXACT = Exact()
# Of variables beside each other.
SIZES = [1.0, 2.0**-60, 2.0**-100, 2.0**-105, 2.0**-172, 2.0**-240, 2.0**-450]
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
        return Leaf("rows", 0), [WeightsPoint(range(n), np.maximum(weights, 1e-300))]
    if kind == "weights":
        return Leaf("rows", 0), [WeightsPoint(range(n), np.exp(rng.normal(size=n) * rng.choice([1, 100])))]
    if kind == "perron":
        P, w = (S - np.diag(np.diag(S))) * rng.choice([0.0, 0.5, 1.0, -1.0]), np.exp(rng.normal(size=n))
        N = np.abs(P) * w[:, None] / w[None, :] * (1 + 2.0**-40)
        N += np.triu(rng.random((n, n)), 1) * size * rng.choice([0.0, 2.0**-200, 2.0**-53])
        return Leaf("rows", 0), [RowsPoint(range(n), P, N)]
    A = rng.normal(size=(rng.integers(n + 2), n)) * np.sqrt(size)
    rho, shift = rng.exponential() * size, abs(rng.normal()) * size
    Y = A * rng.random(n) + rng.normal(size=A.shape) * np.sqrt(size) * rng.choice([0.0, 0.1])
    return Leaf("factor", 0), [FactorPoint(range(n), rho, Y, A, shift)]


def attained(S, T):
    """Return the exact Rayleigh quotient of LAPACK's vector of a support."""
    block = S[np.ix_(T, T)]
    size = np.abs(block).max() or 1.0
    # A scale at which LAPACK works; the quotient is that of the matrix itself.
    scaled = np.ldexp(block, 600) if size < 1e-200 else block / size
    z = EXACT.array(np.linalg.eigh(scaled)[1][:, -1])
    return z @ EXACT.array(block) @ z / (z @ z)


def random_claim(rng, most=5):
    """Return a claim that nothing proves, so that the checker tries all its bounds, at any scale.

    Or one about some of variables of very different sizes: what is allowed may be tiny beside the rest.
    """
    n, is_mixed = int(rng.integers(1, most + 1)), rng.random() < 0.4
    k, scale = int(rng.integers(1, n + 1)), rng.choice(SCALES)
    D = rng.choice(SIZES, size=n)
    with np.errstate(under="ignore", over="ignore"):
        S = symmetric(rng, n) * (np.outer(D, D) if is_mixed else scale)
        leaf, points = evidence(rng, S)
    penalty = rng.exponential() * np.abs(S).max() if rng.random() < 0.3 and not is_mixed else None
    allowed = range(n)
    if is_mixed:
        allowed = np.sort(rng.choice(n, size=int(rng.integers(k, n + 1)), replace=False)).tolist()
    include = allowed[: int(rng.integers(2))] if is_mixed else []
    at = int(rng.integers(n))
    is_split = n > 1 and at in allowed and at not in include and rng.random() < 0.5
    T = include or allowed[:1]
    return component(
        names="abcdef"[:n], matrix=S, k=k if penalty is None else None, rho=penalty, lower=-LARGEST,
        upper=-LARGEST, include=include, exclude=sorted({*range(n)} - {*allowed}), indices=T,
        loadings=np.isin(range(n), T).astype(float), points=points,
        tree=[Split(0, at, 1, 2), leaf, leaf] if is_split else [leaf],
    )  # fmt: skip


@pytest.mark.parametrize("seed", range(draws(1, 3)))
def test_nothing_is_proved_below_what_is_attained(seed):
    rng, tight, tiny = np.random.default_rng(seed), 0, 0
    for count in range(400):
        made = random_claim(rng)
        S, rho = made.matrix, Fraction(made.claim.rho or 0)
        meant = supports(made.n, made.k or range(1, made.n + 1), made.include.tolist(), made.exclude.tolist())
        value = max([attained(S, T) - len(T) * rho for T in meant] + [0] * (made.k is None))
        proved = verify(made, exact=count % 5 == 0).proved_upper
        assert proved == np.inf or Fraction(proved) >= value, (seed, count)
        if proved < np.inf and Fraction(proved) <= value * (1 + Fraction(1, 10**12)) and value > 0:
            tight += 1
            tiny += 2.0**200 * proved < np.abs(S).max()
    assert tight > 50  # of many, the bound is the value but for rounding
    assert tiny > 5  # of some of them it is tiny beside the matrix
