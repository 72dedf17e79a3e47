"""Restrictions under multipliers of few variables: what is left out is bounded, or the node is refused."""

import itertools

import numpy as np
import pytest
from draws import draws
from small_tables import best_on
from true_certificates import ROOM, top
from true_tables import supports_of, table
from two_checkers import NODE, second

from relaxspca.certificate import Leaf, MultiplierPoint, Restrict, RowsPoint
from relaxspca.checker import verify

KINDS = ("orthogonal", "disjoint")


def drawn(rng, kind):
    """Return a matrix with ties and zeros, sizes, points of few variables, weights, and what is forced in."""
    sizes = [(2, 2), (2, 1), (3, 2), (1, 1, 1)][rng.integers(4)]
    n = max(int(rng.integers(4, 7)), sum(sizes))
    S = np.round(rng.normal(size=(n, n)) * np.exp(rng.normal(size=n)), int(rng.integers(0, 4)))
    same = rng.permutation(n)
    same[:2] = same[0] if rng.random() < 0.3 else same[:2]
    S = (S + S.T if rng.random() < 0.3 else S.T @ S)[np.ix_(same, same)]
    W = np.sort(rng.permutation(n)[: rng.integers(1, n)])
    values, vectors = np.linalg.eigh(S[np.ix_(W, W)])
    Z = (vectors * (np.maximum(values - rng.choice(values), 0.0) - rng.choice([0.0, 0.5]))) @ vectors.T
    M = S[np.ix_(W, W)] - (Z + Z.T) / 2
    y = np.where(rng.random(len(W)) < 0.5, rng.normal(size=len(W)) * np.abs(S).max() / 4, 0.0)
    P = (M - np.diag(np.diag(M))) * rng.choice([0.0, 0.5, 1.0])
    v = np.exp(rng.normal(size=len(W)))
    rows = RowsPoint(W, P, np.abs(P) * (v[None, :] / v[:, None]) * (1 + ROOM))
    point = MultiplierPoint(W, M, np.abs(y) if kind == "orthogonal" else y, (0,) * len(sizes))
    w = 10 ** (rng.uniform(-1, 1, size=n) * rng.choice([1, 50]))
    some = rng.permutation(W).tolist() if rng.random() < 0.5 else []
    J = [sorted(some[2 * t : 2 * t + rng.integers(min(k, 2) + 1)]) for t, k in enumerate(sizes)]
    return S, sizes, [rows, point, RowsPoint(np.arange(n), weights=w)], J


def numbers(S, points):
    """Return the matrix of which the largest eigenvalues are taken, and the numbers p_ij, of all variables."""
    rows, point, w = points[0], points[1], points[2].weights
    W, n = point.variables, len(S)
    inside = np.ix_(W, W)
    p, B, y = np.abs(S) * w / w[:, None], np.diag(np.diag(S)), np.zeros(n)
    y[W] = point.y
    p[inside], B[inside] = rows.N, point.M - rows.P
    np.fill_diagonal(p, 0.0)
    return B, p + y


def level_of(S, points, k, J, F):
    """Return what rows prove of the supports that have a variable beside the point."""
    W = set(points[1].variables.tolist())
    B, p = numbers(S, points)
    charges = {}
    for T in supports_of(J, F, k):
        for i in T if not W.issuperset(T) else ():
            charges[i] = max(charges.get(i, -np.inf), sum(p[i, j] for j in T))
    V = list(charges)
    return top(B[np.ix_(V, V)] + np.diag(list(charges.values()))) if V else -np.inf


def paid(S, kind, sizes, points, J):
    """Return what is paid for the variables of the point."""
    point = points[1]
    W, Z = point.variables, S[np.ix_(point.variables, point.variables)] - point.M
    delta = max(0.0, -float(np.linalg.eigvalsh(Z)[0]))
    times = [max(1, sum(i in own for own in J)) if kind == "orthogonal" else 1 for i in W]
    e = dict(zip(W.tolist(), np.diag(Z) + delta - np.array(times) * point.y, strict=True))
    forced = {i for own in J for i in own}
    others = sorted((max(x, 0.0) for i, x in e.items() if i not in forced), reverse=True)
    return sum(e[i] for i in forced) + sum(others[: sum(sizes) - sum(map(len, J))])


def proved(S, kind, sizes, points, J):
    """Return the level of every part, and the bound of sets of which a part has a variable beside the point."""
    n, W = len(S), points[1].variables.tolist()
    B, p = numbers(S, points)
    free = [[i for i in range(n) if i not in own] for own in J]
    levels = [level_of(S, points, k, own, F) for k, own, F in zip(sizes, J, free, strict=True)]
    inner = []
    for k, own in zip(sizes, J, strict=True):
        charges = {}
        for T in supports_of(own, [i for i in W if i not in own], k):
            charges |= {i: max(charges.get(i, -np.inf), sum(p[i, j] for j in T)) for i in T}
        V = sorted(charges)
        inner.append(top(B[np.ix_(V, V)] + np.diag([charges[i] for i in V])) if V else -np.inf)
    most, spent = [max(pair) for pair in zip(levels, inner, strict=True)], paid(S, kind, sizes, points, J)
    return levels, [level + sum(most[:t]) + sum(most[t + 1 :]) + spent for t, level in enumerate(levels)]


def claims(S, kind, sizes, points, J, part, level, upper):
    """Return four claims with a restriction: its level or their bound has a hair of room, or lacks one."""
    unforced = [i for i in range(len(S)) if not any(i in own for own in J)]
    chosen = [own[0] if own else unforced.pop() for own in J]
    many, kept = 99 * len(sizes) * np.abs(S).sum(), tuple(points[1].variables.tolist())
    far, hair = many + abs(level) + abs(upper), 1e-9 * (1 + abs(level))
    room, made = 1e-7 * (1 + abs(level) + abs(upper)), []
    for more, most in (
        (hair, 99 * far),
        (far, far + upper + room),
        (-hair, 99 * far),
        (far, far + upper - room),
    ):
        tree = [Restrict(part, 2, level + more, kept, 1, 1), Leaf("multipliers")]
        made.append(table(
            S, kind, sizes, most, points=points, tree=tree, lower=-many, include=J if any(J) else (),
            indices=[[i] for i in chosen], loadings=np.eye(len(S))[:, chosen],
        ))  # fmt: skip
    return made


def best_left_out(S, kind, sizes, points, J, part, rng):
    """Return the most that sets explain of which this component has a variable beside the point."""
    n, W, found = len(S), set(points[1].variables.tolist()), -np.inf
    choices = [
        supports_of(own, [i for i in range(n) if i not in own], k) for k, own in zip(sizes, J, strict=True)
    ]
    all_of_them = [T for T in itertools.product(*choices) if not W.issuperset(T[part])]
    if kind == "disjoint":
        all_of_them = [T for T in all_of_them if len({*itertools.chain(*T)}) == sum(sizes)]
    for at in rng.permutation(len(all_of_them))[: draws(10, 40)]:
        found = max(found, best_on(S, all_of_them[at], rng, starts=1))
    return found


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("seed", draws([*range(6), 17], range(150)))
def test_what_is_left_out_is_bounded_by_what_rows_prove_and_by_nothing_less(kind, seed, tmp_path):
    rng = np.random.default_rng([seed, 5])
    S, sizes, points, J = drawn(rng, kind)
    for part, (level, upper) in enumerate(zip(*proved(S, kind, sizes, points, J), strict=True)):
        if not np.isfinite(level):
            continue
        assert upper >= best_left_out(S, kind, sizes, points, J, part, rng) - 1e-7
        made = claims(S, kind, sizes, points, J, part, level, upper)
        for exact in (True, False):
            assert [bool(verify(one, exact=exact)) for one in made] == [True, True, False, False]
        if NODE is not None:  # written apart
            assert second(made, tmp_path) == ["VERIFIED", "VERIFIED", "INCONCLUSIVE", "INCONCLUSIVE"]
