"""What rows cost is the most of any support; pairs are paid, at every scale."""

import itertools
from fractions import Fraction

import numpy as np
import pytest
from draws import examples
from hypothesis import example, given
from hypothesis import strategies as st

from relaxspca.certificate import RowsPoint
from relaxspca.checker import family
from relaxspca.checker.exact import Exact
from relaxspca.checker.family import Defect, charges_of
from relaxspca.checker.rounded import Rounded

SEEDS = st.integers(0, 2**32 - 1)


@examples(60)
@example(seed=80, exact=False)  # none of what is free is taken
@given(seed=SEEDS, exact=st.booleans())
def test_of_one_label_and_of_each_part_no_more_is_charged_than_a_support_has(seed, exact):
    """Against all supports with so many free variables of each of two parts, and no two of one label."""
    rng, arithmetic = np.random.default_rng(seed), (Exact() if exact else Rounded())
    n = int(rng.integers(2, 8))
    has_labels, has_ties = rng.integers(2, size=2).astype(bool)
    q = rng.integers(0, 4, size=(n, n)) * 1.0 if has_ties else rng.random((n, n)) * rng.random(n) ** 8
    q = q if has_labels else q - rng.integers(0, 3, size=n)  # with labels none is below 0
    labels, part = rng.integers(0, n, size=n), rng.integers(0, 2, size=n)
    labels = labels if has_labels else np.arange(n)
    J = [0] if rng.integers(2) else []
    free = [[i for i in range(n) if part[i] == b and i not in J and labels[i] not in labels[J]] for b in (0, 1)]
    if has_labels:  # a claim has labels or parts
        free = [sorted(free[0] + free[1])]
    parts = [(F, int(rng.integers(0, len(F) + 1))) for F in free]
    p = arithmetic.upper(arithmetic.array(q))
    charges = charges_of(arithmetic, p, J, parts, labels if has_labels else None)
    found = dict(zip(J + [i for F in free for i in F], charges, strict=True))
    best = {i: max_of(q, J, parts, labels, i) for i in found}
    for i, most in best.items():
        assert most is None or (found[i] == most if exact else most <= found[i] <= most + 1e-12)


def max_of(q, J, parts, labels, i):
    """Return the most that row i is charged in a support that has it; None if there is none."""
    choices = itertools.product(*(itertools.combinations(F, count) for F, count in parts))
    supports = ([*J, *itertools.chain(*chosen)] for chosen in choices)
    allowed = (T for T in supports if i in T and len({labels[j] for j in T}) == len(T))
    return max((sum(Fraction(q[i, j]) for j in T) for T in allowed), default=None)


@pytest.mark.parametrize("value", [np.inf, np.nan])
def test_a_charge_without_end_is_never_left_out(value):
    q = np.ones((5, 5))
    q[0, 3] = value
    for F in ([1, 2, 3, 4], [2, 3]):
        fixed, *loose = charges_of(Rounded(), q, [0], [(F, 1)])
        assert fixed == np.inf
        assert np.isfinite(loose).all()


@examples(100)
@given(whole=st.integers(1, 2**20), power=st.integers(-1080, 530), far=st.sampled_from([0, 1, 60, 450]))
def test_a_pair_is_paid_where_the_product_of_its_charges_is_its_square(whole, power, far):
    """At every scale, to the last digit; with outward rounding a billionth more always pays."""
    p = float(np.ldexp(whole, power))
    a, b = float(np.ldexp(p, far)), float(np.ldexp(p, -far))
    for most in (np.nextafter(b, 0), b, float(b * (1 + 1e-9))):
        point = RowsPoint([3, 5], [[0, p], [p, 0]], [[0, a], [most, 0]])
        is_paid = Fraction(a) * Fraction(most) >= Fraction(p) ** 2
        for arithmetic, may_refuse in ((Exact(), False), (Rounded(), most <= b)):
            try:
                family.charged(arithmetic, point, 0, lambda P: P != 0)
                assert is_paid
            except Defect:
                assert not is_paid or may_refuse
