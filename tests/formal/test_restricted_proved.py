"""The verified checker on groups and signs: it proves what is true and refuses what is changed."""

import dataclasses
import itertools
import subprocess
from fractions import Fraction

import numpy as np
import prove
import pytest
import translate
from formal_words import changed
from restricted_certificates import nonnegative_optimum, restricted_certificates, signed, truth

import relaxspca as rs
from relaxspca.certificate import Leaf, Split, WeightsPoint

TRUE = restricted_certificates()
COVERED = {name: made for name, (_, made) in TRUE.items()}


def said(words, checker):
    """Return what the checker answers to an input that it can read."""
    run = subprocess.run([checker], input=" ".join(words), capture_output=True, text=True, check=False)
    assert run.returncode < 2, run.stderr
    return run.stdout.strip()


def places(words, made):
    """Return where parts of the input stand: the bounds, and the vector."""
    scope = 4 + int(words[3]) + 1
    D = scope + int(words[scope - 1])
    first = D + 2 if made.factor is None else D + 4
    rows = made.n if made.factor is None else len(made.factor)
    lower = first + rows * made.n
    return {"D": D, "entries": first, "lower": lower, "upper": lower + 1, "vector": lower + 2}


@pytest.mark.parametrize("name", TRUE)
def test_true_claims_are_proved_and_no_better_bound_is(name, checker):
    S, made = TRUE[name]
    assert rs.verify(made)
    prove.prove(made, checker)
    low = truth(S, made) * (1 - 1e-9)
    with pytest.raises(prove.Refused):
        prove.prove(dataclasses.replace(made, upper=low, lower=min(made.lower, low)), checker)
    words = translate.translate(made).split()
    at = places(words, made)
    assert said(words, checker) != "refused"
    assert said(changed(words, at["upper"], int(Fraction(low) * int(words[at["D"]]))), checker) == "refused"
    assert said(changed(words, at["lower"], int(words[at["upper"]]) * 2), checker) == "refused"


def test_lies_about_classes_are_refused(checker):
    """The groups are {0, 1} and {2, 4}; the tree of the claim leaves out what has two variables of one."""
    made = COVERED["one of each, tree"]
    words, n = translate.translate(made).split(), made.n
    at, tree = places(words, made), words.index("split")
    classes, z = words[tree - n : tree], at["vector"]
    assert classes == ["0", "0", "2", "3", "2", "5"]
    support = {i for i in range(n) if words[z + i] != "0"}
    pair = next(sorted(g) for g in ({0, 1}, {2, 4}) if g & support)
    lies = {
        "a group less": changed(words, tree - n + 1, 1),
        "every variable is alone": [*words[: tree - n], *map(str, range(n)), *words[tree:]],
        "a larger group, of which the witness has two": [*words[: tree - n], *["0"] * n, *words[tree:]],
        "a witness with two of a group": changed(changed(words, z + pair[0], 1), z + pair[1], 1),
        "more variables than classes": changed(words, 2, 5),
        "void at the root": [*words[:tree], "void"],
        "spectral where two of a group are left": [*words[:tree], "split", "3", "void", "void"],
    }
    for name, lie in lies.items():
        assert said(lie, checker) == "refused", name


def test_two_of_a_group_may_not_be_included(checker):
    made = COVERED["one of each, conditions"]
    words = translate.translate(made).split()
    assert words[3:7] == ["1", "4", "1", "3"]
    assert said(words, checker).startswith("one_of_each 6 3 ")
    both = [*words[:3], "2", "2", "4", *words[5:]]
    assert said(both, checker) == "refused"


def test_negative_entries_are_refused(checker):
    made = COVERED["nonnegative"]
    words = translate.translate(made).split()
    z = places(words, made)["vector"]
    flipped = [*words[:z], *(str(-int(x)) for x in words[z : z + made.n]), *words[z + made.n :]]
    assert said(flipped, checker) == "refused"
    assert said(["nonnegative", *words[1:3], "1", "0", *words[4:]], checker) == "refused"  # no such condition


def test_a_matrix_that_is_smaller_somewhere_bounds_nothing(checker):
    """The rule `spectral` of a matrix with one entry less, which would prove a lower bound."""
    made = COVERED["nonnegative"]
    words, n = translate.translate(made).split(), made.n
    raised = places(words, made)["vector"] + n
    leaf = words.index("raised")
    matrices = leaf - 3 * n * n
    assert words[matrices - 1] == "3"
    assert raised < matrices
    used = matrices + int(words[leaf + 1]) * n * n
    for i, j in itertools.combinations(range(n), 2):
        a, b = used + i * n + j, used + j * n + i
        own = int(words[matrices + i * n + j])
        less = changed(changed(words, a, own - 1), b, own - 1)
        assert said(less, checker) == "refused", (i, j)
        one = changed(words, a, int(words[a]) + 1)  # no longer symmetric
        assert said(one, checker) == "refused", (i, j)


def test_weights_are_refused_unless_they_are_right(checker):
    """Sigma = [[1, -2], [-2, 1]]: with both positive x'Sigma x < |x|^2; w = (1, 1) has Sigma w = -w."""
    S = np.array([[1.0, -2.0], [-2.0, 1.0]])
    tree = [Split(0, 1, 4), Split(1, 2, 3), Leaf("collatz", 0), *[Leaf("support")] * 2]
    made = signed(S, 2, tree, [WeightsPoint(np.arange(2), np.ones(2))])
    assert rs.verify(made)
    prove.prove(made, checker)
    words = translate.translate(made).split()
    w = words.index("collatz") + 1
    for wrong in (["0", "0"], ["-1", "1"], ["-1", "-1"], ["1", "-1"], ["3", "-1"]):
        assert said([*words[:w], *wrong, *words[w + 2 :]], checker) == "refused", wrong
    D = int(words[places(words, made)["D"]])
    plus = changed(changed(words, places(words, made)["entries"] + 1, 0), places(words, made)["entries"] + 2, 0)
    assert said(plus, checker) != "refused"  # Sigma = I: w = (1, 1) has Sigma w = w
    plus = changed(changed(words, places(words, made)["entries"] + 1, D), places(words, made)["entries"] + 2, D)
    assert said(plus, checker) == "refused"  # the optimum is 2
    # Weights of a variable that may be 0: collatz at the root.
    split = words.index("split")
    assert said([*words[:split], "collatz", "1", "1"], checker) == "refused"


def test_lies_about_whole_groups_are_refused(checker):
    """The groups are {0, 3}, {1} and {2, 4, 5}; two of them are chosen."""
    made = COVERED["whole groups, tree"]
    lines = translate.translate(made).splitlines()
    tree, p = lines.index("split 1"), 3
    norms, groups = tree - p, tree - 2 * p
    assert lines[groups - 1 : norms] == ["3", "2 0 3", "1 1", "3 2 4 5"]
    words = " ".join(lines).split()
    at = places(words, made)
    rows = [[int(x) for x in line.split()] for line in lines[norms:tree]]

    def with_norms(change):
        other = [list(row) for row in rows]
        change(other)
        return [*lines[:norms], *(" ".join(map(str, row)) for row in other), *lines[tree:]]

    def symmetric(i, j, factor):
        def change(other):
            other[i][j] = other[j][i] = int(rows[i][j] * factor)

        return with_norms(change)

    assert said(symmetric(0, 1, 1.01), checker) != "refused"  # larger norms are bounds, too
    lies = {f"norm {i}, {j}": symmetric(i, j, 1 - 1e-9) for i in range(p) for j in range(p)}
    lies |= {f"negative norm {i}, {j}": symmetric(i, j, -1) for i, j in ((0, 1), (1, 2))}
    lies |= {
        "norms not symmetric": with_norms(lambda other: other[0].__setitem__(1, 2 * rows[0][1])),
        "a variable in two groups": changed(lines, groups, "2 0 1"),
        "a variable twice in a group": changed(lines, groups, "2 0 0"),
        "a variable that is not there": changed(lines, groups + 1, "1 6"),
        "one group": changed(words, 2, 1),
        "void at the root": [*lines[:tree], "void"],
        "a condition": [*words[:3], "1", "0", *words[4:]],
        "the witness is in no group": changed(lines, groups, "1 0"),
        "a smaller bound": changed(words, at["upper"], int(int(words[at["upper"]]) * 0.999)),
    }
    for name, lie in lies.items():
        assert said(lie, checker) == "refused", name
    # The rule of single sets of groups, where there are three: refused however large the bound is.
    ample = changed(words, at["upper"], 10**6 * int(words[at["upper"]]))[: words.index("split")]
    assert said([*ample, "spectral", "1", "0"], checker) != "refused"
    assert said([*ample, "union", "1", "0"], checker) == "refused"


@pytest.mark.parametrize("seed", range(4))
def test_what_solve_writes_is_proved(seed, checker):
    rng = np.random.default_rng(seed)
    n = 8
    S = np.cov(rng.normal(size=(12, n)), rowvar=False)
    cov = rs.Covariance(S)
    pairs = {"a": ["x0", "x3"], "b": ["x1", "x2", "x5"]}
    for made in (
        rs.solve(cov, 3, nonnegative=True).certificate,
        rs.solve(cov, 3, groups=pairs).certificate,
        rs.solve(cov, groups={**pairs, "c": ["x4", "x6", "x7"]}, most=2).certificate,
    ):
        assert rs.verify(made)
        prove.prove(made, checker)


@pytest.mark.parametrize("seed", range(3))
def test_random_changes_prove_nothing_false(seed, checker):
    rng, accepted = np.random.default_rng(seed), 0
    for name, made in COVERED.items():
        if made.factor is not None:
            continue
        words = translate.translate(made).split()
        for _ in range(12):
            lie = list(words)
            for at in rng.integers(1, len(words), size=rng.integers(1, 3)):
                if lie[at].lstrip("-").isdigit():
                    value = int(lie[at])
                    lie[at] = str([value + 1, value - 1, -value, value // 2, 2 * value, 0][rng.integers(6)])
            try:
                lines = prove.accepted(" ".join(lie), checker)
            except prove.Refused:
                continue
            accepted += 1
            holds(lines, name)
    assert accepted


def holds(lines, name):
    """Compare what the checker says that it has proved with the truth by enumeration."""
    claim, *conditions = lines[0].rstrip(";").split(";")
    kind, n, k, lower, upper, _, *include = claim.split()
    n, k = int(n), int(k)
    S = np.array([[float(Fraction(x)) for x in line.split()] for line in lines[2:]])
    include, exclude = (
        [int(i) for part in some for i in part.split(",")] for some in (include, conditions[0].split()[1:])
    )
    if kind == "one_of_each":
        classes = conditions[1].split()[1].split(",")
        supports = [
            T for T in itertools.combinations(range(n), k) if {*include} <= {*T} and not {*T} & {*exclude}
        ]
        supports = [T for T in supports if len({classes[i] for i in T}) == k]
        best = max(np.linalg.eigvalsh(S[np.ix_(T, T)])[-1] for T in supports)
    elif kind == "whole_groups":
        groups = [[int(i) for i in group.split(",")] for group in conditions[1].split()[1:]]
        unions = [sum(chosen, []) for chosen in itertools.combinations(groups, k)]
        best = max(np.linalg.eigvalsh(S[np.ix_(T, T)])[-1] for T in unions)
    else:
        best = nonnegative_optimum(S, k, exclude)[0]
    room = 1e-9 * (1 + np.abs(S).max())
    assert float(Fraction(lower)) <= best + room, (name, lines[0])
    assert best <= float(Fraction(upper)) + room, (name, lines[0])
