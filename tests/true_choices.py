"""True certificates whose tables are looked at one by one, with bounds found here by plain loops over sets."""

import itertools
from functools import cache

import numpy as np
from true_certificates import covariance, top
from true_tables import smaller, table

from relaxspca.certificate import Leaf, MultiplierPoint, Split


def settled(kind, sizes, n, parts):
    """Return what is forced in and free where the sizes decide it, or None without tables."""
    least, found = smaller(kind, sizes, n), []
    for size, (J, F) in zip(sizes, parts, strict=True):
        J, F = set(J), set(F)
        if len(J) > size or len(J | F) < (1 if least else size):
            return None
        if len(J) == size:
            F = set()
        elif len(J | F) == size and not least:
            J, F = J | F, set()
        found.append((J, F))
    return found if len(set().union(*(J | F for J, F in found))) >= len(sizes) else None


def choices(kind, sizes, parts):
    """Yield every choice of sets that a table may be not 0 on: (a) and (b) of the specification."""
    own = []
    for size, (J, F) in zip(sizes, parts, strict=True):
        V = sorted(J | F)
        sets = (set(S) for m in range(1, len(V) + 1) for S in itertools.combinations(V, m))
        own.append([S for S in sets if len(S | J) <= size])
    for some in itertools.product(*own):
        shared = [len(a & b) for a, b in itertools.combinations(some, 2)]
        if not (any(shared) if kind == "disjoint" else 1 in shared):
            yield some


def leading(M, T):
    """Return the largest eigenvalue on a set of variables, its vector on all, and the gap to the next."""
    values, vectors = np.linalg.eigh(M[np.ix_(T, T)])
    u = np.zeros(len(M))
    u[list(T)] = vectors[:, -1]
    return values[-1], u, values[-1] - values[-2] if len(T) > 1 else 0.0


def pair_loss(first, second):
    """Return what two sets lose: three terms of the series of (t - sqrt(t^2 - 4gh c^2)) / 2."""
    (_, u, g), (_, v, h) = first, second
    t = g + h
    e = 4 * g * h * (u @ v) ** 2 / t**2 if t else 0.0
    return t / 32 * e * (8 + 2 * e + e**2)


def choice_bound(S, kind, sizes, points, leaves, *, loss=max):
    """Return the largest bound over leaves, given by their parts, of the smallest bound over points.

    `loss` makes one number of the losses of all pairs: the largest, as the rule has it, or a lie.
    """
    worst, known_sets = -np.inf, {}
    for parts in leaves:
        parts = settled(kind, sizes, len(S), parts)
        if parts is None:
            continue
        V = set().union(*(J | F for J, F in parts))
        known = []
        for at, point in enumerate(points):
            M = np.zeros_like(S)
            M[np.ix_(point.variables, point.variables)] = point.M
            W = sorted(V & {*point.variables.tolist()})
            Z = (S - M)[np.ix_(W, W)]
            delta = max(0.0, top(-Z)) if W else 0.0
            known.append((at, M, delta, dict(zip(W, np.diag(Z) + delta, strict=True))))
        for some in choices(kind, sizes, parts):
            union, best = set().union(*some), np.inf
            for at, M, delta, paid in known:
                if union <= paid.keys():
                    keys = [(at, tuple(sorted(T))) for T in some]
                    for key in keys:
                        if key not in known_sets:
                            known_sets[key] = leading(M, key[1])
                    found = [known_sets[key] for key in keys]
                    own = sum(value for value, *_ in found) + sum(paid[j] for j in union)
                    lost = loss([pair_loss(*pair) for pair in itertools.combinations(found, 2)])
                    best = min(best, own - len(sizes) * delta - lost)
            worst = max(worst, best)
    return worst


def points_for(S, rng, count, *, with_part=True):
    """Return points: Z of low rank, one that is not semidefinite, one near Ky Fan's, one of some variables."""
    n, found = len(S), []
    for at in range(count):
        if at % 4 == 0:
            values, vectors = np.linalg.eigh(S)
            Z = (vectors * np.maximum(values - values[-2] * 0.8, 0)) @ vectors.T
        else:
            L = rng.normal(size=(n, 2)) * 0.3 * np.sqrt(np.abs(np.diag(S)))[:, None]
            Z = L @ L.T - (0.1 * np.eye(n) if at % 4 == 1 else 0)
        M = S - (Z + Z.T) / 2
        W = np.sort(rng.permutation(n)[: n - 1]) if with_part and at % 4 == 3 else np.arange(n)
        found.append(MultiplierPoint(W, M[np.ix_(W, W)], np.zeros(len(W)), (None,) * 9))
    return found


def of_parts(points, r):
    """Return the points with an entry of `rows` for each of r parts."""
    return [MultiplierPoint(point.variables, point.M, point.y, (None,) * r) for point in points]


def random_tree(rng, n, sizes, points, depth):
    """Return a tree above leaves that list choices, and the parts of its leaves."""
    nodes, leaves = [], []

    def grow(parts, left):
        at = len(nodes)
        nodes.append(None)
        t = int(rng.integers(len(sizes)))
        if left == 0 or not parts[t][1]:
            nodes[at] = Leaf("choices", [int(p) for p in rng.permutation(points)])
            leaves.append(parts)
            return at
        i = int(rng.choice(sorted(parts[t][1])))
        J, F = parts[t]
        inside = grow([*parts[:t], (J | {i}, F - {i}), *parts[t + 1 :]], left - 1)
        equal = [s for s in range(len(sizes)) if sizes[s] == sizes[t] and parts[s] == parts[t]]
        rest = [(A, B - {i}) if s in equal else (A, B) for s, (A, B) in enumerate(parts)]
        nodes[at] = Split(t, i, inside, grow(rest, left - 1))
        return at

    grow([(set(), {*range(n)})] * len(sizes), depth)
    return nodes, leaves


def one_leaf(S, kind, sizes, points):
    """Return the claim whose only leaf lists all choices."""
    points = of_parts(points, len(sizes))
    leaf = [[(set(), {*range(len(S))})] * len(sizes)]
    bound = choice_bound(S, kind, sizes, points, leaf)
    return table(S, kind, sizes, bound, points=points, tree=[Leaf("choices", range(len(points)))])


def with_tree(S, kind, sizes, points, rng, depth):
    """Return the claim with a random tree above leaves that list choices."""
    points = of_parts(points, len(sizes))
    tree, leaves = random_tree(rng, len(S), sizes, len(points), depth)
    return table(S, kind, sizes, choice_bound(S, kind, sizes, points, leaves), points=points, tree=tree)


@cache
def true_choices():
    """Return {name: (covariance, certificate)}: one leaf, trees above, few variables for many components."""
    rng, root = np.random.default_rng(8), {}
    for at, (kind, n, sizes) in enumerate(
        [
            ("orthogonal", 4, (2, 2)),
            ("disjoint", 4, (2, 1)),
            ("orthogonal", 4, (2, 1, 1)),
            ("disjoint", 3, (2, 2)),
        ]
    ):
        S = covariance(n, seed=20 + at)
        name = f"{kind} choices {','.join(map(str, sizes))}"
        root[name] = S, one_leaf(S, kind, sizes, points_for(S, rng, 4))
        root[f"{name} tree"] = S, with_tree(S, kind, sizes, points_for(S, rng, 4), rng, 3)
    # Where Z = 0 equal sets are the largest: only what two of them lose bounds these.
    S = covariance(4, seed=30)
    point = MultiplierPoint(range(4), S, np.zeros(4), (None,) * 9)
    root["orthogonal choices 3,3 loss"] = S, one_leaf(S, "orthogonal", (3, 3), [point])
    root["orthogonal choices 3,3 loss tree"] = S, with_tree(S, "orthogonal", (3, 3), [point], rng, 2)
    return root
