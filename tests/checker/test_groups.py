"""Leaves that divide tables into groups of supports: the rule *groups* of section 13, in both arithmetics."""

import json
import math
from dataclasses import replace
from itertools import combinations
from pathlib import Path

import numpy as np
import pytest
from exact_tables import Tables
from true_certificates import certificate, covariance, top
from true_choices import random_tree
from true_groups import examples, fans, grouped, true_groups
from true_tables import of_total, table

import relaxspca as rs
from relaxspca.certificate import GroupCase as Case
from relaxspca.certificate import GroupDivision as Division
from relaxspca.certificate import Leaf, PerronPoint, PricePoint, TableLeaf, load_certificate
from relaxspca.checker import Outcome, groups
from relaxspca.errors import CertificateError
from relaxspca.search.several import groups as dividing
from relaxspca.search.several import search
from tests.small_covariances import KINDS, draw
from tests.small_tables import best_table

FOLDER = Path(__file__).parents[2] / "certificates"
TRUE = {name: made for name, (_, made) in true_groups().items()}
DIVIDED = TRUE["groups divided"]
CLAIMS = [
    ("orthogonal", 4, (2, 2)), ("disjoint", 4, (2, 2)), ("orthogonal", 4, (2, 1)),
    ("orthogonal", 3, (1, 1, 1)), ("orthogonal", 3, (3, 3)), ("disjoint", 3, (2, 2)),
    ("orthogonal", 4, (2, 1, 1)), ("disjoint", 4, (2, 1, 1)), ("orthogonal", 2, (2, 2)),
    ("orthogonal", 4, (3, 1)), ("disjoint", 2, (2, 2)), ("orthogonal", 3, (2, 2)),
]  # fmt: skip


def proved(made, limit, exact):
    """Return what the evidence proves for a claim of another upper bound."""
    return rs.verify(replace(made, lower=-1.7e308, upper=limit), exact=exact).proved_upper


def leaf_of(made):
    (leaf,) = made.tree
    return leaf


def with_cases(made, cases, **changes):
    return replace(made, tree=[TableLeaf("groups", cases=cases)], **changes)


def whole(M, r):
    return PricePoint(range(len(M)), M, np.zeros(len(M)), (None,) * r)


@pytest.mark.parametrize("seed", range(24))
def test_what_is_proved_is_the_limit_by_hand_and_no_table_explains_more(seed):
    """Leaves alone and below splits of all kinds; bisection by hand finds the least bound that is proved."""
    kind, n, sizes = CLAIMS[seed % len(CLAIMS)]
    S = covariance(n, seed=80 + seed)
    rng = np.random.default_rng(seed)
    made = grouped(S, kind, sizes, rng, depth=1 + seed % 3, tree=0 if seed < 12 else 1 + seed % 2)
    best = best_table(S, sizes, is_disjoint=kind == "disjoint", starts=3)
    for exact in (True, False):
        verdict = rs.verify(made, exact=exact)
        assert verdict, verdict
        assert best - 1e-9 <= verdict.proved_upper <= made.upper
        assert not rs.verify(replace(made, lower=-1.0, upper=made.upper - 2e-9), exact=exact)


def random_cases(rng, n, components, points, depth):
    """Return cases without a plan: any points, sets of any size, groups that are closed already."""
    every = [list(T) for m in range(1, n + 1) for T in combinations(range(n), m)]
    cases = []

    def grow(counts, left):
        at = len(cases)
        cases.append(None)
        own = rng.integers(points, size=rng.integers(4)).tolist()
        if left == 0:
            cases[at] = Case(rng.permutation(points).tolist())
            return at
        g = int(rng.integers(len(counts)))
        count, following = counts[g], []
        for i in range(count + 1):
            first, *further = [i] * (i > 0) + [count - i] * (i < count)
            following.append(grow([*counts[:g], first, *counts[g + 1 :], *further], left - 1))
        sets = rng.permutation(len(every))[: rng.integers(1, len(every) + 1)]
        cases[at] = Case(own, Division(g, [every[j] for j in sets], following))
        return at

    grow(components, depth)
    return cases


@pytest.mark.parametrize("seed", range(15))
def test_in_rationals_no_bound_is_below_the_truth(seed):
    """Odd matrices, points and cases without a plan, at limits near the optimum and far from it."""
    rng = np.random.default_rng(seed)
    kind, n, sizes = [("orthogonal", 4, (2, 2)), ("disjoint", 4, (2, 2)), ("orthogonal", 4, (2, 1))][seed % 3]
    S, by = draw([*KINDS][seed % len(KINDS)], rng, n), 2.0 ** [0, 0, 0, 900, -900][seed % 5]
    by = by if 1e-20 < np.abs(S).max() < 1e20 else 1.0
    wild = rng.normal(size=(n, n)) * np.abs(S).max()
    M = [point.M for point in fans(S, 2)] + [wild + wild.T, S * (1 - 2.0**-52), np.zeros((n, n)), -S]
    points = [whole(by * own, 2) for own in M]
    tree, leaves = random_tree(rng, n, kind, sizes, len(points), seed % 3)
    for at, node in enumerate(tree):
        if isinstance(node, TableLeaf):
            tree[at] = TableLeaf(
                "groups", cases=random_cases(rng, n, [2] if sizes == (2, 2) else [1, 1], len(points), seed % 3)
            )
    S, low = by * S, None
    made = table(S, kind, sizes, 1.7e308, points=points, tree=tree, lower=-1.7e308)
    low, _ = Tables(S).best(sizes, is_disjoint=kind == "disjoint")
    near, scale = float(low), float(np.abs(S).max())
    limits = [near, np.nextafter(near, -np.inf), near - 1e-9 * scale, near + 1e-9 * scale, near + scale, -scale]
    for limit in limits:
        assert proved(made, limit, exact=False) >= low
    assert proved(made, limits[seed % 2], exact=True) >= low


def test_the_examples_of_the_specification():
    text = (FOLDER / "SPEC.md").read_text()
    for said in ("since 1 + 2 + 2 = 5", "the set {1} may be dropped, 2 + 3 = 5, and {2}", "2 + 1 + 1 = 4"):
        assert said in text
    for _, made in examples().values():
        assert made.upper == pytest.approx(5.0, abs=1e-8)
        for exact in (True, False):
            assert rs.verify(made, exact=exact).proved_upper == pytest.approx(5.0, abs=1e-12)
            assert proved(made, np.nextafter(5.0, 0), exact) >= 5
    none, one, two, twice = leaf_of(DIVIDED).cases
    # Two components cannot both be there: only its own point says so.
    open_case = with_cases(DIVIDED, [none, one, two, replace(twice, points=[1])])
    assert rs.verify(open_case).proved_upper == 6


def test_what_a_closed_case_leads_to_is_not_looked_at():
    """A group that is not there, a wrong number of cases, a set and a point that say nothing."""
    S = DIVIDED.matrix
    part = PricePoint(range(2), S[:2, :2], np.zeros(2), (None, None))
    points = [*DIVIDED.points, part]
    for division in (Division(9, [[0]], [1]), Division(0, [[0, 1, 2]], [1])):
        odd = [Case([0, 3], division), Case([3])]
        for exact in (True, False):
            assert rs.verify(with_cases(DIVIDED, odd, points=points), exact=exact)


@pytest.mark.parametrize(
    ("case", "said"),
    [
        (Case([1], Division(1, [[0]], [1, 2, 3])), "a case divides group 1, and there are 1"),
        (Case([1], Division(0, [[0]], [1, 2])), "2 cases follow where a group has 2 components"),
        (Case([1], Division(0, [[0]], [1, 2, 3, 4])), "4 cases follow where a group has 2 components"),
        (Case([3]), "point 3 says nothing of some of the variables"),
        (Case([4]), "point 4: nothing proves how far Z is from semidefinite"),
        (Case([1]), "its groups bound is 6"),
        (Case([]), "its groups bound is inf"),
    ],
)
def test_cases_that_prove_nothing_are_named(case, said):
    S, following = DIVIDED.matrix, () if case.division is None else case.division.next
    part = PricePoint(range(2), S[:2, :2], np.zeros(2), (None, None))
    points = [*DIVIDED.points, part, whole(np.full((3, 3), 1e308), 2)]
    cases = [case, *(Case([0]) for _ in following)]
    for exact in (True, False):
        verdict = rs.verify(with_cases(DIVIDED, cases, points=points), exact=exact)
        assert verdict.outcome is Outcome.INCONCLUSIVE
        assert said in verdict.reasons[0]


def test_sets_that_are_in_no_family_divide_nothing():
    """Then no component has its support among them: what follows for one or more has no tables."""
    other = [[0, 1], [0, 1, 2]]
    cases = [Case([1], Division(0, other, [1, 2, 3])), Case([0]), Case([]), Case([])]
    assert rs.verify(with_cases(DIVIDED, cases))
    cases = [Case([], Division(0, [[0], [1], [2]], [1, 2, 3])), Case([]), Case([]), Case([0])]
    assert rs.verify(with_cases(DIVIDED, cases))
    assert rs.verify(with_cases(DIVIDED, [*cases[:3], Case([])])).outcome is Outcome.INCONCLUSIVE


@pytest.mark.parametrize(
    ("limit", "count", "said"),
    [
        ("MOST_VARIABLES", 3, "more than 2 variables"),
        ("MOST_TRIED", 4, "more than 3 sets to try"),
        ("MOST_SUPPORTS", 3, "more than 2 supports"),
    ],
)
def test_more_than_a_reader_looks_at_is_left_open(limit, count, said, monkeypatch):
    monkeypatch.setattr(groups, limit, count - 1)
    verdict = rs.verify(DIVIDED)
    assert verdict.outcome is Outcome.INCONCLUSIVE
    assert said in verdict.reasons[0]
    assert verdict.proved_upper == math.inf
    monkeypatch.setattr(groups, limit, count)
    assert rs.verify(DIVIDED)


@pytest.mark.parametrize("power", [-900, -300, 300, 900])
def test_every_scale_is_proved_alike(power):
    made, by = TRUE["orthogonal groups 4: 2,2"], 2.0**power
    points = [replace(point, M=point.M * by) for point in made.points]
    big = replace(made, matrix=made.matrix * by, points=points, upper=made.upper * by, lower=made.lower * by)
    for exact in (True, False):
        assert rs.verify(big, exact=exact)
        assert not rs.verify(replace(big, upper=(made.upper - 1e-8) * by, lower=-by), exact=exact)


@pytest.mark.parametrize("kind", ["groups", "tables"])
@pytest.mark.parametrize("entry", [0.0, 5e-324, 1e-300, 8e307, np.nextafter(np.inf, 0)])
def test_one_variable_near_the_ends_of_the_doubles(kind, entry):
    """Rounded upwards an eigenvalue is above all doubles: then it proves nothing, and raises nothing."""
    leaf = TableLeaf("groups", cases=[Case([0])]) if kind == "groups" else TableLeaf("tables", [0])
    S = np.full((1, 1), entry)
    made = rs.TableCertificate(
        names=["x"], matrix=S, supports="orthogonal", sizes=(1,), lower=entry, upper=np.nextafter(np.inf, 0),
        indices=([0],), loadings=np.eye(1), points=[whole(S, 1)], tree=[leaf],
    )  # fmt: skip
    for exact in (True, False):
        verdict = rs.verify(made, exact=exact)
        assert verdict.proved_upper >= entry
        assert verdict or entry > 1e308


def test_a_matrix_given_by_a_factor():
    A = np.linalg.cholesky(covariance(4, seed=72)).T
    made = grouped(A.T @ A, "orthogonal", (2, 2), np.random.default_rng(1), 2)
    for exact in (True, False):
        assert rs.verify(replace(made, matrix=None, factor=A), exact=exact)


def test_claims_about_a_total_use_it_in_their_tree_and_beside_it():
    S = covariance(4, seed=6)
    made, other = (grouped(S, "orthogonal", sizes, np.random.default_rng(2), 2) for sizes in ((3, 1), (2, 2)))
    alone = [certificate(S, k, [Leaf("spectral")], upper=top(S)) for k in (1, 2, 3)]
    both = of_total(made, [*alone, other])
    for exact in (True, False):
        assert rs.verify(both, exact=exact)
    low = replace(other, upper=other.upper - 1e-8, lower=0.0)
    verdict = rs.verify(replace(both, beside=[*alone, low]))
    assert verdict.outcome is Outcome.INCONCLUSIVE
    assert "claim 3 beside it is not proved" in verdict.reasons[0]


def changed(made, rng):
    """Return a leaf of groups, or its points, with one change that keeps the file well formed."""
    cases, points = [*leaf_of(made).cases], [*made.points]
    at, kind = int(rng.integers(len(cases))), rng.integers(5)
    case, divided = cases[at], [i for i, one in enumerate(cases) if one.division is not None]
    if kind == 0:
        cases[at] = replace(case, points=rng.permutation(case.points)[1:].tolist())
    elif kind == 1:
        other = int(rng.integers(len(cases)))
        cases[at], cases[other] = (
            replace(case, points=cases[other].points),
            replace(cases[other], points=case.points),
        )
    elif kind == 2 or not divided:
        p, (i, j) = int(rng.integers(len(points))), rng.integers(made.n, size=2)
        M = points[p].M.copy()
        M[i, j] = M[j, i] = M[i, j] * (1 + rng.choice([-1, 1]) * 10.0 ** rng.integers(-15, 1))
        points[p] = replace(points[p], M=M)
    else:
        at = int(rng.choice(divided))
        division = cases[at].division
        if kind == 3:
            new = replace(division, next=rng.permutation(division.next).tolist())
        else:
            sets = [some for some in division.sets if rng.random() < 0.7] or [[*range(made.n)]]
            new = replace(division, sets=sets)
        cases[at] = replace(cases[at], division=new)
    return with_cases(made, cases, points=points)


@pytest.fixture(scope="module")
def searched():
    """Return a certificate that the search makes of a small matrix, told to divide what it would list."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(search, "by_choices", lambda *_, **__: iter(()))
        patch.setattr(dividing, "SELDOM", 1.0)
        made = rs.components(rs.Covariance(covariance(4, seed=31)), [2, 2], joint=True).certificate
    assert leaf_of(made).kind == "groups"
    assert any(case.division for case in leaf_of(made).cases)
    return made


def test_no_change_of_what_the_search_makes_proves_what_is_false(searched):
    rng = np.random.default_rng(4)
    low, high = Tables(searched.matrix).best((2, 2))
    assert high - low < 1e-20
    assert rs.verify(searched, exact=True)
    assert rs.verify(searched, exact=False)
    near, outcomes = float(low), set()
    for count in range(30):
        made = searched
        for _ in range(rng.integers(1, 3)):
            made = changed(made, rng)
        for limit in (made.upper, np.nextafter(near, 0)):
            bound = proved(made, limit, exact=count % 10 == 0)
            assert bound >= low
            outcomes.add((limit == made.upper, bool(bound <= limit)))
    assert (True, True) in outcomes
    assert (True, False) in outcomes


@pytest.mark.parametrize(
    ("cases", "said"),
    [
        ([], "has no list of cases"),
        (None, "cases must be a list"),
        ([[[0]]], "is not a case"),
        ([[[0], None, None]], "is not a case"),
        ([[0, None]], "points of a case must be a list"),
        ([[[-1], None]], "below 0"),
        ([[[True], None]], "must be an integer"),
        ([[[9], None]], "uses a point that is not there"),
        ([[[3], None]], "is groups but its point is not of prices"),
        ([[[0], []]], "is not a division"),
        ([[[0], {}]], "a division must be a list"),
        ([[[0], [0, [[0]], [1], 4]], [[0], None]], "is not a division"),
        ([[[0], [-1, [[0]], [1]]], [[0], None]], "a group is -1, below 0"),
        ([[[0], [None, [[0]], [1]]], [[0], None]], "a group must be an integer"),
        ([[[0], [0, [], [1]]], [[0], None]], "a division has no sets"),
        ([[[0], [0, [[]], [1]]], [[0], None]], "a set of a division is empty"),
        ([[[0], [0, [0], [1]]], [[0], None]], "a set must be a list"),
        ([[[0], [0, [[1, 0]], [1]]], [[0], None]], "not strictly increasing"),
        ([[[0], [0, [[0, 0]], [1]]], [[0], None]], "not strictly increasing"),
        ([[[0], [0, [[-1]], [1]]], [[0], None]], "negative index"),
        ([[[0], [0, [[3]], [1]]], [[0], None]], "a set with a variable beyond n = 3"),
        ([[[0], [0, [[0]], 1]], [[0], None]], "next must be a list"),
        ([[[0], [0, [[0]], [-1]]], [[0], None]], "a case is -1, below 0"),
        ([[[0], [0, [[0]], [0]]], [[0], None]], "case 0 is followed by 0, which does not come after it"),
        ([[[0], [0, [[0]], [2]]], [[0], None]], "case 0 is followed by 2, which does not come after it"),
        ([[[0], [0, [[0]], [1, 1]]], [[0], None]], "case 1 follows two others, or one twice"),
        ([[[0], [0, [[0]], [1, 2]]], [[0], [0, [[0]], [2]]], [[0], None]], "case 2 follows two others"),
        ([[[0], None], [[0], None]], "no case is followed by case 1"),
        ([[[0], [0, [[0]], []]], [[0], None]], "no case is followed by case 1"),
    ],
)  # fmt: skip
def test_what_is_no_leaf_is_refused(cases, said, tmp_path):
    perron = PerronPoint(range(3), np.zeros((3, 3)), np.zeros((3, 3)))
    replace(DIVIDED, points=[*DIVIDED.points, perron]).save(tmp_path / "c.json")
    document = json.loads((tmp_path / "c.json").read_text())
    assert rs.verify(tmp_path / "c.json")
    document["evidence"]["tree"][0] = ["groups", cases]
    (tmp_path / "c.json").write_text(json.dumps(document))
    with pytest.raises(CertificateError, match=said):
        load_certificate(tmp_path / "c.json")


def test_leaves_that_do_not_fit_the_claim_or_their_kind_are_refused():
    S, cases = DIVIDED.matrix, [Case([0])]
    with pytest.raises(CertificateError, match="the components share one support"):
        table(S, "common", (2, 2), 9.0, points=[whole(S, 1)], tree=[TableLeaf("groups", cases=cases)])
    for kind, point, more, said in (
        ("groups", 0, cases, "takes no point"),
        ("groups", None, (), "has no list of cases"),
        ("groups", None, [0], "case 0 is not a case"),
        ("spectral", None, cases, "takes no cases"),
        ("tables", [0], cases, "takes no cases"),
    ):
        with pytest.raises(CertificateError, match=said):
            TableLeaf(kind, point, more)
    with pytest.raises(CertificateError, match="what divides a case is no division"):
        Case([0], (0, [[0]], [1]))


@pytest.mark.parametrize(
    "names", [["[\n 1,\n 2\n]", "[1, 2]", '"],\n 3'], ["[", "]", "\\n 7"], ["1", "2", "\u2028[\n1\n]"]]
)
def test_names_with_brackets_digits_and_line_breaks_come_back(names, tmp_path):
    """Lists of whole numbers are on one line each; what looks like one inside a text stays as it is."""
    made = replace(DIVIDED, names=names)
    made.save(tmp_path / "c.json")
    again = load_certificate(tmp_path / "c.json")
    assert again.names == tuple(names)
    assert again.digest == made.digest
    assert leaf_of(again) == leaf_of(made)
    again.save(tmp_path / "again.json")
    text = (tmp_path / "c.json").read_text()
    assert text == (tmp_path / "again.json").read_text()
    assert "[1, 2, 3]" in text
    assert json.loads(text)["evidence"]["tree"] == [
        ["groups", [[[1], [0, [[0]], [1, 2, 3]]], [[], None], [[], None], [[2], None]]]
    ]
