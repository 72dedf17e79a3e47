"""Eigenvalues by blocks bound those of the whole matrix, however it is cut and whatever lies between them."""

import importlib
from fractions import Fraction

import numpy as np
import pytest
from draws import examples
from hypothesis import given
from hypothesis import strategies as st
from scipy.linalg import block_diag
from true_certificates import certificate, covariance, top

from relaxspca.certificate import Leaf, RowsPoint
from relaxspca.checker import verify
from relaxspca.checker.blocks import Blocks
from relaxspca.checker.exact import Exact
from relaxspca.checker.rounded import Ball, Rounded

blocks_module = importlib.import_module("relaxspca.checker.blocks")
EXACT, ROUNDED = Exact(), Rounded()
BOTH = pytest.mark.parametrize("arithmetic", [EXACT, ROUNDED])
SEEDS = st.integers(0, 2**32 - 1)


def block_diagonal(rng, sizes):
    """Return a symmetric matrix of random blocks, its rows and columns shuffled."""
    blocks = (rng.normal(size=(size, size)) for size in sizes)
    S = block_diag(*(B + B.T for B in blocks))
    order = rng.permutation(len(S))
    return S[np.ix_(order, order)]


@examples(60)
@given(SEEDS, st.lists(st.integers(1, 5), min_size=1, max_size=4), st.booleans())
def test_the_bound_by_blocks_is_that_of_the_whole_matrix(seed, sizes, exact):
    rng, arithmetic = np.random.default_rng(seed), EXACT if exact else ROUNDED
    S = block_diagonal(rng, sizes)
    M, n = arithmetic.array(S), len(S)
    whole, cut = arithmetic.eigenvalue_upper(M), Blocks(arithmetic, M)
    assert len(set(cut.label)) == len(sizes)
    assert float(cut.eigenvalue(range(n))) == pytest.approx(float(whole), rel=1e-12, abs=1e-12)
    some = rng.choice(n, size=int(rng.integers(1, n + 1)), replace=False).tolist()
    part = arithmetic.eigenvalue_upper(M[np.ix_(some, some)])
    assert float(cut.eigenvalue(tuple(some))) == pytest.approx(float(part), rel=1e-12, abs=1e-12)
    if len(sizes) == 1:
        assert cut.eigenvalue(range(n)) == whole


@examples(60)
@given(SEEDS, st.sampled_from([2.0**-210, 2.0**-205, 1e-30, 1e-3, 1.0]))
def test_a_radius_between_the_blocks_is_covered(seed, radius):
    """The middle falls apart, the matrices in the ball do not: E is any symmetric matrix within the radius."""
    rng = np.random.default_rng(seed)
    S = block_diagonal(rng, [2, 1, 3])
    cut = Blocks(ROUNDED, Ball(S, radius))
    signs = np.sign(rng.normal(size=S.shape))
    for E in (np.ones(S.shape), np.triu(signs) + np.triu(signs, 1).T, np.outer(signs[0], signs[0])):
        z = np.linalg.eigh(S + radius * E)[1][:, -1]
        assert cut.eigenvalue(range(6)) >= rayleigh(S, z) + Fraction(radius) * rayleigh(E, z)


def rayleigh(S, z):
    z = EXACT.array(z)
    return z @ EXACT.array(S) @ z / (z @ z)


@BOTH
@pytest.mark.parametrize("power", [1, 52, 199, 200, 201, 300])
def test_what_is_too_small_to_link_is_charged(arithmetic, power):
    small = 2.0**-power
    cut = Blocks(arithmetic, arithmetic.array([[1.0, small], [small, 1.0]]))
    assert len(set(cut.label)) == (1 if power <= 200 else 2)
    assert cut.eigenvalue(range(2)) >= 1 + Fraction(small)  # the eigenvalue, exactly
    assert cut.eigenvalue(range(2)) <= 1 + Fraction(small) + Fraction(2) ** -48


@examples(60)
@given(SEEDS, st.booleans())
def test_every_cut_is_valid(seed, exact):
    rng, arithmetic = np.random.default_rng(seed), EXACT if exact else ROUNDED
    n, labels = 5, blocks_module._labels
    B = rng.normal(size=(n, n))
    S, N = B + B.T, np.abs(rng.normal(size=(n, n)))
    np.fill_diagonal(N, 0.0)
    try:
        blocks_module._labels = lambda linked: rng.integers(0, 3, size=n)
        plain, charged = Blocks(arithmetic, arithmetic.array(S)), Blocks(arithmetic, arithmetic.array(S), N)
    finally:
        blocks_module._labels = labels
    assert plain.eigenvalue(range(n)) >= rayleigh(S, np.linalg.eigh(S)[1][:, -1])
    k = int(rng.integers(1, n + 1))
    rows = [sum(sorted(np.delete(row, i))[n - k :]) for i, row in enumerate(N)]
    least = top(S + np.diag(rows)) * (1 - 1e-12) - 1e-12
    assert all(float(charged.eigenvalue((), ((tuple(range(n)), k),), cut)) >= least for cut in (False, True))


@pytest.mark.parametrize("exact", [True, False])
def test_a_link_between_blocks_that_only_the_charges_have_is_paid(exact):
    """Sigma and P fall apart; N does not, so that its charges count all partners."""
    S, k = np.diag([3.0, 2.0, 1.0]), 3
    N = np.array([[0.0, 0.25, 0.5], [0.0, 0.0, 0.0], [0.0, 0.0, 0.0]])
    for scale in (1.0, 2.0**-210):
        made = certificate(S, k, [Leaf("rows", 0)], [RowsPoint(range(3), 0 * S, N * scale)], upper=9.0)
        proved = verify(made, exact=exact).proved_upper
        assert Fraction(proved) >= 3 + Fraction(0.75) * Fraction(scale)
        assert proved <= 3 + 0.75 * scale + 1e-14
    # Fewer partners are paid when fewer may be chosen.
    made = certificate(S, 2, [Leaf("rows", 0)], [RowsPoint(range(3), 0 * S, N)], upper=9.0)
    assert verify(made, exact=exact).proved_upper == pytest.approx(3.5, rel=1e-14)


def test_eigenvalues_of_blocks_are_found_once(monkeypatch):
    """A chain that fixes one variable after another changes one block at a time."""
    found = []
    monkeypatch.setattr(Rounded, "eigenvalue_upper", lambda self, M: found.append(M.shape[0]) or 1.0)
    cut = Blocks(ROUNDED, Ball(np.kron(np.eye(10), np.ones((4, 4)))))
    for n in range(1, 41):
        cut.eigenvalue(tuple(range(n)))
    assert found == [1, 2, 3, 4] * 10
    covered = Blocks(ROUNDED, Ball(covariance(6, seed=1)))
    covered.eigenvalue(range(6))
    assert found[-1] == 6


@examples(40)
@given(SEEDS, st.lists(st.integers(1, 4), min_size=2, max_size=4), st.booleans())
def test_charges_link_nothing_where_the_matrix_falls_apart(seed, sizes, exact):
    """Every charge is above 0, and each block of M is still bounded alone, as the whole matrix is."""
    rng, arithmetic = np.random.default_rng(seed), EXACT if exact else ROUNDED
    S = block_diagonal(rng, sizes)
    n = len(S)
    N = rng.uniform(0.1, 1.0, size=(n, n))
    np.fill_diagonal(N, 0.0)
    J = [int(rng.integers(n))]
    F = [i for i in range(n) if i not in J]
    room = int(rng.integers(1, n))
    cut = Blocks(arithmetic, arithmetic.array(S), N)
    dearest = [np.sort(N[i, np.setdiff1d(F, [i])])[::-1][: room - (i in F)] for i in range(n)]
    c = N[:, J[0]] + [some.sum() for some in dearest]
    found = float(cut.eigenvalue(tuple(J), ((tuple(F), room),)))
    assert found == pytest.approx(top(S + np.diag(c)), rel=1e-9, abs=1e-9)
    asked = []
    seen = type("Seen", (), {name: getattr(arithmetic, name) for name in dir(arithmetic) if name[0] != "_"})()
    seen.eigenvalue_upper = lambda M: (asked.append(M.shape[0]), arithmetic.eigenvalue_upper(M))[1]
    Blocks(seen, arithmetic.array(S), N).eigenvalue(tuple(J), ((tuple(F), room),))
    assert sorted(asked) == sorted(size for size in sizes if size > 1)
    if not exact:  # the roundings of a factor link nothing either, and what lies within them is covered
        E = rng.uniform(-1e-9, 1e-9, size=(n, n))
        found = Blocks(seen, Ball(S, 1e-9), N).eigenvalue(tuple(J), ((tuple(F), room),), is_cut=True)
        assert found >= top(S + (E + E.T) / 2 + np.diag(c))
        assert sorted(asked) == sorted(2 * [size for size in sizes if size > 1])
