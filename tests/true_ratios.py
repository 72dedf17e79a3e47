"""True certificates of ratios, of all kinds of evidence."""

from functools import cache

import numpy as np
from building import changed

import relaxspca as rs
from relaxspca.applications import subset_selection
from relaxspca.certificate import Leaf
from relaxspca.problem.pencil import MatrixPencil
from relaxspca.problem.size import Cardinality
from relaxspca.search.limits import SearchLimits
from relaxspca.search.ratio import enclose, ratio_certificate


def pencil(rng, n, p=None):
    X = rng.standard_normal((p or n + 2, n)) * 2.0 ** rng.integers(-3, 4, n)
    A = rng.standard_normal((n, n))
    return A + A.T, X.T @ X + 0.1 * np.diag(np.diagonal(X.T @ X))


def data(rng, n=6, p=15):
    X = rng.standard_normal((p, n)) + 3.0
    return X, X @ rng.standard_normal(n) + rng.standard_normal(p)


def ratio_of(A, B, T):
    at = np.ix_(T, T)
    L = np.linalg.cholesky(B[at])
    values, vectors = np.linalg.eigh(np.linalg.solve(L, np.linalg.solve(L, A[at]).T))
    return float(values[-1]), np.linalg.solve(L.T, vectors[:, -1])


def stopped(A, B, k):
    """Return the certificate of a search that was stopped: its bound rests on the smallest eigenvalue of B."""
    forms = MatrixPencil(A, B)
    found = enclose(forms, Cardinality(k), np.arange(k), least=forms.least, limits=SearchLimits(node_limit=0))
    return ratio_certificate(found)


def fitted(made):
    """Return the certificate of what all variables explain: its tree proves nothing, its fit does."""
    X, y = made.subject.variables, made.subject.response
    if made.subject.intercept:
        X, y = X - X.mean(axis=0), y - y.mean()
    w = np.linalg.solve(X.T @ X + made.subject.ridge * np.eye(made.n), X.T @ y)
    changes = {"mu": made.lower, "tree": (Leaf("rows"),), "points": ()}
    return changed(made, upper=float(y @ X @ w) * (1 + 1e-9), fit=w, **changes)


@cache
def true_ratios():
    rng = np.random.default_rng(0)
    A, B = pencil(rng, 7)
    X, y = data(rng)
    wide = data(np.random.default_rng(2), n=12, p=40)  # so many that leaves are bounded by charges
    hard_A, hard_B = pencil(np.random.default_rng(4), 12)
    return {
        "dense": rs.generalized(A, B, 3).certificate,
        "conditions": rs.generalized(A, B, 3, include=[2], exclude=[0, 5]).certificate,
        "rank one": rs.generalized(np.outer(A[0], A[0]), B, 2).certificate,
        "negative": rs.generalized(A - 20 * B, B, 2).certificate,
        "all variables": rs.generalized(A, B, 7).certificate,
        "stopped": stopped(hard_A, hard_B, 5),
        "origin": subset_selection(X, y, 3).certificate,
        "intercept": subset_selection(*wide, 4, intercept=True).certificate,
        "more variables than observations": subset_selection(
            *data(np.random.default_rng(1), n=9, p=6), 2, intercept=True
        ).certificate,
        "budgets": rs.generalized(A, B, budgets=[(range(3), 1), (range(3, 7), 2)]).certificate,
        "fit": fitted(subset_selection(X, y, 3).certificate),
        "fit with intercept": fitted(subset_selection(X, y, 3, intercept=True).certificate),
        "fit with ridge": fitted(subset_selection(X, y, 3, intercept=True, ridge=0.75).certificate),
    }
