"""What is allowed may be tiny beside the rest of the matrix: it is bounded as if it were alone."""

import itertools
from fractions import Fraction

import numpy as np
import pytest
from building import changed
from draws import draws
from exact_truth import Truth
from true_certificates import near_optimal, top
from two_checkers import NODE, second

import relaxspca as rs
from relaxspca.certificate import Matrix, Split
from relaxspca.checker import verify
from relaxspca.checker.blocks import Blocks
from relaxspca.checker.exact import Exact
from relaxspca.checker.rounded import Rounded

BOTH = pytest.mark.parametrize("exact", [True, False])


def beside_one(power, linked=False):
    """Return a matrix of a variable of variance 1 and five that are smaller by a power of two."""
    B = np.random.default_rng(0).normal(size=(8, 5))
    S = np.eye(6)
    S[1:, 1:] = np.ldexp(B.T @ B, -power)
    if linked:
        S[0, 1:] = S[1:, 0] = np.ldexp(0.5, -power // 2)
    return S


@BOTH
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
