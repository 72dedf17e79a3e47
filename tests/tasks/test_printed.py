"""Verdicts on loadings that were printed with so many decimals: what holds for all that round to them."""

import itertools
import re
from fractions import Fraction

import numpy as np
import pytest
from draws import draws
from printed import CASES, GAIN, NUMBER, bounds, forms, tables_of
from short_starts import shorten

import relaxspca as rs
from tests.tasks.test_judged_tables import PITPROPS, ZOU

ADD_UP = re.compile(
    rf"the variances add up to ((?:{NUMBER}) to (?:{NUMBER})|{NUMBER} \(±{NUMBER}\)|{NUMBER})"
    rf"(?:, ({NUMBER}) to ({NUMBER}) % of the total)?\."
)
EXPLAINS = re.compile(
    rf"has a variance of ((?:{NUMBER}) to (?:{NUMBER})|{NUMBER} \(±{NUMBER}\)|{NUMBER}): (.*)"
)


@pytest.fixture(scope="module")
def zou():
    with pytest.MonkeyPatch.context() as patch:
        shorten(patch)
        return rs.certify(PITPROPS, ZOU, loading_decimals=3, node_limit=0)


def drawn(rng, table, half):
    """Return a table that rounds to a printed one: unit columns, 0 where 0 is printed."""
    away = rng.choice([-1.0, 1.0], size=table.shape) if rng.random() < 0.5 else rng.uniform(-1, 1, table.shape)
    V = np.where(table, table + half * away, 0.0)
    return V / np.linalg.norm(V, axis=0)


def test_no_table_that_rounds_to_the_published_one_is_outside(zou):
    rng = np.random.default_rng(0)
    printed = np.array([[of.get(name, 0.0) for of in ZOU.values()] for name in PITPROPS.names])
    low, high = np.array(zou.printed.least), np.array(zou.printed.most)
    seen = []
    for _ in range(draws(500, 2000)):
        V = drawn(rng, printed, 0.0005)
        explained = np.einsum("ij,ij->j", V, PITPROPS.matrix @ V)
        assert (low - 1e-14 <= explained).all()
        assert (explained <= high + 1e-14).all()
        seen.append(explained.sum())
        i, j, cosine = zou.printed.apart
        assert abs(V[:, i] @ V[:, j]) >= cosine
    assert zou.printed.least_sum < min(seen) < max(seen) < zou.printed.most_sum
    # Most of the range is seen among 2000 tables; no slack hides in it.
    assert max(seen) - min(seen) > 0.6 * (zou.printed.most_sum - zou.printed.least_sum)
    assert (zou.printed.orthogonal, zou.printed.decimals) == (False, 3)


def test_the_line_on_the_published_table_is_true(zou):
    for text in forms(zou):
        found = ADD_UP.search(text)
        least, most = bounds(found[1])
        assert least <= Fraction(zou.printed.least_sum) < Fraction(zou.printed.most_sum) <= most
        assert Fraction(found[2]) <= 100 * Fraction(zou.printed.least_sum) / 13
        assert Fraction(found[3]) >= 100 * Fraction(zou.printed.most_sum) / 13
        assert re.search(
            r"None is orthogonal.*: components 3 and 6 have an inner product of at least 0\.014", text
        )
    record = zou.to_records()[0]
    assert Fraction(repr(record["printed_least"])) <= Fraction(zou.printed.least[0])
    assert Fraction(repr(record["printed_most"])) >= Fraction(zou.printed.most[0])


def test_nothing_is_said_where_the_decimals_were_not():
    judged = rs.certify(PITPROPS, ZOU["PC1"])
    assert judged.printed is None
    assert "rounds to" not in judged.statement
    assert not any("printed" in key for key in judged.to_records()[0])


def rounded_table(found, decimals):
    return {f"PC {j}": {n: round(x, decimals) for n, x in of.items()} for j, of in enumerate(found.loadings)}


@pytest.mark.parametrize("decimals", [1, 2, 3])
def test_the_rounded_optimum_is_not_told_apart_from_the_optimum(decimals):
    best = rs.solve(PITPROPS, 5)
    loadings = best.candidate.loadings.round(decimals)
    judged = rs.certify(PITPROPS, loadings, loading_decimals=decimals)
    (low,), (high,) = judged.printed.least, judged.printed.most
    assert low <= judged.lower <= best.lower <= high
    assert "one of them may be optimal, and none can be improved by more than" in judged.statement
    assert judged.printed.orthogonal is True
    least, most = bounds(EXPLAINS.search(judged.statement)[1])
    assert least <= Fraction(low) < Fraction(high) <= most


def test_a_component_that_rounding_cannot_save():
    judged = rs.certify(PITPROPS, ZOU["PC1"], loading_decimals=3)
    found = re.search(rf"a better one is known \(\+{GAIN} or more\)", judged.statement)
    # The best of seven variables, by enumeration, against the most that rounds to the published one.
    best = max(
        np.linalg.eigvalsh(PITPROPS.matrix[np.ix_(T, T)])[-1] for T in itertools.combinations(range(13), 7)
    )
    exact = 100 * (best / judged.printed.most[0] - 1)
    assert exact - 0.05 < float(found[1]) <= exact
    assert judged.printed.most[0] < 3.6448


@pytest.mark.parametrize("case", [*draws(range(0, 60, 20), range(0, 60, 6)), *range(60, len(CASES))])
@pytest.mark.usefixtures("short_starts")
def test_what_is_said_of_disjoint_tables_is_true_of_each(case):
    """Disjoint components are orthogonal, so that the best table bounds them; it is known by enumeration."""
    rng = np.random.default_rng(case)
    cov = rs.Covariance(CASES[case])
    given = np.zeros((cov.n, 2))
    order = rng.permutation(cov.n)
    given[order[:2], 0] = rng.integers(2, 9, size=2) / 10
    given[order[2:3], 1] = -1
    judged = rs.certify(cov, dict(zip("ab", given.T, strict=True)), k=[2, 1], loading_decimals=1)
    low, high = tables_of(case).best([2, 1])
    assert judged.printed.orthogonal is True
    assert judged.printed.least_sum <= high
    tables = [drawn(rng, given, 0.05) for _ in range(50)]
    sums = [float(np.einsum("ij,ik,kj->", V, cov.matrix, V)) for V in tables]
    slack = 1e-12 * float(np.abs(cov.matrix).sum())
    for text in forms(judged):
        assert "All are orthogonal" in text
        better = re.search(rf"a better one is known \(\+{GAIN} or more\)", text)
        best = re.search(rf"one of them may be optimal, and none can be improved by more than {GAIN}", text)
        assert (better is None) != (best is None)
        for total in sums:
            if better:
                gain = float(better[1]) * (abs(total) / 100 if better[2] == "%" else 1)
                assert float(high) >= total + gain * (1 - 1e-9) - slack
            elif best[1] != "inf":
                # Relative to the least of them, which says more of those that explain more.
                reference = abs(judged.printed.least_sum)
                gain = float(best[1]) * (reference / 100 if best[2] == "%" else 1)
                assert float(low) <= total + gain + slack


def test_tables_that_may_be_orthogonal_are_not_said_to_be_so():
    table = {"a": {"topdiam": 0.7, "length": 0.7}, "b": {"topdiam": 0.7, "length": -0.7}}
    judged = rs.certify(PITPROPS, table, loading_decimals=1)
    assert judged.printed.orthogonal is None
    assert "Whether one is orthogonal is not known: a better one is known" in judged.statement
    # Three components of two variables cannot be, but pairs of them may: nothing is claimed.
    table["c"] = {"length": 0.6, "moist": 0.1}
    table["d"] = {"topdiam": 0.1, "moist": 0.9}
    assert rs.certify(PITPROPS, table, loading_decimals=1, node_limit=0).printed.orthogonal is False
    # (0.15, 0.95) and (0.95, 0.15) at their nearest: 0.05 * 0.85 + 0.85 * 0.05 is what is left.
    table = {"a": {"topdiam": 0.1, "length": 0.9}, "b": {"topdiam": 0.9, "length": 0.1}}
    judged = rs.certify(PITPROPS, table, loading_decimals=1, node_limit=0)
    assert judged.printed.apart[:2] == (0, 1)
    assert 0 < judged.printed.apart[2] <= 2 * 0.05 * 0.85 / (0.85**2 + 0.05**2)


def test_a_table_without_a_joint_bound_is_not_compared():
    table = rounded_table(rs.components(PITPROPS, [2, 2]), 2)
    printed = rs.certify(PITPROPS, table, loading_decimals=2).printed
    line = printed.of_table(13.0, None, None)
    assert line.startswith("In every set of components that rounds to it (2 decimals, the same variables),")
    assert line.endswith("% of the total. All are orthogonal.")
    assert "total" not in printed.of_table(0.0, None, None)


@pytest.mark.parametrize(
    ("component", "decimals", "words"),
    [
        (["topdiam", "length"], 2, "has no loadings, and loading_decimals is about"),
        ({"a": ["topdiam"], "b": {"length": 1}}, 2, "a has no loadings"),
        ([0, 1], 2, "has no loadings"),
        ({"topdiam": 0.477}, 2, "the loading 0.477 of topdiam has more than 2 decimals"),
        ({"a": {"topdiam": 1}, "b": {"length": 0.477}}, 2, "b: the loading 0.477 of length has more than"),
        ({"topdiam": 0.5}, -1, "loading_decimals must be a whole number from 0 to 15, not -1"),
        ({"topdiam": 0.5}, 2.5, "loading_decimals must be a whole number from 0 to 15, not 2.5"),
        ({"topdiam": 0.5}, True, "loading_decimals must be a whole number from 0 to 15, not True"),
    ],
)
def test_what_was_not_printed_so_is_refused(component, decimals, words):
    with pytest.raises(rs.InputError, match=re.escape(words)):
        rs.certify(PITPROPS, component, loading_decimals=decimals)


def test_loadings_of_full_precision_are_not_taken_as_printed():
    found = rs.components(PITPROPS, [3, 3])
    for given in (found, found.loadings_array, found.loadings_frame(), found.candidates[0]):
        with pytest.raises(rs.InputError, match="more than 3 decimals"):
            rs.certify(PITPROPS, given, loading_decimals=3)


def test_every_form_of_a_table_says_the_same():
    pandas = pytest.importorskip("pandas")
    table = rounded_table(rs.components(PITPROPS, [3, 3]), 3)
    array = np.array([[of.get(name, 0.0) for of in table.values()] for name in PITPROPS.names])
    frame = pandas.DataFrame(array, index=list(PITPROPS.names))
    options = {"loading_decimals": 3, "node_limit": 0, "time_limit": 0}
    said = [
        rs.certify(PITPROPS, form, **options).printed for form in (table, array, array.T, frame, -frame[::-1])
    ]
    assert len(set(said)) == 1
    assert said[0].least[0] < said[0].most[0]


@pytest.mark.parametrize("loadings", [[0.3, -0.3], [0.2, -0.1]])
def test_what_is_more_than_each_is_so_where_some_explain_less_than_nothing(loadings):
    """The least of a range below 0 is the smallest reference of a percentage no more than the largest is."""
    cov = rs.Covariance([[1.0, 2.0], [2.0, -3.0]])
    best = 8**0.5 - 1
    judged = rs.certify(cov, np.array(loadings), loading_decimals=1)
    better, most = (
        re.search(words, judged.statement)
        for words in (rf"known \(\+{GAIN} or more\)", rf"none can be improved by more than {GAIN}")
    )
    for corner in itertools.product((-0.05, 0.05), repeat=2):
        x = np.array(loadings) + corner
        explained = x @ cov.matrix @ x / (x @ x)
        found = better or most
        gain = float(found[1]) * (abs(explained) / 100 if found[2] == "%" else 1)
        assert gain <= best - explained if better else gain >= best - explained


def test_the_part_of_a_trace_whose_variances_cancel_is_true():
    cov = rs.Covariance(np.diag([1e16, 3.0, -1e16, 2.0]))  # whose floats, added one by one, make 6
    table = {"A": {cov.names[1]: 0.7}, "B": {cov.names[3]: 0.5}}
    judged = rs.certify(cov, table, loading_decimals=1, node_limit=0, time_limit=0)
    found = re.search(rf" ({NUMBER}) to ({NUMBER}) % of the total", judged.statement)
    assert judged.total == 5
    assert Fraction(found[1]) <= 100 <= Fraction(found[2])
