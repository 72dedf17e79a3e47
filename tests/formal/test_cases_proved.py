"""The verified checker on leaves whose tables are divided into groups of supports: no lie is accepted."""

import dataclasses
from fractions import Fraction

import cases
import numpy as np
import prove
import pytest
import translate
from formal_words import changed, refused
from true_certificates import covariance
from true_groups import fans, groups_of, halved, least_limit, true_groups
from true_tables import table

from relaxspca.certificate import GroupCase as Case
from relaxspca.certificate import GroupDivision as Division
from relaxspca.certificate import TableLeaf

TRUE = {name: made for name, (_, made) in true_groups().items()}


def with_cases(made, cases):
    return dataclasses.replace(made, tree=[TableLeaf("groups", cases=cases)])


def test_every_part_of_a_leaf_is_needed(checker):
    """Diag(3, 2, 1), sizes 1, 1, at most 5: cases by how many components have the support {0}."""
    made = TRUE["groups divided"]
    lines = translate.translate(made).splitlines()
    at = lines.index("1 2 0 1")  # one group, of the components 0 and 1
    drop, divide, none, one, again, two = range(at + 1, at + 7)
    assert [lines[i].split()[0] for i in (drop, divide, again)] == ["drop", "divide", "drop"]
    assert lines[none] == lines[one] == lines[two] == "empty"
    assert lines[divide] == "divide 0 1 1 0 3"
    prove.accepted("\n".join(lines), checker)
    D, point = int(lines[0].split()[-1]), lines.index("cases 2") + 1
    top = int(lines[drop].split()[-1])
    lies = {
        "a smaller bound on supports that stay": changed(lines, drop, f"drop 0 1 {top - D // 100}"),
        "a larger one, so that nothing is dropped": changed(lines, drop, f"drop 0 1 {top + D}"),
        "no support is dropped": [*lines[:drop], *lines[divide:]],
        "the point that closes a case is left out": [*lines[:again], *lines[two:]],
        "another point": changed(lines, again, lines[drop]),
        "a point that is not there": changed(lines, drop, f"drop 2 1 {top}"),
        "a bound too few": changed(lines, drop, "drop 0 0"),
        "a bound too many": changed(lines, drop, f"drop 0 2 {top} {top}"),
        "a case is missing": [*changed(lines, divide, "divide 0 1 1 0 2")[:again]],
        "no case follows": [*lines[:divide], "divide 0 1 1 0 0"],
        "a case too many": [*changed(lines, divide, "divide 0 1 1 0 4"), "empty"],
        "cases in another order": [*lines[:none], *lines[again:], *lines[none:again]],
        "another set is named": changed(lines, divide, "divide 0 1 1 1 3"),
        "a set that is no support": changed(lines, divide, "divide 0 1 2 0 1 3"),
        "no set is named": changed(lines, divide, "divide 0 0 3"),
        "empty at once": [*lines[: at + 1], "empty"],
        "a component is in no group": changed(lines, at, "1 1 0"),
        "a component is in two groups": changed(lines, at, "2 2 0 1 1 1"),
        "a component twice": changed(lines, at, "1 2 0 0"),
        "a component that is not there": changed(lines, at, "1 3 0 1 2"),
        "no groups": changed(lines, at, "0"),
        "Z is further from semidefinite": changed(lines, point, f"1 {-D} {lines[point].split(maxsplit=2)[2]}"),
    }
    for name, lie in lies.items():
        assert refused(lie, checker), name
    # A set that is named beside it is no support of the family, and one that is named twice is named once.
    prove.accepted("\n".join(changed(lines, divide, "divide 0 3 2 1 2 1 0 1 0 3")), checker)


def test_lies_about_cases_are_refused(checker):
    made = TRUE["groups divided"]
    first, none, one, two = made.tree[0].cases
    named = first.division
    lies = {
        "all of it is closed at once": [Case(first.points)],
        "no point": [Case([], named), none, one, two],
        "a case without its point": [first, none, one, Case([])],
        "a case without its point that another has": [first, Case([2]), one, Case([])],
        "another set is named": [Case(first.points, Division(0, [[1]], named.next)), none, one, two],
        "a set that is no support": [Case(first.points, Division(0, [[0, 1]], named.next)), none, one, two],
        "a group that is not there": [Case(first.points, Division(1, named.sets, named.next)), none, one, two],
        "a case too few": [Case(first.points, Division(0, named.sets, [1, 2])), none, two],
        "a case too many": [Case(first.points, Division(0, named.sets, [1, 2, 3, 4])), none, one, two, none],
        "in another order": [Case(first.points, Division(0, named.sets, [1, 3, 2])), none, one, two],
    }
    prove.prove(made, checker)
    for lie in lies.values():
        with pytest.raises(prove.Refused):
            prove.prove(with_cases(made, lie), checker)
    with pytest.raises(prove.Refused):
        prove.prove(dataclasses.replace(made, upper=5 - 1e-9, lower=1.0), checker)


def test_equal_components_only_may_exchange_their_supports(checker):
    lines = translate.translate(TRUE["orthogonal groups 4: 2,1,1"]).splitlines()
    at = lines.index("2 1 0 2 1 2")  # component 0, and the components 1 and 2
    prove.accepted("\n".join(lines), checker)
    for group in ("2 1 1 2 0 2", "1 3 0 1 2", "2 2 0 1 1 2"):
        assert refused(changed(lines, at, group), checker), group


@pytest.mark.parametrize("sizes", [(2, 2), (2, 2, 2), (2, 1, 1), (3, 2)])
@pytest.mark.parametrize("seed", range(3))
def test_the_bound_of_the_rule_is_proved_and_no_better_one(sizes, seed, checker):
    S, rng = covariance(4, seed=70 + seed), np.random.default_rng(seed)
    points = fans(S, len(sizes))
    groups = groups_of("orthogonal", sizes, 4, [((), tuple(range(4)))] * len(sizes))
    cases = halved(S, groups, len(points), rng, 2 + seed)
    bound = least_limit(S, cases, groups, points)
    made = table(S, "orthogonal", sizes, bound, points=points, tree=[TableLeaf("groups", cases=cases)])
    words = translate.translate(made).split()
    D = 4 + len(sizes)
    upper = D + 2 + 16 + 1
    assert int(words[upper]) == Fraction(made.upper) * int(words[D])
    prove.prove(dataclasses.replace(made, upper=bound + 1e-9), checker)
    refused(changed(words, upper, int(Fraction(bound - 1e-9) * int(words[D]))), checker)
    with pytest.raises(prove.Refused):
        prove.prove(dataclasses.replace(made, upper=bound - 1e-9, lower=0.0), checker)


@pytest.mark.parametrize(("what", "most"), [("MOST_TRIED", 3), ("MOST_SUPPORTS", 2)])
def test_more_supports_than_are_written_are_not_covered(what, most, monkeypatch):
    monkeypatch.setattr(cases, what, most)
    with pytest.raises(prove.NotCovered, match=f"more than {most} supports"):
        translate.translate(TRUE["groups divided"])
