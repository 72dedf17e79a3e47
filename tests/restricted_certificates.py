"""True certificates about groups and signs, made without the solver, and their truth by enumeration."""

import itertools
from functools import cache

import numpy as np
from building import ones
from enumeration import best_of_one_sign, supports
from scipy.optimize import linprog
from true_certificates import ROOM, certificate, covariance, decided, rowsum_bound, top

from relaxspca.certificate import Leaf, Restrict, RowsPoint, Split

GROUPS = (np.array([0, 1]), np.array([2, 4]))
WHOLE = (np.array([0, 3]), np.array([1]), np.array([2, 4, 5]))
ONE_OF_EACH = {"one_of_each": GROUPS}
WHOLE_GROUPS = {"whole_groups": WHOLE}
NONNEGATIVE = {"nonnegative": True}


def allowed(n, k, include=(), exclude=(), one_of_each=(), whole_groups=()):
    """Return every support of a claim about groups."""
    if whole_groups:
        return [tuple(np.sort(np.concatenate(c))) for c in itertools.combinations(whole_groups, k)]
    return supports(n, k, include, exclude, one_of_each)


def truth(S, made):
    """Return the optimum of a claim by enumeration."""
    claim = made.claim
    if claim.nonnegative:
        return best_of_one_sign(S, made.k, made.exclude.tolist())[0]
    conditions = claim.include.tolist(), claim.exclude.tolist()
    meant = allowed(len(S), made.k, *conditions, claim.one_of_each, claim.whole_groups)
    return max(top(S[np.ix_(T, T)]) for T in meant)


def without_pairs_of_a_group(S):
    S = S.copy()
    for G in GROUPS:
        S[np.ix_(G, G)] = np.diag(np.diag(S)[G])
    return S


def compressed(S):
    """Return the norms of the blocks of whole groups."""
    B = np.array([[np.linalg.norm(S[np.ix_(G, H)], 2) for H in WHOLE] for G in WHOLE])
    return (B + B.T) / 2 - np.diag(np.diag(B)) + np.diag([top(S[np.ix_(G, G)]) for G in WHOLE])


def grouped(S, k, tree, /, points=(), upper=None, restriction=ONE_OF_EACH, **changes):
    """Return the certificate of the best support that groups allow, with the optimum as its upper bound."""
    conditions = changes.get("include", ()), changes.get("exclude", ())
    T = list(max(allowed(len(S), k, *conditions, **restriction), key=lambda T: top(S[np.ix_(T, T)])))
    z = np.zeros(len(S))
    z[T] = np.linalg.eigh(S[np.ix_(T, T)])[1][:, -1]
    value = top(S[np.ix_(T, T)])
    found = {"indices": T, "loadings": z, "lower": value - ROOM} | restriction
    return certificate(S, k, tree, points, value if upper is None else upper, **found | changes)


def signed(S, k, tree, /, points=(), upper=None, exclude=()):
    value, x = best_of_one_sign(S, k, exclude)
    fields = {"indices": np.flatnonzero(x), "loadings": x, "lower": value - ROOM, "exclude": exclude}
    bound = value if upper is None else upper
    return certificate(S, k, tree, points, bound, **NONNEGATIVE, **fields)


def labels(n):
    """Return the same number for variables of one group."""
    found = np.arange(n)
    for group in GROUPS:
        found[group] = group[0]
    return found


def one_of_each_tree(n, k):
    """Return the tree that splits every variable in turn, down to single supports or none."""
    label = labels(n)

    def is_done(chosen, left):
        return k in (len(chosen), len(chosen + left)) or len(chosen) + len({*label[left]}) < k

    return decided(n, is_done, label)


def signed_tree(S, k, level):
    """Return splits of every variable in turn and, at each set, why no positive vector on it exceeds level."""
    nodes, points = [], []

    def grow(i, chosen):
        at = len(nodes)
        if i < len(S) and len(chosen) < k:
            nodes.append(None)
            nodes[at] = Split(0, i, grow(i + 1, [*chosen, i]), grow(i + 1, chosen))
        elif not chosen or top(S[np.ix_(chosen, chosen)]) <= level:
            nodes.append(Leaf("rows"))
        else:
            # Some w >= 0 has Sigma w <= level w: by Ville, as no positive vector exceeds the level.
            m, block = len(chosen), S[np.ix_(chosen, chosen)]
            rows = np.column_stack([block - level * np.eye(m), np.ones(m)])
            one = {"A_eq": [[1.0] * m + [0.0]], "b_eq": [1.0], "bounds": [(0, None)] * m + [(None, None)]}
            w = linprog([0.0] * m + [-1.0], A_ub=rows, b_ub=np.zeros(m), **one).x[:m]
            W = np.flatnonzero(w > 1e-9)
            points.append(RowsPoint(np.array(chosen)[W], weights=w[W]))
            nodes.append(Leaf("collatz", len(points) - 1))
        return at

    grow(0, [])
    return nodes, points


def raised(S):
    return np.where(np.eye(len(S), dtype=bool), S, np.maximum(S, 0.0))


@cache
def restricted_certificates():
    """Return {name: (covariance, certificate)}."""
    S, k, root = covariance(6, seed=1), 3, {}
    S0, B, n = without_pairs_of_a_group(S), compressed(S), 6
    half = (S0 - np.diag(np.diag(S0))) / 2
    paid = RowsPoint(np.arange(n), half, np.abs(half) * (1 + 1e-13))
    rows = [sum(sorted(np.delete(row, i), reverse=True)[: k - 1]) for i, row in enumerate(paid.N)]
    root["one of each"] = grouped(S, k, [Leaf("rows")], upper=top(S0))
    root["one of each by rows"] = grouped(S, k, [Leaf("rows", 0)], [ones(n)], rowsum_bound(S0, k, np.ones(n)))
    root["one of each, perron"] = grouped(
        S, k, [Leaf("rows", 0)], [paid], top(S0 - half + np.diag(rows)) + 1e-9
    )
    root["one of each, tree"] = grouped(S, k, one_of_each_tree(n, k))
    root["one of each, conditions"] = grouped(S, k, [Leaf("rows")], upper=top(S0), include=[4], exclude=[3])
    A = np.linalg.cholesky(S).T
    root["one of each, factor"] = grouped(S, k, [Leaf("rows")], upper=top(S0), matrix=None, factor=A)
    whole = {"restriction": WHOLE_GROUPS}
    halves = (B - np.diag(np.diag(B))) / 2
    root["whole groups"] = grouped(S, 2, [Leaf("rows", 0)], [ones(3)], rowsum_bound(B, 2, np.ones(3)), **whole)
    paid = RowsPoint(np.arange(3), halves, halves * (1 + 1e-13))
    root["whole groups, perron"] = grouped(
        S, 2, [Leaf("rows", 0)], [paid], top(B - halves + np.diag(paid.N.max(axis=1))), **whole
    )
    choices = [Split(0, 1, 1, 2), Split(0, 0, 3, 4), *[Leaf("rows")] * 3]
    root["whole groups, tree"] = grouped(S, 2, choices, **whole)
    root["whole groups, factor"] = grouped(S, 2, choices, matrix=None, factor=A, **whole)
    apart = S * np.outer(*[np.where(np.isin(np.arange(n), WHOLE[2]), 0.1, 1.0)] * 2)
    kept = [Restrict(0, 0, 1.9, (0, 1), 1), Leaf("rows")]
    left = {"whole groups, restrict": (apart, grouped(apart, 2, kept, [ones(3)], **whole))}
    return {name: (S, made) for name, made in root.items()} | left | signed_certificates()


def signed_certificates():
    """Return certificates of a matrix whose best component has loadings of both signs."""
    S, k, n, root = covariance(6, seed=22, samples=6), 3, 6, {}
    negative = np.minimum(S, 0.0)
    lift = RowsPoint(np.arange(n), negative, np.zeros((n, n)))
    root["nonnegative"] = signed(S, k, [Leaf("rows", 0)], [lift], top(raised(S)))
    root["nonnegative by rows"] = signed(
        S, k, [Leaf("rows", 0)], [ones(n)], rowsum_bound(raised(S), k, np.ones(n))
    )
    level = best_of_one_sign(S, k)[0] + ROOM / 2
    root["nonnegative, tree"] = signed(S, k, *signed_tree(S, k, level))
    root["nonnegative, exclude"] = signed(S, k, [Leaf("rows")], upper=top(S[1:5, 1:5]), exclude=[0, 5])
    return {name: (S, made) for name, made in root.items()}
