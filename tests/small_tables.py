"""The best table of several components of a small matrix, by trying every choice of supports."""

import itertools

import numpy as np
import scipy.optimize


def best_on(S, supports, rng, starts=8):
    """Return the best sum of variances of orthonormal vectors on supports."""
    supports = [tuple(T) for T in supports]
    if not all(supports) or len(set().union(*supports)) < len(supports):
        return -np.inf  # no vector, or more than fit
    meeting = [(s, t, set(s) & set(t)) for s, t in itertools.combinations(supports, 2) if set(s) & set(t)]
    if not meeting:
        return sum(float(np.linalg.eigvalsh(S[np.ix_(T, T)])[-1]) for T in supports)
    touching = [pair for *pair, common in meeting if len(common) == 1]
    if touching:  # their inner product is one product of two entries: one of the two vectors is 0 there
        return max(best_on(S, less, rng, starts) for less in _without_the_shared(supports, *touching[0]))
    if len(set(supports)) == 1:
        return float(np.linalg.eigvalsh(S[np.ix_(supports[0], supports[0])])[-len(supports) :].sum())
    return best_vectors_on(S, supports, rng, starts)[0]


def _without_the_shared(supports, first, second):
    """Yield the supports with one of two without the variable that both have."""
    for one, other in ((first, second), (second, first)):
        at = supports.index(one)
        yield [*supports[:at], tuple(i for i in one if i not in other), *supports[at + 1 :]]


def best_vectors_on(S, supports, rng, starts=8):
    """Return the best sum and the (n, r) vectors on supports that meet: many starts of a local method."""
    r, rows = len(supports), np.concatenate([list(T) for T in supports]).astype(int)
    columns = np.repeat(np.arange(r), [len(T) for T in supports])
    scale = np.abs(S).max()
    # Of all entries e of the vectors: e'Ve is the sum of variances, e'M_p e the inner product of a pair p.
    V = S[np.ix_(rows, rows)] * (columns[:, None] == columns) / scale
    # Vectors that share no variable are orthogonal: such a constraint would make the others singular.
    meeting = [
        (s, t)
        for s, t in itertools.combinations_with_replacement(range(r), 2)
        if set(supports[s]) & set(supports[t])
    ]
    one = np.array([np.outer(columns == s, columns == t) & (rows[:, None] == rows) for s, t in meeting])
    M = one / 2 + one.transpose(0, 2, 1) / 2
    wanted = np.array([float(s == t) for s, t in meeting])
    constraint = {"type": "eq", "fun": lambda e: M @ e @ e - wanted, "jac": lambda e: 2 * M @ e}
    best = -np.inf, None
    for _ in range(starts):
        found = scipy.optimize.minimize(
            lambda e: (-e @ V @ e, -2 * V @ e),
            rng.normal(size=len(rows)),
            jac=True,
            method="SLSQP",
            constraints=constraint,
            options={"maxiter": 300, "ftol": 1e-14},
        )
        if np.abs(constraint["fun"](found.x)).max() < 1e-9:
            best = max(best, (-found.fun * scale, found.x), key=lambda pair: pair[0])
    X = np.zeros((len(S), r))
    X[rows, columns] = best[1]
    return best[0], X


def best_table(S, sizes, *, is_disjoint=False, rng=None, starts=8, choices=None):
    """Return the largest sum of variances of orthonormal components, over all supports or some choices."""
    rng = rng or np.random.default_rng(0)
    n, best = len(S), -np.inf
    at_most = is_disjoint and sum(sizes) > n
    choices = choices or [
        [T for size in (range(1, k + 1) if at_most else [k]) for T in itertools.combinations(range(n), size)]
        for k in sizes
    ]
    values = [{T: np.linalg.eigvalsh(S[np.ix_(T, T)])[-1] for T in some} for some in choices]
    bounded = []
    distinct = {_one_order(supports, sizes): supports for supports in itertools.product(*choices)}
    for supports in distinct.values():
        union = sorted(set().union(*supports))
        if len(union) < len(sizes) or is_disjoint and len(union) < sum(map(len, supports)):
            continue
        alone = sum(value[T] for value, T in zip(values, supports, strict=True))
        dense = np.linalg.eigvalsh(S[np.ix_(union, union)])[::-1][: len(sizes)].sum()
        bounded.append((min(alone, dense), supports))
    # The most promising first: most of the others cannot then be better, and need no search.
    for most, supports in sorted(bounded, reverse=True):
        if most <= best:
            break
        best = max(best, best_on(S, supports, rng, starts))
    return float(best)


def _one_order(supports, sizes):
    """Return the same for tables that differ in the order of components of one size."""
    return tuple(sorted(zip(sizes, supports, strict=True)))


def best_common(S, k, r):
    """Return the largest sum of the r largest eigenvalues of a k by k block."""
    return max(
        float(np.linalg.eigvalsh(S[np.ix_(T, T)])[::-1][:r].sum())
        for T in itertools.combinations(range(len(S)), k)
    )
