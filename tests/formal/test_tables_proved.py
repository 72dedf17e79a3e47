"""The verified checker on several components: it proves what is true and refuses what is changed."""

import dataclasses
import functools
import subprocess
import sys
from fractions import Fraction
from pathlib import Path

import numpy as np
import prove
import pytest
import tables
import translate
from draws import draws
from formal_words import changed, changed_at_random, refused, what_is_accepted
from small_tables import best_common, best_table
from true_certificates import covariance
from true_choices import true_choices
from true_tables import true_tables

import relaxspca as rs
from relaxspca.certificate import TableCertificate
from relaxspca.search.limits import UNLIMITED
from relaxspca.tasks.joint import common_support

TABLES = Path(__file__).parents[2] / "certificates" / "tables"
TRUE = true_tables() | true_choices()
COVERED = {name: made for name, (_, made) in TRUE.items()}


def best(S, kind, sizes):
    if kind == "common":
        return best_common(S, sizes[0], len(sizes))
    return best_table(S, sizes, is_disjoint=kind == "disjoint")


@pytest.mark.parametrize("name", TRUE)
def test_true_tables_are_proved_and_no_better_bound_is(name, checker):
    S, made = TRUE[name]
    prove.prove(made, checker)
    truth = best(S, made.supports, made.sizes)
    false = dataclasses.replace(made, upper=truth * (1 - 1e-9), lower=min(made.lower, truth / 2))
    with pytest.raises(prove.Refused):
        prove.prove(false, checker)
    # The same evidence with that bound in the input itself, behind the translator's back.
    words = translate.translate(made).split()
    at = places(words, made)
    refused(changed(words, at["upper"], int(Fraction(truth * (1 - 1e-9)) * int(words[at["D"]]))), checker)


def test_the_translator_reads_files_of_tables():
    path = TABLES / "pitprops_orthogonal" / "k03_03.json"
    script = Path(translate.__file__)
    run = subprocess.run([sys.executable, script, path], capture_output=True, text=True, check=True)
    assert run.stdout == translate.translate(TableCertificate.load(path))


@pytest.mark.parametrize("kind", ["orthogonal", "disjoint", "common"])
def test_what_joint_search_writes_is_proved(kind, checker):
    for seed in range(5):
        cov = rs.Covariance(covariance(6, seed, samples=12))
        if kind == "common":
            made = common_support(cov, 3, 2, limits=UNLIMITED).certificate
        else:
            made = rs.components(cov, [2, 2], joint=True, disjoint=kind == "disjoint").certificate
        prove.prove(made, checker)


def test_a_side_of_a_split_that_is_said_to_have_no_tables_is_refused(checker):
    made = COVERED["negative multiplier"]
    words = translate.translate(made).split()
    for at in [at for at, word in enumerate(words) if word == "prices"]:
        with pytest.raises(prove.Refused):
            prove.accepted(" ".join([*words[:at], "none"]), checker)


def test_more_leaves_than_are_written_are_not_covered(checker, monkeypatch):
    monkeypatch.setattr(tables, "MOST_LEAVES", 3)
    with pytest.raises(prove.NotCovered, match="more than 3 leaves"):
        prove.prove(COVERED["negative multiplier"], checker)


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


def said(words, checker):
    """Return what the checker answers to an input that it can read."""
    run = subprocess.run([checker], input=" ".join(words), capture_output=True, text=True, check=False)
    assert run.returncode < 2, run.stderr
    return run.stdout.strip()


def test_disjoint_supports_are_padded_in_every_way(checker):
    """Sizes 2, 2 of three variables: one tree for 1, 2 and one for 2, 1."""
    words = translate.translate(COVERED["smaller supports"]).split()
    first, second = (i for i, word in enumerate(words) if word == "prices")
    assert words[first - 1] == "2"
    prove.accepted(" ".join(words), checker)
    assert said(changed(words, first - 1, 1)[:second], checker) == "refused"
    assert said([*words[:first], "none", *words[second:]], checker) == "refused"
    assert said([*words[:second], "none"], checker) == "refused"


@functools.cache
def truth(kind, sizes, entries, n):
    return best(np.array(entries).reshape(n, n), kind, sizes)


def test_whatever_is_accepted_after_random_changes_is_true(checker):
    rng = np.random.default_rng(1)
    texts = [translate.translate(made).split() for made in COVERED.values() if made.factor is None]

    def drawn():
        words = list(texts[rng.integers(len(texts))])
        if rng.random() < 0.3:
            words[1] = str(rng.choice(["orthogonal", "disjoint", "common"]))
        return changed_at_random(words, rng, rng.integers(0, 3))

    for lines in what_is_accepted((drawn() for _ in range(draws(150, 400))), checker):
        _, kind, n, lower, upper, _, sizes = lines[0].rstrip(";").split()
        entries = tuple(float(Fraction(x)) for line in lines[2:] for x in line.split())
        value = truth(kind, tuple(map(int, sizes.split(","))), entries, int(n))
        room = 1e-7 * (1 + max(map(abs, entries)))  # `best_table` searches
        assert float(Fraction(lower)) <= value + room, lines[0]
        assert value <= float(Fraction(upper)) + room, lines[0]
