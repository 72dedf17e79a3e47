"""Eigenvalues by blocks bound those of the whole matrix, however it is cut, and however small they are."""

import importlib
import itertools
from fractions import Fraction

import numpy as np
import pytest
from building import changed
from draws import draws, examples
from exact_truth import Truth
from hypothesis import given
from hypothesis import strategies as st
from scipy.linalg import block_diag
from true_certificates import certificate, covariance, near_optimal, top
from two_checkers import NODE, second

import relaxspca as rs
from relaxspca.certificate import Leaf, Matrix, RowsPoint, Split
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


IN_BOTH = pytest.mark.parametrize("exact", [True, False])


def beside_one(power, linked=False):
    """Return a matrix of a variable of variance 1 and five that are smaller by a power of two."""
    B = np.random.default_rng(0).normal(size=(8, 5))
    S = np.eye(6)
    S[1:, 1:] = np.ldexp(B.T @ B, -power)
    if linked:
        S[0, 1:] = S[1:, 0] = np.ldexp(0.5, -power // 2)
    return S


@IN_BOTH
@pytest.mark.parametrize("power", [0, 199, 205, 345, 480, 900])
def test_a_tiny_block_is_bounded_as_it_is_alone(power, exact):
    arithmetic, small = Exact() if exact else Rounded(), range(1, 6)
    S, alone = beside_one(power), beside_one(0)[1:, 1:]
    plain = Blocks(arithmetic, arithmetic.array(S)).eigenvalue(small)
    assert Truth(S[1:, 1:]).is_upper(5, Fraction(plain))
    assert Fraction(plain) * 2**power <= Fraction(top(alone) * (1 + 1e-12))
    # With charges, on a matrix that falls apart besides: a row pays its largest partner.
    S[1:3, 3:] = S[3:, 1:3] = 0.0
    alone[:2, 2:] = alone[2:, :2] = 0.0
    N = np.random.default_rng(1).uniform(0.1, 1.0, size=S.shape) * (1 - np.eye(6))
    alone += np.diag(N[1:, 1:].max(axis=1))
    cut = Blocks(arithmetic, arithmetic.array(S), arithmetic.upper(arithmetic.array(np.ldexp(N, -power))))
    charged = cut.eigenvalue((), ((tuple(small), 2),))
    assert Truth(np.ldexp(alone, -power)).is_upper(5, Fraction(charged) * (1 + Fraction(1, 2**50)))
    assert Fraction(charged) * 2**power <= Fraction(top(alone) * (1 + 1e-12))


def listed_beside_one(S, power, count=4, k=3):
    """Return the list of the best supports of the small variables, made by enumeration at an ordinary scale."""
    alone = near_optimal(np.ldexp(S[1:, 1:], power), k, count)
    bounds = {
        name: np.ldexp(getattr(alone.claim.listed, name), -power) for name in ("others", "lower", "upper")
    }
    supports = [T + 1 for T in alone.claim.listed.supports]
    return changed(
        alone,
        subject=Matrix(names=[f"x{i}" for i in range(6)], storage="dense", entries=S),
        lower=np.ldexp(alone.lower, -power),
        upper=np.ldexp(alone.upper, -power),
        components=(changed(alone.witness.components[0], support=alone.indices + 1),),
        tree=[
            changed(node, variable=node.variable + 1) if isinstance(node, Split) else node
            for node in alone.tree
        ],
        exclude=[0],
        listed=changed(alone.claim.listed, supports=tuple(supports), **bounds),
    )


def lies_about(made):
    """Return the claim with one bound or one support changed, so that it is false or nothing proves it."""
    others = made.claim.listed
    yield changed(made, listed=changed(others, others=others.others / 2))
    yield changed(made, listed=changed(others, upper=others.upper / 2, lower=others.lower / 2))
    yield changed(made, upper=others.others, lower=others.others / 2)
    yield changed(made, lower=made.upper * 2, upper=made.upper * 2)
    yield changed(made, exclude=[])
    for left in range(len(others.supports)):
        kept = [at for at in range(len(others.supports)) if at != left]
        fields = {name: [getattr(others, name)[at] for at in kept] for name in ("supports", "lower", "upper")}
        vectors = made.witness.listed[kept]
        yield changed(made, listed=changed(others, **fields), vectors=vectors)


@pytest.mark.filterwarnings("ignore:.*decides what is found")
@pytest.mark.parametrize(
    ("power", "linked"),
    draws([(199, True), (480, False)], [*itertools.product([199, 205, 345, 480, 900], [False, True])]),
)
def test_lists_of_a_tiny_block_are_proved_and_lies_about_them_are_not(power, linked, tmp_path):
    S = beside_one(power, linked)
    made = listed_beside_one(S, power)
    found = rs.near_optimal(rs.Covariance(S), 3, exclude=[0]).certificate
    lies = list(lies_about(made))
    for exact in (True, False):
        assert verify(made, exact=exact)
        assert verify(found, exact=exact)
        assert not any(verify(lie, exact=exact) for lie in lies)
    if NODE is not None:
        said = second([made, found, *lies], tmp_path)
        assert [outcome == "VERIFIED" for outcome in said] == [True] * 2 + [False] * len(lies)
