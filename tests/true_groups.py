"""True certificates whose leaves divide tables into groups of supports, with bounds found by plain loops."""

from functools import cache
from itertools import chain, combinations

import numpy as np
from true_certificates import covariance, top
from true_choices import random_tree, settled
from true_tables import smaller, supports_of, table

from relaxspca.certificate import GroupCase as Case
from relaxspca.certificate import GroupDivision as Division
from relaxspca.certificate import PricePoint, TableLeaf


def groups_of(kind, sizes, n, parts):
    """Return (number of components, their supports) for parts that are equal once the sizes are read off."""
    found = {}
    for size, (J, F) in zip(sizes, parts, strict=True):
        key = size, frozenset(J), frozenset(F)
        less = smaller(kind, sizes, n) and bool(F)
        own = {frozenset(T) for T in supports_of(sorted(J), F, size, less)}
        count, _ = found.get(key, (0, own))
        found[key] = count + 1, own
    return list(found.values())


def values_at(S, point, V, r):
    """Return c of the specification, and a function that gives lambda_max on a support."""
    place = {int(i): at for at, i in enumerate(point.variables)}

    @cache
    def value(T):
        at = [place[i] for i in sorted(T)]
        return top(point.M[np.ix_(at, at)])

    at = [place[i] for i in V]
    Z = S[np.ix_(V, V)] - point.M[np.ix_(at, at)]
    delta = max(0.0, top(-Z))
    return np.maximum(np.diag(Z) + delta, 0).sum() - r * delta, value


def is_closed(cases, at, groups, known, limit):
    """Say whether every table of a case explains at most the limit."""
    for number in cases[at].points:
        if not all(family for _, family in groups):
            return True
        c, value = known[number]
        largest = [max(map(value, family)) for _, family in groups]
        total = c + sum(count * most for (count, _), most in zip(groups, largest, strict=True))
        groups = [
            (count, {T for T in family if total - most + value(T) > limit})
            for (count, family), most in zip(groups, largest, strict=True)
        ]
    if not all(family for _, family in groups):
        return True
    division = cases[at].division
    if division is None:
        return False
    count, family = groups[division.group]
    named = family & {frozenset(some) for some in division.sets}
    for i, following in enumerate(division.next):
        own = [(i, named)] * (i > 0) + [(count - i, family - named)] * (i < count)
        after = [*groups[: division.group], own[0], *groups[division.group + 1 :], *own[1:]]
        if not is_closed(cases, following, after, known, limit):
            return False
    return True


def least_limit(S, cases, groups, points):
    """Return the least limit at which the first case is closed, by bisection."""
    V = sorted(frozenset().union(*(T for _, family in groups for T in family)))
    known = [values_at(S, point, V, sum(count for count, _ in groups)) for point in points]
    low, high = 0.0, 3 * np.trace(S)
    while high - low > 1e-14 * high:
        middle = (low + high) / 2
        low, high = (low, middle) if is_closed(cases, 0, groups, known, middle) else (middle, high)
    return high


def halved(S, groups, points, rng, depth):
    """Return cases that part the dearer supports of a group from the others, again and again."""
    cases = []

    def grow(groups, left):
        at = len(cases)
        cases.append(None)
        own = [int(p) for p in rng.permutation(points)]
        parted = [g for g, (_, family) in enumerate(groups) if len(family) > 1]
        if left == 0 or not parted:
            cases[at] = Case(own)
            return at
        g = int(rng.choice(parted))
        count, family = groups[g]
        dear = sorted(family, key=lambda T: -top(S[np.ix_(sorted(T), sorted(T))]))
        dear = dear[: rng.integers(1, len(family))]
        rest = family - {*dear}
        following = []
        for i in range(count + 1):
            split = [(i, {*dear})] * (i > 0) + [(count - i, rest)] * (i < count)
            following.append(grow([*groups[:g], split[0], *groups[g + 1 :], *split[1:]], left - 1))
        sets = [*map(sorted, dear), range(len(S))]  # the last is in no family, or in all
        cases[at] = Case(own[: rng.integers(4)], Division(g, sets, following))
        return at

    grow(groups, depth)
    return cases


def fans(S, r):
    """Return a point where Z is 0, and those where it is what Ky Fan's sum takes off a block."""
    n, found = len(S), [S]
    for U in chain.from_iterable(combinations(range(n), m) for m in range(r, n + 1)):
        values, vectors = np.linalg.eigh(S[np.ix_(U, U)])
        Z = (vectors * np.maximum(values - values[-r], 0)) @ vectors.T
        M = S.copy()
        M[np.ix_(U, U)] -= (Z + Z.T) / 2
        found.append(M)
    return [PricePoint(range(n), M, np.zeros(n), (None,) * r) for M in found]


def grouped(S, kind, sizes, rng, depth, tree=0):
    """Return a claim whose leaves have cases, below a tree of so many splits."""
    n, points = len(S), fans(S, len(sizes))
    nodes, leaves = random_tree(rng, n, kind, sizes, len(points), tree)
    bounds, left = [], iter(leaves)
    for at, node in enumerate(nodes):
        if not isinstance(node, TableLeaf):
            continue
        parts = settled(kind, sizes, n, next(left)[0])
        groups = [(1, ())] if parts is None else groups_of(kind, sizes, n, parts)
        cases = halved(S, groups, len(points), rng, depth)
        nodes[at] = TableLeaf("groups", cases=cases)
        bounds += [least_limit(S, cases, groups, points)] if parts else []
    return table(S, kind, sizes, max(bounds), points=points, tree=nodes)


def examples():
    """Return the examples of the specification: all is dropped, or cases tell how often {0} is used."""
    S = np.diag([3.0, 2.0, 1.0])
    M = [np.diag(d) for d in ([2.0, 2.0, 1.0], [3.0, 2.0, 1.0], [1.0, 2.0, 1.0])]
    points = [PricePoint(range(3), own, np.zeros(3), (None, None)) for own in M]
    cases = [Case([1], Division(0, [[0]], [1, 2, 3])), Case([]), Case([]), Case([2])]
    leaves = {"dropped": TableLeaf("groups", cases=[Case([0])]), "divided": TableLeaf("groups", cases=cases)}
    return {
        f"groups {name}": (S, table(S, "orthogonal", (1, 1), 5.0, points=points, tree=[leaf]))
        for name, leaf in leaves.items()
    }


def true_groups():
    """Return {name: (covariance, certificate)}: cases of many kinds, trees above, supports that are smaller."""
    rng, root = np.random.default_rng(11), examples()
    for kind, n, sizes, seed in (
        ("orthogonal", 4, (2, 2), 49),
        ("orthogonal", 4, (2, 1, 1), 42),
        ("orthogonal", 4, (1, 1, 1), 44),
        ("orthogonal", 3, (3, 3), 45),
        ("disjoint", 4, (2, 2), 42),
        ("disjoint", 3, (2, 2), 44),
    ):
        S = covariance(n, seed=seed)
        name = f"{kind} groups {n}: {','.join(map(str, sizes))}"
        root[name] = S, grouped(S, kind, sizes, rng, 3)
        root[f"{name} tree"] = S, grouped(S, kind, sizes, rng, 2, tree=2)
    return root
