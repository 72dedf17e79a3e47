"""False claims are refused, whatever the evidence; what is true is found by enumeration."""

import itertools
import re
import subprocess

import numpy as np
import prove
import pytest
import translate
from building import changed, components
from draws import IS_DEEP, draws
from lies.test_false_restrictions import of_few, of_several
from restricted_certificates import restricted_certificates
from true_certificates import ROOM, certificate, top, true_certificates
from true_choices import true_choices
from true_ratios import ratio_of, true_ratios
from true_tables import true_tables

from relaxspca.certificate import Leaf

FEW = draws(12, 200)
SINGLE = {name: made for name, (_, made) in true_certificates().items() if made.k and not made.eliminated}
OTHERS = [found[-1] for found in (restricted_certificates() | true_tables() | true_choices()).values()]
OTHERS += [
    make(kind, seed)[0]
    for make in (of_several, of_few)
    for kind in ("orthogonal", "disjoint")
    for seed in range(3)
]
RATIOS = {name: found[-1] if isinstance(found, tuple) else found for name, found in true_ratios().items()}
OTHERS += RATIOS.values()


def matrix_of(made):
    return made.matrix if made.matrix is not None else made.factor.T @ made.factor


def altered(words, rng):
    """Return evidence with some numbers changed, some words taken out or exchanged."""
    words = list(words)
    for at in rng.integers(len(words), size=int(rng.integers(1, 6))):
        at = min(int(at), len(words) - 1)
        if rng.random() < 0.1:
            words[at] = str(
                rng.choice(
                    ["listed", "spectral", "weights", "split", "keep", "none", "tried", "single", "within"]
                )
            )
        elif rng.random() < 0.1:
            del words[at]
        elif words[at].lstrip("-").isdigit():
            value = int(words[at])
            choices = [value + 1, value - 1, -value, value // 2, 2 * value, value + value // 1000, 0, 2**70]
            words[at] = str(choices[rng.integers(len(choices))])
    return words


def refused_whatever_the_evidence(made, words, verdict, rng, count):
    """Check that a false claim is not proved."""
    for evidence in [None, words, *(altered(words, rng) for _ in range(count))]:
        found, lines = verdict(made, evidence)
        assert found != "proved", lines


def values(S, k, J=(), E=()):
    supports = [T for T in itertools.combinations(range(len(S)), k) if {*J} <= {*T} and not {*E} & {*T}]
    return max(top(S[np.ix_(T, T)]) for T in supports)


@pytest.mark.parametrize("name", SINGLE)
def test_of_one_component(name, verdict):
    made, rng = SINGLE[name], np.random.default_rng(1)
    words = translate.translate(made).split()
    S = matrix_of(made)
    best = values(S, made.k, made.include.tolist(), made.exclude.tolist())
    assert made.lower <= best <= made.upper
    listed = made.claim.listed
    if listed is not None:
        lies = [changed(made, listed=changed(listed, others=listed.others - 1e-3))]
    else:
        low = {"lower": best - 2e-3, "upper": best - 1e-3}
        lies = [changed(made, **low)]
        if made.k < made.n and values(S, made.k + 1) > made.upper + 1e-6:
            lies.append(changed(made, k=made.k + 1, include=(), exclude=()))
        if len(made.exclude) and values(S, made.k, made.include.tolist()) > made.upper + 1e-6:
            lies.append(changed(made, exclude=()))
        if made.factor is None:
            scaled = 1.01 * S + 1e-3 * np.eye(len(S))
            if values(scaled, made.k, made.include.tolist(), made.exclude.tolist()) > made.upper:
                lies.append(changed(made, matrix=scaled))
    for lie in lies:
        refused_whatever_the_evidence(lie, words, verdict, rng, FEW)


@pytest.mark.parametrize("at", range(len(OTHERS)))
def test_of_groups_signs_several_components_and_ratios(at, verdict):
    """The lower bound is attained: no smaller upper bound is true."""
    made, rng = OTHERS[at], np.random.default_rng(3)
    words, room = translate.translate(made).split(), 1e-3 * max(abs(made.lower), 1e-3)
    lie = changed(made, lower=made.lower - 2 * room, upper=made.lower - room)
    refused_whatever_the_evidence(lie, words, verdict, rng, FEW // 3)
    lie = changed(made, lower=made.upper + 1.0, upper=made.upper + 2.0)
    refused_whatever_the_evidence(lie, words, verdict, rng, 2)


PAID, TOO_LITTLE = "spectral 0 0 0 1 0", "spectral -9 -9 0 1 0"  # what the three rows are said to cost
SAID = {  # of single components, other points, the multipliers, and of both parts where the first has lost some
    "single": "4", "points": "0", "multipliers": "0 0 0 0", "bounds": "1 4", "lost": PAID, "other": "single",
}  # fmt: skip
PART = r"\(check_part s n0 p k j f singles m y best t"
LEFT_OUT = {  # what is said besides, and the condition that it does not meet
    "rows": ({"lost": TOO_LITTLE}, r"\(all \(fun i ->\s+pays.*? l0\)"),
    "rest": ({}, r"\(semidefinite g l l0.*?\(entry m i j0\)\)\)"),
    "P": ({"points": "1 rows 3 1 9 2 0 9 3 0 0 9 0", "lost": "point 0 0 0 0 1 0"}, r"\(paid p0 n1 l0\)"),
    "singles": ({"bounds": "4 1"}, r"\(has \(fun s0 ->\s+\(&&\).*?singles\)"),
    "trees": ({"single": "1", "bounds": "4 1"}, r"\(all \(fun s0 ->\s+check_tree.*?singles\)"),
    "Sigma": ({"multipliers": "3 0 1 2 7 0 0 0 6 0 0 0 4 0 0 0", "bounds": "7 4"}, r"\(is_sigma s[^)]*\)"),
    "within": (
        {"bounds": "4 1", "other": f"within 2 0 1 tried {TOO_LITTLE}"},
        PART + r"\s+\(filter.*?within\)",
    ),
    "beside": ({"bounds": "4 1", "other": f"within 1 2 {PAID} {TOO_LITTLE}"}, PART + r" f0 \(Some.*?beside0\)"),
    "sum": ({"bounds": "4 4"}, r"\(Whole.leq\s+\(Whole.add\s+\(Whole.mul \(Whole.of_int copies.*? u\)"),
}


@pytest.fixture(scope="module")
def broken(checker, tmp_path_factory):
    """Build the same program without the condition that the environment names."""
    folder = tmp_path_factory.mktemp("broken")
    for path in checker.parent.glob("*.ml*"):
        (folder / path.name).write_text(path.read_text())
    path = folder / "sparse_checker.ml"
    for name, (_, condition) in LEFT_OUT.items():
        left_out = rf'(Sys.getenv "LEFT_OUT" = "{name}" || \g<0>)'
        text, count = re.subn(condition, left_out, path.read_text(), flags=re.DOTALL)
        assert count == 1
        path.write_text(text)
    sources = [f"{name}.ml" for name in ("sparse_checker", "sha256", "json", "file", "main")]
    sources = ["whole.ml", "sparse_checker.mli", *sources]
    command = ["ocamlfind", "ocamlopt", "-package", "zarith,unix", "-linkpkg", *sources, "-o", "broken"]
    subprocess.run(command, cwd=folder, check=True, capture_output=True)
    return folder / "broken"


@pytest.mark.parametrize("name", LEFT_OUT)
def test_components_with_a_variable_that_is_left_out_must_be_paid_for(
    name, verdict, tmp_path, request, monkeypatch
):
    """Diag(4, 3, 1) has 7, and no proof of 5 by the third variable alone; without a condition there is one."""
    besides, condition = LEFT_OUT[name]
    said = SAID | besides
    made = components(
        names=[*"abc"], matrix=np.diag([4.0, 3, 1]), supports="orthogonal", sizes=[1, 1], lower=2.0, upper=5.0,
        indices=[[0], [1]], loadings=np.eye(3)[:, :2], tree=[Leaf("multipliers")],
    )  # fmt: skip
    start = "0  1 0 0  0 1 0  4 3  1 1 1 1  {points}  1 1 {single} weights 0  1 {multipliers}  1"
    end, leaf = "0 1 0", f"multipliers 0 {3 if name == 'Sigma' else 0}"
    honest = start.format(**SAID) + f" keep 0 2 0 1 multipliers 0 0 1 4 {TOO_LITTLE} single {end}"
    honest += (
        f"  keep 1 2 0 1 multipliers 0 0 4 1 single {TOO_LITTLE} {end}  multipliers 0 0 5 5 tried tried {end}"
    )
    assert verdict(changed(made, upper=10.0), honest.split())[0] == "proved"
    back = " ".join(reversed(said["bounds"].split()))
    words = start.format(**said) + " keep 0 1 2 {0} {bounds} {lost} {other} {1}".format(leaf, end, **said)
    words += "  keep 1 1 2 {0} {2} {other} {lost} {1}  none".format(leaf, end, back, **said)
    assert verdict(made, words.split())[0] == "REFUSED"
    if IS_DEEP:
        monkeypatch.setenv("LEFT_OUT", name)
        found = prove.accepted(tmp_path / "c.json", words, checker=request.getfixturevalue("broken"))
        assert found[0] == "proved"


def test_true_claims_survive_some_changes_and_not_others(verdict):
    """Evidence is checked: of many changes some prove as well, and some prove nothing."""
    made, rng = SINGLE["tree"], np.random.default_rng(5)
    words, seen = translate.translate(made).split(), []
    for _ in range(draws(60, 400)):
        seen.append(verdict(made, altered(words, rng))[0])
    assert seen.count("proved") >= 5
    assert seen.count("REFUSED") >= 20


def test_budgets_count_in_each_part(verdict):
    """One more variable in a part, and the bound of the smaller budgets is false."""
    made, rng = RATIOS["budgets"], np.random.default_rng(6)
    words = translate.translate(made).split()
    first, *others = made.claim.budgets
    A, B = made.subject.numerator, made.subject.denominator
    more = (changed(first, k=first.k + 1), *others)
    supports = itertools.product(*(itertools.combinations(b.variables.tolist(), b.k) for b in more))
    best = max(ratio_of(A, B, sum(parts, ()))[0] for parts in supports)
    if best > made.upper:
        lie = changed(made, budgets=more, k=made.k + 1)
        refused_whatever_the_evidence(lie, words, verdict, rng, FEW)
    assert verdict(made)[0] == "proved"


def test_variables_that_are_lost_must_be_paid_for(verdict):
    """A node that keeps too few variables proves nothing, whatever is said below it."""
    S = np.array([[4.0, 1, 0, 0], [1, 4, 0, 0], [0, 0, 1, 0], [0, 0, 0, 1]])
    made = certificate(
        S, 2, [Leaf("rows")], lower=4.0, upper=5.0 - ROOM, loadings=[1.0, 1, 0, 0], indices=[0, 1]
    )
    made = changed(made, upper=5.0)
    head = "0  1 1 0 0  1 1 1 1 1  0"
    honest, lost = "keep 0 2 0 1 weights 0", "keep 0 2 2 3 weights 0"
    assert verdict(made, f"{head} {honest}".split())[0] == "proved"
    assert verdict(changed(made, upper=4.0), f"{head} {honest}".split())[0] == "REFUSED"
    assert verdict(changed(made, lower=1.0, upper=2.0), f"{head} {lost}".split())[0] == "REFUSED"
