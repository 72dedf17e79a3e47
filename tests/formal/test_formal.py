"""The verified checker proves what is true and refuses what is changed; skipped where there is no Rocq."""

import dataclasses
import itertools
import subprocess
from fractions import Fraction
from pathlib import Path

import in_rocq
import numpy as np
import prove
import pytest
import translate
from draws import draws
from formal_words import changed, changed_at_random, refused, what_is_accepted
from true_certificates import certificate, covariance, perron_bound, perron_point, true_certificates

import relaxspca as rs
from relaxspca.certificate import Certificate, Eliminated, Leaf, Split, load_certificate

ROOT = Path(__file__).parents[2]
PITPROPS = sorted((ROOT / "certificates" / "pitprops").glob("*.json"))
COVERED = {name: made for name, (_, made) in true_certificates().items() if not translate.why_not(made)}
OTHERS = {name: made for name, (_, made) in true_certificates().items() if translate.why_not(made)}


def perron_tree():
    """Return a certificate whose tree has perron leaves, a spectral one and a void one."""
    S = covariance(5, seed=3)
    point, perron = perron_point(S), Leaf("perron", 0)
    tree = [Split(0, 1, 2), perron, Split(1, 3, 4), perron, Split(2, 5, 6), Leaf("spectral"), Leaf("void")]
    return certificate(S, 3, tree, [point], max(perron_bound(S, point, 3), np.linalg.eigvalsh(S)[-1]))


@pytest.mark.parametrize("name", COVERED)
def test_true_certificates_are_proved(name, checker):
    prove.prove(COVERED[name], checker)


@pytest.mark.parametrize("name", OTHERS)
def test_other_rules_are_not_covered(name):
    with pytest.raises(translate.NotCovered):
        translate.translate(OTHERS[name])


def test_every_kind_of_node_is_proved(checker):
    prove.prove(perron_tree(), checker)


@pytest.mark.parametrize(
    "path", sorted((ROOT / "certificates" / "pitprops").glob("*.json")), ids=lambda p: p.stem
)
def test_pitprops_is_proved_and_no_better_bound_is(path, checker):
    made = Certificate.load(path)
    prove.prove(made, checker)
    with pytest.raises(prove.Refused):
        prove.prove(dataclasses.replace(made, upper=made.lower), checker)
    # The same evidence with a lower bound in the input itself, behind the translator's back.
    words = translate.translate(made).split()
    refused(with_claim(words, made, upper=Fraction(made.lower)), checker)


def test_the_worked_example_of_the_specification_is_proved(checker, tmp_path):
    text = (ROOT / "certificates" / "SPEC.md").read_text(encoding="utf-8")
    (tmp_path / "c.json").write_text(text.split("```json\n")[1].split("```")[0])
    made = load_certificate(tmp_path / "c.json")
    prove.prove(made, checker)
    with pytest.raises((prove.Refused, prove.NotProved)):
        prove.prove(dataclasses.replace(made, upper=5 + 2.0**-41), checker)


@pytest.mark.parametrize("seed", range(6))
def test_what_solve_writes_is_proved(seed, checker):
    """Covariances of few observations, indefinite matrices, any scale; k, a penalty, conditions, a list."""
    rng = np.random.default_rng(seed)
    n = int(rng.integers(4, 12))
    S = covariance(n, seed, samples=int(rng.integers(2, 20))) * 2.0 ** int(rng.integers(-60, 60))
    if seed % 3 == 0:
        S = S - np.diag(np.diag(S))
    cov = rs.Covariance(S)
    include, exclude = ([f"x{i}"] for i in rng.permutation(n)[:2])
    k = int(rng.integers(1, n + 1))
    conditions = {"k": min(k, n - 1), "include": include, "exclude": exclude}
    for claim in ({"k": k}, {"rho": float(np.abs(S).max() / 8)}, conditions):
        made = rs.solve(cov, **claim).certificate
        assert rs.verify(made)
        prove.prove(made, checker)
    listed = rs.near_optimal(cov, conditions["k"], within=0.1, exclude=exclude).certificate
    assert rs.verify(listed)
    prove.prove(listed, checker)


def places(words, made):
    """Return where the bounds and the witness stand in the input."""
    at = 7 + made.n * made.n
    return at, at + 1, at + 2


def with_claim(words, made, **bounds):
    words, D = list(words), int(words[5])
    lower, upper, _ = places(words, made)
    for name, value in bounds.items():
        words[{"lower": lower, "upper": upper}[name]] = str(int(value * D))
    return words


def test_lies_in_the_input_are_refused(checker):
    made = perron_tree()
    words = translate.translate(made).split()
    n, (lower, upper, z) = made.n, places(words, made)
    prove.accepted(" ".join(words), checker)
    P = words.index("perron") + 1
    N = P + n * n
    tree = words.index("split")
    lies = {
        "no evidence for so low an upper bound": changed(words, upper, int(words[lower]) - 1),
        "more than the witness attains": changed(words, lower, words[upper]),
        "a larger k": changed(words, 2, 4),
        "k = 0": changed(words, 2, 0),
        "k > n": changed(words, 2, n + 1),
        "D = 0": changed(words, 5, 0),
        "D < 0": changed(words, 5, -int(words[5])),
        "Sigma not symmetric": changed(words, 8, int(words[8]) + 1),
        "no witness": [*words[:z], *["0"] * n, *words[z + n :]],
        "a witness with too many entries": [*words[:z], *["1"] * n, *words[z + n :]],
        "a charge too small": changed(words, N + 1, int(words[N + 1]) // 2),
        "a negative charge": changed(words, N + 1, -int(words[N + 1])),
        "P not symmetric": changed(words, P + 1, int(words[P + 1]) + 1),
        "P unpaid": changed(changed(words, P + 1, words[upper]), P + n, words[upper]),
        "larger charges": [*words[:N], *(str(4 * int(x)) for x in words[N : N + n * n]), *words[N + n * n :]],
        "a void leaf with supports": [*words[:tree], "void"],
        "an unknown rule": [*words[:tree], "obvious"],
        "a split on a decided variable": [*words[:tree], "split", "0", "split", "0", "void", "void", "void"],
        "a split on no variable": [*words[:tree], "split", str(n), "void", "void"],
        "one more word": [*words, "void"],
        "one word less": words[:-1],
    }
    for name, lie in lies.items():
        assert refused(lie, checker), name


def test_a_support_that_is_left_out_is_missed(checker):
    """Dropping either child of the root for a void leaf leaves supports uncovered."""
    made = perron_tree()
    for at, node in enumerate(made.tree):
        if isinstance(node, Leaf) and node.kind != "void":
            tree = [*made.tree[:at], Leaf("void"), *made.tree[at + 1 :]]
            with pytest.raises(prove.Refused):
                prove.prove(dataclasses.replace(made, tree=tree), checker)


def test_void_is_not_padded(checker):
    """k = 2, Sigma = diag(1, 5): without variable 1 no support of size 2 is left, but e_1 is worth 5."""
    S = np.diag([1.0, 5.0])
    tree = [Split(1, 1, 2), Leaf("rowsum"), Leaf("void")]
    made = certificate(S, 2, tree, upper=5.0)
    prove.prove(made, checker)
    with pytest.raises(prove.Refused):
        prove.prove(dataclasses.replace(made, lower=1.0, upper=1.5, loadings=[1.0, 0.0], indices=[0]), checker)
    with pytest.raises(prove.Refused):
        prove.prove(dataclasses.replace(made, tree=[Split(0, 1, 2), Leaf("void"), Leaf("void")]), checker)


def test_lies_in_a_penalised_claim_are_refused(checker):
    made = COVERED["penalised perron"]
    words = translate.translate(made).split()
    lower, upper, z = places(words, made)
    n, D = made.n, int(words[5])
    prove.accepted(" ".join(words), checker)
    lies = {
        "a lower penalty": changed(words, 2, int(words[2]) - D // 1000),
        "a negative penalty": changed(words, 2, -1),
        "an upper bound below the lower one": changed(words, upper, int(words[lower]) - 1),
        "an upper bound below 0": changed(words, upper, -1),
        "more than the witness attains": changed(words, lower, words[upper]),
        "no witness": [*words[:z], *["0"] * n, *words[z + n :]],
        "the proof of one cardinality is missing": words[: len(words) - words[::-1].index("point") - 1],
    }
    for name, lie in lies.items():
        assert refused(lie, checker), name
    nothing = dataclasses.replace(made, lower=0.0, indices=[], loadings=np.zeros(n))
    prove.prove(nothing, checker)
    with pytest.raises(prove.Refused):
        prove.prove(dataclasses.replace(nothing, lower=2.0**-40), checker)


def test_lies_about_conditions_are_refused(checker):
    made = COVERED["both conditions"]
    words = translate.translate(made).split()
    assert words[:7] == ["cardinality", "6", "3", "1", "2", "1", "1"]
    prove.accepted(" ".join(words), checker)
    first = str(made.indices[made.indices != 2][0])
    lies = {
        "nothing is excluded": [*words[:5], "0", *words[7:]],
        "nothing is included": [*words[:3], "0", *words[5:]],
        "a variable of the witness is excluded": changed(words, 6, first),
        "a variable is included and excluded": changed(words, 6, "2"),
        "a variable is included twice": [*words[:3], "2", "2", "2", *words[5:]],
        "a variable that is not there is included": changed(words, 4, 6),
        "more variables are included than k": [*words[:3], "4", "0", "2", "3", "4", *words[5:]],
        "with those to include the witness has too many": changed(words, 4, "0" if first != "0" else "5"),
        "fewer than k are left": [*words[:5], "4", "0", "1", "3", "4", *words[7:]],
        "k = 0": changed(words, 2, 0),
        "no conditions": [*words[:3], "0", "0", *words[7:]],
        "D = 0": changed(words, 7, 0),
    }
    for name, lie in lies.items():
        assert refused(lie, checker), name
    lines = prove.accepted(" ".join(words), checker)
    assert lines[0].endswith("include 2; exclude 1;")
    for fields in ({"include": [0]}, {"exclude": [0]}, {"include": [], "exclude": []}):
        other = dataclasses.replace(made, **{"indices": [2], "loadings": np.eye(6)[2]} | fields)
        with pytest.raises(prove.Refused, match="another claim"):
            prove.claims_the_same(other, lines)


def test_lies_in_a_list_are_refused(checker):
    made = COVERED["near optimal"]
    words = translate.translate(made).split()
    lines = prove.accepted(" ".join(words), checker)
    D, others, n = int(words[5]), words.index("split") - 1, made.n
    opening = [str(x) for x in (len(made.others.indices), made.k, *made.others.indices[0])]
    count = next(at for at in range(len(words)) if words[at : at + len(opening)] == opening)
    first, lower, upper = count + 2, count + 2 + made.k, count + 3 + made.k
    absent = next(i for i in range(n) if str(i) not in words[first:lower])
    lies = {
        "others explain less": changed(words, others, int(words[others]) - D // 100),
        "others explain more than the best": changed(words, others, int(words[others]) + 9 * D),
        "a listed support explains more": changed(words, lower, int(words[lower]) + D // 1000),
        "a listed support explains less": changed(words, upper, int(words[upper]) - D // 1000),
        "another support is listed": changed(words, first, absent),
        "a variable is listed twice": changed(words, first, words[first + 1]),
        "a support of another size is listed": [*words[: count + 1], str(made.k - 1), *words[first + 1 :]],
        "the list is empty": [*words[:count], "0"],
        "no vector": [*words[: upper + 1], *["0"] * n, *words[upper + 1 + n :]],
        "not a list": ["cardinality", *words[1:others], *words[others + 1 :]],
    }  # fmt: skip
    for name, lie in lies.items():
        assert refused(lie, checker), name
    for fields in (
        {"most": np.nextafter(made.others.most, -np.inf)},
        {"lower": made.others.lower - 1e-9},
        {"indices": made.others.indices[::-1]},
    ):
        claimed = dataclasses.replace(made, others=dataclasses.replace(made.others, **fields))
        with pytest.raises(prove.Refused, match="another claim"):
            prove.claims_the_same(claimed, lines)
    with pytest.raises(prove.Refused, match="another claim"):
        prove.claims_the_same(dataclasses.replace(made, others=None, tree=[Leaf("rowsum")]), lines)


def test_rocq_itself_proves_a_small_certificate(checker, tmp_path):
    """The kernel runs the checker, without extraction, OCaml or Zarith, and uses no axiom."""
    made = COVERED["tree"]
    words = translate.translate(made).split()
    lie = with_claim(words, made, upper=Fraction(made.lower))
    command = ["coqc", "-q", "-w", "none", "-R", str(checker.parent), "SparseEigenvalue"]
    for name, said, status in (("Honest", words, 0), ("Lie", lie, 1)):
        path = tmp_path / f"{name}.v"
        path.write_text(in_rocq.theorem(" ".join(said)))
        found = subprocess.run([*command, str(path)], capture_output=True, text=True, check=False)
        assert found.returncode == status
        assert ("Closed under the global context" in found.stdout) == (status == 0)
    accepted = path.read_text().splitlines().index("Proof. by vm_compute. Qed.") + 1
    assert f"line {accepted}," in found.stderr


def test_a_proof_of_another_claim_is_no_proof(checker):
    made, other = COVERED["perron"], COVERED["spectral"]
    lines = prove.accepted(translate.translate(made), checker)
    prove.claims_the_same(made, lines)
    with pytest.raises(prove.Refused, match="another claim"):
        prove.claims_the_same(other, lines)
    moved = made.matrix + np.diag([0.0] * (made.n - 1) + [2.0**-40])
    with pytest.raises(prove.Refused, match="another matrix"):
        prove.claims_the_same(dataclasses.replace(made, matrix=moved), lines)


def encloses(lines):
    """Say whether a claim that was proved is true, by enumeration of all supports."""
    kind, n, charge, lower, upper, _, include, _, exclude = lines[0].split()
    J, E = ({int(i) for i in text.rstrip(";").split(",") if i} for text in (include, exclude))
    at = next(at for at, line in enumerate(lines) if line.startswith("matrix"))
    S = np.array([[float(Fraction(x)) for x in line.split()] for line in lines[at + 1 :]])
    tops = {
        T: np.linalg.eigvalsh(S[np.ix_(T, T)])[-1]
        for m in range(1, int(n) + 1)
        for T in itertools.combinations(range(int(n)), m)
        if {*T} >= J and not {*T} & E
    }
    room = 1e-10 * (1 + np.abs(S).max())
    least, most = float(Fraction(lower)) - room, float(Fraction(upper)) + room
    if kind == "penalised":
        values = [top - len(T) * float(Fraction(charge)) for T, top in tops.items()]
        return least <= max(values + [0.0] * (not J)) <= most
    tops = {T: top for T, top in tops.items() if len(T) == int(charge)}
    is_true = least <= max(tops.values()) <= most
    if kind == "near_optimal":
        for line in lines[2:at]:
            _, support, lower, upper = line.split()
            top = tops.pop(tuple(sorted(int(i) for i in support.split(","))), None)
            if top is not None:  # it may be listed twice
                is_true &= float(Fraction(lower)) - room <= top <= float(Fraction(upper)) + room
        is_true &= all(top <= float(Fraction(lines[1].split()[1])) + room for top in tops.values())
    return is_true


def test_whatever_is_accepted_after_random_changes_is_true(checker):
    rng = np.random.default_rng(0)
    texts = [
        translate.translate(made).split() for made in (perron_tree(), *COVERED.values()) if made.factor is None
    ]
    others = ["void", "point", "split", "0"]
    inputs = (
        changed_at_random(texts[rng.integers(len(texts))], rng, rng.integers(1, 3), others)
        for _ in range(draws(150, 400))
    )
    for lines in what_is_accepted(inputs, checker):
        assert encloses(lines), lines


def test_lies_about_eliminated_variables_are_refused(checker):
    made = COVERED["two eliminated"]
    words = translate.translate(made).split()
    lines = prove.accepted(" ".join(words), checker)
    variances = [str(int(Fraction(x) * int(words[5]))) for x in made.eliminated.variances]
    opening = ["2", *variances]
    at = next(at for at in range(len(words)) if words[at : at + 3] == opening)
    shift = at + 3
    assert words[0] == "eliminated"
    lies = {
        "a larger variance": changed(words, at + 2, 1000 * int(words[at + 2])),
        "a larger shift": changed(words, shift, 1000 * int(words[5])),
        "a negative shift": changed(words, shift, -int(words[5])),
        "an upper bound of the block alone": with_claim(words, made, upper=Fraction(made.lower)),
        "one proof less": words[:-1],
    }
    for name, lie in lies.items():
        assert refused(lie, checker), name
    other = dataclasses.replace(made.eliminated, variances=2 * made.eliminated.variances)
    with pytest.raises(prove.Refused, match="another claim"):
        prove.claims_the_same(dataclasses.replace(made, eliminated=other), lines)
    with pytest.raises(prove.Refused, match="another claim"):
        prove.claims_the_same(dataclasses.replace(made, eliminated=None, elimination=None), lines)


def test_eliminated_variables_are_covered(checker):
    """A covariance is cut to its larger variances; what is proved holds of all of it, by enumeration."""
    for seed in range(4):
        whole = covariance(8, seed) * np.outer(*2 * [2.0 ** np.array([2, 1, 1, 0, 0, -2, -2, -3])])
        kept = rs.solve(rs.Covariance(whole[:5, :5]), 3).certificate
        rest = Eliminated(tuple("abc"), np.diag(whole)[5:] * (1 + 2.0**-30), 2.0**-30)
        top, most = np.linalg.eigvalsh(whole[:5, :5])[-1], rest.largest(3)
        upper = max(kept.upper, *(top + most[:b].sum() + b * rest.shift for b in (1, 2, 3))) * (1 + 1e-9)
        made = dataclasses.replace(kept, upper=upper, eliminated=rest, elimination=Leaf("spectral"))
        assert rs.verify(made)
        prove.prove(made, checker)
        best = max(np.linalg.eigvalsh(whole[np.ix_(T, T)])[-1] for T in itertools.combinations(range(8), 3))
        assert made.lower <= best <= made.upper
        with pytest.raises(prove.Refused):
            prove.prove(dataclasses.replace(made, upper=kept.upper), checker)
