"""What is printed of several components, proved one by one, together or judged, against exact truth."""

import re
from fractions import Fraction
from functools import cache

import numpy as np
import pytest
from draws import draws
from exact_tables import exact_span
from exact_truth import Truth
from printed import CASES, GAIN, NUMBER, claimed, forms, gain, records, rows, tables, tables_of, width

import relaxspca as rs

pytestmark = pytest.mark.usefixtures("short_starts")
SUM = r"Largest total variance of \d+ (?:orthogonal )?components? of [^:]*?"
SMALL = draws((0, 20, 60, 62, 66), (*range(0, 60, 10), *range(60, len(CASES))))


@cache
def one_by_one(case):
    return rs.components(rs.Covariance(CASES[case]), [2, 2])


def check_sum(truth, text, best):
    """Check the bounds on a table, its width and the part of the trace, in one text."""
    low, high = best
    assert len(re.findall(SUM + ": ", text)) == 1, text
    lower, upper = claimed(text, SUM)
    assert lower <= high, text
    assert upper >= low, text
    shares = rf"(?:of these sizes(.*) can explain more than|; at most) ({NUMBER}) % (?:of the|in) total"
    is_restricted = "no variable used twice" in text or "in common" in text
    for conditions, most in re.findall(shares, text):
        assert conditions == " under these conditions" * is_restricted
        assert Fraction(most) / 100 * truth.trace >= low, text
    return lower, upper


def check_joint(truth, found, best):
    low, high = best
    for text in forms(found):
        check_sum(truth, text, best)
        is_optimal, most = width(text, Fraction(found.lower))
        assert found.status == "optimal" or not is_optimal
        assert low <= Fraction(found.lower) + most * (1 + Fraction(1, 10**15)), text
    for record in records(found):
        assert Fraction(record["table_lower"]) <= high
        assert Fraction(record["table_upper"]) >= low
    check_explained(truth, found)


def check_explained(truth, found):
    """Check what the components explain together, in per cent, wherever a form says so."""
    spans, scale = exact_span(truth.S, found.loadings_array), truth.scale
    dense = sum(truth.spectrum(tuple(range(truth.n))).largest(j)[0] for j in range(found.n_components))
    G = exact_scores(truth, found.loadings_array)
    for text in forms(found):
        said = re.search(rf"explains? ({NUMBER}) % of the total variance[^,]*, ({NUMBER}) % of what", text)
        assert (said is not None) == (found.total > 0 and dense > scale / 10**12), text
        if said:
            for number, whole in ((said[1], truth.trace), (said[2], dense)):
                exact = 100 * spans[-1] / whole
                assert abs(Fraction(number) - exact) <= Fraction(6, 10**4) * abs(exact) + scale / whole / 10**8
        note = re.search(rf"Scores correlate \(components (\d) and (\d): ({NUMBER})\)", text)
        if note:
            i, j = int(note[1]) - 1, int(note[2]) - 1
            cosine = float(G[i][j]) / float(G[i][i] * G[j][j]) ** 0.5
            assert abs(float(note[3]) - cosine) < 0.00501
    for text in tables(found) if found.total > 0 else ():
        cells = [row[1:] for row in rows(text) if row[0] == "cumulative %"]
        for row in cells:
            for cell, exact in zip(row, spans, strict=True):
                assert is_percentage(cell, 100 * exact / truth.trace, scale / truth.trace / 10**8)


def is_percentage(cell, exact, slack):
    """Say whether a cell has the nearest two decimals, or 99.99 for what is less than the whole."""
    is_less = cell == "99.99" and 99.99 < exact < 100
    return is_less or abs(Fraction(cell) - exact) <= Fraction(51, 10**4) + slack


def exact_scores(truth, V):
    """Return the covariances of the scores in rational arithmetic."""
    columns = [[Fraction(float(value)) for value in x] for x in V.T]
    images = [[sum(a * b for a, b in zip(row, x, strict=True)) for row in truth.S] for x in columns]
    return [[sum(a * b for a, b in zip(x, y, strict=True)) for y in images] for x in columns]


@pytest.mark.parametrize("case", SMALL)
@pytest.mark.parametrize("shared", draws([[2, 2, 1]], [[2, 2, 1], [3, 3, 2]]))  # two sizes alike, and the last
def test_tables_proved_together(case, shared):
    cov, truth, (a, b, c) = rs.Covariance(CASES[case]), tables_of(case), shared
    for sizes, limits in (([a, b], {}), ([a, b], {"node_limit": 0}), ([a, c], {"gap": 0.1})):
        check_joint(truth, rs.components(cov, sizes, joint=True, **limits), truth.best(sizes))


@pytest.mark.parametrize("case", SMALL)
def test_tables_that_share_no_variable(case):
    apart = tables_of(case).best([2, 1], is_disjoint=True)
    found = rs.components(rs.Covariance(CASES[case]), [2, 1], joint=True, disjoint=True)
    check_joint(tables_of(case), found, apart)


def drawn_table(rng, n, count):
    """Return loadings of two variables each."""
    table = np.zeros((n, count))
    for column in table.T:
        column[rng.permutation(n)[:2]] = rng.normal(size=2).round(2) + 0.005
    return table


def check_first(found, one, best):
    """Check the bounds on each component alone, and on the table."""
    for j, record in enumerate(records(found)):
        assert one.is_upper(2, Fraction(record["first_upper"]))
        assert one.variance(found.loadings_array[:, j]) >= Fraction(record["first_lower"])
        assert Fraction(record["table_upper"]) >= best[0]
        assert Fraction(record["table_lower"]) <= best[1]


@pytest.mark.parametrize("case", SMALL)
def test_a_common_support(case):
    cov, truth = rs.Covariance(CASES[case]), tables_of(case)
    for k, limits in ((2, {}), (3, {}), (2, {"node_limit": 0})):
        check_joint(truth, rs.components(cov, k, 2, joint=True, common=True, **limits), truth.best_common(k, 2))


@pytest.mark.parametrize("case", SMALL)
def test_components_one_after_another(case):
    cov, truth = rs.Covariance(CASES[case]), tables_of(case)
    for found in (one_by_one(case), rs.components(cov, [2, 2], gap=0.2)):
        matrices = [Truth(result.certificate.matrix) for result in found.results]
        low, _ = truth.best([2, 2])
        check_explained(truth, found)
        for text in forms(found):
            joint = re.search(
                rf"For comparison: no .* of these sizes can explain more than ({NUMBER}) % in total", text
            )
            is_told = found.joint_upper is not None and found.total > 0
            # As a share of the trace a bound above it says nothing.
            is_told = is_told and Fraction(found.joint_upper) <= truth.trace * (1 - Fraction(1, 10**11))
            assert (joint is not None) == is_told
            assert joint is None or Fraction(joint[1]) / 100 * truth.trace >= low, text
        for text in tables(found):
            check_columns(found, truth, matrices, rows(text), text)
        for record, one in zip(records(found), matrices, strict=True):
            assert one.encloses(2, Fraction(record["lower"]), Fraction(record["upper"]))


def check_columns(found, truth, matrices, printed, text):
    """Check what each component explains and its gap, in the table of components or below the loadings."""
    header = next((row for row in printed if row[0] == "component"), None)
    beside = [dict(zip(header, row, strict=True)) for row in printed if row[0].isdigit()] if header else []
    below = {row[0]: row[1:] for row in printed if len(row) == 1 + found.n_components}
    # Where all are called optimal on paper, no gap is above a relative 1e-6.
    gaps = [row["gap, %"] for row in beside] or below.get("gap, %", ["1e-4"] * found.n_components)
    gaps = [gap.removeprefix("< ") for gap in gaps]
    shares = [row["% of total"] for row in beside] or below.get("% of total", [""] * found.n_components)
    assert header is None or "gap, %" not in below, text
    for j, (matrix, gap, share) in enumerate(zip(matrices, gaps, shares, strict=True)):
        variance = matrix.variance(found.loadings_array[:, j])
        if gap == "0 up to rounding":
            assert matrix.is_upper(2, Fraction(2, 10**9) * matrix.scale), text
        elif gap != "inf":
            top = variance + Fraction(gap) / 100 * abs(variance) * (1 + Fraction(1, 10**9))
            assert matrix.is_upper(2, top + Fraction(1, 10**18) * abs(truth.trace)), text
        if share:
            exact = 100 * truth.variance(found.loadings_array[:, j]) / truth.trace
            assert is_percentage(share, exact, abs(exact) / 10**12)


@pytest.mark.parametrize(
    ("case", "count"), [*((case, 2) for case in SMALL), *((case, 3) for case in SMALL[::4])]
)
def test_assessed_sets(case, count):
    rng, sizes = np.random.default_rng(case), [2] * count
    cov, truth, one = rs.Covariance(CASES[case]), tables_of(case), Truth(CASES[case])
    given = drawn_table(rng, cov.n, count)
    for loadings in (given, one_by_one(case).loadings_array)[: 4 - count]:
        named = dict(zip("abc", loadings.T, strict=False))  # an array of 3 x 3 could be read in two ways
        found, best = rs.certify(cov, named if count == 3 else loadings, k=sizes), truth.best(sizes)
        for text in forms(found):
            check_sum(truth, text, best)
            check_of_supports(truth, found, text, best)
        check_first(found, one, best)
        check_explained(truth, found)
        for text in tables(found):
            header = next(row for row in rows(text) if row[0] in ("component", "PC"))
            for row in rows(text):
                if row[0].isdigit() and len(row) == len(header):
                    check_row(found, one, dict(zip(header, row, strict=True)), text)


def check_of_supports(truth, found, text, best):
    """Check what is said of the variables that were chosen, all components together."""
    line = re.search(rf"Orthogonal loadings on these variables explain at least ({NUMBER})\. (.*)", text)
    if line is None:
        assert found.attained is None
        return
    attained, rest = Fraction(line[1]), line[2]
    supports = [sorted(one.candidate.indices.tolist()) for one in found.first]
    on_these = truth.best([2] * len(supports), within=supports)[1]
    assert attained <= on_these, text
    known = re.search(rf"A better set of components exists \(\+{GAIN}\)", rest)
    if known:
        assert attained + gain(known.groups(), attained) <= best[1], text
    most = re.search(rf"no set can gain more than {GAIN}", rest)
    optimal = re.search(rf"jointly optimal \(relative gap ({NUMBER})\)", rest)
    assert (most is None) != (optimal is None), text
    # What is attained was rounded down in print, the percentage is of what it was before.
    more = gain(most.groups(), on_these) if most else Fraction(optimal[1]) * abs(on_these)
    assert on_these + more * (1 + Fraction(1, 10**9)) >= best[0], text


def check_row(found, truth, row, text):
    """Check the verdicts on one component of a judged table."""
    j = int(row.get("component") or row["PC"]) - 1
    value = truth.variance(found.loadings_array[:, j])
    part = row["% of optimum (alone)"]
    if part == "optimal":
        assert truth.is_upper(2, value + abs(value) / 10**5)
    elif part:
        assert truth.is_upper(2, value / (Fraction(part) / 100)), text
    given = found.loadings_array[:, j]
    for title, loadings in (("verdict given earlier PCs", given), ("verdict on the variables", None)):
        verdict, one = row[title], found.given_earlier[j]
        if one is None:
            assert verdict == "no variance is left"
            continue
        left = Truth(one.certificate.matrix)
        mine = left.variance(one.refitted.loadings if loadings is None else loadings)
        better = re.fullmatch(rf"not optimal \(\+{GAIN}\)", verdict)
        gap = re.fullmatch(rf"not established \(gap {GAIN}\)", verdict)
        slack = Fraction(1, 10**15) * left.scale
        if better:
            assert left.is_lower(2, mine + gain(better.groups(), mine) - slack), text
        elif gap:
            assert left.is_upper(2, mine + gain(gap.groups(), mine) + slack), text
        else:
            assert verdict == "optimal"
            assert left.is_upper(2, mine + Fraction(1, 10**5) * abs(mine) + slack), text


@pytest.mark.filterwarnings("ignore::relaxspca.DataWarning")
def test_a_correlation_above_1_is_none():
    """Of an indefinite matrix x'Sy may be more than the variances of x and y allow scores to have."""
    found = rs.components(rs.Covariance([[1.0, 2.0], [2.0, 1.0]]), [2, 1])
    assert abs(found.score_correlations[0, 1]) > 1.2
    assert "Scores correlate" not in repr(found)
