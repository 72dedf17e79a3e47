"""Families restricted to few variables: what is left out is bounded by the level, or the node is refused."""

import numpy as np
import pytest
from building import component
from draws import draws
from enumeration import supports
from true_certificates import top

from relaxspca.certificate import Leaf, Restrict, Split, WeightsPoint
from relaxspca.checker import Outcome, verify

KINDS = ("plain", "conditions", "penalty", "one of each", "nonnegative")


def row_sums(S, w, T, rho, signed):
    """Return what the rows of a support cost."""
    sizes = np.maximum(S, 0.0) if signed else np.abs(S)
    sums = []
    for h in T:
        sums.append(S[h, h] - rho * len(T) + sum(sizes[h, j] * w[j] / w[h] for j in T if j != h))
    return sums


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


def restricted(kind, seed):
    """Yield claims with a restriction at the root, whether it holds, and what those left out explain."""
    rng = np.random.default_rng([seed, KINDS.index(kind)])
    S, claim, supports = drawn(rng, kind)
    n, rho = len(S), claim.get("rho", 0.0)
    w = np.exp(rng.normal(size=n)) if rng.random() < 0.5 else None
    weights = np.ones(n) if w is None else w
    kept = sorted(rng.permutation(n)[: int(rng.integers(0, n))].tolist())
    forced = set(claim.get("include", ()))
    left_out = [T for T in supports if not set(T) <= forced | set(kept)]
    worst = max((max(row_sums(S, weights, T, rho, kind == "nonnegative")) for T in left_out), default=-1e9)
    support = [*sorted(forced)] or ([] if rho else [0])
    values = [top(S[np.ix_(T, T)]) - rho * len(T) for T in left_out]
    point, points = (None, []) if w is None else (0, [WeightsPoint(np.arange(n), w)])
    for level, may_hold in ((worst + 1e-9, True), (worst - 1e-9 - abs(worst) * 1e-9, False)):
        made = component(
            names=[f"x{i}" for i in range(n)], matrix=S, **claim, lower=-1e9, upper=1e9, points=points,
            indices=support, loadings=np.isin(range(n), support).astype(float),
            tree=[Restrict(0, point, level, tuple(kept), 1), Leaf("rows")],
        )  # fmt: skip
        yield made, may_hold or not left_out, max(values, default=-np.inf)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("seed", range(draws(12, 60)))
def test_a_restriction_holds_exactly_where_no_support_that_it_leaves_out_has_a_heavy_row(kind, seed):
    """Both arithmetics against enumeration: what is proved holds, and what holds with room is proved."""
    for made, holds, explained in restricted(kind, seed):
        for exact in (True, False):
            verdict = verify(made, exact=exact)
            assert verdict.outcome is (Outcome.VERIFIED if holds else Outcome.INCONCLUSIVE), verdict
            assert not holds or verdict.proved_upper >= explained - 1e-9
            assert holds or "is not proved to cost at most" in verdict.reasons[0]


def test_a_split_below_goes_on_with_what_is_kept():
    S = np.diag([4.0, 3.0, 1.0, 1.0])
    fields = {"names": "abcd", "matrix": S, "k": 1, "lower": 4.0, "indices": [0], "loadings": [1.0, 0, 0, 0]}
    tree = [Restrict(0, None, 1.0, (0, 1), 1), Split(0, 0, 2, 3), Leaf("rows"), Leaf("rows")]
    assert verify(component(**fields, upper=4.0, tree=tree), exact=True).proved_upper == 4.0
    tree[1] = Split(0, 2, 2, 3)
    assert "which an earlier split decided" in verify(component(**fields, upper=4.0, tree=tree)).reasons[0]
