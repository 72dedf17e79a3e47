"""Claims that come of the core claim: groups of ratios, ridge, conditions on several components.

Each against enumeration, in both arithmetics: the truth is verified, a digit less is not.
"""

import itertools

import numpy as np
import pytest
from building import changed, component, components, ratio
from draws import draws
from true_certificates import covariance, top

from relaxspca.certificate import Leaf, LeastSquares, MultiplierPoint, Pencil, Split
from relaxspca.checker import verify

SEEDS = pytest.mark.parametrize("seed", range(draws(6, 30)))


def enumerated(n, k, mates=None, chosen=(), left=None, nodes=None):
    """Return a tree down to supports of k variables, and the support of every leaf that has one."""
    nodes, left = [] if nodes is None else nodes, list(range(n)) if left is None else left
    at = len(nodes)
    nodes.append(Leaf("rows"))
    if len(chosen) == k or len(left) + len(chosen) <= k:
        T = chosen if len(chosen) == k else (*chosen, *left)
        return nodes, ({at: tuple(sorted(T))} if len(T) == k else {})
    i, rest = left[0], left[1:]
    inside = len(nodes)
    _, first = enumerated(
        n, k, mates, (*chosen, i), [j for j in rest if j not in (mates or {}).get(i, ())], nodes
    )
    outside = len(nodes)
    _, second = enumerated(n, k, mates, chosen, rest, nodes)
    nodes[at] = Split(0, i, inside, outside)
    return nodes, first | second


def ratio_of(A, B, T):
    """Return the largest ratio on a support and its vector."""
    at = np.ix_(T, T)
    L = np.linalg.cholesky(B[at])
    values, vectors = np.linalg.eigh(np.linalg.solve(L, np.linalg.solve(L, A[at]).T))
    return float(values[-1]), np.linalg.solve(L.T, vectors[:, -1])


def pencil(rng, n):
    X = rng.normal(size=(n + 3, n))
    A, B = rng.normal(size=(n, n)), X.T @ X
    return A + A.T, (B + B.T) / 2


def on_all(n, T, z):
    loadings = np.zeros(n)
    loadings[list(T)] = z
    return {"indices": list(T), "loadings": loadings}


@SEEDS
def test_one_of_each_of_a_ratio(seed):
    rng = np.random.default_rng(seed)
    n, groups = 5, [[0, 1], [2, 4]]
    A, B = pencil(rng, n)
    k = int(rng.integers(1, 4))
    mates = {i: set(group) for group in groups for i in group}
    allowed = [T for T in itertools.combinations(range(n), k) if all(len({*T} & {*g}) <= 1 for g in groups)]
    best = max(allowed, key=lambda T: ratio_of(A, B, T)[0])
    value, z = ratio_of(A, B, best)
    room = 1e-7 * max(abs(value), 1.0)
    made = ratio(
        subject=Pencil(names="abcde", numerator=A, denominator=B),
        k=k,
        lower=value - room,
        upper=value + room,
        **on_all(n, best, z),
        mu=value + room,
        exponents=[0] * n,
        tree=enumerated(n, k, mates)[0],
        one_of_each=groups,
    )
    for exact in (True, False):
        assert verify(made, exact=exact), verify(made, exact=exact)
        assert not verify(changed(made, upper=value - room, lower=value - 2 * room), exact=exact)
        assert verify(changed(made, mu=value - room), exact=exact).proved_upper >= value - 1e-12 * abs(value)


@SEEDS
@pytest.mark.parametrize("intercept", [False, True])
def test_ridge(seed, intercept):
    """What a fit explains, with the squared coefficients in its residual, by the normal equations."""
    rng = np.random.default_rng(seed)
    n, p, k, ridge = 5, int(rng.integers(3, 9)), int(rng.integers(1, 4)), float(rng.exponential())
    X, y = rng.normal(size=(p, n)) + 2, rng.normal(size=p)
    C = np.eye(p) - intercept / p
    b, B = X.T @ C @ y, X.T @ C @ X + ridge * np.eye(n)

    def explained(T):
        w = np.linalg.solve(B[np.ix_(T, T)], b[list(T)])
        assert y @ C @ y - b[list(T)] @ w == pytest.approx(
            np.sum((C @ (y - X[:, list(T)] @ w)) ** 2) + ridge * w @ w, abs=1e-9
        )
        return float(b[list(T)] @ w), w

    best = max(itertools.combinations(range(n), k), key=lambda T: explained(T)[0])
    value, w = explained(best)
    room = 1e-7 * float(y @ y)
    made = ratio(
        subject=LeastSquares(names="abcde", variables=X, response=y, intercept=intercept, ridge=ridge),
        k=k,
        lower=value - room,
        upper=value + room,
        **on_all(n, best, w),
        mu=value + room,
        exponents=[0] * n,
        tree=enumerated(n, k)[0],
    )
    every = np.linalg.solve(B, b)
    fit = changed(made, upper=float(b @ every) + room, fit=every, tree=[Leaf("rows")], mu=0.0)
    for exact in (True, False):
        assert verify(made, exact=exact), verify(made, exact=exact)
        assert verify(fit, exact=exact), verify(fit, exact=exact)
        assert not verify(changed(made, upper=value - room, lower=value - 2 * room), exact=exact)
        assert not verify(
            changed(made, ridge=ridge / 2, lower=value + room, upper=value + 2 * room), exact=exact
        )
        assert not verify(changed(fit, upper=float(b @ every) - room, lower=0.0), exact=exact)
    assert changed(made, ridge=0.0).digest != made.digest


def pairs_of(S, sizes, kind, forced, exclude):
    """Return what the best two components explain, for supports that meet conditions, by enumeration."""
    n, found = len(S), -np.inf
    usable = [i for i in range(n) if i not in exclude]
    for T, V in itertools.product(*(itertools.combinations(usable, k) for k in sizes)):
        if not {*forced[0]} <= {*T} or not {*forced[1]} <= {*V}:
            continue
        if kind == "disjoint" and {*T} & {*V}:
            continue
        # Supports that share nothing: the sum of the two; others are bounded by it too.
        found = max(found, top(S[np.ix_(T, T)]) + top(S[np.ix_(V, V)]))
    return found


@SEEDS
@pytest.mark.parametrize("kind", ["orthogonal", "disjoint"])
def test_conditions_on_several_components(seed, kind):
    """A point without multipliers bounds each component alone: exactly so where the supports share nothing."""
    rng = np.random.default_rng(seed)
    n, S = 6, covariance(6, seed)
    order = rng.permutation(n)
    forced, exclude = [[int(order[0])], [int(order[1])] if seed % 2 else []], [int(order[2])]
    S[np.ix_(order[:3], order[3:])] *= 0.1
    S[np.ix_(order[3:], order[:3])] = S[np.ix_(order[:3], order[3:])].T
    point = MultiplierPoint(range(n), S, np.zeros(n), (None, None))
    sizes = (2, 2)
    used = [sorted({forced[0][0], int(order[3])}), sorted({*forced[1], int(order[4]), int(order[5])})[:2]]
    if forced[1]:
        used[1] = sorted({forced[1][0], int(order[4])})
    X, value = np.zeros((n, 2)), 0.0
    for t, T in enumerate(used):
        values, vectors = np.linalg.eigh(S[np.ix_(T, T)])
        X[T, t], value = vectors[:, -1], value + values[-1]
    bound = max(
        top(S[np.ix_(T, T)]) + top(S[np.ix_(V, V)])
        for T, V in itertools.product(
            itertools.combinations([i for i in range(n) if i not in exclude], 2), repeat=2
        )
        if {*forced[0]} <= {*T} and {*forced[1]} <= {*V}
    )
    made = components(
        names=[f"x{i}" for i in range(n)],
        matrix=S,
        supports=kind,
        sizes=sizes,
        lower=value - 1e-9,
        upper=bound + 1e-9,
        indices=used,
        loadings=X,
        points=[point],
        tree=[Leaf("multipliers", 0)],
        include=forced,
        exclude=exclude,
    )
    assert pairs_of(S, sizes, kind, forced, exclude) <= bound
    for exact in (True, False):
        verdict = verify(made, exact=exact)
        assert verdict, verdict
        assert verdict.proved_upper == pytest.approx(bound, abs=1e-9)
        free = verify(changed(made, include=(), exclude=()), exact=exact)
        assert free.proved_upper >= verdict.proved_upper - 1e-9
    said = str(verify(made))
    assert f"x{forced[0][0]} always in component 1" in said
    assert f"without x{exclude[0]}" in said
    with pytest.raises(Exception, match="excluded variable"):
        changed(made, exclude=[next(i for i in used[0] if i not in forced[0])])
    with pytest.raises(Exception, match="2 lists|not 2"):
        changed(made, include=[[0]])


def test_what_a_component_may_include_only_together():
    S = np.diag([3.0, 2.0, 1.0])
    made = component(
        names="abc", matrix=S, k=2, lower=3.0, upper=3.0, include=[0, 2], indices=[0], loadings=[1.0, 0, 0],
        tree=[Leaf("rows")],
    )  # fmt: skip
    assert verify(made, exact=True).proved_upper == 3.0
