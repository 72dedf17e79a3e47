"""What is printed of lists of supports, of stability, of ratios and of paths, against exact truth."""

import re
from fractions import Fraction

import numpy as np
import pytest
from draws import draws
from exact_ratios import quotient
from exact_subsets import least, problem, residual
from exact_truth import Spectrum, Supports, Truth, ratio_is_upper
from printed import CASES, NUMBER, OPTIMAL, bounds, claimed, forms, plain_of_html, records, rows, tables

import relaxspca as rs
from relaxspca.applications import certify_subset, subset_path, subset_selection

SMALL = [*draws((0, 32), range(0, 60, 8)), *range(60, len(CASES), draws(2, 1))]


def check_list(truth, found, text, *, has_tables):
    """Check what is said of a list of supports, of all others, and of the change after which it stays."""
    listed = [tuple(T) for T in found.indices]
    others = [T for T in truth.values if T not in listed]
    low, high = truth.best()
    near = re.search(rf"comes? within ({NUMBER}) % of the best(?:, (\d+) of them up to rounding)?", text)
    below = re.search(rf"comes? within ({NUMBER}) of the best, which is 0", text)
    ties = "within a relative 1e-9 of the best" in text
    assert (near is not None) + (below is not None) + ties == 1, text
    if near:
        least = high - Fraction(near[1]) / 100 * abs(high)
        assert sum(truth.values[T][1] < least for T in listed) <= int(near[2] or 0), text
    else:
        slack = Fraction(below[1]) if below else Fraction(1, 10**9) * abs(high) * (1 + Fraction(1, 10**6))
        assert all(truth.values[T][1] >= low - slack for T in listed), text
    if found.is_complete:
        least = high - max(Fraction(found.within) * abs(high), Fraction(1, 10**9) * truth.scale)
        assert all(truth.values[T][0] <= least + Fraction(1, 10**9) * truth.scale for T in others), text
    most = re.search(rf"[Aa]ny other(?: set)? explains at most ({NUMBER})", text)
    assert (most is None) == (", and there is no other" in text or "not proved complete" in text), text
    if most and others:
        assert truth.best(others)[0] <= Fraction(most[1]), text
    complete = re.search(rf"complete within ({NUMBER}|inf) %", text)
    if complete and others:
        assert truth.best(others)[0] <= high - Fraction(complete[1]) / 100 * abs(high), text
    norm = re.search(rf"with spectral norm below ({NUMBER})", text)
    rivals = [T for T in truth.values if listed[0] != T]
    if norm and rivals:
        assert truth.best(rivals)[0] + 2 * Fraction(norm[1]) <= truth.values[listed[0]][1], text
    if has_tables:
        check_rows(truth, found, text)


def check_rows(truth, found, text):
    names = found.certificate.names
    first = truth.values[tuple(found.indices[0])]
    everything = truth.best()
    for row in rows(text):
        if len(row) == 4 and row[0].isdigit():
            T = tuple(found.indices[int(row[0]) - 1])
            lower, upper = bounds(row[1])
            assert lower <= truth.values[T][1], text
            assert upper >= truth.values[T][0], text
            if row[2]:
                number, _, unit = row[2].partition(" ")
                loss = Fraction(number) if unit else Fraction(number) / 100 * abs(first[1])
                assert first[0] - truth.values[T][1] <= loss * (1 + Fraction(1, 10**9)), text
        elif len(row) == 4 and row[0] in names and row[2]:
            name = names.index(row[0])
            opposite = [T for T in truth.values if (name in T) != (name in found.indices[0])]
            low, high = truth.best(opposite)
            lower, upper = bounds(row[3])
            assert lower <= everything[1] - low, text
            assert upper >= everything[0] - high, text


@pytest.mark.parametrize("case", SMALL)
def test_lists_of_supports(case):
    cov = rs.Covariance(CASES[case])
    for k in (1, 2, 3):
        truth = Supports(CASES[case], k)
        for within, limits in (
            (0, {}),
            (0.05, {"costs": True}),
            (0.3, {"limit": 1}),
            (1 / 3, {"time_limit": 0}),
        ):
            found = rs.near_optimal(cov, k, within=within, **limits)
            is_zero = abs(found.lower) <= 2e-9 * np.abs(cov.matrix).max()
            assert ("which is 0 up to rounding" in found.statement) == is_zero
            for text in forms(found):
                check_list(truth, found, text, has_tables=text != found.statement)
            for record in records(found):
                T = tuple(int(i) for i in record["indices"].split())
                assert Fraction(record["lower"]) <= truth.values[T][1]
                assert Fraction(record["upper"]) >= truth.values[T][0]


def test_where_the_best_is_small_beside_the_entries_what_is_listed_is_said():
    M = np.diag([1e-12, -1e-12, 3e-12, -5e-11, -1.0])
    found = rs.near_optimal(rs.Covariance(M), 1, within=0)
    assert len(found.supports) == 4
    said = "4 sets of 1 variable come within 1.1e-9 of the best, which is 0 up to rounding"
    assert said in repr(found)
    assert "relative" not in repr(found)
    found = rs.near_optimal(rs.Covariance(M), 1, within=0.01)
    assert "within 1 %" not in repr(found)


def changes(cov, best, other, measure, radius):
    """Yield changes of a size at which another support gains most, a hair smaller than the radius."""
    x, y = np.zeros(cov.n), np.zeros(cov.n)
    x[best.indices], y[other.indices] = best.loadings[best.indices], other.loadings[other.indices]
    if measure == "spectral":
        E = np.outer(y, y) - np.outer(x, x)
        yield E * (radius / max(np.linalg.norm(E, 2), 1e-300)) * (1 - 1e-9)
        return
    E = np.sign(np.outer(y, y) - np.outer(x, x)) * radius * (1 - 1e-9)
    if measure == "off-diagonal":
        np.fill_diagonal(E, 0.0)
    yield E


def check_stability(S, found, truth, text):
    k = found.k
    mine = positions(found)
    others = [T for T in truth.values if mine != T]
    line = re.search(rf"variance at least ({NUMBER}); any other set of {k} variables? at most ({NUMBER})", text)
    if line is None:
        assert "There is no other set of variables than" in text
        assert not others
        return
    assert Fraction(line[1]) <= truth.values[mine][1], text
    assert Fraction(line[2]) >= truth.best(others)[0], text
    span = re.search(rf"The optimum of each of them is from ({NUMBER}) to ({NUMBER})", text)
    if span:
        E = np.full_like(S, 0.5 * 10.0**-found.decimals * (1 - 1e-9))
        if (np.diagonal(S) == 1).all():
            np.fill_diagonal(E, 0.0)
        for changed in (Truth(S - E), Truth(S + E)):
            assert changed.encloses(k, Fraction(span[1]), Fraction(span[2])), text


def positions(found):
    return tuple(found.certificate.names.index(name) for name in found.support)


@pytest.mark.parametrize("case", SMALL)
def test_stability(case, printed):
    S = CASES[case]
    decimals = next((d for d in range(16) if np.array_equal(np.round(S, d), S)), None)
    cov = rs.Covariance(S)
    for k in (1, 2):
        truth = Supports(S, k)
        sources = (rs.solve(cov, k), rs.near_optimal(cov, k, within=0.3))
        for source in sources:
            found = rs.stability(source, decimals=decimals)
            for text in forms(found):
                check_stability(S, found, truth, text)
            for record in records(found):
                assert Fraction(record["lower"]) <= truth.values[positions(found)][1]
            printed = {row[0]: row[1] for row in rows(repr(found)) if len(row) == 2}
            assert len(printed) == 2 + len(found.radii) or found.runner_up == -np.inf
            for (measure, _), cell in zip(found.radii.items(), list(printed.values())[2:], strict=False):
                check_radius(cov, found, truth, measure, cell)
            if found.counterexample is not None:
                assert "decimals: no" in repr(found)
                changed = Supports(found.counterexample, k)
                others = [T for T in changed.values if positions(found) != T]
                assert changed.best(others)[1] >= changed.values[positions(found)][0]


def check_radius(cov, found, truth, measure, cell):
    """Change the matrix by as much as is printed, towards every other support: none may overtake."""
    if cell == "inf":
        return
    best = rs.Candidate.from_support(cov, positions(found))
    for T in truth.values:
        if positions(found) == T:
            continue
        for E in changes(cov, best, rs.Candidate.from_support(cov, T), measure, float(cell)):
            changed = Truth(cov.matrix + E)
            mine, other = (changed.spectrum(some).largest() for some in (positions(found), T))
            assert mine[1] + Fraction(1, 10**14) * truth.scale >= other[0]


def check_ratio(A, B, k, text):
    lower, upper = claimed(text, rf"Largest ratio x'Ax / x'Bx with at most {k} of \d variables?")
    assert ratio_is_upper(A, B, k, upper), text
    # A hair below the lower bound is no upper bound.
    hair = Fraction(1, 10**25) * max(abs(lower), Fraction(1, 10**300))
    assert not ratio_is_upper(A, B, k, lower - hair), text
    within = re.search(OPTIMAL, text)
    assert not within or Fraction(within[2]) < Fraction(1, 10**5)


AWKWARD = ("near-singular", "rank one", "huge or small A", "huge or small B", "units", "ties", "nothing")


def awkward(kind, n, rng):
    X = rng.standard_normal((n + 2, n))
    B, A = X.T @ X, rng.standard_normal((n, n))
    A = A + A.T
    if kind == "near-singular":
        Q = np.linalg.qr(rng.standard_normal((n, n)))[0]
        B = (Q * np.geomspace(1, 10.0 ** -rng.integers(4, 15), n)) @ Q.T
        B = (B + B.T) / 2
    elif kind == "rank one":
        A = np.outer(A[0], A[0])
    elif kind == "huge or small A":
        A = A * 2.0 ** rng.integers(-400, 400)
    elif kind == "huge or small B":
        B = B * 2.0 ** rng.integers(-400, 400)
    elif kind == "units":
        D = 2.0 ** rng.integers(-120, 120, n)
        A, B = A * np.outer(D, D), B * np.outer(D, D)
    elif kind == "ties":
        A, B = np.ones((n, n)), np.eye(n) + np.ones((n, n))
    elif kind == "nothing":
        A = 1e-30 * A if rng.random() < 0.5 else -B
    return A, B


@pytest.mark.parametrize("kind", [*AWKWARD, "ridge"])
def test_ratios(kind):
    told, ridge = 0, 0.1 if kind == "ridge" else None
    for seed in range(draws(7, 12)):
        rng = np.random.default_rng([seed, 21])
        n = int(rng.integers(2, 6))
        k = int(rng.integers(1, n + 1))
        A, B = awkward(kind, n, rng)
        limits = ({}, {"node_limit": 0}, {"gap": 0.2})[seed % 3]
        try:
            found = rs.generalized(A, B, k, ridge=ridge, **limits)
        except rs.InputError:
            continue
        told += 1
        B = B + np.diag(np.full(n, ridge or 0.0))
        exact_A, exact_B = ([[Fraction(float(x)) for x in row] for row in M] for M in (A, B))
        for text in forms(found):
            check_ratio(exact_A, exact_B, k, text)
        [record], certificate = records(found), found.certificate
        assert ratio_is_upper(exact_A, exact_B, k, Fraction(record["upper"]))
        assert f"r_{k}" in certificate.statement
        assert certificate.lower == found.lower <= quotient(A, B, found.loadings_array, range(n))
        if found.is_optimal and found.gap:
            width = Fraction(found.upper) - Fraction(found.lower)
            assert width <= Fraction(found.gap) * abs(Fraction(found.lower))
        assert rs.verify(certificate, exact=True), rs.verify(certificate, exact=True)
        assert rs.verify(certificate, exact=False) or kind == "near-singular"
    assert told >= 5


@pytest.mark.parametrize("case", [*draws(range(0, 60, 20), range(0, 60, 6)), 60, 64])
@pytest.mark.parametrize("share", [0.7, 1 / 3, 0.999])
def test_paths_to_a_share_of_the_dense_component(case, share):
    S = CASES[case]
    truth = Truth(S)
    low, high = Spectrum(truth.S).largest()
    if high <= 0:
        return
    found = rs.path(rs.Covariance(S), share_of_dense=share)
    for text in forms(found):
        said = re.search(
            rf"(\d+) variables? keeps? ({NUMBER}) % of what the first ordinary PC explains \((\w+)", text
        )
        if said:
            k, part = int(said[1]), Fraction(said[2]) / 100
            assert truth.is_lower(k, part * low), text
            assert said[3] != "proved" or k == 1 or truth.is_upper(k - 1, part * high), text
    for text in tables(found):
        check_path(found, truth, text)
        for row in rows(text):
            if row[0].isdigit():
                lower, upper = bounds(row[5])
                assert truth.encloses(int(row[0]), lower / 100 * low, upper / 100 * high), text


def check_path(found, truth, text):
    """Check the rows of a path in one form: bounds, gap and share of the variance."""
    header = next(row for row in rows(text) if row[0] in ("k", "rho"))
    trace = sum(truth.S[i][i] for i in range(truth.n))
    printed = [dict(zip(header, row, strict=True)) for row in rows(text) if re.fullmatch(NUMBER, row[0])]
    assert len(printed) == len(found.rows)
    for cells, row in zip(printed, found.rows, strict=True):
        x = None if row.candidate is None else row.candidate.loadings
        value = Fraction(0) if x is None else truth.variance(x)
        rho = None if row.rho is None else Fraction(cells["rho"])
        title = "variance" if rho is None else "penalised variance"
        assert truth.encloses(row.k, *bounds(cells[title]), rho), text
        value -= (rho or 0) * row.k
        scale = max(abs(value), rho or 0)
        gap = cells["gap, %"].removeprefix("< ")
        if gap != "inf":
            top = value + (Fraction(0) if gap[-1:] == "g" else Fraction(gap) / 100 * scale)
            top += Fraction(1, 10**14) * scale + (Fraction(2, 10**9) * truth.scale if gap[-1:] == "g" else 0)
            assert truth.is_upper(row.k, top, rho), text
        if cells["% of total"]:
            exact = 100 * (Fraction(0) if x is None else truth.variance(x)) / trace
            assert abs(Fraction(cells["% of total"]) - exact) <= Fraction(1, 1999) * abs(exact) + Fraction(
                1, 10**9
            )


@pytest.mark.parametrize("case", SMALL)
def test_paths_over_cardinalities_and_penalties(case):
    S = CASES[case]
    cov, truth = rs.Covariance(S), Truth(S)
    largest = float(np.abs(S).max())
    for options in ({"k": [1, 2, 3]}, {"k": [2], "time_limit": 0}, {"rho": [0.1234564 * largest, largest]}):
        found = rs.path(cov, **options)
        for text in tables(found):
            check_path(found, truth, text)


def test_html_is_read_as_a_table():
    assert rows(plain_of_html("<table><tr><th>k</th></tr><tr><td>1</td></tr></table>")) == [["k"], ["1"]]


PROBLEMS = range(draws(5, 12))
LEFT = "residual sum of squares"


@pytest.mark.parametrize("seed", PROBLEMS)
@pytest.mark.parametrize("intercept", [False, True])
def test_selections(seed, intercept):
    M, y = problem(seed)
    energy = residual(M, y, (), intercept=intercept)
    for k in (1, 2, 3):
        truth = least(M, y, k, intercept=intercept)
        for limits in ({}, {"gap": 0.2}, {"time_limit": 0.0}):
            found = subset_selection(M, y, k, intercept=intercept, **limits)
            for text in forms(found):
                lower, upper = claimed(text, rf"Least residual sum of squares with at most {k} of [^:]*")
                assert lower <= truth <= upper, text
                within = re.search(rf"Proved optimal \(to within ({NUMBER}) of the sum of squares of y", text)
                assert (within is not None) == (found.status == "optimal"), text
                if within:
                    attained = residual(M, y, found.indices, intercept=intercept)
                    assert attained - truth <= Fraction(within[1]) * energy * (1 + Fraction(1, 10**12)), text
            [record] = records(found)
            assert Fraction(record["lower"]) <= truth <= Fraction(record["upper"])
            assert Fraction(record["r_squared"]) <= 1 - truth / energy <= Fraction(record["r_squared_most"])


@pytest.mark.parametrize("seed", PROBLEMS)
def test_paths_and_verdicts(seed):
    M, y = problem(seed)
    path = subset_path(M, y, [1, 2, 3])
    truths = {k: least(M, y, k, intercept=False) for k in (1, 2, 3)}
    for text in forms(path):
        for row in rows(text):
            if row[0].isdigit():
                lower, upper = bounds(row[1])
                assert lower <= truths[int(row[0])] <= upper, text
    for record in records(path):
        assert Fraction(record["lower"]) <= truths[int(record["k"])] <= Fraction(record["upper"])
    judged = certify_subset(M, y, [1, 3])
    mine = residual(M, y, [1, 3], intercept=False)
    assert judged.loss[1] - judged.loss[0] <= 1e-6 * float(y @ y)
    for text in forms(judged):
        lower, upper = claimed(text, "Residual sum of squares of [^:]*")
        assert lower <= mine <= upper, text
        better = re.search(rf"has a {LEFT} smaller by ({NUMBER})", text)
        most = re.search(rf"No subset of 2 variables has a {LEFT} smaller by more than ({NUMBER})", text)
        assert better is None or Fraction(better[1]) <= mine - truths[2], text
        assert most is None or Fraction(most[1]) >= mine - truths[2], text
        assert (better is not None) == (judged.status == "improvable"), text
