"""No evidence, at any scale that doubles have, proves less than is true, in rationals. No tolerance."""

from fractions import Fraction

import numpy as np
import pytest
from building import component
from draws import draws
from enumeration import supports
from exact_truth import Truth

from relaxspca.certificate import FactorPoint, Leaf, RowsPoint, Split
from relaxspca.checker import verify
from relaxspca.tasks.verify import verify_certificate as verify_against

LARGEST = float(np.finfo(float).max)
MIXED = [1.0, 2.0**-60, 2.0**-100, 2.0**-105, 2.0**-172, 2.0**-240, 2.0**-450]
EXTREMES = [0.0, -0.0, 5e-324, 2.0**-1022, 1e-305, 1e-160, 1.0, 1e160, 1e305, LARGEST]
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
    n, size = len(S), min(np.abs(S).max() or 1.0, 1e300)
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
        N = np.minimum(np.abs(P) * w[:, None] / w[None, :] * (1 + 2.0**-40), LARGEST)
        N += np.triu(rng.random((n, n)), 1) * size * rng.choice([0.0, 2.0**-200, 2.0**-53])
        return Leaf("rows", 0), [RowsPoint(range(n), P, N)]
    A = rng.normal(size=(rng.integers(n + 2), n)) * np.sqrt(size)
    rho, shift = rng.exponential() * size, abs(rng.normal()) * size
    Y = A * rng.random(n) + rng.normal(size=A.shape) * np.sqrt(size) * rng.choice([0.0, 0.1])
    return Leaf("factor", 0), [FactorPoint(range(n), rho, Y, A, shift)]


def random_claim(rng, most=5, *, is_plain=False):
    """Return a claim that nothing proves: all bounds are tried. A plain one has one scale and no conditions."""
    n = int(rng.integers(1, most + 1))
    is_mixed, D = not is_plain and rng.random() < 0.5, rng.choice(MIXED, size=n)
    scale = np.outer(D, D) if is_mixed else rng.choice(SCALES)
    with np.errstate(all="ignore"):
        S = symmetric(rng, n) * scale
        if not is_plain and rng.random() < 0.15:  # entries at both ends of the range
            S = np.triu(rng.choice(EXTREMES, size=(n, n)) * rng.choice([-1.0, 1.0, 0.75], size=(n, n)))
            S += np.triu(S, 1).T
        leaf, points = evidence(rng, S)
    k, order = int(rng.integers(1, n + 1)), rng.permutation(n).tolist()
    J = [] if is_plain or rng.random() < 0.5 else order[: int(rng.integers(k + 1))]
    usable = order if is_plain else order[: int(rng.integers(k, n + 1))]
    penalty = rng.exponential() * min(np.abs(S).max(), 1e300) if rng.random() < 0.3 and not is_mixed else None
    is_leaf = usable[-1] in J or rng.random() < 0.5
    return component(
        names="abcdef"[:n], matrix=S, k=k if penalty is None else None, rho=penalty, lower=-LARGEST,
        upper=-LARGEST, indices=[order[0]], loadings=np.eye(n)[order[0]], points=points,
        tree=[leaf] if is_leaf else [Split(0, usable[-1], 1, 2), leaf, leaf],
        include=sorted(J), exclude=sorted({*order} - {*usable}),
    )  # fmt: skip


def exceeds(made, S):
    """Return a function that says whether a support of a claim explains more than a value, of a matrix."""
    truth, rho = Truth(S), Fraction(made.rho or 0)
    chosen = supports(made.n, made.k or range(1, made.n + 1), made.include.tolist(), made.exclude.tolist())
    return lambda value, **how: any(truth.exceeds(T, value + rho * len(T), **how) for T in chosen)


@pytest.mark.parametrize("seed", range(draws(1, 3)))
def test_nothing_is_proved_below_what_is_attained(seed):
    """Nor beside variables that are larger by hundreds of digits."""
    rng, tight = np.random.default_rng(seed), []
    for count in range(300):
        made = random_claim(rng)
        proved = verify(made, exact=count % 4 == 0).proved_upper
        assert proved >= 0 or not made.allows_none
        if proved == np.inf:
            continue
        value, exceeded = Fraction(proved), exceeds(made, made.matrix)
        assert not exceeded(value, or_equals=False), (seed, count)
        if count % 3 == 0:  # held against another matrix, and printed
            other = made.matrix.copy()
            other[0, 0] = rng.choice(EXTREMES)
            verdict = verify_against(made, exact=count % 2 == 0, against=other)
            upper = verdict.comparison.upper
            assert upper == np.inf or not exceeds(made, other)(Fraction(upper), or_equals=False)
            assert all((str(verdict), made.to_markdown(), made.to_latex()))
        value -= abs(value) / 10**12
        if proved > 0 and exceeded(value, or_equals=True):
            tight.append(2.0**200 * proved < np.abs(made.matrix).max())
    assert len(tight) > 60  # of many, the bound is the value but for rounding
    assert sum(tight) > 5  # of some, tiny beside the matrix, too
