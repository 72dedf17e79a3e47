"""True certificates for tests, made without the solver: the bounds are plain textbook formulas.

Every upper bound is computed here in ordinary floats, by loops that share nothing with the checker, and
raised by a billionth, so that the checker has to agree with an independent evaluation.
"""

from functools import cache, partial

import numpy as np
from building import component, listed, ones, roots
from enumeration import supports

from relaxspca.certificate import Deflation, Description, Eliminated, FactorPoint, Leaf, RowsPoint, Split

ROOM = 1e-9


def covariance(n, seed=0, samples=None):
    """Return a random covariance matrix, exactly symmetric."""
    X = np.random.default_rng(seed).normal(size=(samples or n + 3, n))
    S = X.T @ X / len(X)
    return (S + S.T) / 2


def top(M):
    return np.linalg.eigvalsh(M)[-1]


def optimum(S, k, **conditions):
    """Return (value, support, loadings) of the best component of cardinality k, by enumeration."""
    T = list(max(supports(len(S), k, **conditions), key=lambda T: top(S[np.ix_(T, T)])))
    values, vectors = np.linalg.eigh(S[np.ix_(T, T)])
    loadings = np.zeros(len(S))
    loadings[T] = vectors[:, -1]
    return values[-1], T, loadings


def certificate(S, k, tree, /, points=(), upper=None, factor=None, **changes):
    """Return the certificate of the best component, by default with the optimum as its upper bound."""
    value, T, loadings = optimum(S, k)
    fields = {
        "n": len(S),
        "names": [f"x{i}" for i in range(len(S))],
        "matrix": S if factor is None else None,
        "factor": factor,
        "k": k,
        "lower": value - ROOM,
        "upper": (value if upper is None else upper) + ROOM,
        "indices": T,
        "loadings": loadings,
        "points": points,
        "tree": tree,
        "made_by": "tests",
    }
    return component(**(fields | changes))


def decided(n, is_done, labels=None):
    """Return the tree that splits one variable after the other, of one label only one, until a set is done."""
    nodes = []

    def grow(chosen, left):
        at = len(nodes)
        nodes.append(Leaf("rows"))
        if not is_done(chosen, left):
            i, *rest = left
            apart = [j for j in rest if labels is None or labels[j] != labels[i]]
            nodes[at] = Split(0, i, grow([*chosen, i], apart), grow(chosen, rest))
        return at

    grow([], list(range(n)))
    return nodes


def enumeration_tree(n, k):
    """Return the tree that splits every variable in turn, down to supports of size k or none."""
    return decided(n, lambda chosen, left: k in (len(chosen), len(chosen + left)))


def psi_point(S, rho, own_factor=True):
    """Return y_i = a_i sqrt(1 - rho / |a_i|^2), the smallest multiple of a_i that is feasible."""
    A = np.linalg.cholesky(S).T
    Y = A * np.sqrt(np.maximum(0, 1 - rho / (A * A).sum(axis=0)))
    return FactorPoint(np.arange(len(S)), rho, Y, A if own_factor else None)


def psi_bound(S, point, k, J=()):
    """Evaluate lambda_max(sum_J a a' + sum_F y y') + rho (k - |J|)."""
    A = np.linalg.cholesky(S).T
    Y = point.vectors.copy()
    Y[:, list(J)] = A[:, list(J)]
    return top(Y @ Y.T) + point.rho * (k - len(J))


def perron_point(S):
    """Return P = half of Sigma off its diagonal and N = |P|, a little more so that rounding is paid."""
    P = S / 2 - np.diag(np.diag(S)) / 2
    return RowsPoint(np.arange(len(S)), P, np.abs(P) * (1 + 1e-13))


def beside_weights(S, few, w, sizes=None):
    """Return a point of P and N for some variables with weights for other pairs, and what P and N it means."""
    P, N = S - np.diag(np.diag(S)), (np.abs(S) if sizes is None else sizes) * w / w[:, None]
    np.fill_diagonal(N, 0.0)
    block, variables = np.ix_(few.variables, few.variables), np.arange(len(S))
    P[block], N[block] = few.P, few.N
    return RowsPoint(variables, few.P, few.N, weights=w, paid=few.variables), RowsPoint(variables, P, N)


def perron_bound(S, point, k, J=(), F=None):
    """Evaluate lambda_max(Sigma - P + Diag c) on J and F, c the charges of J and the largest of F."""
    F = [i for i in range(len(S)) if i not in J] if F is None else list(F)
    T = [*J, *F]

    def row(i):
        partners = sorted((point.N[i, j] for j in F if j != i), reverse=True)
        return sum(point.N[i, j] for j in J if j != i) + sum(partners[: k - len({*J, i})])

    return top((S - point.P)[np.ix_(T, T)] + np.diag([row(i) for i in T]))


def rowsum_bound(S, k, w, include=(), exclude=()):
    """Evaluate the largest row sum of Sigma_ii and the k - 1 largest |Sigma_ij| w_j / w_i, J first."""
    scaled, J = np.abs(S) * w[None, :] / w[:, None], {*include}
    used = [i for i in range(len(S)) if i not in {*exclude}]

    def row(i):
        free = sorted((scaled[i, j] for j in used if j not in J | {i}), reverse=True)
        return S[i, i] + sum(scaled[i, j] for j in J - {i}) + sum(free[: k - len(J | {i})])

    return max(row(i) for i in used if i in J or len(J) < k)


def conditional(S, k, include, exclude):
    """Return the certificate of the best component that meets conditions; its bound is a weighted row."""
    value, T, loadings = optimum(S, k, include=include, exclude=exclude)
    bound = rowsum_bound(S, k, np.sqrt(np.diag(S)), include, exclude)
    found = {"indices": T, "loadings": loadings, "lower": value - ROOM, "include": include, "exclude": exclude}
    return certificate(S, k, [Leaf("rows", 0)], [roots(S)], upper=bound, **found)


def near_optimal(S, k, count):
    """Return the certificate that lists the best supports and bounds all others, by enumeration."""
    ranked = sorted(supports(len(S), k), key=lambda T: -top(S[np.ix_(T, T)]))
    values = np.array([top(S[np.ix_(T, T)]) for T in ranked])
    chosen = ranked[:count]
    tree = [node if isinstance(node, Split) else None for node in enumeration_tree(len(S), k)]
    for at, T in reached(tree, 0, (), 0, len(S), k):
        tree[at] = Leaf("listed" if T in chosen else "rows")
    vectors = [np.linalg.eigh(S[np.ix_(T, T)])[1][:, -1] for T in chosen]
    found = listed(chosen, values[:count] - ROOM, values[:count] + ROOM, values[count] + ROOM, vectors)
    return certificate(S, k, tree, **found)


def reached(tree, at, chosen, i, n, k):
    """Yield every leaf of an enumeration tree with its support."""
    if tree[at] is None:
        yield at, chosen if len(chosen) == k else (*chosen, *range(i, n))
        return
    yield from reached(tree, tree[at].inside, (*chosen, i), i + 1, n, k)
    yield from reached(tree, tree[at].outside, chosen, i + 1, n, k)


def penalised_include(S, rho, more=0.0, **changes):
    """Return the claim about the supports {0} and {0, 1} at a penalty above both: its value is below 0."""
    best = S[0, 0] - rho
    upper = max(best, top(S) - 2 * rho) + more
    claim = {
        "k": None,
        "rho": rho,
        "include": [0],
        "lower": best - ROOM,
        "indices": [0],
        "loadings": [1.0, 0.0],
    }
    return certificate(S, 2, [Leaf("rows")], upper=upper, **claim, **changes)


@cache
def true_certificates():
    """Return {name: (covariance, certificate)}, one for each rule and several trees."""
    S, k, rng, rho = covariance(6, seed=1), 3, np.random.default_rng(2), 0.2
    n, plain, pointed = len(S), [Leaf("rows")], [Leaf("rows", 0)]
    made = partial(certificate, S, k)
    w, perron = rng.random(n) + 0.5, perron_point(S)
    psi, own = psi_point(S, 0.3), psi_point(S, 0.3, own_factor=False)
    tree = [Split(0, 2, 1, 2), Leaf("rows", 0), Split(0, 1, 3, 4), Leaf("factor", 1), Leaf("rows", 0)]
    leaves = [perron_bound(S, perron, k, J=[2]), perron_bound(S, perron, k, F=[0, 3, 4, 5])]
    leaves.append(psi_bound(S, psi, k, J=[1]))
    block = perron_point(S[np.ix_([0, 2, 3], [0, 2, 3])])
    few, whole = beside_weights(S, RowsPoint([0, 2, 3], block.P, block.N), w)
    root = {
        "spectral": made(plain, upper=top(S)),
        "trace": made(pointed, [roots(S)], rowsum_bound(S, k, np.sqrt(np.diag(S)))),
        "rowsum": made(pointed, [ones(n)], rowsum_bound(S, k, np.ones(n))),
        "weighted rowsum": made(pointed, [RowsPoint(np.arange(n), weights=w)], rowsum_bound(S, k, w)),
        "perron": made(pointed, [perron], perron_bound(S, perron, k)),
        "perron and weights": made(pointed, [few], perron_bound(S, whole, k)),
        "support": certificate(S, n, plain),
        "psi": made([Leaf("factor", 0)], [psi], psi_bound(S, psi, k)),
        "psi on a factor": made(
            [Leaf("factor", 0)], [own], psi_bound(S, own, k), factor=np.linalg.cholesky(S).T
        ),
        "enumeration": made(enumeration_tree(n, k)),
        "one variable": certificate(S[:1, :1], 1, pointed, [ones(1)]),
        "tree": made(tree, [perron, psi], max(leaves)),
        "include": conditional(S, k, include=[int(np.argmin(np.diag(S)))], exclude=[]),
        "exclude": conditional(S, k, include=[], exclude=[0, 3]),
        "both conditions": conditional(S, k, include=[2], exclude=[1]),
        "near optimal": near_optimal(S, k, 3),
    }
    one, two = Eliminated(("y",), np.array([0.125])), Eliminated(("y", "z"), np.array([0.0625, 0.125]))
    for name, gone, more in (("eliminated", one, 0.125), ("two eliminated", two, 0.1875)):
        root[name] = made(plain, upper=top(S) + more, eliminated=gone, elimination=Leaf("rows"))
    loadings = np.linalg.qr(rng.normal(size=(n + 1, 2)))[0]
    before = Deflation("projection", root["psi"].digest, (*(f"x{i}" for i in range(n)), "y"), loadings)
    described = Description("correlation", 180, True, before)
    root["described"] = made(plain, upper=top(S), description=described)
    pair, free = S[:2, :2], {"k": None, "rho": rho}
    root["penalised exclude"] = certificate(
        pair, 2, plain, upper=max(S[1, 1] - rho, 0.0), lower=S[1, 1] - rho - ROOM, indices=[1],
        loadings=[0.0, 1.0], exclude=[0], **free,
    )  # fmt: skip
    root["penalised include"] = penalised_include(pair, 3.0)
    root["penalised include eliminated"] = penalised_include(
        pair, 3.0, more=0.25, eliminated=Eliminated(("y",), np.array([3.25]))
    )
    found = [(value - rho * len(T), T, z) for value, T, z in (optimum(S, m) for m in range(1, n + 1))]
    value, T, loadings = max(found, key=lambda one: one[0])
    free |= {"lower": value - ROOM, "indices": T, "loadings": loadings}
    cheap = psi_point(S, rho)
    bounds = [max(bound(S, point, m) - rho * m for m in range(1, n + 1)) for bound, point in (
        (psi_bound, cheap), (perron_bound, perron)
    )]  # fmt: skip
    root["penalised psi"] = made([Leaf("factor", 0)], [cheap], bounds[0], **free)
    root["penalised perron"] = made(pointed, [perron], bounds[1], **free)
    gone = Eliminated(("y",), np.array([0.25]))
    root["penalised eliminated"] = made(pointed, [perron], bounds[1] + 0.05, eliminated=gone, **free)
    return {name: (S[: made.n, : made.n], made) for name, made in root.items()}
