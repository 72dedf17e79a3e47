"""Changed restrict nodes, of one component and of several: whatever still loads proves nothing false."""

import contextlib
import copy
import itertools
import random

import numpy as np
import pytest
from building import component
from checker import test_beside as beside
from checker import test_restrict as restrict
from draws import draws
from random_changes import change, change_evidence, fewer_variables
from small_tables import best_table
from telling_lies import loaded, saved
from true_certificates import ROOM, top
from true_tables import multiplier_bound, table
from two_checkers import NODE, agree, written

from relaxspca.certificate import Evidence, Fewer, Leaf, MultiplierPoint, Restrict, RowsPoint, Single
from relaxspca.checker import components, verify
from relaxspca.checker.multipliers import SeveralEvidence
from relaxspca.errors import CertificateError

CHANGES = draws(6, 60)  # of every certificate
SEEDS = range(draws(2, 12))


def of_one(kind, seed):
    """Return a true certificate of one component whose levels leave no room, and its truth."""
    rng = np.random.default_rng([seed, restrict.KINDS.index(kind), 35])
    S, claim, supports = restrict.drawn(rng, kind)
    n, rho, is_signed = len(S), claim.get("rho", 0.0), kind == "nonnegative"
    forced, M = set(claim.get("include", ())), restrict.without_pairs(S, claim)
    point, p, bound_of = (restrict.by_pairs if seed % 2 else restrict.by_weights)(rng, M, is_signed)
    values = {tuple(T): top(S[np.ix_(T, T)]) - rho * len(T) for T in supports}
    best = max(values, key=values.get)
    kept = sorted({*best, int(rng.integers(n))} - {*claim.get("exclude", ())})
    gone = [list(T) for T in supports if not set(T) <= forced | set(kept)]
    without = {*range(n)} - forced - {*kept}
    level = restrict.left_out_bound(p, bound_of, gone, without, rho) if gone else values[best]
    left, at = sorted(forced | set(kept)), None if point is None else 0
    made = component(
        names=[f"x{i}" for i in range(n)],
        matrix=S,
        **claim,
        lower=-1e9,
        upper=max(level, top(M[np.ix_(left, left)]) - rho) * (1 + ROOM) + ROOM,
        indices=[*sorted(forced)] or ([] if rho else [0]),
        loadings=np.isin(range(n), [*forced] or ([] if rho else [0])).astype(float),
        points=[] if point is None else [point],
        tree=[Restrict(0, at, level + ROOM * abs(level), tuple(kept), 1), Leaf("rows")],
    )
    if is_signed:  # of nonnegative vectors less is true; what is asked is never less than that
        return made, max(S[i, i] for i in range(n))
    return made, max(values[best], 0.0) if rho and not forced else values[best]


def of_several(kind, seed):
    """Return a true certificate of several components, each of which is restricted, and its truth."""
    rng = np.random.default_rng([seed, 36])
    B = rng.normal(size=(6, 5)) * np.exp(rng.normal(size=5))
    S, sizes = B.T @ B, [(2, 2), (2, 1), (1, 1)][seed % 3]
    S, n = (S + S.T) / 2, 5
    w, kept = np.exp(rng.normal(size=n) / 4), sorted(rng.permutation(n)[:4].tolist())
    supports = {k: list(itertools.combinations(range(n), k)) for k in sizes}
    p = restrict.prices(S, w)
    rows = {k: {T: max(restrict.costs_of(p, [list(T)], 0.0)[1]) for T in supports[k]} for k in sizes}
    singles = {k: max(rows[k].values()) for k in sizes}
    level = {k: max(c for T, c in rows[k].items() if not set(T) <= set(kept)) for k in sizes}
    beside = max(level[k] - singles[k] for k in sizes) + sum(singles[k] for k in sizes)
    restricted = [Restrict(t, 0, level[k] + ROOM, tuple(kept), t + 1) for t, k in enumerate(sizes)]
    made = table(
        S,
        kind,
        sizes,
        max(beside, len(sizes) * top(S[np.ix_(kept, kept)])) + 2 * ROOM,
        points=[RowsPoint(np.arange(n), weights=w)],
        tree=[*restricted, Leaf("multipliers")],
        singles=[Single(k, (Leaf("rows", 0),)) for k in dict.fromkeys(sizes)],
    )
    return made, best_table(S, sizes, is_disjoint=kind == "disjoint", starts=4)


def of_few(kind, seed):
    """Return the same where the parts are restricted under multipliers of few variables."""
    rng = np.random.default_rng([seed, 37])
    while True:
        S, sizes, points, _ = beside.drawn(rng, kind)
        W = points[1].variables.tolist()
        if len(S) <= 5 and len(W) >= sum(sizes) and np.ptp(np.log(points[2].weights)) < 10:
            break
    levels, uppers = beside.proved(S, kind, sizes, points, [[] for _ in sizes])
    rows, point, room = points[0], points[1], ROOM * (1 + np.abs(levels))
    own = [RowsPoint(np.arange(len(W)), rows.P, rows.N)] * len(sizes)
    inner = multiplier_bound(S[np.ix_(W, W)], kind, sizes, point.M, point.y, own)
    nodes = [Restrict(t, 2, levels[t] + room[t], tuple(W), t + 1, 1) for t in range(len(sizes))]
    upper = max(*uppers, inner) + room.sum() + ROOM * np.abs(S).max()
    made = table(S, kind, sizes, upper, points=points, tree=[*nodes, Leaf("multipliers", 1)])
    return made, best_table(S, sizes, is_disjoint=kind == "disjoint", starts=4)


def of_three(kind, seed):
    """Return the same where the others are bounded together, with the largest eigenvalue cut off."""
    rng = np.random.default_rng([seed, 38])
    B = rng.normal(size=(6, 5))
    S, sizes, n = B.T @ B, [(1, 1, 1), (2, 1, 1), (2, 2, 1)][seed % 3], 5
    S, kept = (S + S.T) / 2, sorted(rng.permutation(n)[:4].tolist())
    values, vectors = np.linalg.eigh(S)
    Z = (vectors * np.maximum(values - values[-2], 0)) @ vectors.T
    M = S - (Z + Z.T) / 2
    level, fewer, beside = {}, [], []
    for at, k in ((sizes.index(k), k) for k in dict.fromkeys(sizes)):
        gone = [list(T) for T in itertools.combinations(range(n), k) if not set(T) <= set(kept)]
        level[k] = max(restrict.costs_of(restrict.prices(S, np.ones(n)), gone, 0.0)[1]) + ROOM
        rest = sizes[:at] + sizes[at + 1 :]
        u = multiplier_bound(S, kind, rest, M, np.zeros(n), [None, None]) + ROOM
        point = MultiplierPoint(np.arange(n), M, np.zeros(n), (None, None))
        fewer.append(Fewer(rest, u, Evidence(points=[point], tree=[Leaf("multipliers", 0)])))
        beside.append(level[k] + u)
    tree = [
        *(Restrict(t, None, level[k], tuple(kept), t + 1) for t, k in enumerate(sizes)),
        Leaf("multipliers"),
    ]
    upper = max(*beside, len(sizes) * top(S[np.ix_(kept, kept)])) + ROOM
    return table(S, kind, sizes, upper, tree=tree, fewer=fewer), best_table(
        S, sizes, is_disjoint=kind == "disjoint", starts=4
    )


def restricted_tables():
    """Return tables whose parts are restricted, under multipliers of few variables or not, of several draws."""
    return {
        f"{make.__name__} {kind} {seed}": make(kind, seed)[0]
        for make, count in ((of_several, 3), (of_three, 3), (of_few, 6))
        for kind in ("orthogonal", "disjoint")
        for seed in range(count)
    }


def lie(document, rng, n):
    """Change a restrict node, its weights, or what is said of single components or of fewer ones."""
    evidence = document["evidence"]
    node = rng.choice([node for node in evidence["tree"] if node[0] == "restrict"])
    where = rng.choice(
        [1, 2, 3, 3, 4, 4, 5, *range(6, len(node)), "weights", "singles", "tree", *({"fewer"} & {*evidence})]
    )
    if where == "weights":
        rng.choice([change_evidence, fewer_variables])(document, rng)
    elif where in evidence:
        change({where: evidence[where]}, rng)
    elif where == 3:
        node[3] = (float.fromhex(node[3]) * rng.choice([0.0, 0.5, 1 - 1e-3, 1 - 1e-9, 1.1, -1.0])).hex()
    elif where == 4:
        node[4] = sorted({rng.randrange(n) for _ in node[4]} if rng.random() < 0.3 else set(node[4][1:]))
    elif isinstance(where, int):
        node[where] = rng.choice([0, 1, 2, 3, None])


ALL = [*((of_one, kind) for kind in restrict.KINDS), (of_several, "orthogonal"), (of_several, "disjoint")]
ALL += [(make, kind) for make in (of_few, of_three) for kind in ("orthogonal", "disjoint")]


@pytest.mark.parametrize(("make", "kind"), ALL)
def test_no_change_of_a_restriction_proves_what_is_false(make, kind, tmp_path):
    rng, believed, documents = random.Random(35), 0, []
    for seed in SEEDS:
        made, truth = make(kind, seed)
        room = 1e-9 * (1 + abs(truth))
        assert verify(made), verify(made).reasons
        assert made.upper >= truth - room
        original = saved(made, tmp_path)
        for count in range(CHANGES):
            document = copy.deepcopy(original)
            for _ in range(rng.choice([1, 1, 2, 3])):
                with contextlib.suppress(LookupError, TypeError, ValueError):  # what a change broke stays so
                    lie(document, rng, made.n)
            if rng.random() < 0.5:
                document["claim"]["upper"] = (truth - 10 * room).hex()
                document["claim"]["lower"] = min(made.lower, truth - 10 * room).hex()
            documents.append(document)
            changed = loaded(document, tmp_path)
            if changed is None:
                continue
            verdict = verify(changed, exact=count % 2 == 0)
            assert verdict.proved_upper >= truth - room, (verdict, document)
            believed += bool(verdict)
            assert not verdict or changed.upper >= truth - room
    assert believed > 0
    if NODE is not None and make in (of_few, of_three):  # written apart
        assert agree(written(documents, tmp_path), documents)["VERIFIED", "VERIFIED"] > 0


def test_what_is_not_proved_of_fewer_components_is_found_out_once(monkeypatch):
    """At every node that rests on it, and again at each of its own, a file would take a reader for ever."""

    def evidence(r):
        nodes = [*(Restrict(t, None, 1.0, (0,), t + 1) for t in range(r)), Leaf("multipliers")]
        return {"tree": nodes, "fewer": [Fewer([1] * r, 0.0, Evidence(**evidence(r - 1)))] if r > 1 else []}

    made, begun, honest = table(np.eye(6), "orthogonal", (1,) * 5, 5.0, **evidence(4)), [], SeveralEvidence
    monkeypatch.setattr(components, "SeveralEvidence", lambda *given: begun.append(given) or honest(*given))
    assert not verify(made, exact=True)
    assert [len(given[0].sizes) for given in begun] == [5, 4, 3, 2]


def test_a_single_component_has_no_use_of_multipliers():
    made, _ = of_few("orthogonal", 0)
    singles = [Single(1, (made.evidence.tree[0], Leaf("rows")))]
    with pytest.raises(CertificateError, match="takes no multipliers"):
        table(made.matrix, "orthogonal", made.sizes, 1e9, points=made.points, tree=made.tree, singles=singles)


@pytest.mark.parametrize("weights", [(2.0**-1074, 1.0), (2.0**-1000, 2.0**1000)])
@pytest.mark.parametrize(
    ("claim", "n"),
    [
        ({"k": 2}, 2),
        ({"rho": 0.25}, 2),
        ({"k": 2, "nonnegative": True}, 2),
        ({"k": 2, "whole_groups": ((0,), (1,))}, 2),
        ({"k": 2, "one_of_each": ((1, 2),)}, 3),
    ],
)
def test_a_row_whose_sum_overflows_is_not_taken_for_one_that_no_support_has(claim, n, weights):
    S = np.zeros((n, n))
    S[:2, :2] = 1.0
    false = 1.0 - claim.get("rho", 0.0) + 2.0**-20  # the truth is 2 less what two variables cost
    for at in (0, 1):
        made = component(
            names=[f"x{i}" for i in range(n)], matrix=S, **claim, lower=false - 2.0**-20, upper=false,
            indices=[0], loadings=np.eye(n)[0],
            points=[RowsPoint(np.arange(n), weights=np.array([*weights[:: 1 - 2 * at], *[1.0] * (n - 2)]))],
            tree=[Restrict(0, 0, false, tuple(i for i in range(n) if i != 1 - at), 1), Leaf("rows")],
        )  # fmt: skip
        for exact in (False, True):
            assert not verify(made, exact=exact)
