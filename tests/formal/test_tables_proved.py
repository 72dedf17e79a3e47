"""The verified checker on several components: it proves what is true and refuses what is changed."""

import dataclasses
import functools
from fractions import Fraction
from pathlib import Path

import numpy as np
import prove
import pytest
import translate
from formal_words import changed, refused
from small_tables import best_common, best_table
from true_certificates import covariance
from true_tables import true_tables

import relaxspca as rs
from relaxspca.certificate import TableCertificate, UseSplit
from relaxspca.tasks.joint import common_support

TABLES = Path(__file__).parents[2] / "certificates" / "tables"
TRUE = true_tables()
NOT_COVERED = {"uses", "smaller supports", "smaller rows", *(name for name in TRUE if "total" in name)}
COVERED = {name: made for name, (_, made) in TRUE.items() if name not in NOT_COVERED}


def best(S, kind, sizes):
    if kind == "common":
        return best_common(S, sizes[0], len(sizes))
    return best_table(S, sizes, is_disjoint=kind == "disjoint")


@pytest.mark.parametrize("name", TRUE)
def test_true_tables_are_proved_and_no_better_bound_is(name, checker):
    S, made = TRUE[name]
    if name in NOT_COVERED:
        with pytest.raises(prove.NotCovered):
            prove.prove(made, checker)
        return
    prove.prove(made, checker)
    truth = best(S, made.supports, made.sizes)
    false = dataclasses.replace(made, upper=truth * (1 - 1e-9), lower=min(made.lower, truth / 2))
    with pytest.raises(prove.Refused):
        prove.prove(false, checker)
    # The same evidence with that bound in the input itself, behind the translator's back.
    words = translate.translate(made).split()
    at = places(words, made)
    refused(changed(words, at["upper"], int(Fraction(truth * (1 - 1e-9)) * int(words[at["D"]]))), checker)


@pytest.mark.parametrize("path", sorted(TABLES.rglob("*.json")), ids=lambda p: f"{p.parent.name}-{p.stem}")
def test_the_archive_is_proved(path, checker):
    made = TableCertificate.load(path)
    if made.total is not None:
        assert translate.why_not(made) == "a total of cardinalities"
        return
    if sum(made.sizes) > made.n and made.supports == "disjoint":
        assert "do not fit" in translate.why_not(made)
        return
    prove.prove(made, checker)


@pytest.mark.parametrize("kind", ["orthogonal", "disjoint", "common"])
def test_what_joint_search_writes_is_proved(kind, checker):
    proved = []
    for seed in range(5):
        cov = rs.Covariance(covariance(6, seed, samples=12))
        if kind == "common":
            made = common_support(cov, 3, 2).certificate
        else:
            made = rs.components(cov, [2, 2], joint=True, disjoint=kind == "disjoint").certificate
        try:
            prove.prove(made, checker)
            proved.append(seed)
        except prove.NotCovered:
            assert any(isinstance(node, UseSplit) for node in made.tree)
    assert proved


def places(words, made):
    """Return where the parts of the input begin."""
    D = 4 + len(made.sizes)
    entries = made.n * (made.n if made.factor is None else len(made.factor))
    lower = D + (2 if made.factor is None else 4) + entries
    vectors = lower + 2
    values = vectors + made.n * len(made.sizes)
    return {"D": D, "lower": lower, "upper": lower + 1, "vectors": vectors, "values": values}


def test_lies_in_the_input_are_refused(checker):
    made = COVERED["disjoint supports"]
    words, n = translate.translate(made).split(), made.n
    at, leaf = places(words, made), words.index("prices")
    assert words[:5] == ["table", "disjoint", str(n), "2", "2"]
    prove.accepted(" ".join(words), checker)
    D, values = int(words[at["D"]]), at["values"]
    swap = [*words[at["vectors"] + n : values], *words[at["vectors"] : at["vectors"] + n]]
    lies = {
        "a smaller bound": changed(words, at["upper"], int(words[at["lower"]]) - 1),
        "more than the table attains": changed(words, at["lower"], words[at["upper"]]),
        "more than a vector attains": changed(words, values, int(words[values]) + D // 1000),
        "a vector is 0": [*words[: at["vectors"]], *["0"] * n, *words[at["vectors"] + n :]],
        "vectors too long for their sizes": [*words[: at["vectors"]], *swap, *words[values:]],
        "a larger component": changed(words, 4, 3),
        "sizes that do not fit": changed(words, 4, n),
        "one component less": [*words[:3], "1", *words[4:]],
        "Z is further from semidefinite": changed(words, leaf + 2, -int(words[leaf + 2]) - D),
        "a component explains less": changed(words, leaf + 3, int(words[leaf + 3]) - D // 100),
        "a threshold below 0": changed(words, leaf + 5, -1),
        "no tables where there are": [*words[:leaf], "none"],
        "apart where nothing is forced in": [*words[:leaf], "apart"],
        "an unknown kind": changed(words, 1, "oblique"),
        "D = 0": changed(words, at["D"], 0),
    }  # fmt: skip
    for lie in lies.values():
        refused(lie, checker)


def test_vectors_must_be_orthogonal(checker):
    made = COVERED["orthogonal supports"]
    words = translate.translate(made).split()
    at = places(words, made)
    z, n = at["vectors"], made.n
    first, values = words[z : z + n], words[at["values"] : at["values"] + 2]
    twice = [*words[: z + n], *first, *values[:1], *values[:1], *words[at["values"] + 2 :]]
    refused(twice, checker)


@functools.cache
def truth(kind, sizes, entries, n):
    return best(np.array(entries).reshape(n, n), kind, sizes)


def test_whatever_is_accepted_after_random_changes_is_true(checker):
    rng, seen = np.random.default_rng(1), {True: 0, False: 0}
    texts = [translate.translate(made).split() for made in COVERED.values() if made.factor is None]
    for _ in range(400):
        words = list(texts[rng.integers(len(texts))])
        if rng.random() < 0.3:
            words[1] = str(rng.choice(["orthogonal", "disjoint", "common"]))
        for at in rng.integers(1, len(words), size=rng.integers(0, 3)):
            word = words[at]
            if not word.lstrip("-").isdigit():
                continue
            value = int(word)
            choices = [value + 1, value - 1, -value, value // 2, 2 * value, value + value // 1000, 0]
            words[at] = str(choices[rng.integers(len(choices))])
        try:
            lines = prove.accepted(" ".join(words), checker)
        except prove.Refused:
            seen[False] += 1
            continue
        seen[True] += 1
        _, kind, n, lower, upper, _, sizes = lines[0].rstrip(";").split()
        entries = tuple(float(Fraction(x)) for line in lines[2:] for x in line.split())
        value = truth(kind, tuple(int(k) for k in sizes.split(",")), entries, int(n))
        room = 1e-7 * (1 + max(map(abs, entries)))  # `best_table` searches
        assert float(Fraction(lower)) <= value + room, lines[0]
        assert value <= float(Fraction(upper)) + room, lines[0]
    assert min(seen.values()) >= 20, seen
