"""The proof of a table checked in rational arithmetic, from docs/theory/several.md alone."""

import itertools
from fractions import Fraction

import numpy as np
import true_choices


def rational(M):
    return [[Fraction(float(value)) for value in row] for row in np.asarray(M)]


def is_positive_definite(M):
    """Gauss elimination in rationals."""
    M = [list(row) for row in M]
    n = len(M)
    for i in range(n):
        if M[i][i] <= 0:
            return False
        for j in range(i + 1, n):
            factor = M[j][i] / M[i][i]
            for k in range(i, n):
                M[j][k] -= factor * M[i][k]
    return True


def largest(M, level):
    """Return a rational just above a level that lambda_max(M) is proved to be below."""
    n = len(M)
    assert is_positive_definite([[level * (i == j) - M[i][j] for j in range(n)] for i in range(n)])
    return level


def block(M, rows):
    return [[M[i][j] for j in rows] for i in rows]


def estimated(M, slack):
    return Fraction(float(np.linalg.eigvalsh(np.array(M, dtype=float))[-1])) + slack


def supports(J, F, size, is_at_most):
    for more in range(0, size - len(J) + 1) if is_at_most else [size - len(J)]:
        for T in itertools.combinations(sorted(F), more):
            if J or T:
                yield sorted((*J, *T))


def nodes(shape, n, decisions):
    """Return J and F of every part after decisions, with its size."""
    parts = [(set(), set(range(n)), size) for size in shape.sizes]
    for decision in decisions:
        chosen = [decision.part]
        if not decision.is_inside:
            chosen = [s for s, part in enumerate(parts) if part == parts[decision.part]]
        for t in chosen:
            decide(parts[t], decision, shape)
    return parts


def decide(part, decision, shape):
    J, F, size = part
    assert decision.variable in F, "a decision about a variable that is not free"
    F.discard(decision.variable)
    if decision.is_inside:
        J.add(decision.variable)
    if len(J) == size:
        F.clear()
    elif not shape.is_at_most and len(J) + len(F) == size:
        J |= F
        F.clear()


def is_complete(leaves):
    """Say whether the leaves are those of a binary tree: every decision is taken both ways."""
    if any(not taken for taken in leaves):
        return len(leaves) == 1
    first = {(taken[0].part, taken[0].variable) for taken in leaves}
    if len(first) != 1:
        return False
    sides = [[taken[1:] for taken in leaves if taken[0].is_inside is side] for side in (True, False)]
    return all(sides) and all(is_complete(side) for side in sides)


def check(S, shape, leaves, upper):
    """Raise unless the leaves prove that no table explains more than `upper`, a rational."""
    Sigma, n = rational(S), len(S)
    slack = Fraction(1, 10**11) * Fraction(float(np.abs(S).max())) * n
    assert is_complete([taken for _, taken, _ in leaves])
    for _, taken, proof in leaves:
        parts = nodes(shape, n, taken)
        V = sorted(set().union(*(J | F for J, F, _ in parts)))
        if has_no_table(shape, parts, V):
            continue
        if proof.kind == "choices":
            tried = choices("disjoint" if shape.is_disjoint else "orthogonal", shape, parts)
            assert by_choices(Sigma, shape, tried, V, proof.point, slack) <= upper
        elif proof.point is None:
            blocks = [block(Sigma, sorted(J | F)) for J, F, _ in parts] * shape.copies
            assert sum(largest(M, estimated(M, slack)) for M in blocks) <= upper
        else:
            assert proof.kind == "multipliers"
            assert by_multipliers(Sigma, shape, parts, V, proof.point, slack) <= upper


def has_no_table(shape, parts, V):
    least = 1 if shape.is_at_most else None
    if any(len(J) > size or len(J) + len(F) < (least or size) for J, F, size in parts) or len(V) < shape.count:
        return True
    return shape.is_disjoint and sum(len(J) for J, _, _ in parts) > len(set().union(*(J for J, _, _ in parts)))


def ranges(parts, shape, n):
    """Return how many components may use each variable."""
    found = []
    for j in range(n):
        most = sum(j in J | F for J, F, _ in parts)
        found.append((sum(j in J for J, _, _ in parts), min(most, 1) if shape.is_disjoint else most))
    return found


def by_multipliers(Sigma, shape, parts, V, point, slack):
    """Return what (1) or (2) proves at a dual point, in rationals."""
    uses = ranges(parts, shape, len(Sigma))
    place = {int(i): at for at, i in enumerate(point.variables)}
    M = {(i, j): Fraction(float(point.rest[place[i], place[j]])) for i in V for j in V}
    y = {i: Fraction(float(point.multipliers[place[i]])) for i in V}
    Z = [[Sigma[i][j] - M[i, j] for j in V] for i in V]
    delta = max(Fraction(0), estimated([[-z for z in row] for row in Z], slack))
    if delta:
        largest([[-z for z in row] for row in Z], delta)
    else:
        assert is_positive_definite(Z)
    own = {i: Z[at][at] + delta for at, i in enumerate(V)}
    open_places = sum(size - len(J) for J, _, size in parts)
    if shape.is_common:
        excess = {i: own[i] - shape.copies * y[i] for i in V}
        forced = parts[0][0]
    else:
        # Every number of uses from 1 on is tried; 0 is what is left out below.
        counts = {i: range(max(uses[i][0], 1), max(uses[i][0], uses[i][1]) + 1) for i in V}
        excess = {i: max(own[i] - u * y[i] for u in counts[i]) for i in V}
        forced = {i for i in V if uses[i][0] > 0}
    paid = sorted((excess[i] for i in V if i not in forced), reverse=True)[:open_places]
    if not shape.is_common:
        paid = [max(e, Fraction(0)) for e in paid]
    total = sum(excess[i] for i in forced) + sum(paid) - delta * shape.count
    for (J, F, size), rows in zip(parts, point.rows, strict=True):
        total += shape.copies * (
            by_list(M, y, J, F, size, shape.is_at_most, slack)
            if rows is None
            else by_rows(M, y, J, F, size, shape.is_at_most, rows, slack)
        )
    return total


def choices(kind, shape, parts):
    """Return every choice of the sets where the loadings of a leaf may differ from 0."""
    return list(true_choices.choices(kind, shape.sizes, [(J, F) for J, F, _ in parts]))


def by_choices(Sigma, shape, tried, V, points, slack):
    """Return the largest bound over choices of the smallest over points, in rationals."""
    best = [None] * len(tried)
    for point in points:
        place = {int(i): at for at, i in enumerate(point.variables) if i in V}
        M = {(i, j): Fraction(float(point.rest[a, b])) for i, a in place.items() for j, b in place.items()}
        minus = [[M[i, j] - Sigma[i][j] for j in place] for i in place]
        delta = max(Fraction(0), estimated(minus, slack))
        largest(minus, delta + slack)
        tops, leads = {}, {}
        for at, some in enumerate(tried):
            if not set().union(*some) <= place.keys():
                continue
            for S in map(tuple, map(sorted, some)):
                if S not in tops:
                    here = [[M[i, j] for j in S] for i in S]
                    tops[S] = largest(here, estimated(here, slack))
                    leads[S] = leading(here, S, tops[S], slack)
            pairs = itertools.combinations([leads[tuple(sorted(S))] for S in some], 2)
            lost = max((loss(*pair) for pair in pairs), default=Fraction(0))
            used = sum(Sigma[i][i] - M[i, i] + delta + slack for i in set().union(*some))
            bound = sum(tops[tuple(sorted(S))] for S in some) - lost + used - shape.count * delta
            best[at] = bound if best[at] is None else min(best[at], bound)
    return max(best)


def leading(M, S, top, slack):
    """Return v by variables, g and how much a is above `top`, with M - g vv' below a - g|v|^2 proved."""
    if len(S) == 1:
        return {}, Fraction(0), Fraction(0)
    values, vectors = np.linalg.eigh(np.array(M, dtype=float))
    v, g = [Fraction(float(x)) for x in vectors[:, -1]], Fraction(float(values[-1] - values[-2]))
    rest = [[M[i][j] - g * v[i] * v[j] for j in range(len(S))] for i in range(len(S))]
    below = largest(rest, estimated(rest, slack))
    return dict(zip(S, v, strict=True)), g, below + g * sum(x * x for x in v) - top


def loss(first, second):
    """Return what two sets lose by (5), with three terms of its series, less what their a are too large."""
    (v, g, more), (w, h, too) = first, second
    if not g or not h:
        return Fraction(0)
    sizes = [sum(x * x for x in u.values()) for u in (v, w)]
    g, h = g * sizes[0], h * sizes[1]
    t, product = g + h, sum(v[i] * w[i] for i in v.keys() & w.keys())
    e = 4 * g * h * product**2 / (sizes[0] * sizes[1] * t**2)
    return max(t / 32 * e * (8 + 2 * e + e**2) - more - too, Fraction(0))


def by_list(M, y, J, F, size, is_at_most, slack):
    values = []
    for T in supports(J, F, size, is_at_most):
        here = [[M[i, j] for j in T] for i in T]
        values.append(largest(here, estimated(here, slack)) + sum(y[i] for i in T))
    return max(values)


def by_rows(M, y, J, F, size, is_at_most, rows, slack):
    V = sorted(J | F)
    place = {int(i): at for at, i in enumerate(rows.variables)}
    N = {(i, j): Fraction(float(rows.N[place[i], place[j]])) for i in V for j in V}
    P = {(i, j): Fraction(float(rows.P[place[i], place[j]])) for i in V for j in V}
    base = [[M[i, j] - (P[i, j] if i != j else 0) for j in V] for i in V]
    for a, i in enumerate(V):
        for j in V:
            assert i == j or N[i, j] * N[j, i] >= P[i, j] ** 2
        free = sorted((N[i, j] + y[j] for j in F if j != i), reverse=True)
        chosen = free[: max(0, size - len(J) - (i in F))]
        if is_at_most:
            chosen = [max(multiplier, Fraction(0)) for multiplier in chosen]
        base[a][a] += y[i] + sum(N[i, j] + y[j] for j in J if j != i) + sum(chosen)
    return largest(base, estimated(base, slack))
