"""The best table of several components of a small matrix, by trying every choice of supports."""

import itertools

import numpy as np
import scipy.optimize


def best_on(S, supports, rng, starts=8):
    """Return the best sum of variances of orthonormal vectors on supports."""
    if all(not set(a) & set(b) for a, b in itertools.combinations(supports, 2)):
        return sum(float(np.linalg.eigvalsh(S[np.ix_(T, T)])[-1]) for T in supports)
    return best_vectors_on(S, supports, rng, starts)[0]


def best_vectors_on(S, supports, rng, starts=8):
    """Return the best sum and the (n, r) vectors on supports that meet: many starts of a local method."""
    r, n = len(supports), len(S)
    rows = np.concatenate([list(T) for T in supports]).astype(int)
    columns = np.repeat(np.arange(r), [len(T) for T in supports])
    scale = np.abs(S).max()

    def full(entries):
        X = np.zeros((n, r))
        X[rows, columns] = entries
        return X

    # Vectors that share no variable are orthogonal: such a constraint would make the others singular.
    meeting = [
        p
        for p in itertools.combinations_with_replacement(range(r), 2)
        if set(supports[p[0]]) & set(supports[p[1]])
    ]
    upper = tuple(np.array(meeting).T)
    first, second = ((columns == np.array(some)[:, None]) for some in upper)

    def objective(entries):
        X = full(entries)
        image = S @ X
        return -np.vdot(X, image) / scale, -2 * image[rows, columns] / scale

    def slopes(entries):
        X = full(entries)
        return first * X[rows][:, upper[1]].T + second * X[rows][:, upper[0]].T

    constraint = {
        "type": "eq",
        "fun": lambda e: (full(e).T @ full(e) - np.eye(r))[upper],
        "jac": slopes,
    }
    best = -np.inf, None
    for _ in range(starts):
        found = scipy.optimize.minimize(
            objective,
            rng.normal(size=len(rows)),
            jac=True,
            method="SLSQP",
            constraints=constraint,
            options={"maxiter": 300, "ftol": 1e-14},
        )
        if np.abs(constraint["fun"](found.x)).max() < 1e-9:
            best = max(best, (-found.fun * scale, full(found.x)), key=lambda pair: pair[0])
    return best


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
