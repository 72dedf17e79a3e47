"""False claims are refused, whatever the evidence; what is true is found by enumeration."""

import itertools
import re
import subprocess

import numpy as np
import prove
import pytest
import translate
from building import changed, components
from checker.test_restrict import KINDS
from draws import IS_DEEP, draws
from every_certificate import every_certificate
from lies.test_false_restrictions import of_one, restricted_tables
from true_certificates import certificate, optimum, true_certificates
from true_ratios import ratio_of
from true_tables import matrix_of

from relaxspca.certificate import Leaf

FEW = draws(6, 200)
RESTRICTED = {f"restrict, {kind}, {seed}": of_one(kind, seed)[0] for kind in KINDS for seed in (0, 1)}
SINGLE = {name: made for name, (_, made) in true_certificates().items() if made.k and not made.eliminated}
OTHERS = {
    name: made
    for name, made in (every_certificate() | restricted_tables() | RESTRICTED).items()
    if name not in SINGLE and not (made.rho and made.eliminated)  # which are not covered
}
WORDS = ["listed", "factor", "split", "keep", "none", "tried", "apart", "rows", "within"]


def altered(words, rng):
    """Return evidence with some numbers changed, some words taken out or exchanged."""
    words = list(words)
    for at in rng.integers(len(words), size=int(rng.integers(1, 6))):
        at = min(int(at), len(words) - 1)
        if rng.random() < 0.1:
            words[at] = str(rng.choice(WORDS))
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


@pytest.mark.parametrize("name", SINGLE)
def test_of_one_component(name, verdict):
    made, rng = SINGLE[name], np.random.default_rng(1)
    words = translate.translate(made).split()
    S, J, E = matrix_of(made), made.include.tolist(), made.exclude.tolist()
    best = optimum(S, made.k, include=J, exclude=E)[0]
    assert made.lower <= best <= made.upper
    listed = made.claim.listed
    if listed is not None:
        lies = [changed(made, listed=changed(listed, others=listed.others - 1e-3))]
    else:
        lies = [changed(made, lower=best - 2e-3, upper=best - 1e-3)]
        if made.k < made.n and optimum(S, made.k + 1)[0] > made.upper + 1e-6:
            lies.append(changed(made, k=made.k + 1, include=(), exclude=()))
        if E and optimum(S, made.k, include=J)[0] > made.upper + 1e-6:
            lies.append(changed(made, exclude=()))
        scaled = 1.01 * S + 1e-3 * np.eye(len(S))
        if made.factor is None and optimum(scaled, made.k, include=J, exclude=E)[0] > made.upper:
            lies.append(changed(made, matrix=scaled))
    for lie in lies:
        refused_whatever_the_evidence(lie, words, verdict, rng, FEW)


@pytest.mark.parametrize("name", OTHERS)
def test_of_groups_signs_several_components_and_ratios(name, verdict):
    """The lower bound is attained: no smaller upper bound is true."""
    made, rng = OTHERS[name], np.random.default_rng(3)
    words, room = translate.translate(made).split(), 1e-3 * max(abs(made.lower), 1e-3)
    lie = changed(made, lower=made.lower - 2 * room, upper=made.lower - room)
    refused_whatever_the_evidence(lie, words, verdict, rng, FEW // 3)
    lie = changed(made, lower=made.upper + 1.0, upper=made.upper + 2.0)
    refused_whatever_the_evidence(lie, words, verdict, rng, 2)


def paid(bound, *used, pair="none"):
    """Return that rows which cost nothing are enough for a bound."""
    weights, named = " ".join(str(int(i in used)) for i in range(3)), " ".join(map(str, used))
    return f"rows {weights} {pair} {len(used)} {named} {f'{bound} ' * len(used)} 1 1 0"


PAID, LAST = paid(4, 0, 1, 2), paid(1, 2)  # of three variables, and of the last one
TOO_LITTLE, WITHOUT_WEIGHTS = (f"rows {w} {w} {w} none 3 0 1 2 10 10 1 1 1 0" for w in "10")
ALONE = "rows 1 1 1 none 0 1 1 0"
END = "0 1 1 0"
SAID = {"weights": "1 1 1", "matrices": "0", "multipliers": "0", "known": "1  1 1 4 rows 0"}
APART = {"node": "apart 0 {level} {groups}", "level": "4", "groups": "1 1 {1} 4"}
UNDER = {"node": "multipliers {at} 0 {bounds} {parts} " + END, "at": "0", "lost": PAID, "other": PAID}
PART = r"\(check_part n0 smaller k j m y best t"
PASSES = r"pays most0 \(sets_of.*?\(some r\)"
SEMIDEFINITE = r"\(semidefinite p.why_rest.*?\(among0 m\)\)\)"
PAIRS = r"\(paid counts \(among0 p.for_pairs\) \(among0 p.paying\)\)"
HEAVY = r"Whole.lt Whole.zero \(Stdlib.snd \(Stdlib.snd \(Stdlib.fst a\)\)\)"
LEFT_OUT = {  # what is said of tables that lose a variable, and the condition that it does not meet
    "rows apart": (APART | {"level": "1"}, r"\(all \(fun m ->\s+loses_none.*?\(sizes_of.*?\)\)\)"),
    "others": (APART | {"groups": "0"}, r"\(perm_eq nat_eqType.*?kind r\)\)\)\)"),
    "known": (APART | {"groups": "1 1 {1} 1"}, r"\(all \(fun g ->\s+is_known.*?groups\)"),
    "trees": (
        APART | {"groups": "1 1 {1} 1", "known": "1  1 1 1 rows 0"},
        r"\(check_tree n0 \[\] \(\(\(iota 0 n0\), k\) :: \[\]\) s u tables.*?tree\)",
    ),
    "sum apart": (APART, r"\(Whole.leq\s+\(Whole.add \(Whole.mul \(Whole.of_int \(copies.*? u\)"),
    "rows": (UNDER | {"lost": TOO_LITTLE}, PASSES),
    "rest": (UNDER | {"lost": paid(1, 0, 1, 2)}, SEMIDEFINITE),
    "P": (UNDER | {"matrices": "1 3 1 9 2 0 9 3 0 0 9 0", "lost": paid(1, 0, 1, 2, pair=0)}, PAIRS),
    "beside multipliers": (
        UNDER | {"multipliers": "1 0 0 0 0", "at": "1", "lost": ALONE, "other": ALONE},
        PASSES,
    ),
    "weights": (UNDER | {"weights": "0 0 0", "known": "0", "lost": WITHOUT_WEIGHTS}, HEAVY),
    "within": (
        UNDER | {"other": f"within 2 0 1 tried {TOO_LITTLE}", "bounds": "4 1"},
        PART + r"\s+\(filter.*?within\)",
    ),
    "beside": (
        UNDER | {"other": f"within 1 2 {LAST} {TOO_LITTLE}", "bounds": "4 1"},
        PART + r" f \(Some.*?beside0\)",
    ),
    "sum": (UNDER | {"bounds": "4 4"}, r"\(Whole.leq\s+\(Whole.add paid_parts.*? u\)"),
    "equal parts": (  # where one has the first variable, or may not have the second, the other is not like it
        {
            "tree": f"split 0 0  split 0 1 none split 1 0 none multipliers 0 0 4 1 {paid(4, 0)} {LAST} {END}"
            f"  split 0 1  split 1 1 none multipliers 0 0 3 1 {paid(3, 1)} {LAST} {END}  none"
        },
        r"alike k j f t part",
    ),
}


# Points that say x'Sx <= 2 x'x of S = [2 1; 1 2], for which 3 is the least, and the condition that each lacks.
ROWS_LEFT_OUT = {
    "covered": ("0  0  1  1 0 none 1 0  2  1 1 0", r"\(all \(member_of found\) l\)"),
    "semidefinite": ("0  0  1  1 1 none 2 0 1  2 2  1 1 0", SEMIDEFINITE),
    "paid": ("1 2 2 0 1 2 1 0 0  0  1  1 1 0 2 0 1  2 2  1 1 0", PAIRS),
    "positive": ("0  0  1  1 1 none 2 0 1  2 2  1 -1 2 1 1 1 1", r"\(Whole.leq Whole.zero h\)"),
    "weight": ("0  0  1  0 0 none 0 1 0 0", HEAVY),
}


def evidence_of(said, *nodes):
    """Return what is said of two components of one variable each, of three."""
    start = "0  1 0 0  0 1 0  4 3  {matrices}  0  1 {weights} none 0 1 0 0  {multipliers}  {known}"
    return " ".join([start.format(**SAID | said), *nodes]).split()


def losing(said, kept):
    """Return the nodes at which one part after the other keeps some variables only."""
    for part in (0, 1):
        turn = slice(None, None, -1 if part else 1)
        here = {"bounds": " ".join(said.get("bounds", "1 4").split()[turn])}
        here["parts"] = " ".join([said.get("lost", ""), said.get("other", "")][turn])
        here["groups"] = said.get("groups", "").format(0, 1 - part)
        yield f"keep {part} {kept} " + said["node"].format(**said | here)


@pytest.fixture(scope="module")
def broken(checker, tmp_path_factory):
    """Build the same program without the condition that the environment names."""
    folder = tmp_path_factory.mktemp("broken")
    for path in checker.parent.glob("*.ml*"):
        (folder / path.name).write_text(path.read_text())
    path = folder / "sparse_checker.ml"
    for name, (_, condition) in (LEFT_OUT | ROWS_LEFT_OUT).items():
        left_out = rf'(Sys.getenv "LEFT_OUT" = "{name}" || \g<0>)'
        text, count = re.subn(condition, left_out, path.read_text(), flags=re.DOTALL)
        assert count == 1
        path.write_text(text)
    sources = ["whole.ml", "sparse_checker.mli", "sparse_checker.ml", "json.ml", "file.ml", "main.ml"]
    command = ["ocamlfind", "ocamlopt", "-package", "zarith,sha,unix", "-linkpkg", *sources, "-o", "broken"]
    subprocess.run(command, cwd=folder, check=True, capture_output=True)
    return folder / "broken"


@pytest.fixture
def needed(verdict, request, tmp_path, monkeypatch):
    """Return a function that checks that evidence proves nothing, and what is false without a condition."""

    def check(name, made, words):
        assert verdict(made, words)[0] == "REFUSED"
        if IS_DEEP:
            monkeypatch.setenv("LEFT_OUT", name)
            broken = request.getfixturevalue("broken")
            assert prove.accepted(tmp_path / "c.json", " ".join(words), checker=broken)[0] == "proved"

    return check


@pytest.mark.parametrize("name", LEFT_OUT)
def test_components_with_a_variable_that_is_left_out_must_be_paid_for(name, verdict, needed):
    """Diag(4, 3, 1) has 7, and no proof of 5 by the third variable alone; without a condition there is one."""
    made = components(
        names=[*"abc"], matrix=np.diag([4.0, 3, 1]), supports="orthogonal", sizes=[1, 1], lower=2.0, upper=5.0,
        indices=[[0], [1]], loadings=np.eye(3)[:, :2], tree=[Leaf("multipliers")],
    )  # fmt: skip
    honest = [*losing(APART | {"level": "1"}, "2 0 1"), f"multipliers 0 0 5 5 tried tried {END}"]
    assert verdict(changed(made, upper=10.0), evidence_of(APART, *honest))[0] == "proved"
    said = LEFT_OUT[name][0]
    nodes = [said["tree"]] if "tree" in said else [*losing(said, "1 2"), "none"]
    needed(name, made, evidence_of(said, *nodes))


@pytest.mark.parametrize("name", ROWS_LEFT_OUT)
def test_rows_must_cover_what_they_say(name, verdict, needed):
    """The same rows prove 3, where each may cost 3; without a condition they prove 2."""
    made = changed(certificate(np.array([[2.0, 1], [1, 2]]), 2, [Leaf("rows")], lower=2.0), upper=3.0)
    honest = "0  1 0  0  0  1  1 1 none 2 0 1  3 3  1 1 0  rows 0"
    assert verdict(made, honest.split())[0] == "proved"
    needed(name, changed(made, upper=2.0), f"0  1 0  {ROWS_LEFT_OUT[name][0]}  rows 0".split())


def test_true_claims_survive_some_changes_and_not_others(verdict):
    """Evidence is checked: of many changes some prove as well, and some prove nothing."""
    made, rng = SINGLE["tree"], np.random.default_rng(5)
    words = translate.translate(made).split()
    seen = [verdict(made, altered(words, rng))[0] for _ in range(draws(60, 400))]
    assert seen.count("proved") >= 5
    assert seen.count("REFUSED") >= 20


def test_budgets_count_in_each_part(verdict):
    """One more variable in a part, and the bound of the smaller budgets is false."""
    made, rng = OTHERS["budgets"], np.random.default_rng(6)
    words = translate.translate(made).split()
    first, *others = made.claim.budgets
    A, B = made.subject.numerator, made.subject.denominator
    more = (changed(first, k=first.k + 1), *others)
    supports = itertools.product(*(itertools.combinations(b.variables.tolist(), b.k) for b in more))
    best = max(ratio_of(A, B, sum(parts, ()))[0] for parts in supports)
    assert best > made.upper
    lie = changed(made, budgets=more, k=made.k + 1)
    refused_whatever_the_evidence(lie, words, verdict, rng, FEW)


def test_variables_that_are_lost_must_be_paid_for(verdict):
    """A node that keeps too few variables proves nothing, whatever is said below it."""
    S = np.array([[4.0, 1, 0, 0], [1, 4, 0, 0], [0, 0, 1, 0], [0, 0, 0, 1]])
    made = changed(certificate(S, 2, [Leaf("rows")], lower=4.0), upper=5.0)
    head = "0  1 1 0 0  0 0 1 1 1 1 1 none 0 1 0 0"
    honest, lost = "keep 0 2 0 1 rows 0", "keep 0 2 2 3 rows 0"
    assert verdict(made, f"{head} {honest}".split())[0] == "proved"
    assert verdict(changed(made, upper=4.0), f"{head} {honest}".split())[0] == "REFUSED"
    assert verdict(changed(made, lower=1.0, upper=2.0), f"{head} {lost}".split())[0] == "REFUSED"
