"""True certificates of several components for tests, made without the solver.

Every upper bound is computed here in ordinary floats, by loops that share nothing with the checker, and raised
by a billionth.
"""

import itertools
from dataclasses import replace

import numpy as np
from true_certificates import ROOM, certificate, covariance, top

from relaxspca.certificate import (
    Certificate,
    ComponentSplit,
    Leaf,
    MultiplierPoint,
    PerronPoint,
    TableCertificate,
    TableLeaf,
    UseSplit,
)
from tests.small_tables import best_common, best_table


def smaller(kind, sizes, n):
    return kind == "disjoint" and sum(sizes) > n


def supports_of(J, F, size, may_be_smaller=False):
    for more in range(size - len(J) + 1) if may_be_smaller else [size - len(J)]:
        for T in itertools.combinations(sorted(F), more):
            if J or T:
                yield sorted((*J, *T))


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


def multiplier_bound(S, kind, sizes, M, y, rows, parts=None, fewest=None):
    """Evaluate (1) or (2) of docs/theory/several.md; `rows` has a PerronPoint or None for each part.

    `fewest` has the least number of uses of variables where splits say more of it than the parts.
    """
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
            forced = sum(j in J for J, _ in parts)
            least = max(forced, (fewest or {}).get(j, 0))
            times[j], places = max(least, 1), places - (least - forced)
            used |= {j} if least else set()
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
    return TableCertificate(**(fields | changes))


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


def enumeration(n, sizes, kind, is_alike=False):
    """Return a tree that decides every variable of every component, and the supports of its spectral leaves.

    Other leaves are closed because supports meet, come out of order or do not exist. Where `is_alike`, equal
    components are told apart by the splits instead.
    """
    nodes, values = [], []

    def grow(parts):
        at = len(nodes)
        nodes.append(None)
        settled = [
            tuple(sorted((*J, *F))) if len(J) + len(F) == k else J if len(J) == k else None
            for (J, F), k in zip(parts, sizes, strict=True)
        ]
        if any(len(J) > k or len(J) + len(F) < k for (J, F), k in zip(parts, sizes, strict=True)):
            nodes[at] = TableLeaf("void")
        elif None not in settled:
            nodes[at] = closed(settled)
        else:
            t = settled.index(None)
            J, F = parts[t]
            i, rest = F[0], F[1:]
            inside = grow([*parts[:t], ((*J, i), rest), *parts[t + 1 :]])
            equal = [s for s, part in enumerate(parts) if part == parts[t] and sizes[s] == sizes[t]]
            less = equal if is_alike else [t]
            outside = grow([(J, rest) if s in less else part for s, part in enumerate(parts)])
            nodes[at] = ComponentSplit(t, i, inside, outside, is_alike)
        return at

    def closed(supports):
        if kind == "disjoint" and len({*itertools.chain(*supports)}) < sum(map(len, supports)):
            return TableLeaf("apart")
        for a, b in itertools.pairwise(supports):
            if not is_alike and len(a) == len(b) and [i in a for i in range(n)] < [i in b for i in range(n)]:
                return TableLeaf("order")
        if len({*itertools.chain(*supports)}) < len(sizes):
            return TableLeaf("void")
        values.append(supports)
        return TableLeaf("spectral")

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
    return M, y if signed else np.abs(y), PerronPoint(np.arange(n), P, N)


def true_tables():
    """Return {name: (covariance, certificate)}, one for each rule and several trees."""
    n, rng, root = 5, np.random.default_rng(3), {}
    S = covariance(n, seed=4)
    for kind, sizes in (("orthogonal", (2, 2)), ("disjoint", (2, 1)), ("common", (3, 3))):
        upper = len(sizes) * top(S)
        root[f"{kind} spectral"] = table(S, kind, sizes, upper, tree=[TableLeaf("spectral")])
        M, y, perron = multipliers(S, rng, signed=kind != "orthogonal")
        count = 1 if kind == "common" else len(sizes)
        for name, rows in (("supports", None), ("rows", perron)):
            numbers = (None if rows is None else 1,) * count
            points = [MultiplierPoint(np.arange(n), M, y, numbers)] + ([] if rows is None else [perron])
            bound = multiplier_bound(S, kind, sizes, M, y, [rows] * count)
            root[f"{kind} {name}"] = table(S, kind, sizes, bound, points=points, tree=[TableLeaf("prices", 0)])
        split = [ComponentSplit(0, 1, 1, 2), TableLeaf("prices", 0), TableLeaf("prices", 0)]
        bounds = []
        for J, F in (((1,), (0, 2, 3, 4)), ((), (0, 2, 3, 4))):
            if len(J) == sizes[0]:
                F = ()
            parts = [(J, F)] + [((), tuple(range(n)))] * (count - 1)
            bounds.append(multiplier_bound(S, kind, sizes, M, y, [None] * count, parts))
        point = MultiplierPoint(np.arange(n), M, y, (None,) * count)
        root[f"{kind} tree"] = table(S, kind, sizes, max(bounds), points=[point], tree=split)
    for kind, sizes in (("disjoint", (2, 2)), ("orthogonal", (2, 2)), ("disjoint", (2, 1, 1))):
        tree, leaves = enumeration(4, sizes, kind)
        own = S[:4, :4]
        upper = max(sum(top(own[np.ix_(T, T)]) for T in supports) for supports in leaves)
        name = f"{kind} enumeration {len(sizes)}"
        root[name] = table(own, kind, sizes, upper, tree=tree, order=range(4))
    for sizes in ((2, 2), (2, 1, 1)):
        tree, leaves = enumeration(4, sizes, "orthogonal", is_alike=True)
        upper = max(sum(top(S[np.ix_(T, T)]) for T in supports) for supports in leaves)
        root[f"alike enumeration {len(sizes)}"] = table(S[:4, :4], "orthogonal", sizes, upper, tree=tree)
    root["uses"] = numbers_of_uses(S, rng)
    sizes, own = (2, 2), S[:3, :3]
    M, y, perron = multipliers(own, rng, signed=True)
    for name, rows in (("supports", None), ("rows", perron)):
        points = [MultiplierPoint(np.arange(3), M, y, (None if rows is None else 1,) * 2)]
        points += [] if rows is None else [perron]
        bound = multiplier_bound(own, "disjoint", sizes, M, y, [rows] * 2)
        root[f"smaller {name}"] = table(
            own, "disjoint", sizes, bound, points=points, tree=[TableLeaf("prices", 0)]
        )
    A = np.linalg.cholesky(S).T
    root["factor"] = table(A.T @ A, "orthogonal", (2, 2), 2 * top(S), factor=A, tree=[TableLeaf("spectral")])
    root["overlap"] = overlapping()
    root |= totals()
    return {name: (matrix_of(made), made) for name, made in root.items()}


def numbers_of_uses(S, rng):
    """Return a claim whose tree splits how often a variable is used: once its multiplier may be negative."""
    n, sizes = len(S), (2, 2)
    M, y, _ = multipliers(S, rng)
    signed = y.copy()
    signed[2] = -0.4
    bounds = [
        multiplier_bound(S, "orthogonal", sizes, M, y, [None, None], fewest={2: 2}),
        multiplier_bound(S, "orthogonal", sizes, M, signed, [None, None]),
    ]
    points = [MultiplierPoint(np.arange(n), M, multipliers, (None, None)) for multipliers in (y, signed)]
    tree = [UseSplit(2, 1, 2), TableLeaf("prices", 0), TableLeaf("prices", 1)]
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
    return table(S, "orthogonal", (3, 3), 2 * top(S), tree=[TableLeaf("spectral")], **made)


def totals():
    """Return claims about all cardinalities that add up to a number, with what bounds them beside it."""
    S, root = covariance(4, seed=6), {}
    alone = [certificate(S, 1, [Leaf("trace")])]
    alone += [certificate(S, k, [Leaf("spectral")], upper=top(S)) for k in (2, 3)]
    for kind in ("orthogonal", "disjoint"):
        y = np.array([0.1, 0.0, 0.05, 0.0 if kind == "orthogonal" else -0.1])
        point = {
            "points": [MultiplierPoint(np.arange(4), S, y, (None, None))],
            "tree": [TableLeaf("prices", 0)],
        }
        made, other = (
            table(S, kind, sizes, multiplier_bound(S, kind, sizes, S, y, [None, None]), **point)
            for sizes in ((3, 1), (2, 2))
        )
        root[f"{kind} total"] = of_total(made, [*alone, other])
    made = table(S, "orthogonal", (2, 2, 1), 3 * top(S), tree=[TableLeaf("spectral")])
    root["total of single components"] = of_total(made, [certificate(S, 4, [Leaf("support")])])
    # More than there are variables: disjoint supports are smaller than they may be.
    made, other = (
        table(S, "disjoint", sizes, 2 * top(S), tree=[TableLeaf("spectral")]) for sizes in ((3, 2), (4, 1))
    )
    root["total of smaller supports"] = of_total(made, [other])
    return root


def of_total(made, beside):
    """Return the claim about the total, with the bound that follows by hand from those beside it."""
    total, bounds = sum(made.sizes), [made.upper - ROOM]
    for split in splits(total, len(made.sizes), made.n):
        found = [made.upper - ROOM] if split == made.sizes else []
        found += [
            claim.upper for claim in beside if isinstance(claim, TableCertificate) and claim.sizes == split
        ]
        alone = [[c.upper for c in beside if isinstance(c, Certificate) and c.k >= k] for k in split]
        found += [sum(map(min, alone))] if all(alone) else []
        bounds.append(min(found))
    return replace(made, upper=max(bounds) + ROOM, total=total, beside=beside)


def matrix_of(made):
    return made.factor.T @ made.factor if made.matrix is None else made.matrix


def truth(made, rng=None):
    """Return the best value of whatever claim a certificate makes, by enumeration (and many starts)."""
    S = matrix_of(made)
    if made.supports == "common":
        return best_common(S, made.sizes[0], len(made.sizes))
    every = [made.sizes] if made.total is None else list(splits(made.total, len(made.sizes), len(S)))
    return max(
        best_table(S, sizes, is_disjoint=made.supports == "disjoint", rng=rng, starts=4) for sizes in every
    )


def splits(total, r, most):
    """Return every list of r cardinalities that add up to a total, the largest first, from itertools alone."""
    every = itertools.combinations_with_replacement(range(most, 0, -1), r)
    return [sizes for sizes in every if sum(sizes) == total]
