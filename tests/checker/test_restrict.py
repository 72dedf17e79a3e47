"""What rows cost is the most of any support; what a restriction leaves out is bounded by it."""

import itertools
from fractions import Fraction

import numpy as np
import pytest
from building import component
from draws import draws, examples
from enumeration import best_of_one_sign, supports
from hypothesis import example, given
from hypothesis import strategies as st
from true_certificates import beside_weights, top
from two_checkers import NODE, second

from relaxspca.certificate import Leaf, Restrict, RowsPoint
from relaxspca.checker import Outcome, family, verify
from relaxspca.checker.exact import Exact
from relaxspca.checker.family import Defect, charges_of
from relaxspca.checker.rounded import Rounded

KINDS = ("plain", "conditions", "penalty", "one of each", "nonnegative")


def drawn(rng, kind):
    """Return a matrix, a claim about it, and the supports that the claim is about."""
    n = int(rng.integers(4, 7))
    B = rng.normal(size=(n + 1, n)) * np.exp(rng.normal(size=n))
    S, k = B.T @ B, int(rng.integers(1, 4))
    S = (S + S.T) / 2
    include, exclude, groups, claim = [], [], [], {"k": k}
    if kind == "conditions":
        some = rng.permutation(n)
        include, exclude = [int(some[0])], [int(some[1])]
        claim |= {"include": include, "exclude": exclude}
    elif kind == "penalty":
        claim = {"rho": float(np.median(np.diag(S)))}
    elif kind == "one of each":
        groups, claim["k"] = [[0, 1], [2, 3]], min(k, n - 2)
        claim["one_of_each"] = groups
    elif kind == "nonnegative":
        claim["nonnegative"] = True
    return S, claim, supports(n, claim.get("k", range(1, n + 1)), include, exclude, groups)


def prices(S, w, signed=False):
    """Return what rows cost by weights."""
    p = (np.maximum(S, 0.0) if signed else np.abs(S)) * w / w[:, None]
    np.fill_diagonal(p, np.diag(S))
    return p


def by_weights(rng, S, signed):
    """Return a point or none, the numbers p_ij that rows cost, and the bound for what they cost at most."""
    w = np.exp(rng.normal(size=len(S))) if rng.random() < 0.5 else None
    p = prices(S, np.ones(len(S)) if w is None else w, signed)
    return None if w is None else RowsPoint(np.arange(len(S)), weights=w), p, lambda rows, costs: max(costs)


def by_pairs(rng, S, signed):
    """Return the same for a point with P and N; perhaps weights pay for some of the pairs."""
    n = len(S)
    P = np.triu(S * (rng.random((n, n)) < 0.8), 1)
    P, N = P + P.T, prices(P + P.T, np.exp(rng.normal(size=n)), signed) * (1 + 1e-15)
    point = RowsPoint(np.arange(n), P, N)
    if rng.random() < 0.6:
        w, paid = np.exp(rng.normal(size=n)), np.sort(rng.permutation(n)[: int(rng.integers(1, n + 1))])
        few = RowsPoint(paid, P[np.ix_(paid, paid)], N[np.ix_(paid, paid)])
        point, whole = beside_weights(S, few, w, np.maximum(S, 0.0) if signed else None)
        P, N = whole.P, whole.N
    return point, N, lambda rows, c: top((S - P)[np.ix_(rows, rows)] + np.diag(c))


def without_pairs(S, claim):
    """Return S with 0 for two variables of a group."""
    M = S.copy()
    for G in claim.get("one_of_each", ()):
        M[np.ix_(G, G)] = np.diag(np.diag(S)[G])
    return M


def costs_of(p, supports, rho):
    """Return the rows of some supports, and the most that each costs in one."""
    rows = sorted({h for T in supports for h in T})
    return rows, [max(sum(p[h, T]) - rho * len(T) for T in supports if h in T) for h in rows]


def left_out_bound(p, bound_of, left_out, gone, rho):
    """Return the largest bound of rows with each variable forced in that is gone."""
    each = [[T for T in left_out if i in T] for i in gone]
    return max((bound_of(*costs_of(p, some, rho)) for some in each if some), default=-1e9)


def restricted(kind, seed, point_of):
    """Yield claims with a restriction at the root, whether it holds, and what those left out explain."""
    rng = np.random.default_rng([seed, KINDS.index(kind)])
    S, claim, supports = drawn(rng, kind)
    n, rho = len(S), claim.get("rho", 0.0)
    point, p, bound_of = point_of(rng, without_pairs(S, claim), kind == "nonnegative")
    kept = sorted(rng.permutation(n)[: int(rng.integers(0, n))].tolist())
    forced = set(claim.get("include", ()))
    left_out = [list(T) for T in supports if not set(T) <= forced | set(kept)]
    worst = left_out_bound(p, bound_of, left_out, set(range(n)) - forced - set(kept), rho)
    support = [*sorted(forced)] or ([] if rho else [0])
    most = (lambda B: best_of_one_sign(B, len(B))[0]) if kind == "nonnegative" else top
    values = [most(S[np.ix_(T, T)]) - rho * len(T) for T in left_out]
    at, points = (None, []) if point is None else (0, [point])
    for level, may_hold in ((worst + 1e-9, True), (worst - 1e-9 - abs(worst) * 1e-9, False)):
        made = component(
            names=[f"x{i}" for i in range(n)], matrix=S, **claim, lower=-1e9, upper=1e9, points=points,
            indices=support, loadings=np.isin(range(n), support).astype(float),
            tree=[Restrict(0, at, level, tuple(kept), 1), Leaf("rows")],
        )  # fmt: skip
        yield made, may_hold or not left_out, max(values, default=-np.inf)


@pytest.mark.parametrize("point_of", [by_weights, by_pairs])
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("seed", range(draws(5, 60)))
def test_a_restriction_holds_exactly_where_rows_pay_for_what_it_leaves_out(
    kind, seed, point_of, tmp_path, monkeypatch
):
    """Both arithmetics against enumeration: what is proved holds, and what holds with room is proved."""
    monkeypatch.setattr("relaxspca.checker.restrict.CHUNK", 2)
    claims = list(restricted(kind, seed, point_of))
    if NODE is not None:  # written apart
        said = second([made for made, *_ in claims], tmp_path)
        assert said == ["VERIFIED" if holds else "INCONCLUSIVE" for _, holds, _ in claims]
    for made, holds, explained in claims:
        for exact in (True, False):
            verdict = verify(made, exact=exact)
            assert verdict.outcome is (Outcome.VERIFIED if holds else Outcome.INCONCLUSIVE), verdict
            assert not holds or verdict.proved_upper >= explained - 1e-9
            assert holds or "are not proved to be at most" in verdict.reasons[0]


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
