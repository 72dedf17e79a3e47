"""The verified checker on leaves whose tables are looked at one by one: all of the evidence is needed."""

import itertools
from fractions import Fraction

import choices
import numpy as np
import prove
import pytest
import translate
from formal_words import changed, refused
from true_certificates import covariance, top
from true_choices import choices as sets_of_components
from true_choices import leading, one_leaf, points_for, true_choices

TRUE = {name: made for name, (_, made) in true_choices().items()}


def with_no_vector(line):
    """Return what a point says of a set, without the vector that tells what the set loses."""
    b, _, *w = map(int, line.split())
    return f"{b + sum(x * x for x in w)} 0"


def test_every_part_of_a_leaf_is_needed(checker):
    made = TRUE["orthogonal choices 3,3 loss"]  # n = 4; one point, whose Z is 0
    lines = translate.translate(made).splitlines()
    point = lines.index("choices 1") + 1
    early = point + made.n
    sets = early + 2
    assert lines[early:sets] == ["1 0 0 1", "14"]  # one early point; one group of two components; the sets
    assert len(lines) == sets + 14
    prove.accepted("\n".join(lines), checker)
    shift, b = lines[point].split(), int(lines[sets].split()[0])
    w = [int(x) for x in lines[sets].split()[2:]]
    smaller = [b - abs(b) // 100, 3, *w]
    longer = [b - 3 * sum(x * x for x in w), 3, *(2 * x for x in w)]  # b + |2w|^2 is as before
    lies = {
        "no vectors, so that nothing is lost": [*lines[:sets], *map(with_no_vector, lines[sets:])],
        "a smaller number": [
            *lines[:sets],
            " ".join(map(str, smaller)),
            *lines[sets + 1 :],
        ],
        "a longer vector, a smaller number": [*lines[:sets], " ".join(map(str, longer)), *lines[sets + 1 :]],
        "a set is left out": [*lines[: sets - 1], "13", *lines[sets:-1]],
        "a set twice": [*lines[: sets - 1], "15", lines[sets], *lines[sets:]],
        "Z is further from semidefinite": changed(lines, point, " ".join(changed(shift, 1, -1))),
        "more early points than there are": changed(lines, early, "2 0 0 1"),
        "a component is in no group": changed(lines, early, "1 0 1 1"),
        "no points": [*lines[: point - 1], "choices 0", "0 0 0 1", "14"],
    }
    for lie in lies.values():
        refused(lie, checker)
    # What beginnings and groups spare is not needed for the proof.
    prove.accepted("\n".join(changed(lines, early, "0 0 0 1")), checker)
    prove.accepted("\n".join([*changed(lines, early, "1 0 1 2"), *lines[sets - 1 :]]), checker)


def test_a_group_is_of_equal_components(checker):
    lines = translate.translate(TRUE["orthogonal choices 2,1,1"]).splitlines()
    group = lines.index("3 0 1 1 2")
    assert lines[group + 1] == "10"
    prove.accepted("\n".join(lines), checker)
    refused([*lines[:group], "3 0 0 0 1", *lines[group + 1 : group + 12]], checker)


def bound_of_the_rule(S, kind, sizes, points):
    """Return the largest bound of a choice by its best point, with exact losses, by plain loops."""
    worst = -np.inf
    for some in sets_of_components(kind, sizes, [(set(), {*range(len(S))})] * len(sizes)):
        union, best = sorted(set().union(*some)), np.inf
        for point in points:
            Z = S - point.M
            delta = max(0.0, top(-Z))
            own = [leading(point.M, tuple(sorted(T))) for T in some]
            lost = [0.0]
            for (_, u, g), (_, v, h) in itertools.combinations(own, 2):
                lost.append((g + h - np.sqrt(max(0.0, (g + h) ** 2 - 4 * g * h * (u @ v) ** 2))) / 2)
            paid = sum(value for value, *_ in own) + np.diag(Z)[union].sum() + delta * (len(union) - len(sizes))
            best = min(best, paid - max(lost))
        worst = max(worst, best)
    return worst


@pytest.mark.parametrize(
    ("kind", "sizes"), [("orthogonal", (2, 2)), ("disjoint", (2, 1)), ("orthogonal", (3, 2))]
)
@pytest.mark.parametrize("count", [1, 2, 5])
def test_the_bound_of_the_rule_is_proved_and_no_better_one(kind, sizes, count, checker):
    rng, n = np.random.default_rng(count), 4
    S = covariance(n, seed=60 + count)
    made = one_leaf(S, kind, sizes, points_for(S, rng, count, with_part=False))
    words = translate.translate(made).split()
    D = 4 + len(sizes)
    upper = D + 2 + n * n + 1
    assert int(words[upper]) == Fraction(made.upper) * int(words[D])
    bound = bound_of_the_rule(S, kind, sizes, made.points)
    prove.accepted(" ".join(changed(words, upper, int(Fraction(bound + 1e-9) * int(words[D])))), checker)
    refused(changed(words, upper, int(Fraction(bound - 1e-9) * int(words[D]))), checker)


def test_more_sets_than_are_written_are_not_covered(monkeypatch):
    monkeypatch.setattr(choices, "MOST_PEAKS", 13)
    with pytest.raises(prove.NotCovered, match="more than 13 sets"):
        translate.translate(TRUE["orthogonal choices 3,3 loss"])
