"""Time ends at every place that looks at the clock, in turn: what is returned holds, and is verified."""

import functools
import itertools
import sys
from typing import Any, NamedTuple

import numpy as np
import pytest
import scipy.linalg
from draws import draws
from enumeration import best_of_one_sign, supports, value, values_of
from small_tables import best_common, best_table

import relaxspca as rs
from relaxspca.applications import (
    canonical_correlations,
    certify_subset,
    discriminants,
    isometry_bounds,
    subset_path,
    subset_selection,
)
from relaxspca.encoders import optimal_encoder
from relaxspca.runtime import deadline
from relaxspca.search import tighten

N = 9
X = np.random.default_rng(3).normal(size=(12, N))
Y = X @ np.arange(N) + np.random.default_rng(4).normal(size=12)
SIGMA = X.T @ X / 12
COV = rs.Covariance(SIGMA)
WITHIN = np.diag(np.arange(1.0, N + 1)) + 0.5
FEW = rs.Covariance(SIGMA[:6, :6])
UNIT = X / np.linalg.norm(X, axis=0)
GROUPS = {"a": [0, 1, 2], "b": [3, 4], "c": [5, 6], "d": [7, 8]}
SIGNS = np.triu(np.sign(np.random.default_rng(0).normal(size=(16, 16))), 1)
SPLIT = rs.Covariance(16 / 3 * np.eye(16) + SIGNS + SIGNS.T)  # its search has to split nodes
TABLE = np.repeat(np.eye(3), 2, axis=0)[:, :2]


class Claim(NamedTuple):
    """What a result says, and the truth; None where it says nothing of that, or the truth is not known."""

    lower: float | None
    best: float | None
    upper: float | None
    status: str | None = None
    certificate: Any = None


class Clock:
    """A clock that goes on by a second whenever it is read, and knows who read it."""

    def __init__(self):
        self.readers = []

    def monotonic(self):
        reader = sys._getframe(1)
        while reader.f_code.co_filename == deadline.__file__:
            reader = reader.f_back
        self.readers.append((reader.f_code, reader.f_lineno))
        return len(self.readers) - 1.0


def ended(asked, patch, looks=(0, 1, -1), skipped=0):
    """Yield what is found without a limit, and where time ends at the first, second, last look of a place.

    The short run takes every 24th of these moments, after some that are skipped: the places are much the same
    in every verb, so that each verb begins at another.
    """

    def timed(seconds):
        clock = Clock()
        patch.setattr(deadline, "time", clock)
        return asked(seconds), clock.readers

    found, readers = timed(1e9)
    yield found
    places = {}
    for at, reader in enumerate(readers):
        places.setdefault(reader, []).append(at)
    ends = sorted({at[min(look, len(at) - 1)] for at in places.values() for look in looks})
    for seconds in draws(ends[skipped % len(ends) :: 24], ends):
        yield timed(float(seconds))[0]


def check(claim):
    lower, best, upper, status, certificate = claim
    bounds = [value for value in (lower, best, upper) if value is not None]
    assert all(a <= b + 1e-9 * abs(b) for a, b in itertools.pairwise(bounds)), claim
    if status == "optimal":
        assert upper - lower <= 1e-6 * abs(upper), claim
    if certificate is not None:
        assert rs.verify(certificate), claim


# ---- the truth, by enumeration


@functools.cache
def every(k):
    return values_of(SIGMA, k)


def largest(k, M=SIGMA, **conditions):
    return max(values_of(M, k, **conditions).values())


def penalised(rho, **conditions):
    nothing = [] if conditions else [0.0]
    return max([*nothing, *(largest(k, **conditions) - rho * k for k in range(1, N + 1))])


def ratio(some):
    return max(scipy.linalg.eigh(SIGMA[np.ix_(T, T)], WITHIN[np.ix_(T, T)])[0][-1] for T in some)


@functools.cache
def residual(k, *, centred=False):
    M, y = (X - X.mean(axis=0), Y - Y.mean()) if centred else (X, Y)
    return float(min(np.linalg.lstsq(M[:, T], y, rcond=None)[1][0] for T in supports(N, k)))


@functools.cache
def of_unit(k):
    """Return the smallest and the largest eigenvalue of all blocks."""
    values = [np.linalg.eigvalsh((UNIT.T @ UNIT)[np.ix_(T, T)]) for T in supports(N, k)]
    return min(own[0] for own in values), max(own[-1] for own in values)


# ---- what is asked, with seconds, and what its result claims


def one(asked, best):
    best = functools.cache(best)

    def claimed(found):
        return [Claim(found.lower, best(), found.upper, getattr(found, "status", None), found.certificate)]

    return asked, claimed


def rows(asked, best=lambda k: None):
    best = functools.cache(best)

    def claimed(found):
        return [
            Claim(row.lower, best(row.k), row.upper, getattr(row, "status", None), row.certificate)
            for row in getattr(found, "results", found)
        ]

    return asked, claimed


def bound(asked, best):
    best = functools.cache(best)
    return asked, lambda found: [Claim(None, best(), found.upper)]


def of_list(found):
    """A list that is complete has all; where it is not, bounds on others hold. So do bounds on the costs."""
    values = every(4)
    best = max(values.values())
    others = max([value for T, value in values.items() if T not in found.indices], default=None)
    if found.is_complete:
        assert {T for T, value in values.items() if value > (1 - found.within + 1e-9) * best} <= {
            *found.indices
        }
    for i, name in enumerate(COV.names):
        is_in = i in found.indices[0]
        cost = best - max(value for T, value in values.items() if (i in T) != is_in)
        low, high = found.costs[name]
        assert low - 1e-9 <= cost if best == values[found.indices[0]] else True
        assert cost <= high + 1e-9
        assert name in found.open_costs or high - low <= 1e-7
    yield Claim(found.lower, best, None, certificate=found.certificate)
    yield Claim(None, others, found.upper)


def compared(found):
    yield Claim(found.lower, max(every(4).values()), found.upper)
    if found.result is not None:
        yield Claim(None, None, None, certificate=found.result.certificate)


def of_stability(found):
    """The best stays best after the change of this size that most helps the second."""
    (second, other), (best, _) = sorted((value, T) for T, value in every(4).items())[-2:]
    yield Claim(found.lower, best, None, certificate=found.certificate)
    yield Claim(None, second, found.runner_up)
    x, y = (np.zeros(N) for _ in "xy")
    for vector, T in ((x, [COV.names.index(name) for name in found.support]), (y, list(other))):
        vector[T] = np.linalg.eigh(SIGMA[np.ix_(T, T)])[1][:, -1]
    change = np.outer(y, y) - np.outer(x, x)
    moved = SIGMA + found.radii["spectral"] / np.linalg.norm(change, 2) * change
    yield Claim(value(moved, np.flatnonzero(y)), value(moved, np.flatnonzero(x)), None)


def of_table(found):
    joint = found.joint
    for one in found.first:
        yield Claim(one.lower, None, one.upper, certificate=one.certificate)
    if joint is not None:
        yield Claim(joint.lower, None, joint.upper, joint.status, joint.certificate)


def together(**told):
    return one(
        lambda s: rs.components(FEW, 2, 2, joint=True, time_limit=s, **told),
        lambda: best_table(FEW.matrix, [2, 2], is_disjoint=bool(told)),
    )


VERBS = {
    "k": one(lambda s: rs.solve(COV, 4, time_limit=s), lambda: largest(4)),
    "factor": one(
        lambda s: rs.solve(rs.Covariance.from_factor(X), 4, time_limit=s), lambda: largest(4, X.T @ X)
    ),
    "splits": one(lambda s: rs.solve(SPLIT, 6, time_limit=s), lambda: largest(6, SPLIT.matrix)),
    "conditions": one(
        lambda s: rs.solve(COV, 4, include=[0], exclude=[3], time_limit=s),
        lambda: largest(4, include=[0], exclude=[3]),
    ),
    "rho": one(lambda s: rs.solve(COV, rho=0.35, time_limit=s), lambda: penalised(0.35)),
    "rho, one held": one(
        lambda s: rs.solve(COV, rho=0.35, include=[0], time_limit=s), lambda: penalised(0.35, include=[0])
    ),
    "one of each": one(
        lambda s: rs.solve(COV, 3, groups=GROUPS, time_limit=s),
        lambda: largest(range(1, 4), groups=GROUPS.values()),
    ),
    "whole groups": one(
        lambda s: rs.solve(COV, groups=GROUPS, most=2, time_limit=s),
        lambda: max(value(SIGMA, sorted(a + b)) for a, b in itertools.combinations(GROUPS.values(), 2)),
    ),
    "nonnegative": one(
        lambda s: rs.solve(COV, 4, nonnegative=True, time_limit=s), lambda: best_of_one_sign(SIGMA, 4)[0]
    ),
    "one support": one(
        lambda s: rs.components(COV, 4, 2, joint=True, common=True, time_limit=s),
        lambda: best_common(SIGMA, 4, 2),
    ),
    "ratio": one(lambda s: rs.generalized(SIGMA, WITHIN, 4, time_limit=s), lambda: ratio(supports(N, 4))),
    "ratio, conditions": one(
        lambda s: rs.generalized(SIGMA, WITHIN, 4, include=[0], exclude=[3], time_limit=s),
        lambda: ratio(supports(N, 4, include=[0], exclude=[3])),
    ),
    "budgets": one(
        lambda s: rs.generalized(SIGMA, WITHIN, budgets=[(range(4), 2), (range(4, N), 2)], time_limit=s),
        lambda: ratio([T for T in supports(N, 4) if sum(i < 4 for i in T) == 2]),
    ),
    "subset": one(lambda s: subset_selection(X, Y, 4, time_limit=s), lambda: residual(4)),
    "subset, intercept": one(
        lambda s: subset_selection(X, Y, 4, intercept=True, time_limit=s), lambda: residual(4, centred=True)
    ),
    "certify a subset": (
        lambda s: certify_subset(X, Y, [0, 1, 2, 3], time_limit=s),
        lambda found: [Claim(found.best.lower, residual(4), found.best.upper, found.best.status)],
    ),
    "subsets": rows(lambda s: subset_path(X, Y, [2, 4], time_limit=s), residual),
    "path": rows(lambda s: rs.path(COV, k=[2, 4], time_limit=s).rows, largest),
    "path under conditions": rows(
        lambda s: rs.path(COV, k=[2, 4], exclude=[3], time_limit=s).rows, lambda k: largest(k, exclude=[3])
    ),
    "path of shares": rows(lambda s: rs.path(COV, share_of_dense=0.5, time_limit=s).rows, largest),
    "path of penalties": rows(lambda s: rs.path(COV, rho=[0.2, 0.35], time_limit=s).rows),
    "certify": one(lambda s: rs.certify(COV, [0, 1, 2, 3], time_limit=s), lambda: largest(4)),
    "certify the best": one(lambda s: rs.certify(COV, [0, 4, 5, 8], time_limit=s), lambda: largest(4)),
    "certify a table": (lambda s: rs.certify(FEW, TABLE, time_limit=s), of_table),
    "list": (lambda s: rs.near_optimal(COV, 4, within=0.1, costs=True, time_limit=s), of_list),
    "ties": (lambda s: rs.near_optimal(COV, 4, within=0, costs=True, time_limit=s), of_list),
    "stability": (lambda s: rs.stability(rs.solve(COV, 4), time_limit=s), of_stability),
    "compare": (lambda s: rs.compare(COV, 4, time_limit=s), compared),
    "several": rows(lambda s: rs.components(COV, 3, 2, time_limit=s)),
    "encoder": (
        lambda s: optimal_encoder(COV, 2, time_limit=s),
        lambda found: [Claim(found.loss_lower, None, found.loss, found.status, found.certificate)],
    ),
    "discriminants": rows(lambda s: discriminants(X, np.arange(12) % 3, 2, 2, ridge=0.1, time_limit=s)),
    "correlations": rows(lambda s: canonical_correlations(X[:, :4], X[:, 4:], 2, 2, ridge=0.1, time_limit=s)),
    "isometry": (
        lambda s: isometry_bounds(UNIT, 3, time_limit=s),
        lambda found: [
            Claim(found.largest.lower, of_unit(3)[1], found.largest.upper, found.largest.status),
            Claim(found.smallest.lower, of_unit(3)[0], found.smallest.upper, found.smallest.status),
        ],
    ),
    **{
        f"upper bound, {name}": bound(
            lambda s, name=name: rs.upper_bound(COV, 4, relaxation=name, time_limit=s), lambda: largest(4)
        )
        for name in ("auto", "kkt", "psi", "perron", "dspca")
    },
    "orthogonal": together(),
    "disjoint": together(disjoint=True),
}


SLOW = ("certify a table", "subsets", "orthogonal", "disjoint")
SLOW += draws(("several", "one support", "stability", "list", "ties", "upper bound, dspca"), ())


@pytest.mark.parametrize("verb", VERBS)
def test_wherever_time_ends_what_is_said_is_true(verb, monkeypatch, request):
    asked, claimed = VERBS[verb]
    if verb in ("certify a table", "orthogonal", "disjoint"):
        request.getfixturevalue("short_starts")
    looks = [-1] if verb in SLOW else (0, 1, -1)
    for found in ended(asked, monkeypatch, looks, skipped=[*VERBS].index(verb)):
        for claim in claimed(found):
            check(claim)


def test_wherever_time_ends_among_many_variables(monkeypatch):
    """Of so many variables few are active at first."""
    rng = np.random.default_rng(0)
    data = rng.normal(size=(100, 205))
    data[:, :10] += 0.5 * rng.normal(size=(100, 1))
    cov, steps, descend = rs.Covariance.from_data(data), [], tighten._Active.descend
    monkeypatch.setattr(tighten._Active, "descend", lambda *told: steps.append(told) or descend(*told))
    best = rs.solve(cov, 6)
    assert best.status == "optimal"
    assert steps
    for found in ended(lambda s: rs.solve(cov, 6, start=best.candidate, time_limit=s), monkeypatch, looks=[1]):
        check(Claim(found.lower, best.lower, found.upper, found.status, found.certificate))
