"""Cardinalities and penalties: what a row pays and what a support nets, against enumeration."""

from fractions import Fraction

import numpy as np
import pytest
from draws import examples
from enumeration import supports_of_node
from hypothesis import given
from hypothesis import strategies as st

from relaxspca.problem.budgets import OneOfEachSize
from relaxspca.problem.node import Node
from relaxspca.problem.size import Cardinality, Penalty, largest_sums

SEEDS = st.integers(0, 10**6)


@examples(800)
@given(seed=SEEDS, m=st.integers(1, 7), kind=st.sampled_from(["k", "rho", "one of each"]))
def test_no_row_of_a_support_pays_more_than_its_charge(seed, m, kind):
    rng = np.random.default_rng(seed)
    size = Cardinality(int(rng.integers(1, m + 1))) if kind != "rho" else Penalty(float(rng.uniform(0, 1)))
    most = min(size.most(m), m - 1)
    inside = rng.permutation(m)[: rng.integers(0, most + 1)]
    node = Node.of(inside, None, range(m))
    N = rng.uniform(0, 1, (m, m)) * 10.0 ** rng.integers(-8, 8)
    if kind == "one of each":  # those forced in are no others' groups
        labels = rng.integers(0, (m + 1) // 2, size=m)
        labels[inside] = m + np.arange(len(inside))
        size = OneOfEachSize(min(size.k, len(np.unique(labels))), labels)
        N = rng.integers(0, 3, size=(m, m)) * 1.0 if rng.random() < 0.5 else N
    charges = size.row_charges(N, node.is_inside)
    parts = [size.row_charges(N[at : at + 1], node.is_inside, first=at) for at in range(m)]
    for name in ("total", "least", "following"):
        assert np.array_equal(np.concatenate([getattr(part, name) for part in parts]), getattr(charges, name))
    proved, losses, gains = size.proved_totals(charges), charges.losses(N), charges.gains(N)
    attained = np.full(m, -np.inf)
    for T in supports_of_node(node, size):
        for i in T:
            paid = sum(
                (Fraction(N[i, j]) - Fraction(size.penalty) for j in T if j != i), -Fraction(size.penalty)
            )
            assert paid <= Fraction(proved[i])
            attained[i] = max(attained[i], float(paid))
            for j in np.setdiff1d(node.free, [i]):  # forced in, or left out
                less = losses[i, j] if j in T else gains[i, j]
                assert paid <= charges.total[i] - less + 1e-9 * (N.max() + size.penalty)
    met = np.isfinite(attained)
    assert charges.total[met] == pytest.approx(attained[met], rel=1e-9, abs=1e-9 * N.max())


@examples(100)
@given(value=st.floats(-1e6, 1e6), rho=st.floats(0, 1e6), count=st.integers(0, 50))
def test_what_a_component_nets_is_enclosed(value, rho, count):
    size, exact = Penalty(rho), Fraction(value) - Fraction(rho) * count
    assert size.net_lower(value, count) <= exact <= size.net_upper(value, count)
    assert Cardinality(3).net_lower(value, count) == value == Cardinality(3).net_upper(value, count)


@pytest.mark.parametrize(("k", "wanted"), [(1, []), (2, [0, 3]), (3, None), (4, [0, 1, 2, 3]), (5, [])])
def test_a_node_with_one_support_is_seen(k, wanted):
    found = Cardinality(k).last_support(np.array([0, 3]), np.array([1, 2]))
    assert (found if found is None else found.tolist()) == wanted


def test_a_node_at_a_penalty_has_one_support_when_nothing_is_free():
    assert Penalty(1.0).last_support(np.array([0, 3]), np.array([1])) is None
    assert Penalty(1.0).last_support(np.array([0, 3]), np.array([], dtype=int)).tolist() == [0, 3]


def test_a_size_of_a_part_and_in_another_unit():
    part, inside = np.array([0, 2]), np.array([True, True, False, True])
    assert Cardinality(5).of_part(part, inside) == Cardinality(3)  # two are forced in elsewhere
    assert Penalty(2.0).of_part(part, inside) == Penalty(2.0)
    assert Penalty(2.0).in_unit(4.0) == Penalty(0.5)


@pytest.mark.parametrize("m", [299, 300, 400, 401, 1000])
@pytest.mark.parametrize("paid", [0, 1, 5, 24, 60])
@pytest.mark.parametrize("values", ["noise", "ties", "mostly 0"])
def test_long_rows_pay_the_same_as_a_sorted_row(m, paid, values):
    rng = np.random.default_rng(m + paid)
    charges = rng.uniform(0, 1, (6, m))
    if values == "ties":
        charges = np.round(charges, 1)
    elif values == "mostly 0":
        charges *= rng.random(charges.shape) < 0.01
    ranked = -np.sort(-charges, axis=-1)
    sums, least, following = largest_sums(charges, np.full(m, paid))
    assert np.array_equal(sums, np.cumsum(ranked, axis=-1)[..., paid - 1] if paid else np.zeros(6))
    assert np.array_equal(least, ranked[..., paid - 1] if paid else np.zeros(6))
    assert np.array_equal(following, ranked[..., paid])
