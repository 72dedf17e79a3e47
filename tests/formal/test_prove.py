"""The command of the verified checker: every file has a verdict, and nothing but the claim of it is read."""

import hashlib
import itertools
import json
import re
import warnings
import zipfile
from contextlib import nullcontext
from pathlib import Path

import numpy as np
import prove
import pytest
import translate
from building import changed
from commands import write_csv
from restricted_certificates import restricted_certificates
from true_certificates import certificate, covariance, true_certificates
from true_tables import table

import relaxspca as rs
from relaxspca.certificate import Leaf, Split, load_certificate
from relaxspca.errors import CertificateError

ROOT = Path(__file__).parents[2]
PITPROPS = ROOT / "certificates" / "pitprops" / "k05.json"


@pytest.fixture
def said(checker, capsys):
    """Return a function that runs the command, and returns its status and its lines."""

    def run(*words):
        status = prove.main([str(word) for word in words])
        return status, capsys.readouterr().out.splitlines()

    return run


def test_every_file_has_a_verdict_whatever_is_in_it(said, tmp_path, monkeypatch):
    made = true_certificates()["tree"][1]
    changed(made, tree=(Split(0, 0, 0, 1), Leaf("rows"))).save(tmp_path / "1_cyclic.json")
    (tmp_path / "3_bytes.json").write_bytes(b"\xff\x00{")
    (tmp_path / "4_deep.json").write_text("[" * 100_000)
    (tmp_path / "5_folder.json").mkdir()
    (tmp_path / "6_gone.json").symlink_to(tmp_path / "nowhere")
    for name in ("7_memory", "8_recursion", "9_overflow"):
        (tmp_path / f"{name}.json").write_bytes(PITPROPS.read_bytes())
    (tmp_path / "good.json").write_bytes((PITPROPS.parent / "k04.json").read_bytes())
    waiting = [MemoryError(), RecursionError("too deep"), OverflowError("too\nlarge")]

    def translated(certificate):
        if certificate.k == 5:
            raise waiting.pop(0)
        return translate.translate(certificate)

    monkeypatch.setattr(prove, "translate", translated)
    status, lines = said(tmp_path)
    verdicts = {Path(line[12:].split()[0]).name[0]: line for line in lines if ".json" in line}
    assert [*verdicts] == [*"13456789g"]
    assert verdicts.pop("g").startswith("proved")
    refusals, reasons = [*verdicts.values()], ("MemoryError", "RecursionError: too deep", "too large")
    assert all(line.startswith("REFUSED") for line in refusals)
    for line, reason in zip(refusals[-3:], reasons, strict=True):
        assert reason in line
    assert status == 1
    assert lines[-1].startswith("9 certificates: 1 proved")


def test_all_makes_what_is_not_covered_a_failure(said, tmp_path):
    true_certificates()["penalised eliminated"][1].save(tmp_path / "c.json")
    for flags, expected in (((), 0), (("--all",), 1)):
        status, lines = said(*flags, PITPROPS, tmp_path / "c.json")
        assert status == expected
        assert lines[-2].startswith("not covered")
    assert said("--all", PITPROPS)[0] == 0


def test_what_is_too_large_is_not_covered(said, tmp_path):
    """A penalty takes a tree for each number of variables; disjoint supports that do not fit take one."""
    penalised = {"k": None, "rho": 0.5, "lower": 0.5, "upper": 0.5}
    certificate(np.eye(101), 1, [Leaf("rows")], **penalised).save(tmp_path / "a.json")
    several = {"indices": [[t] for t in range(9)], "loadings": np.eye(16)[:, :9], "lower": 9.0}
    made = table(np.eye(16), "disjoint", [4] * 9, 9.0, tree=[Leaf("multipliers")], **several)
    made.save(tmp_path / "b.json")
    status, lines = said(tmp_path)
    assert status == 0
    assert "101 variables, more than 100" in lines[0]
    assert lines[1].startswith("proved")


def test_the_matrix_is_told_by_its_digest_and_its_words(said):
    status, lines = said(PITPROPS)
    assert status == 0
    assert lines[1].strip() == f"a correlation matrix, of {load_certificate(PITPROPS).digest}"


def test_the_list_and_the_conditions_are_told(said, tmp_path):
    cov = rs.Covariance(covariance(12, seed=2), names=[f"v{i}" for i in range(12)])
    made = rs.near_optimal(cov, 2, within=0.2, exclude=[f"v{i}" for i in range(9)]).certificate
    made.save(tmp_path / "list.json")
    lines = "\n".join(said(tmp_path / "list.json")[1])
    assert "without v0, v1, v2, v3, v4, v5, v6, v7, v8\n" in lines
    listed = made.claim.listed
    found = re.findall(r"listed: (\S+) <= (.*) <= (\S+)\n", lines)
    for (lower, names, upper), T, least, most in zip(
        found, listed.supports, listed.lower, listed.upper, strict=True
    ):
        assert names == ", ".join(made.names[i] for i in T)
        assert float(lower) <= least <= most <= float(upper)
    assert float(re.search(r"every other support: at most (\S+)\n", lines)[1]) >= listed.others


def test_the_condition_on_eliminated_variables_is_told(said, tmp_path):
    made = true_certificates()["two eliminated"][1]
    made.save(tmp_path / "eliminated.json")
    lines = "\n".join(said(tmp_path / "eliminated.json")[1])
    assert "of every matrix that has this block, no eigenvalue below -0x0p+0" in lines
    assert "at most the variances y 0x1p-4, z 0x1p-3" in lines


def test_groups_and_budgets_are_told(said, tmp_path):
    titles = {"one_of_each": "at most one of each group: ", "whole_groups": "whole groups: "}
    for (*_, made), (field, title) in itertools.product(restricted_certificates().values(), titles.items()):
        if groups := getattr(made.claim, field):
            made.save(tmp_path / "c.json")
            told = title + "; ".join(", ".join(made.names[i] for i in group) for group in groups)
            assert told in map(str.strip, said(tmp_path / "c.json")[1])


def test_another_matrix_is_refused_and_the_next_file_checked(said, tmp_path):
    """The pit props with half the variance: proved, but not of the reader's matrix."""
    made = load_certificate(PITPROPS)
    half = changed(made, matrix=made.matrix / 2, lower=made.lower / 2, upper=made.upper / 2)
    half.save(tmp_path / "half.json")
    assert said(tmp_path / "half.json")[0] == 0
    for words in (("--digest", made.digest), ("--against", "pitprops")):
        status, lines = said(*words, tmp_path / "half.json", PITPROPS)
        assert status == 1
        assert lines[0].startswith("REFUSED")
        assert lines[0].endswith(f"it speaks of {half.digest}, not of {made.digest}")
        assert lines[1].startswith("proved")


@pytest.mark.parametrize("change", ["nothing", "an entry by its last digit", "the order", "a name"])
def test_against_compares_names_and_every_bit(change, said, tmp_path):
    rng = np.random.default_rng(4)
    X, names = rng.normal(size=(20, 5)), list("abcde")
    path = tmp_path / "data.csv"

    write_csv(path, names, X.tolist())
    rs.solve(rs.Covariance.from_data(X, names=names), 2).certificate.save(tmp_path / "c.json")
    if change == "an entry by its last digit":
        X[0, 0] = np.nextafter(X[0, 0], np.inf) + 2.0**-40
    if change == "the order":
        X, names = X[:, ::-1], names[::-1]
    if change == "a name":
        names[0] = "z"
    write_csv(path, names, X.tolist())
    status, lines = said(tmp_path / "c.json", "--against", path)
    assert status == (change != "nothing")
    assert lines[0].startswith("proved" if change == "nothing" else "REFUSED")
    assert said(tmp_path / "c.json", "--against", path, "--correlation")[0] == 1


@pytest.mark.parametrize(
    ("words", "reason"),
    [
        (["--digest", "sha256:0"], "a digest is sha256: and 64 hexadecimal digits"),
        (["--against", "nowhere.csv"], "there is no file nowhere.csv"),
        (["--correlation"], "give it too"),
        (["--digest", "sha256:" + "0" * 64, "--against", "pitprops"], "not allowed with"),
        (["--all", str(ROOT / "formal" / "theories")], "there is no certificate"),  # else all is well
    ],
)
def test_words_that_say_nothing_are_errors(words, reason, checker, capsys):
    with pytest.raises(SystemExit) as stopped:
        prove.main([*words, str(PITPROPS)])
    assert stopped.value.code == 2
    assert reason in capsys.readouterr().err


@pytest.mark.parametrize("page", ["formal/README.md", "docs/trust.md"])
def test_what_has_to_be_believed_is_counted(page):
    """Both pages count the reader of the verified checker."""
    reader = sum(len(path.read_text().splitlines()) for path in (ROOT / "formal" / "checker").glob("*.ml"))
    said = re.search(r"about (\d+) lines of OCaml", (ROOT / page).read_text())
    assert abs(int(said[1]) - reader) <= 50


def read(path, checker, evidence=None, digest=None):
    evidence = translate.translate(load_certificate(PITPROPS)) if evidence is None else evidence
    return prove.accepted(path, evidence, digest, checker)


def at(found, *path):
    for key in path[:-1]:
        found = found[key]
    return found, path[-1]


CHANGES = [
    (("claim", "upper"), "0x1.b3fce2a2c9c2p+1", "not a double"),
    (("claim", "upper"), "3.5", "not a double"),
    (("claim", "upper"), "0x1p+2", "not a double"),
    (("claim", "upper"), "inf", "not a double"),
    (("claim", "upper"), "0x1.b3fce2a2c8ffdP+1", "not a double"),
    (("claim", "upper"), 3, "a text was expected"),
    (("claim", "k"), 6, "does not accept"),
    (("claim", "k"), 0, "does not accept"),
    (("claim", "k"), 14, "does not accept"),
    (("claim", "k"), True, "a whole number"),
    (("claim", "rho"), "0x0.0p+0", "both k and rho"),
    (("claim", "kind"), "components", ""),
    (("claim", "later"), True, "unknown field later"),
    (("claim",), [], "the claim is not an object"),
    (("claim", "exclude"), [0], "does not accept"),
    (("claim", "include"), [2], "does not accept"),
    (("claim", "exclude"), [3, 2], "not increasing"),
    (("claim", "exclude"), [13], "not below n"),
    (("claim", "nonnegative"), 1, "true or false was expected"),
    (("claim", "budgets"), [{"variables": [0], "k": 1}], "of another kind"),
    (("claim", "one_of_each"), [[0, 1], [1, 2]], "share a variable"),
    (("subject", "later"), None, "unknown field later"),
    (("subject", "names", 0), "other", "digest is not that"),
    (("subject", "names", 0), "length", "one name"),
    (("subject", "digest"), "sha256:" + "0" * 64, "digest is not that"),
    (("subject", "storage"), "factor", "digest is not that"),
    (("subject", "description", "kind"), "covariance", "digest is not that"),
    (("subject", "description", "observations"), 180, "digest is not that"),
    (("subject", "entries", "hex", 0), "0x1.0000000000001p+0", "digest is not that"),
    (("subject", "entries", "shape"), [12, 13], "another size"),
    (("subject", "entries", "npz"), "S", "either hex or npz"),
    (("version",), 2, "version 3"),
    (("format",), "other", "version 3"),
    (("later",), 1, "unknown field later"),
]


@pytest.mark.parametrize(("where", "value", "reason"), CHANGES, ids=lambda x: str(x)[:40])
def test_a_changed_file_is_refused(where, value, reason, checker, tmp_path):
    found = json.loads(PITPROPS.read_text())
    place, key = at(found, *where)
    place[key] = value
    (tmp_path / "c.json").write_text(json.dumps(found))
    verdict, lines = read(tmp_path / "c.json", checker)
    assert verdict == "REFUSED"
    assert reason in lines[0]


NO_JSON = [
    b"", b"\xef\xbb\xbf{}", b"{", b"[" * 1_000_000, b"null", b'{"a": "\\ud800"}', b'{"a": 1.0}', b'{"a": 1e3}',
    b'{"a": 01}', b'{"a": NaN}', '{"\u00e4": 1}'.encode(), b'{"a": 1} x', b'{"a": 99999999999999999999}',
    b'{"format": "relaxspca-certificate", "format": "relaxspca-certificate"}',
]  # fmt: skip


@pytest.mark.parametrize("text", NO_JSON)
def test_what_is_no_json_is_refused(text, checker, tmp_path):
    (tmp_path / "c.json").write_bytes(text)
    assert read(tmp_path / "c.json", checker)[0] == "REFUSED"


def test_the_witness_and_the_evidence_of_a_file_are_not_read(checker, tmp_path):
    """They are no part of the claim: what they say changes nothing."""
    found = json.loads(PITPROPS.read_text())
    found["evidence"], found["witness"], found["made_by"] = {"whatever": [1]}, None, "nobody"
    (tmp_path / "c.json").write_text(json.dumps(found))
    assert read(tmp_path / "c.json", checker)[0] == "proved"


def test_big_arrays_come_from_the_archive_beside_the_file(checker, tmp_path):
    made = rs.solve(rs.Covariance(covariance(150, seed=3)), 1).certificate
    made.save(tmp_path / "c.json")
    [archive] = tmp_path.glob("*.npz")
    evidence = translate.translate(made)
    assert read(tmp_path / "c.json", checker, evidence)[0] == "proved"
    whole = archive.read_bytes()
    for broken in (whole[:-1], whole[:100] + bytes([whole[100] ^ 1]) + whole[101:], b""):
        archive.write_bytes(broken)
        verdict, lines = read(tmp_path / "c.json", checker, evidence)
        assert verdict == "REFUSED"
        assert "another SHA-256" in lines[0]
    archive.write_bytes(whole)
    found = json.loads((tmp_path / "c.json").read_text())
    archive, found["arrays"]["file"] = archive.rename(tmp_path / "c.npz"), "c.npz"
    with zipfile.ZipFile(archive) as old:
        own = [(name, old.read(name)) for name in old.namelist()]
    unused = [*own, ("more.npy", own[0][1])]
    for kept, packing, before, reason in (
        (own, zipfile.ZIP_STORED, b"", ""),
        (own, zipfile.ZIP_DEFLATED, b"", "deflated"),
        (unused, zipfile.ZIP_STORED, b"", "no array refers to more.npy"),
        ([*own, own[0]], zipfile.ZIP_STORED, b"", "one name"),
        (own, zipfile.ZIP_STORED, b"more", "not one zip archive"),
    ):
        archive.write_bytes(before)
        with warnings.catch_warnings(), zipfile.ZipFile(archive, "a", packing) as new:
            warnings.simplefilter("ignore", UserWarning)
            for name, content in kept:
                new.writestr(name, content)
        found["arrays"]["sha256"] = hashlib.sha256(archive.read_bytes()).hexdigest()
        (tmp_path / "c.json").write_text(json.dumps(found))
        verdict, lines = read(tmp_path / "c.json", checker, evidence)
        assert (verdict, reason in lines[0]) == ("REFUSED" if reason else "proved", True)
        with nullcontext() if reason in ("", "deflated") else pytest.raises(CertificateError):
            load_certificate(tmp_path / "c.json")


def test_every_digest_is_that_of_relaxspca(checker, tmp_path):
    """Of every kind of description: names in any script, a deflation, eliminated variables, a factor."""
    made = true_certificates()["described"][1]
    names = ("\u00e4", "\u732b", "\U0001f600", 'a"b\\', "tab\t", "x" * 300)
    named = changed(made, names=names, description=changed(made.description, deflation=None))
    for one in (made, named, *(found for _, found in true_certificates().values())):
        one.save(tmp_path / "c.json")
        verdict, lines = read(tmp_path / "c.json", checker, translate.translate(one))
        if verdict != "not covered":
            assert lines[1].endswith(one.digest)
            assert read(tmp_path / "c.json", checker, "", digest="sha256:" + "1" * 64)[0] == "REFUSED"


def test_one_name_is_not_shown_as_several(checker, tmp_path):
    """What stands in quotes is one name: Diag(1, 2, 5, 1) has 5 without b and c, and 2 without "b, c"."""
    names = ("b", "c", "b, c", 'x <= 2; "y"')
    made = certificate(np.diag([1.0, 2, 5, 1]), 1, [Leaf("rows")])
    made = changed(made, names=names, indices=[1], loadings=np.eye(4)[1], lower=2.0, upper=2.0, exclude=[2, 3])
    made.save(tmp_path / "c.json")
    verdict, lines = read(tmp_path / "c.json", checker, translate.translate(made))
    assert (verdict, lines[2]) == ("proved", 'without "b, c", "x <= 2; ""y"""')


def test_a_name_may_be_long(checker, tmp_path):
    made = true_certificates()["include"][1]
    names = ["x" * 1_000_000 if i in made.include else name for i, name in enumerate(made.names)]
    made = changed(made, names=names)
    made.save(tmp_path / "c.json")
    verdict, lines = read(tmp_path / "c.json", checker, translate.translate(made))
    assert (verdict, lines[2]) == ("proved", f"with {'x' * 1_000_000}")


def test_numbers_are_shown_rounded_outwards(checker, tmp_path):
    made = load_certificate(PITPROPS)
    lower, upper = (float(word) for word in read(PITPROPS, checker)[1][0].split()[0:5:4])
    assert lower <= made.lower <= made.upper <= upper
    assert upper - made.upper + made.lower - lower < 1e-10
