"""What the checker reads: the file itself, whose digest it finds, and nothing but the claim."""

import hashlib
import json
import warnings
import zipfile
from contextlib import nullcontext
from pathlib import Path

import numpy as np
import prove
import pytest
import translate
from building import changed
from true_certificates import certificate, covariance, true_certificates

import relaxspca as rs
from relaxspca.certificate import Leaf, load_certificate
from relaxspca.errors import CertificateError

PITPROPS = Path(__file__).parents[2] / "certificates" / "pitprops" / "k05.json"


def said(path, checker, evidence=None, digest=None):
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
    verdict, lines = said(tmp_path / "c.json", checker)
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
    assert said(tmp_path / "c.json", checker)[0] == "REFUSED"


def test_the_witness_and_the_evidence_of_a_file_are_not_read(checker, tmp_path):
    """They are no part of the claim: what they say changes nothing."""
    found = json.loads(PITPROPS.read_text())
    found["evidence"], found["witness"], found["made_by"] = {"whatever": [1]}, None, "nobody"
    (tmp_path / "c.json").write_text(json.dumps(found))
    assert said(tmp_path / "c.json", checker)[0] == "proved"


def test_big_arrays_come_from_the_archive_beside_the_file(checker, tmp_path):
    made = rs.solve(rs.Covariance(covariance(150, seed=3)), 1).certificate
    made.save(tmp_path / "c.json")
    [archive] = tmp_path.glob("*.npz")
    evidence = translate.translate(made)
    assert said(tmp_path / "c.json", checker, evidence)[0] == "proved"
    whole = archive.read_bytes()
    for broken in (whole[:-1], whole[:100] + bytes([whole[100] ^ 1]) + whole[101:], b""):
        archive.write_bytes(broken)
        verdict, lines = said(tmp_path / "c.json", checker, evidence)
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
        verdict, lines = said(tmp_path / "c.json", checker, evidence)
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
        verdict, lines = said(tmp_path / "c.json", checker, translate.translate(one))
        if verdict != "not covered":
            assert lines[1].endswith(one.digest)
            assert said(tmp_path / "c.json", checker, "", digest="sha256:" + "1" * 64)[0] == "REFUSED"


def test_one_name_is_not_shown_as_several(checker, tmp_path):
    """What stands in quotes is one name: Diag(1, 2, 5, 1) has 5 without b and c, and 2 without "b, c"."""
    names = ("b", "c", "b, c", 'x <= 2; "y"')
    made = certificate(np.diag([1.0, 2, 5, 1]), 1, [Leaf("rows")])
    made = changed(made, names=names, indices=[1], loadings=np.eye(4)[1], lower=2.0, upper=2.0, exclude=[2, 3])
    made.save(tmp_path / "c.json")
    verdict, lines = said(tmp_path / "c.json", checker, translate.translate(made))
    assert (verdict, lines[2]) == ("proved", 'without "b, c", "x <= 2; ""y"""')


def test_a_name_may_be_long(checker, tmp_path):
    made = true_certificates()["include"][1]
    names = ["x" * 1_000_000 if i in made.include else name for i, name in enumerate(made.names)]
    made = changed(made, names=names)
    made.save(tmp_path / "c.json")
    verdict, lines = said(tmp_path / "c.json", checker, translate.translate(made))
    assert (verdict, lines[2]) == ("proved", f"with {'x' * 1_000_000}")


def test_numbers_are_shown_rounded_outwards(checker, tmp_path):
    made = load_certificate(PITPROPS)
    lower, upper = (float(word) for word in said(PITPROPS, checker)[1][0].split()[0:5:4])
    assert lower <= made.lower <= made.upper <= upper
    assert upper - made.upper + made.lower - lower < 1e-10
