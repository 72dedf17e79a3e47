"""One law for every claim: its core claim holds of a support where it does, and what is proved is true.

A small claim is drawn, and brute force values every support that is meant. The checker's core claim, as it is
when the maker's certificate is checked, has the same supports, with the same values. The certificate is
verified; with a bound just below what brute force finds it is not, however poor the vector of the file.
"""

import itertools
from functools import partial

import numpy as np
import pytest
from building import changed
from draws import draws
from enumeration import supports
from small_covariances import KINDS as EVERY
from small_covariances import covariance as as_covariance
from small_covariances import draw
from small_tables import best_table
from true_certificates import top
from true_ratios import pencil, ratio_of
from two_checkers import NODE, second

import relaxspca as rs
from relaxspca.applications import near_optimal_subsets, subset_selection
from relaxspca.certificate import Leaf, ListedSupports, Vector, Witness
from relaxspca.checker import Outcome, verify
from relaxspca.checker.components import leaves_of
from relaxspca.checker.core import Core
from relaxspca.checker.multipliers import part_of

KINDS = [kind for kind in EVERY if kind not in ("huge", "tiny")]
NEAR = 1e-8  # relative: brute force is off by less, and makers leave less open


def matrix(rng, n=6):
    """Return a matrix of one of many kinds, of an ordinary size."""
    return draw(KINDS[int(rng.integers(len(KINDS)))], rng, n)


def conditions(rng, n):
    """Return a variable to include and one to exclude."""
    inside, outside = rng.permutation(n)[:2].tolist()
    return {"include": [inside], "exclude": [outside]}


def ratio(A, B, T):
    """Return the largest x'Ax / x'Bx of vectors on a support."""
    return ratio_of(A, B, T)[0]


def on(S, chosen):
    """Return the value of every support of a component."""
    return {T: top(S[np.ix_(T, T)]) for T in chosen}


def of_a_matrix(rng):
    """Return how to find the best supports and the near-best ones of a problem, and the value of a support."""
    S = matrix(rng)
    cov = as_covariance(S)
    return partial(rs.solve, cov), partial(rs.near_optimal, cov), lambda T: top(S[np.ix_(T, T)])


def of_a_pencil(rng):
    A, B = pencil(rng, 6)
    return partial(rs.generalized, A, B), partial(rs.near_optimal, (A, B)), lambda T: ratio(A, B, T)


def of_a_fit(rng):
    X, y = rng.normal(size=(9, 6)) + 1, rng.normal(size=9)
    options = {"intercept": bool(rng.integers(2)), "ridge": float(rng.choice([0.0, 0.7]))}
    C = np.eye(9) - options["intercept"] / 9
    b, B = X.T @ C @ y, X.T @ C @ X + options["ridge"] * np.eye(6)
    found = [partial(find, X, y, **options) for find in (subset_selection, near_optimal_subsets)]
    return *found, lambda T: ratio(np.outer(b, b), B, T)


def best(rng, problem):
    (solve, _, value), k = problem(rng), int(rng.integers(1, 6))
    asked = conditions(rng, 6) if rng.random() < 0.5 else {}
    return solve(k, **asked).certificate, {T: value(T) for T in supports(6, k, **asked)}


def near_optimal(rng, problem):
    (_, near, value), k = problem(rng), int(rng.integers(1, 5))
    asked = conditions(rng, 6) if rng.random() < 0.5 else {}
    found = near(k, within=float(rng.choice([0.0, 0.05, 0.3])), **asked)
    return found.certificate, {T: value(T) for T in supports(6, k, **asked)}


def one_of_each(rng, problem):
    (solve, _, value), k = problem(rng), int(rng.integers(1, 4))
    asked = conditions(rng, 6) if rng.random() < 0.5 else {}
    groups = {"first": [0, 1, 2], "second": [3, 4]}
    found = solve(k, groups=groups, **asked).certificate
    return found, {T: value(T) for T in supports(6, found.k, **asked, groups=groups.values())}


def penalised(rng):
    S, asked = matrix(rng, 5), conditions(rng, 5) if rng.random() < 0.5 else {}
    rho = float(np.abs(S).max() * rng.choice([0.1, 0.5, 1.5]))
    values = {}
    for m in range(1, 6):
        values |= {T: v - rho * m for T, v in on(S, supports(5, m, **asked)).items()}
    return rs.solve(as_covariance(S), rho=rho, **asked).certificate, values


def whole_groups(rng):
    S, most = matrix(rng), int(rng.integers(1, 4))
    groups = {"first": [0, 3], "second": [1], "third": [2, 4]}
    found = rs.solve(as_covariance(S), groups=groups, most=most).certificate
    members = [group.tolist() for group in found.claim.whole_groups]
    chosen = itertools.combinations(range(3), most)
    return found, {G: top(S[np.ix_(T, T)]) for G in chosen for T in [sum((members[g] for g in G), [])]}


def nonnegative(rng):
    S, k = matrix(rng, 5), int(rng.integers(1, 5))
    values = {T: max(map(of_one_sign(S), subsets(T))) for T in supports(5, k)}
    return rs.solve(as_covariance(S), k, nonnegative=True).certificate, values


def subsets(T):
    return itertools.chain(*(itertools.combinations(T, m) for m in range(1, len(T) + 1)))


def of_one_sign(S):
    """Return a function: the largest eigenvalue on a set, where its vector has one sign."""

    def value(T):
        values, vectors = np.linalg.eigh(S[np.ix_(T, T)])
        return values[-1] if abs(vectors[:, -1].sum()) >= np.abs(vectors[:, -1]).sum() - 1e-12 else -np.inf

    return value


def eliminated(rng):
    X, k = rng.normal(size=(12, 7)) * np.arange(1.0, 8.0) ** -1.5, int(rng.integers(1, 4))
    found = rs.solve(rs.Covariance.from_chunks([X[:7], X[7:]], limit=5), k).certificate
    S = np.cov(X, rowvar=False)
    kept = {int(name.removeprefix("x")): place for place, name in enumerate(found.names)}
    values = on(S, supports(7, k))
    inside = {tuple(sorted(kept[i] for i in T)): v for T, v in values.items() if {*T} <= {*kept}}
    return found, inside | {"all": max(values.values())}


def budgets(rng):
    A, B = pencil(rng, 6)
    order, counts = rng.permutation(6).tolist(), rng.integers(1, 3, size=2).tolist()
    parts = [order[:3], order[3:]]
    found = rs.generalized(A, B, budgets=list(zip(parts, counts, strict=True))).certificate
    chosen = supports(6, sum(counts))
    chosen = [T for T in chosen if [len({*T} & {*part}) for part in parts] == counts]
    return found, {T: ratio(A, B, T) for T in chosen}


CLAIMS = {draw.__name__: draw for draw in (penalised, whole_groups, nonnegative, eliminated, budgets)} | {
    f"{kind.__name__} {problem.__name__}": partial(kind, problem=problem)
    for kind in (best, near_optimal, one_of_each)
    for problem in (of_a_matrix, of_a_pencil, of_a_fit)
}
# Where the core claim asks more: of norms of blocks, of vectors of both signs.
STRICTER = ("whole_groups", "nonnegative")


@pytest.fixture
def core_of(monkeypatch):
    """Return a function: the core claim, and its level, by which a certificate is checked."""
    seen, upper = [], Core.upper

    def recorded(core, level, *rest):
        seen.append((core, float(level)))
        return upper(core, level, *rest)

    def found(made):
        del seen[:]
        verify(made, exact=True)
        return seen[0]

    monkeypatch.setattr(Core, "upper", recorded)
    return found


def reduced(core):
    """Return lambda_max(M_TT) + y(T) of every support of a core claim, by its definition."""
    M = core.block(range(core.n)).astype(float)
    ((J, F),), values = core.root, {}
    inside, free = ([i for i in range(core.n) if bits >> i & 1] for bits in (J, F))
    labels = np.arange(core.n) if core.labels is None else core.labels
    for more in itertools.chain([()], subsets(free)):
        T = tuple(sorted((*inside, *more)))
        is_meant = any(
            all(len({*T} & {*part}) == k for part, k in whole) for whole in core.parts_of(inside, free)
        )
        if T and is_meant and len({*labels[list(T)]}) == len(T):
            values[T] = top(M[np.ix_(T, T)]) - len(T) * float(core.penalty or 0.0)
    return values


@pytest.mark.parametrize("seed", range(draws(3, 80)))
@pytest.mark.parametrize("claim", CLAIMS)
def test_the_law_of_reductions(claim, seed, core_of):
    made, values = CLAIMS[claim](np.random.default_rng([seed, [*CLAIMS].index(claim)]))
    truth = max([*values.values(), *([0.0] if made.allows_none else [])])
    values.pop("all", None)
    near = NEAR * max(1.0, *map(abs, values.values()), abs(truth))
    core, level = core_of(made)
    own = reduced(core)
    assert own.keys() == values.keys()
    bound = made.upper if made.claim.listed is None else made.claim.listed.others
    for T, value in values.items():
        if made.claim.kind != "ratio":
            assert own[T] >= value - near
            assert own[T] <= value + near or claim in STRICTER
        elif abs(value - made.evidence.mu) > near:  # of a ratio the sign tells
            assert (own[T] <= level) == (value <= made.evidence.mu)
    assert bound >= max((v for T, v in values.items() if not is_listed(made, T)), default=-np.inf) - near
    for exact in (True, False):
        assert verify(made, exact=exact), verify(made, exact=exact)
    assert made.lower <= truth + near
    assert made.upper >= truth - near
    assert claim == "eliminated" or made.upper - made.lower <= near
    for lie in (
        *below(made, truth - 4 * near, min(values, key=values.get)),
        *lists_that_lie(made, values, near),
    ):
        for exact in (True, False):
            assert verify(lie, exact=exact).outcome is not Outcome.VERIFIED


def drawn_components(rng, kind):
    """Return a matrix, sizes, what each part includes, and what none may use."""
    S, (a, b, c, d, *_) = matrix(rng, 5), rng.permutation(5).tolist()
    if kind == "common":
        sizes = [(2, 2), (3, 3), (3, 3, 3), (4, 4)][int(rng.integers(4))]
        return S, sizes, [()], []
    if rng.random() < 0.3:
        return S, [(2, 1, 1), (2, 2, 1)][int(rng.integers(2))], ([], [], []), []
    sizes = [(2, 2), (3, 2), (2, 1), (3, 3)][int(rng.integers(4))]
    several = [([a], []), ([a], [b]), ([a, b], [c] if sizes[1] == 1 else []), ([], [a]), ([], [])]
    include = several[int(rng.integers(len(several)))]
    if kind == "orthogonal" and rng.random() < 0.3 and sizes[1] > 1:
        include = [a], [a]
    return S, sizes, include, [d] if rng.random() < 0.5 else []


@pytest.mark.usefixtures("short_starts")
@pytest.mark.parametrize("seed", range(draws(3, 60)))
@pytest.mark.parametrize("kind", ["orthogonal", "disjoint", "common"])
def test_the_law_of_several_components(kind, seed, tmp_path):
    rng, alike = np.random.default_rng([seed, kind == "disjoint"]), {kind: True} if kind != "orthogonal" else {}
    S, sizes, include, exclude = drawn_components(rng, kind)
    is_smaller = kind == "disjoint" and sum(sizes) > 5 - len(exclude)
    choices = [
        [T for m in (range(1, k + 1) if is_smaller else [k]) for T in supports(5, m, J, exclude)]
        for k, J in zip(sizes, include, strict=False)
    ]
    given = () if kind == "common" else list(include)
    if kind == "common":
        truth = max(np.linalg.eigvalsh(S[np.ix_(T, T)])[-len(sizes) :].sum() for T in choices[0])
    else:
        truth = best_table(S, sizes, is_disjoint=kind == "disjoint", rng=rng, starts=4, choices=choices)
    found = rs.components(as_covariance(S), sizes, joint=True, include=given, exclude=exclude, **alike)
    made, near = found.certificate, NEAR * max(1.0, abs(truth))
    (case,) = leaves_of(changed(made, tree=[Leaf("multipliers")]))
    parts = [part_of(k, side, is_smaller) for k, side in zip(made.sizes, case.sides, strict=False)]
    own = {tuple(sorted((*part.forced, *more))) for part in parts for more in [(), *subsets(part.free)]}
    assert own >= {T for some in choices for T in some}
    assert all({*part.forced}.isdisjoint(exclude) and {*part.free}.isdisjoint(exclude) for part in parts)
    assert made.lower <= truth + 10 * near
    assert made.upper >= truth - near
    assert found.status == "optimal" or kind == "orthogonal"
    assert made.upper - made.lower <= 1e-6 * max(1.0, abs(truth)) or found.status != "optimal"
    lie = changed(made, upper=truth - 20 * near, lower=min(made.lower, truth - 20 * near))
    for exact in (True, False):
        assert verify(made, exact=exact), verify(made, exact=exact)
        assert verify(lie, exact=exact).outcome is not Outcome.VERIFIED
    if NODE is not None:  # a second reading of the tree, written apart
        assert [outcome == "VERIFIED" for outcome in second([made, lie], tmp_path)] == [True, False]


def is_listed(made, T):
    return made.claim.listed is not None and made.claim.listed.place(T) is not None


def below(made, upper, poor):
    """Yield a certificate with a bound too low, also with the vector of one variable as its witness."""
    if made.allows_none and upper < 0:
        return
    changes = {"upper": upper, "lower": min(made.lower, upper)}
    if made.claim.listed is not None:
        return
    yield changed(made, **changes)
    groups = made.claim.whole_groups
    alone = changed(made, lower=min(made.lower, upper) - 1e6, upper=upper)
    poor = groups[poor[0]][:1] if groups else poor[:1]
    alone = changed(alone, witness=Witness((Vector(poor, np.ones(1)),)))
    yield alone
    if made.claim.kind == "ratio":
        yield changed(alone, mu=upper)


def lists_that_lie(made, values, near):
    """Yield certificates of which one number of the list is wrong, or one support is missing."""
    own = made.claim.listed
    if own is None:
        return
    rest = [value for T, value in values.items() if not is_listed(made, T)]
    if rest:
        others = changed(own, others=max(rest) - 4 * near)
        yield changed(made, listed=others)
        if made.claim.kind == "ratio":
            yield changed(made, listed=others, mu=others.others)
    at = len(own.supports) // 2
    low, high = own.lower.copy(), own.upper.copy()
    low[at] = high[at] = values[tuple(own.supports[at].tolist())] - 4 * near
    yield changed(made, listed=changed(own, lower=low, upper=high))
    low, high = own.lower.copy(), own.upper.copy()
    low[at] = high[at] = values[tuple(own.supports[at].tolist())] + 4 * near
    yield changed(made, listed=changed(own, lower=low, upper=high), upper=max(made.upper, high[at]))
    if len(own.supports) > 1:
        fewer = ListedSupports(
            tuple(T for i, T in enumerate(own.supports) if i != at),
            np.delete(own.lower, at),
            np.delete(own.upper, at),
            min(own.others, own.lower[at] - 4 * near),
        )
        vectors = np.delete(made.witness.listed, at, axis=0)
        yield changed(made, listed=fewer, witness=Witness(made.witness.components, vectors))
