"""Two checkers, written apart from one specification, agree: on the archive, on lies, and on random files."""

import json
import math
import random
import re
from fractions import Fraction

import checker.test_ratio as ratios
import numpy as np
import pytest
from building import changed as rebuilt
from draws import IS_DEEP, draws
from every_certificate import every_certificate
from exact_truth import Spectrum
from hostile_files import hostile
from lies.test_companion_lies import companions, deflated
from lies.test_every_scale import random_claim
from lies.test_lies import BROKEN
from random_changes import changed
from telling_lies import document_of, saved
from true_certificates import certificate
from true_tables import long_components
from two_checkers import (
    CHECKER,
    NODE,
    ROOT,
    agree,
    answered,
    checked,
    files_of,
    known_lies,
    node,
    pairs,
    python,
    second,
    true_documents,
    written,
)

import relaxspca as rs
import relaxspca.certificate.writing as certificate_writing
from relaxspca.certificate import Leaf, Split
from relaxspca.checker import verify, witness
from relaxspca.checker.exact import Exact
from relaxspca.checker.family import charges_of

ARCHIVE = sorted(path for folder in ROOT.glob("certificates/*/") for path in folder.rglob("*.json"))
pytestmark = pytest.mark.skipif(NODE is None, reason="node is not installed")
TRUE = every_certificate()


def test_every_certificate_of_the_archive_is_accepted():
    for said in checked([path for path in ARCHIVE if path.stat().st_size < draws(15_000, np.inf)]):
        assert said["outcome"] == "VERIFIED", said


def test_the_exit_code_says_verified_not_verified_or_no_certificate(tmp_path):
    true = next(path for path in ARCHIVE if path.parent.name == "breast_cancer")
    document = json.loads(true.read_text())
    bad, none = tmp_path / "lie.json", tmp_path / "none.json"
    document["claim"]["upper"] = document["claim"]["lower"]
    bad.write_text(json.dumps(document))
    none.write_text("[]")
    for paths, code, word in (([true], 0, "VERIFIED"), ([bad], 1, "REFUTED"), ([bad, none], 2, "REFUSED")):
        run = node(CHECKER, *paths)
        assert (run.returncode, word in run.stdout, run.stderr) == (code, True, "")
    assert answered()[0] == 2
    assert answered(tmp_path / "missing.json")[0] == 2


def test_the_worked_example_and_arrays_beside_files_are_read_and_other_versions_are_not(tmp_path, monkeypatch):
    paths = [tmp_path / "example.json"]
    example = re.search(r"```json\n(.*?)```", (ROOT / "certificates" / "SPEC.md").read_text(), re.DOTALL)[1]
    paths[0].write_text(example)
    monkeypatch.setattr(certificate_writing, "MAX_INLINE", 0)
    paths += files_of(TRUE.values(), tmp_path)
    assert len(list(tmp_path.glob("*.npz"))) == len(TRUE)
    for said in checked(paths):
        assert said["outcome"] == "VERIFIED", said
    for version in (1, 2, 4):
        paths[0].write_text(json.dumps(json.loads(example) | {"version": version}))
        [said] = checked(paths[:1])
        assert (said["outcome"], f"must be 3, not {version}" in said["reasons"][0]) == ("REFUSED", True)


def test_a_text_may_be_long(tmp_path):
    document = document_of(TRUE["spectral"])
    documents = [document | {"made_by": text * 10_000_000} for text in ("x", '"')]
    for said in checked(written(documents, tmp_path)):
        assert said["outcome"] == "VERIFIED", said


def test_names_may_be_many(tmp_path):
    n = 150_000
    made = certificate(np.ones((2, 2)), 1, [Leaf("rows")], upper=2.0)
    names, exclude = [f"x{i}" for i in range(n)], range(2, n)
    more = {
        "factor": np.ones((1, n)),
        "names": names,
        "exclude": exclude,
        "loadings": np.eye(1, n)[0],
        "indices": [0],
    }
    assert second([rebuilt(made, **more)], tmp_path) == ["VERIFIED"]


def test_true_certificates_and_lies_of_every_kind_get_the_same_answer(tmp_path):
    true = true_documents(tmp_path)
    documents = [*true, *[*known_lies(tmp_path)][:: draws(4, 1)]]
    paths = written(documents, tmp_path)
    met = pairs(paths, documents)
    # One "lie" claims a last digit less than the first checker proves, and is true: see within_a_margin.
    assert met.count(("INCONCLUSIVE", "VERIFIED")) <= 1
    believed = [made for made, (_, said) in zip(documents, met, strict=True) if said == "VERIFIED"]
    assert believed[: len(true)] == true
    special = {"one_of_each", "whole_groups", "nonnegative", "supports"}
    # Others may be that a bound is not the sharpest that is proved: then they are true as well.
    assert sum(bool(special & {*made["claim"]}) for made in believed[len(true) :]) <= 4
    for document in believed[len(true) :]:
        if special & {*document["claim"]}:
            continue
        assert document["evidence"]["tree"] == [["rows", None]]
        entries = [Fraction(float.fromhex(x)) for x in document["subject"]["entries"]["hex"]]
        n = len(document["subject"]["names"])
        S = Spectrum([entries[i * n : (i + 1) * n] for i in range(n)])
        assert S.above(Fraction(float.fromhex(document["claim"]["upper"]))) == 0


def test_lies_of_the_companion_and_broken_files_are_refused(tmp_path, monkeypatch):
    whole = json.dumps(document_of(TRUE["psi"]))
    assert "npz" not in whole
    monkeypatch.setattr(certificate_writing, "MAX_INLINE", 0)
    TRUE["perron"].save(tmp_path / "lie.json")
    text, content = (tmp_path / "lie.json").read_text(), next(tmp_path.glob("lie.*npz")).read_bytes()
    paths = []
    for at, (document, spoiled, *_) in enumerate([*companions(text, content), deflated(text, content)]):
        folder = tmp_path / str(at)
        folder.mkdir()
        paths.append(folder / "lie.json")
        paths[-1].write_text(json.dumps(document))
        if spoiled is not None:
            (folder / "lie.npz").write_bytes(spoiled)
    for at, (spoil, _) in enumerate(BROKEN):
        paths.append(tmp_path / f"broken{at}.json")
        paths[-1].write_text(spoil(whole), encoding="utf-8")
    met = [said["outcome"] for said in checked(paths)]
    assert met == [*["REFUSED"] * 41, "VERIFIED", *["REFUSED"] * len(BROKEN)]


def test_random_changes_get_the_same_answer(tmp_path):
    rng, originals = random.Random(12), true_documents(tmp_path)
    documents = [changed(rng.choice(originals), rng) for _ in range(draws(150, 800))]
    met = agree(written(documents, tmp_path), documents)
    assert all(
        met[outcome, outcome] >= draws(3, 5) for outcome in ("VERIFIED", "INCONCLUSIVE", "REFUTED", "REFUSED")
    )


def test_hostile_files_are_refused_by_both_or_by_neither(tmp_path):
    rng, originals, paths = random.Random(13), true_documents(tmp_path), []
    for at in range(draws(80, 500)):
        paths.append(tmp_path / f"{at}.json")
        paths[-1].write_text(hostile(rng.choice(originals), rng), encoding="utf-8")
    met = {}
    for path, said in zip(paths, checked(paths), strict=True):
        both = python(path)[0], said["outcome"]
        assert both[0] == both[1], (path, both, said["reasons"], python(path)[2])
        met[both[0]] = met.get(both[0], 0) + 1
    assert met["REFUSED"] > draws(60, 400)
    assert met["VERIFIED"] > draws(2, 20)


def test_a_ratio_is_held_against_a_digest_or_another_file_and_not_against_one_matrix(tmp_path):
    digests = [made.digest for made in ratios.TRUE.values()]
    path = tmp_path / "c.json"
    next(iter(ratios.TRUE.values())).save(path)
    for given, code in ((digests[0], 0), (digests[7], 1), (path, 0), (ARCHIVE[0], 1)):
        assert answered(f"--against={given}", path)[0] == code


def test_least_squares_have_a_bound_without_evidence_in_both(tmp_path):
    trees = [
        (Leaf("rows"),),
        (Split(0, 0, 1, 2), Leaf("rows"), Leaf("rows")),
        (Split(0, 0, 1, 1), Leaf("rows")),
    ]
    made = [ratios.by_the_sum_of_squares(tree, short=short) for tree in trees for short in (0.0, 2.0**-40)]
    # Where the claim is above all that a fit can explain a broken tree does not save it.
    made += [rebuilt(false, lower=9.5, upper=10.0) for false in made[::2]]
    documents = [saved(claim, tmp_path) for claim in made]
    assert agree(written(documents, tmp_path), documents) == {
        ("VERIFIED", "VERIFIED"): 2, ("INCONCLUSIVE", "INCONCLUSIVE"): 4, ("REFUTED", "REFUTED"): 3,
    }  # fmt: skip


def test_what_the_fuzzing_found(tmp_path):
    """A 0 in the place of null is no null; a listed bound above the claim's is proved down to the claim's."""
    documents = [saved(TRUE[name], tmp_path) for name in ("psi", "near optimal")]
    documents[0]["subject"]["eliminated"] = 0
    documents[1]["claim"]["list"]["upper"][0] = (9.0).hex()
    met = agree(written(documents, tmp_path), documents)
    assert met == {("REFUSED", "REFUSED"): 1, ("VERIFIED", "VERIFIED"): 1}


def test_what_the_first_checker_just_proves_the_second_proves_and_not_much_less(tmp_path):
    rng, claims = np.random.default_rng(5), []
    while len(claims) < draws(60, 300):
        made = random_claim(rng, most=6, is_plain=True)
        bound = verify(made, exact=True).proved_upper
        if np.isfinite(bound):
            low = bound - max(abs(bound) * 1e-9, 1e-300)
            claims += [rebuilt(made, upper=upper) for upper in (bound, low)]
    expected = [verify(made, exact=True).verified for made in claims]
    assert sum(expected) == len(claims) // 2
    for made in TRUE.values():  # the bound of every rule is verified as it is; see above
        bound = verify(made, exact=True).proved_upper
        low = bound - 1e-9 * abs(bound)
        claims.append(rebuilt(made, lower=min(made.lower, low), upper=low))
    expected += [False] * len(TRUE)
    assert [outcome == "VERIFIED" for outcome in second(claims, tmp_path)] == expected


def test_a_statement_of_the_second_checker_says_the_restriction(tmp_path):
    said = {
        "one of each": "at most one variable of each of 2 groups",
        "whole groups": "the optimum with at most 2 whole groups of 3 <= ",
        "nonnegative": "non-negative loadings",
    }
    rows = checked(files_of([TRUE[name] for name in said], tmp_path))
    assert all(words in row["statement"] for words, row in zip(said.values(), rows, strict=True))


def test_the_second_checker_says_what_is_explained_and_of_a_list_nothing_that_the_list_denies(tmp_path):
    M, y = np.random.default_rng(0).normal(size=(2, 9, 9))
    fits = [
        rs.applications.subset_selection(M[:, :4], y[0], 2, ridge=ridge).certificate for ridge in (0.0, 1.0)
    ]
    one, least, penalised, listed = checked(files_of([TRUE["spectral"], *fits, TRUE["near optimal"]], tmp_path))
    assert one["statement"].endswith("; that it is the only one is not claimed")
    assert " <= largest sum of squares explained with 2 variables <= " in least["statement"]
    assert " explained, less the ridge term, with 2 variables <= " in penalised["statement"]
    assert "besides" in listed["statement"]
    assert "not claimed" not in listed["statement"]


def test_names_that_cannot_stand_bare_in_a_line_are_quoted_by_both_checkers(tmp_path):
    names = ["bark, mm", 'so "called"', "a; b", "plain"]
    S = np.diag([4.0, 3.0, 2.0, 1.0]) + 0.1
    cov = rs.Covariance(S, names=names)
    made = (
        rs.solve(cov, 3),
        rs.components(cov, [2, 1], joint=True),
        rs.generalized(S, np.eye(4), 3, names=names),
    )
    paths = files_of([found.certificate for found in made], tmp_path)
    for path, row in zip(paths, checked(paths), strict=True):
        assert row["outcome"] == "VERIFIED"
        for quoted in ('"bark, mm"', '"so ""called"""', '"a; b"'):
            assert quoted in row["statement"]
            assert quoted in str(verify(path))


STOPPED = """
const {check} = require(process.argv[1]);
const progress = () => { throw new RangeError("too long") };
check({text: require("fs").readFileSync(0, "utf8")}, {progress})
  .then((said) => process.stdout.write(JSON.stringify(said)));
"""


def test_an_error_of_the_second_checker_is_inconclusive_and_named():
    run = node("-e", STOPPED, CHECKER, text=ARCHIVE[0].read_text())
    assert run.stderr == ""
    said = json.loads(run.stdout)
    assert (said["outcome"], said["attained"]) == ("INCONCLUSIVE", None)
    assert said["reasons"] == ["the check was stopped by RangeError: too long"]


CHARGES = """
const {parts} = require(process.argv[1]);
const {dyadic, quotient, root, fraction, RowCharges} = parts;
const text = (p) => fraction({p, q: dyadic(1)});
const told = JSON.parse(require("fs").readFileSync(0, "utf8"));
const out = told.map(({a, b, q, J, F, m}) => {
  const charges = new RowCharges((i, j) => dyadic(q[i][j]), q.map(() => 0), null);
  const here = {J, free: q.map((_, i) => F.includes(i)), rooms: [m - J.length]};
  const cost = (i) => text(charges.of(i, here));
  const numbers = {quotient: text(quotient(dyadic(a), dyadic(b))), root: text(root(dyadic(a)))};
  return {...numbers, forced: J.map(cost), free: F.map(cost)};
});
process.stdout.write(JSON.stringify(out));
"""


def test_quotients_roots_and_row_charges_agree_to_the_last_bit():
    rng, exact, asked = np.random.default_rng(3), Exact(), []
    for _ in range(200):
        n = int(rng.integers(2, 8))
        J = sorted(rng.choice(n, size=int(rng.integers(0, n - 1)), replace=False).tolist())
        F = [i for i in range(n) if i not in J]
        a, b = (float(x * 2.0 ** rng.integers(-60, 60)) for x in rng.random(2) + 0.1)
        if rng.random() < 0.3:
            a, b = float(rng.integers(1, 50)), float(rng.integers(1, 50))
        m = len(J) + int(rng.integers(1, len(F) + 1))
        asked.append({"a": a, "b": b, "q": rng.normal(size=(n, n)).tolist(), "J": J, "F": F, "m": m})
    run = node("-e", CHARGES, CHECKER, text=json.dumps(asked))
    assert run.stderr == ""
    for told, found in zip(asked, json.loads(run.stdout), strict=True):
        a, b = exact.array(np.array([told["a"]])), exact.array(np.array([told["b"]]))
        assert Fraction(found["quotient"]) == exact.quotient_upper(a, b)[0]
        assert Fraction(found["root"]) == exact.sqrt_upper(a)[0]
        q = exact.array(np.array(told["q"]))
        costs = charges_of(exact, q, told["J"], [(told["F"], told["m"] - len(told["J"]))])
        assert list(map(Fraction, found["forced"] + found["free"])) == list(costs)


DIVISORS = """
const {parts} = require(process.argv[1]);
const told = JSON.parse(require("fs").readFileSync(0, "utf8"));
process.stdout.write(JSON.stringify(told.map(([a, b]) => parts.gcd(BigInt(a), BigInt(b)).toString())));
"""


def pairs_of_numbers():
    """Yield random numbers with and without common divisors, neighbours, powers of 2, Fibonacci numbers."""
    rng = random.Random(4)
    for bits in (1, 30, 52, 53, 54, 63, 64, 65, 66, 104, 128, 500, 5000):
        for _ in range(12):
            a, b, c = (rng.getrandbits(rng.randint(1, bits)) for _ in range(3))
            yield from (
                (a, b),
                (a * c, b * c),
                (a, a),
                (a, a + 1),
                (a * c, c),
                (0, a),
                (a << 70, (b << 70) + 1),
            )
        yield from ((2**bits, 2**bits - 1), (2**bits + 1, 2**bits), (2**bits, 2 ** (bits // 2)))
    a, b = 1, 1
    for _ in range(700):  # all quotients are 1
        a, b = a + b, a
    yield from ((a, b), (a + 1, b), (6 * a, 10 * b), (a**2, a * b))


def test_greatest_common_divisors_are_those_of_python():
    asked = list(pairs_of_numbers())
    run = node("-e", DIVISORS, CHECKER, text=json.dumps([[str(a), str(b)] for a, b in asked]))
    assert run.stderr == ""
    assert [int(x) for x in json.loads(run.stdout)] == [math.gcd(a, b) for a, b in asked]


def test_long_components_attain_the_same_fraction(tmp_path):
    documents = [saved(long_components(*shape), tmp_path) for shape in ((6, 4, 0), (5, 4, 60), (9, 6, 0))]
    assert agree(written(documents, tmp_path), documents) == {("VERIFIED", "VERIFIED"): 3}


@pytest.mark.skipif(not IS_DEEP, reason="three seconds of long numbers")
def test_components_that_are_too_long_are_given_up_for_the_reason_of_the_first_checker(tmp_path):
    """What that says of the same file: tests/checker/test_tables.py."""
    path = tmp_path / "long.json"
    long_components(12, 8, 300).save(path)
    (said,) = checked([path])
    assert (said["outcome"], said["attained"]) == ("INCONCLUSIVE", None)
    assert said["reasons"] == [f"orthogonal components take numbers of more than {witness.MOST_BITS} bits"]


def test_what_is_equal_is_said_once(tmp_path):
    made = long_components(8, 6, 0)
    shared = {"indices": [range(8)] * 6, "loadings": np.eye(8)[:, :6], "supports": "common", "sizes": [8] * 6}
    every = "x0, x1, x2, x3, x4, x5, x6, x7"
    for changes, said in (
        ({}, ("(orthonormal) of 7 variables each <= ", "components of x1, x2, x3, x4, x5, x6, x7; of x0, ")),
        ({"sizes": [8, 7, 7, 7, 7, 7]}, ("(orthonormal) of 8, 7, 7, 7, 7, 7 variables <= ",)),
        (shared, ("(of one common support) of 8 variables <= ", f"is attained by components of {every}")),
    ):
        rebuilt(made, **changes).save(tmp_path / "c.json")
        (row,) = checked([tmp_path / "c.json"])
        assert row["outcome"] == "VERIFIED"
        assert all(words in row["statement"] for words in said)
        assert row["statement"].count(every) == ("supports" in changes)
