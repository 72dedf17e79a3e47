"""True certificates of several components for tests, made without the solver.

Every upper bound is computed here in ordinary floats, by loops that share nothing with the checker, and raised
by a billionth.
"""

import itertools
from functools import cache

import numpy as np
from building import components
from enumeration import supports_between
from true_certificates import ROOM, covariance, top

from relaxspca.certificate import Leaf, MultiplierPoint, RowsPoint, Split
from tests.small_tables import best_common, best_table

LEAF = Leaf("multipliers", 0)


def smaller(kind, sizes, n):
    return kind == "disjoint" and sum(sizes) > n


def supports_of(J, F, size, may_be_smaller=False):
    most = size - len(J)
    return supports_between(J, F, range(most + 1) if may_be_smaller else [most])


def part_by_supports(M, y, J, F, size, may_be_smaller):
    return max(top(M[np.ix_(T, T)]) + y[T].sum() for T in supports_of(J, F, size, may_be_smaller))


def part_by_rows(M, y, point, J, F, size, may_be_smaller):
    V = sorted((*J, *F))
    B = M - point.P

    def row(i):
        partners = sorted((point.N[i, j] + y[j] for j in F if j != i), reverse=True)
        partners = partners[: size - len(J) - (i in F)]
        if may_be_smaller:
            partners = [max(multiplier, 0.0) for multiplier in partners]
        return y[i] + sum(point.N[i, j] + y[j] for j in J if j != i) + sum(partners)

    return top((B + np.diag([row(i) if i in V else 0.0 for i in range(len(M))]))[np.ix_(V, V)])


def multiplier_bound(S, kind, sizes, M, y, rows, parts=None):
    """Evaluate (1) or (2) of docs/theory/several.md; `rows` has a RowsPoint or None for each part."""
    n, is_common = len(S), kind == "common"
    own = sizes[:1] if is_common else sizes
    parts = parts or [((), tuple(range(n)))] * len(own)
    uses, less = len(sizes) // len(own), smaller(kind, sizes, n)
    total = 0.0
    for size, (J, F), point in zip(own, parts, rows, strict=True):
        if point is None:
            total += uses * part_by_supports(M, y, J, F, size, less)
        else:
            total += uses * part_by_rows(M, y, point, J, F, size, less)
    V = sorted({i for J, F in parts for i in (*J, *F)})
    used = {i for J, _ in parts for i in J}
    Z = S - M
    delta = max(0.0, top(-Z[np.ix_(V, V)]))
    places = sum(size - len(J) for size, (J, _) in zip(own, parts, strict=True))
    times = dict.fromkeys(V, uses)
    if kind == "orthogonal":
        for j in V:
            times[j] = max(sum(j in J for J, _ in parts), 1)
    excess = {j: Z[j, j] + delta - times[j] * y[j] for j in V}
    others = sorted((excess[j] for j in V if j not in used), reverse=True)[:places]
    paid = sum(others) if is_common else sum(max(e, 0.0) for e in others)
    return total + sum(excess[j] for j in used) + paid - delta * len(sizes)


def table(S, kind, sizes, upper, *, factor=None, **changes):
    """Return the certificate of a good table; its upper bound is the one given."""
    supports, X = good_table(S, kind, sizes)
    fields = {
        "names": [f"x{i}" for i in range(len(S))],
        "matrix": S if factor is None else None,
        "factor": factor,
        "supports": kind,
        "sizes": sizes,
        "lower": float(np.trace(X.T @ S @ X)) - ROOM,
        "upper": upper + ROOM,
        "indices": supports,
        "loadings": X,
        "made_by": "tests",
    }
    return components(**(fields | changes))


def fan(M, r):
    """Return the sum of the r largest eigenvalues."""
    return np.linalg.eigvalsh(M)[-r:].sum()


def good_table(S, kind, sizes):
    """Return disjoint supports of large variance, or one support, with orthonormal vectors on them."""
    n, r = len(S), len(sizes)
    if kind == "common":
        k = sizes[0]
        T = list(max(itertools.combinations(range(n), k), key=lambda T: fan(S[np.ix_(T, T)], r)))
        X = np.zeros((n, r))
        X[T] = np.linalg.eigh(S[np.ix_(T, T)])[1][:, ::-1][:, :r]
        return (T,) * r, X
    left, supports, X = list(range(n)), [], np.zeros((n, r))
    for t, size in enumerate(sizes):
        fits = min(size, len(left) - (r - t - 1))
        T = list(max(itertools.combinations(left, fits), key=lambda T: top(S[np.ix_(T, T)])))
        X[T, t] = np.linalg.eigh(S[np.ix_(T, T)])[1][:, -1]
        left = [i for i in left if i not in T]
        supports.append(T)
    return tuple(supports), X


def enumeration(n, sizes, kind):
    """Return a tree that decides every variable of every component, and the supports of leaves with tables."""
    nodes, values = [], []

    def grow(parts):
        at = len(nodes)
        nodes.append(None)
        settled = [
            tuple(sorted((*J, *F))) if len(J) + len(F) == k else J if len(J) == k else None
            for (J, F), k in zip(parts, sizes, strict=True)
        ]
        if any(len(J) > k or len(J) + len(F) < k for (J, F), k in zip(parts, sizes, strict=True)):
            nodes[at] = Leaf("multipliers")
        elif None not in settled:
            nodes[at] = Leaf("multipliers")
            union = {*itertools.chain(*settled)}
            is_apart = kind != "disjoint" or len(union) == sum(map(len, settled))
            if is_apart and len(union) >= len(sizes):
                values.append(settled)
        else:
            t = settled.index(None)
            J, F = parts[t]
            i, rest = F[0], F[1:]
            inside = grow([*parts[:t], ((*J, i), rest), *parts[t + 1 :]])
            equal = [s for s, part in enumerate(parts) if part == parts[t] and sizes[s] == sizes[t]]
            outside = grow([(J, rest) if s in equal else part for s, part in enumerate(parts)])
            nodes[at] = Split(t, i, inside, outside)
        return at

    grow([((), tuple(range(n)))] * len(sizes))
    return nodes, values


def multipliers(S, rng, *, signed=False):
    """Return M = Sigma - LL', a random multiplier for each variable, and a perron point of M."""
    n = len(S)
    L = rng.normal(size=(n, 2)) * 0.4
    Z = L @ L.T
    M = S - (Z + Z.T) / 2
    y = rng.normal(size=n) * 0.2
    P = (M - np.diag(np.diag(M))) * 0.8
    N = np.abs(P) * (1 + 1e-13)
    return M, y if signed else np.abs(y), RowsPoint(np.arange(n), P, N)


@cache
def true_tables():
    """Return {name: (covariance, certificate)}, one for each rule and several trees."""
    n, rng, root = 5, np.random.default_rng(3), {}
    S = covariance(n, seed=4)
    for kind, sizes in (("orthogonal", (2, 2)), ("disjoint", (2, 1)), ("common", (3, 3))):
        upper = len(sizes) * top(S)
        root[f"{kind} eigenvalues"] = table(S, kind, sizes, upper, tree=[Leaf("multipliers")])
        M, y, perron = multipliers(S, rng, signed=kind != "orthogonal")
        count = 1 if kind == "common" else len(sizes)
        for name, rows in (("supports", None), ("rows", perron)):
            numbers = (None if rows is None else 1,) * count
            points = [MultiplierPoint(np.arange(n), M, y, numbers)] + ([] if rows is None else [perron])
            bound = multiplier_bound(S, kind, sizes, M, y, [rows] * count)
            root[f"{kind} {name}"] = table(S, kind, sizes, bound, points=points, tree=[LEAF])
        split = [Split(0, 1, 1, 2), Leaf("multipliers", 0), Leaf("multipliers", 0)]
        rest, everything = (0, 2, 3, 4), tuple(range(n))
        others = [everything] * (count - 1)
        inside = [((1,), rest if sizes[0] > 1 else ()), *(((), F) for F in others)]
        outside = [((), rest), *(((), rest if kind == "orthogonal" else F) for F in others)]
        bounds = [multiplier_bound(S, kind, sizes, M, y, [None] * count, parts) for parts in (inside, outside)]
        point = MultiplierPoint(np.arange(n), M, y, (None,) * count)
        root[f"{kind} tree"] = table(S, kind, sizes, max(bounds), points=[point], tree=split)
    for kind, sizes in (
        ("disjoint", (2, 2)),
        ("orthogonal", (2, 2)),
        ("disjoint", (2, 1, 1)),
        ("orthogonal", (2, 1, 1)),
    ):
        tree, leaves = enumeration(4, sizes, kind)
        own = S[:4, :4]
        upper = max(sum(top(own[np.ix_(T, T)]) for T in supports) for supports in leaves)
        name = f"{kind} enumeration {len(sizes)}"
        root[name] = table(own, kind, sizes, upper, tree=tree)
    root["negative multiplier"] = one_use(S, rng)
    sizes, own = (2, 2), S[:3, :3]
    M, y, perron = multipliers(own, rng, signed=True)
    for name, rows in (("supports", None), ("rows", perron)):
        points = [MultiplierPoint(np.arange(3), M, y, (None if rows is None else 1,) * 2)]
        points += [] if rows is None else [perron]
        bound = multiplier_bound(own, "disjoint", sizes, M, y, [rows] * 2)
        root[f"smaller {name}"] = table(own, "disjoint", sizes, bound, points=points, tree=[LEAF])
    A = np.linalg.cholesky(S).T
    root["factor"] = table(A.T @ A, "orthogonal", (2, 2), 2 * top(S), factor=A, tree=[Leaf("multipliers")])
    root["overlap"] = overlapping()
    return {name: (matrix_of(made), made) for name, made in root.items()}


def one_use(S, rng):
    """Return a claim whose tree leaves a variable to one of two components: there y may be negative."""
    n, sizes = len(S), (2, 2)
    M, y, _ = multipliers(S, rng)
    signed = y.copy()
    signed[2] = -0.4
    rest = (0, 1, 3, 4)
    bounds = [
        multiplier_bound(S, "orthogonal", sizes, M, y, [None, None], parts)
        for parts in ([((), rest), ((), rest)], [((2,), rest), ((2,), rest)])
    ]
    bounds.append(multiplier_bound(S, "orthogonal", sizes, M, signed, [None, None], [((2,), rest), ((), rest)]))
    points = [MultiplierPoint(np.arange(n), M, multipliers, (None, None)) for multipliers in (y, signed)]
    tree = [Split(0, 2, 1, 2), Split(1, 2, 3, 4)]
    tree += [Leaf("multipliers", at) for at in (0, 0, 1)]
    return table(S, "orthogonal", sizes, max(bounds), points=points, tree=tree)


def overlapping():
    """Return a table whose vectors share variables and are not orthogonal yet."""
    S = covariance(4, seed=9)
    X = np.array([[3.0, 1.0], [2.0, -1.0], [1.0, 0.0], [0.0, 2.0]])
    # The first support has three variables, so has the second: the first vector stays as it is.
    first, second = X[:, 0], X[:, 1].copy()
    T = [0, 1, 3]
    a = np.zeros(4)
    a[T] = first[T]
    second -= a * (a @ second) / (a @ a)
    value = first @ S @ first / (first @ first) + second @ S @ second / (second @ second)
    made = {"indices": ([0, 1, 2], T), "loadings": X, "lower": value - ROOM}
    return table(S, "orthogonal", (3, 3), 2 * top(S), tree=[Leaf("multipliers")], **made)


def matrix_of(made):
    return made.factor.T @ made.factor if made.matrix is None else made.matrix


def truth(made, rng=None):
    """Return the best value of whatever claim a certificate makes, by enumeration (and many starts)."""
    S = matrix_of(made)
    if made.supports == "common":
        return best_common(S, made.sizes[0], len(made.sizes))
    return best_table(S, made.sizes, is_disjoint=made.supports == "disjoint", rng=rng, starts=4)


def long_components(n, r, spread):
    """Return a true claim of r components, each without one of n variables, times 2^-spread to 2^spread."""
    rng = np.random.default_rng(5)
    X = np.linalg.qr(rng.normal(size=(n, r)))[0] * 2.0 ** rng.integers(-spread, spread + 1, size=(n, r))
    X[np.arange(r), np.arange(r)] = 0.0
    return components(
        names=[f"x{i}" for i in range(n)],
        matrix=np.eye(n),
        supports="orthogonal",
        sizes=[n - 1] * r,
        lower=float(r) - 0.5,
        upper=float(r) + 0.5,
        indices=[np.delete(np.arange(n), t) for t in range(r)],
        loadings=X,
        tree=[Leaf("multipliers")],
    )
