"""Everything that is printed is read as exact decimals and held against the truth in rational arithmetic."""

import re
from fractions import Fraction

import numpy as np
import pytest
from draws import draws
from exact_truth import Truth
from printed import CASES, GAIN, NUMBER, bounds, claims, forms, gain, records, rows, width

import relaxspca as rs


def check_claims(truth, texts, *, least=1):
    for text in texts:
        found = list(claims(text))
        assert len(found) >= least, text
        for k, rho, lower, upper in found:
            assert truth.encloses(int(k or 0), lower, upper, None if k else Fraction(rho)), text


def check_records(truth, found):
    for row in records(found):
        lower, rho = (Fraction(row[name]) if row.get(name) else None for name in ("lower", "rho"))
        assert truth.encloses(int(row.get("k") or 0), lower, Fraction(row["upper"]), rho)


def check_verdict(truth, text, loadings, k, rho=None):
    """Check what is said about how far a component is from the best, in the words of a statement."""
    value = truth.variance(loadings) - (Fraction(rho or 0) * np.count_nonzero(loadings))
    # The bounds are rounded outwards from what is proved, the gap from their floats: allow nothing beyond that.
    slack = abs(value) * Fraction(1, 10**15)
    top = value + width(text, value)[1] + slack
    assert truth.is_upper(k, top, rho and Fraction(rho)), text


@pytest.mark.parametrize("case", [*draws(range(0, 60, 12), range(60)), *range(60, len(CASES))])
def test_components_of_one_cardinality(case):
    cov, truth = rs.Covariance(CASES[case]), Truth(CASES[case])
    for k in range(1, cov.n + 1):
        for limits in ({}, {"node_limit": 0}, {"gap": 0.1}):
            found = rs.solve(cov, k, **limits)
            check_claims(truth, forms(found))
            check_records(truth, found)
            check_verdict(truth, found.statement, found.candidate.loadings, k)
    given = np.zeros(cov.n)
    given[: min(2, cov.n)] = [0.6, -0.8]
    judged = rs.certify(cov, given)
    check_claims(truth, forms(judged))
    check_records(truth, judged)
    value = truth.variance(given)
    found = re.search(rf"These loadings explain at least ({NUMBER})[.;,]", repr(judged))
    assert Fraction(found[1]) <= value
    if judged.better is None:
        check_verdict(truth, judged.statement, given, 2)
    else:
        more = re.search(rf"explains {GAIN} more", judged.statement).groups()
        assert truth.is_lower(2, value + gain(more, value))


@pytest.mark.parametrize("case", [*draws(range(0, 60, 8), range(0, 60, 2)), *range(60, len(CASES), 2)])
def test_tables(case):
    cov, truth = rs.Covariance(CASES[case]), Truth(CASES[case])
    for found in (rs.path(cov, k=[1, 2, 3]), rs.path(cov, k=[2, 3], time_limit=0)):
        check_records(truth, found)  # its tables: test_printed_beyond.py
    compared = rs.compare(cov, 2, methods=["greedy", "thresholding", "truncated_power"])
    check_claims(truth, forms(compared))
    check_records(truth, compared)
    for name, row in compared.methods.items():
        below = re.search(rf"\| {name} \| ({NUMBER}) \| (?:< )?({NUMBER})? \|", repr(compared))
        value = truth.variance(row.candidate.loadings)
        assert Fraction(below[1]) <= value
        if below[2] and Fraction(below[2]) < 100:  # at most this part of the optimum is missing
            assert truth.is_upper(2, value / (1 - Fraction(below[2]) / 100) * (1 + Fraction(1, 10**15)))
    bound = rs.upper_bound(cov, 2)
    check_claims(truth, forms(bound))
    check_records(truth, bound)
    for upper in re.findall(rf"\| [a-z]+ \| ({NUMBER}) \|", repr(bound)):
        assert truth.is_upper(2, Fraction(upper))


@pytest.mark.parametrize("case", [*draws(range(0, 60, 10), range(0, 60, 3)), *range(60, len(CASES), 3)])
@pytest.mark.parametrize("part", [0.1234564, 1 / 3])
def test_penalties(case, part):
    cov, truth = rs.Covariance(CASES[case]), Truth(CASES[case])
    rho = float(part * np.abs(CASES[case]).max())
    solved = rs.solve(cov, rho=rho)
    check_verdict(truth, solved.statement, solved.candidate.loadings, None, rho)
    for found in (solved, rs.psi(cov, rho)):
        check_claims(truth, forms(found))
        check_records(truth, found)
    check_records(truth, rs.path(cov, rho=[rho, 2 * rho]))


def cancelling(seed):
    """Return a matrix with one very large negative eigenvalue, and loadings that all but miss it."""
    rng = np.random.default_rng(seed)
    n = int(rng.integers(2, 5))
    v = rng.normal(size=n)
    v /= np.linalg.norm(v)
    A = rng.normal(size=(n, n))
    S = -(10.0 ** rng.integers(3, 16)) * np.outer(v, v) + (A + A.T) / 2
    x = np.linalg.svd(v[None])[2][-1] + rng.normal(size=n) * 10.0 ** rng.uniform(-9, -2)
    return np.triu(S) + np.triu(S, 1).T, np.round(x, 12)


@pytest.mark.parametrize("seed", range(draws(15, 60)))
def test_gains_are_true_where_values_are_small_beside_the_entries(seed):
    S, x = cancelling(seed)
    truth, judged = Truth(S), rs.certify(rs.Covariance(S), x)
    value, text = truth.variance(x), judged.statement
    T = tuple(np.flatnonzero(x).tolist())
    assert "The best loadings" not in text  # what is proved of their gain is a lower bound
    for refit in re.findall(rf"Better loadings on these variables explain {GAIN} more", text):
        assert truth.exceeds(T, value + gain(refit, value), or_equals=True), text
    assert truth.exceeds(T, value + Fraction(judged.refit_gain) * abs(value), or_equals=True)
    for *more, left, unit in re.findall(rf"\(\+{GAIN}; the optimum is larger by at most {GAIN}\)", text):
        better = truth.variance(judged.better.loadings)
        assert better >= value + gain(more, value), text
        assert truth.is_upper(len(T), better + gain((left, unit), better)), text
    if judged.better is not None:
        assert truth.variance(judged.better.loadings) > value


@pytest.mark.parametrize("seed", range(draws(6, 20)))
def test_shares_of_a_negative_optimum_are_negative(seed):
    rng = np.random.default_rng(seed)
    n = int(rng.integers(2, 5))
    S = rng.integers(-4, 5, size=(n, n)).astype(float)
    S = S + S.T
    np.fill_diagonal(S, -rng.integers(1, 6, n))
    S[0, 1] = S[1, 0] = 9.0
    truth, found = Truth(S), rs.path(rs.Covariance(S), share_of_dense=0.9)
    largest = truth.spectrum(tuple(range(n))).largest()
    cells = [row for row in rows(repr(found)) if row[0].isdigit()]
    assert len(cells) == len(found.rows) > 1
    assert cells[0][5].startswith("-")
    said = [(row[0], *bounds(row[5])) for row in cells]
    said += [
        (r["k"], 100 * Fraction(r["dense_share_lower"]), 100 * Fraction(r["dense_share_upper"]))
        for r in records(found)
    ]
    for k, low, high in said:
        ends = [share * end / 100 for share in (low, high) for end in largest]
        assert truth.encloses(int(k), min(ends[:2]), max(ends[2:]))
