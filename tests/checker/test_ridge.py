"""Claims about fits with a ridge term, by the normal equations, and by the fit of all variables."""

import itertools

import numpy as np
import pytest
from building import changed, ratio
from draws import draws
from true_certificates import enumeration_tree

from relaxspca.certificate import Leaf, LeastSquares
from relaxspca.checker import verify


@pytest.mark.parametrize("seed", range(draws(6, 30)))
@pytest.mark.parametrize("intercept", [False, True])
def test_ridge(seed, intercept):
    """What a fit explains, with the squared coefficients in its residual, by the normal equations."""
    rng = np.random.default_rng(seed)
    n, p, k, ridge = 5, int(rng.integers(3, 9)), int(rng.integers(1, 4)), float(rng.exponential())
    X, y = rng.normal(size=(p, n)) + 2, rng.normal(size=p)
    C = np.eye(p) - intercept / p
    b, B = X.T @ C @ y, X.T @ C @ X + ridge * np.eye(n)

    def explained(T):
        w = np.linalg.solve(B[np.ix_(T, T)], b[list(T)])
        assert y @ C @ y - b[list(T)] @ w == pytest.approx(
            np.sum((C @ (y - X[:, list(T)] @ w)) ** 2) + ridge * w @ w, abs=1e-9
        )
        return float(b[list(T)] @ w), w

    best = max(itertools.combinations(range(n), k), key=lambda T: explained(T)[0])
    value, w = explained(best)
    room = 1e-7 * float(y @ y)
    made = ratio(
        subject=LeastSquares(names="abcde", variables=X, response=y, intercept=intercept, ridge=ridge),
        k=k,
        lower=value - room,
        upper=value + room,
        indices=best,
        loadings=np.bincount(best, w, minlength=n),
        mu=value + room,
        exponents=[0] * n,
        tree=enumeration_tree(n, k),
    )
    every = np.linalg.solve(B, b)
    fit = changed(made, upper=float(b @ every) + room, fit=every, tree=[Leaf("rows")], mu=0.0)
    for exact in (True, False):
        assert verify(made, exact=exact), verify(made, exact=exact)
        assert verify(fit, exact=exact), verify(fit, exact=exact)
        assert verify(changed(made, mu=value - 2 * room), exact=exact).proved_upper >= value - room
        assert not verify(changed(made, upper=value - room, lower=value - 2 * room), exact=exact)
        assert not verify(
            changed(made, ridge=ridge / 2, lower=value + room, upper=value + 2 * room), exact=exact
        )
        assert not verify(changed(fit, upper=float(b @ every) - room, lower=0.0), exact=exact)
    assert changed(made, ridge=0.0).digest != made.digest
