"""The verified checker on ratios and fits: it proves what is true and refuses what is changed."""

import dataclasses
import itertools
from fractions import Fraction

import numpy as np
import prove
import pytest
import scipy.linalg
import translate
from draws import draws
from formal_words import changed, changed_at_random, refused, what_is_accepted
from true_ratios import data, pencil, true_ratios

import relaxspca as rs
from relaxspca.applications import subset_selection
from relaxspca.certificate import DensePencil, Leaf

TRUE = true_ratios()
NOT_COVERED = {"budgets", "fit", "fit with intercept"}
COVERED = {name: made for name, made in TRUE.items() if name not in NOT_COVERED}


def places(words):
    """Return where the parts of the input begin."""
    n, at = int(words[1]), 3
    for _ in range(2):
        at += 1 + int(words[at])
    kind, D = words[at + 1], at
    data_at = at + 2 if kind == "forms" else at + 4
    count = 2 * n * n if kind == "forms" else (n + 1) * int(words[at + 2])
    lower = data_at + count
    mu = lower + 2 + n
    names = {"mu": mu, "scale": mu + 1, "most": mu + 1 + n, "least": mu + 2 + n, "multiple": mu + 3 + n}
    return {"D": D, "data": data_at, "lower": lower, "upper": lower + 1, "z": lower + 2} | names


@pytest.mark.parametrize("name", TRUE)
def test_true_ratios_are_proved_and_no_better_bound_is(name, checker):
    made = TRUE[name]
    if name in NOT_COVERED:
        with pytest.raises(prove.NotCovered):
            prove.prove(made, checker)
        return
    prove.prove(made, checker)
    with pytest.raises(prove.Refused):
        prove.prove(dataclasses.replace(made, upper=made.lower), checker)
    # The same evidence with a lower bound in the input itself, behind the translator's back.
    words = translate.translate(made).split()
    at = places(words)
    refused(changed(words, at["upper"], words[at["lower"]]), checker)


def test_lies_in_the_input_are_refused(checker):
    made = COVERED["dense"]
    words, n = translate.translate(made).split(), made.n
    at = places(words)
    prove.accepted(" ".join(words), checker)
    D, entry = int(words[at["D"]]), at["data"]
    tree = words.index("split")
    lies = {
        "a smaller bound": changed(words, at["upper"], int(words[at["lower"]]) - D // 1000),
        "more than the vector attains": changed(words, at["lower"], int(words[at["lower"]]) + D // 1000),
        "the tree may prove less": changed(words, at["most"], int(words[at["most"]]) + 4 * D**3),
        "B is further from singular": changed(words, at["least"], 2 * int(words[at["least"]])),
        "B is not far from singular at all": changed(words, at["least"], 0),
        "the tree is of a larger mu": changed(words, at["mu"], int(words[at["upper"]]) + 1),
        "the tree is of a smaller mu": changed(words, at["mu"], int(words[at["mu"]]) - D),
        "a scale is 0": changed(words, at["scale"], 0),
        "a scale is negative": changed(words, at["scale"], -1),
        "A is not symmetric": changed(words, entry + 1, int(words[entry + 1]) + 1),
        "B is not symmetric": changed(words, entry + n * n + 1, int(words[entry + n * n + 1]) + 1),
        "B is not definite": changed(words, entry + n * n, -1),
        "A is larger": changed(words, entry, int(words[entry]) + 100 * D),
        "no vector": [*words[: at["z"]], *["0"] * n, *words[at["z"] + n :]],
        "a vector with too many entries": [*words[: at["z"]], *["1"] * n, *words[at["z"] + n :]],
        "k = 0": changed(words, 2, 0),
        "k > n": changed(words, 2, n + 1),
        "D = 0": changed(words, at["D"], 0),
        "a void leaf with supports": [*words[:tree], "void"],
        "an unknown kind": changed(words, at["D"] + 1, "cubic"),
    }
    for name, lie in lies.items():
        assert refused(lie, checker), name


@pytest.mark.parametrize("name", ["origin", "intercept"])
def test_lies_about_fits_are_refused(name, checker):
    made = COVERED[name]
    words = translate.translate(made).split()
    at, n, p = places(words), made.n, len(made.pencil.response)
    prove.accepted(" ".join(words), checker)
    D, unit, y = at["D"], at["data"] - 1, at["data"] + n * p
    other = {"origin": "intercept", "intercept": "origin"}[name]
    lies = {
        "a smaller bound": changed(words, at["upper"], int(words[at["lower"]]) - int(words[D]) // 1000),
        "more than a fit explains": changed(words, at["lower"], 2 * int(words[at["lower"]])),
        "another constant": changed(words, D + 1, other),
        "data in another unit": changed(words, unit, 2 * int(words[unit])),
        "a unit of 0": changed(words, unit, 0),
        "a larger response": changed(words, y, 4 * int(words[y])),
        "a larger variable": changed(words, at["data"], 100 * int(words[at["data"]])),
        "no vector": [*words[: at["z"]], *["0"] * n, *words[at["z"] + n :]],
        "k = 0": changed(words, 2, 0),
    }
    for what, lie in lies.items():
        assert refused(lie, checker), what


def test_another_pencil_is_another_claim(checker):
    made = COVERED["dense"]
    lines = prove.accepted(translate.translate(made), checker)
    A, B = made.pencil.numerator, made.pencil.denominator
    for other in (DensePencil(B, A), DensePencil(A, B * (1 + 2.0**-40))):
        with pytest.raises(prove.Refused, match="another matrix"):
            prove.claims_the_same(dataclasses.replace(made, pencil=other), lines)
    with pytest.raises(prove.Refused, match="another claim"):
        prove.claims_the_same(dataclasses.replace(made, k=made.k + 1), lines)
    words = translate.translate(COVERED["origin"])
    lines = prove.accepted(words, checker)
    with pytest.raises(prove.Refused, match="another"):
        prove.claims_the_same(COVERED["intercept"], lines)


@pytest.mark.parametrize("exponent", [-60, -14, 14, 60])
def test_a_ratio_is_proved_at_every_scale(exponent, checker):
    """Small columns have exponents above 0 only; both claims have leaves of charges."""
    A, B = pencil(np.random.default_rng(0), 12)
    X, y = data(np.random.default_rng(0), n=12, p=24)
    unit = 2.0**exponent
    for made in (
        rs.generalized(A, unit * B, 4).certificate,
        subset_selection(unit * X, unit * y, 4).certificate,
    ):
        assert min(made.exponents) > 0 or exponent > 0
        assert "perron" in {node.kind for node in made.tree if isinstance(node, Leaf)}
        prove.prove(made, checker)


def test_a_singular_denominator_of_data_is_enough(checker):
    """Two equal columns: nothing is above 0, but where X w = 0 nothing is explained either."""
    X, y = data(np.random.default_rng(3), n=4)
    X[:, 3] = X[:, 2]
    made = subset_selection(X, y, 2, intercept=True).certificate
    assert rs.verify(made)
    prove.prove(made, checker)


def truth(lines):
    """Return the claimed bounds, and the largest ratio over all supports, by enumeration."""
    _, n, k, lower, upper, _, include, _, exclude = lines[0].split()
    J, E = ({int(i) for i in text.rstrip(";").split(",") if i} for text in (include, exclude))
    kind = lines[1].split()[1]
    M = np.array([[float(Fraction(x)) for x in line.split()] for line in lines[2:]])
    if kind == "forms":
        A, B = np.vsplit(M, 2)
    else:
        M = M - M.mean(axis=0) if kind == "intercept" else M
        A, B = np.outer(M[:, :-1].T @ M[:, -1], M[:, :-1].T @ M[:, -1]), M[:, :-1].T @ M[:, :-1]
    supports = (list(T) for T in itertools.combinations(range(int(n)), int(k)) if {*T} >= J and not {*T} & E)
    tops = [scipy.linalg.eigh(A[np.ix_(T, T)], B[np.ix_(T, T)], eigvals_only=True)[-1] for T in supports]
    return float(Fraction(lower)), max(tops), float(Fraction(upper))


def test_whatever_is_accepted_after_random_changes_is_true(checker):
    rng = np.random.default_rng(2)
    texts = [
        translate.translate(COVERED[name]).split() for name in ("dense", "conditions", "negative", "intercept")
    ]
    inputs = (
        changed_at_random(texts[rng.integers(len(texts))], rng, rng.integers(1, 3))
        for _ in range(draws(200, 300))
    )
    for lines in what_is_accepted(inputs, checker):
        lower, best, upper = truth(lines)
        room = 1e-8 * (1 + abs(best))
        assert lower - room <= best <= upper + room, lines[0]


def test_a_leaf_without_its_evidence_is_refused():
    made = COVERED["dense"]
    with pytest.raises(translate.NotProved, match="node 0"):
        translate.translate(dataclasses.replace(made, tree=(Leaf("spectral"),), points=()))
