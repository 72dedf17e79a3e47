"""Version 1 is still read and verified; writing is in version 2, and what is unknown is refused by name."""

import json
from pathlib import Path

import numpy as np
import pytest

import relaxspca as rs
from relaxspca.certificate import Certificate, digest_of
from relaxspca.checker import Outcome, verify

OLD = Path(__file__).parent / "version_1" / "pitprops_k05.json"


@pytest.mark.parametrize("exact", [True, False])
def test_a_file_of_version_1_is_verified_and_says_what_it_does_not_bind(exact):
    verdict = verify(OLD, exact=exact)
    assert verdict
    assert "binds neither names nor description" in str(verdict)
    assert verdict.proved_lower == pytest.approx(3.4061549468, abs=1e-10)
    assert "format version 1" in Certificate.load(OLD).to_markdown()


def test_its_digest_is_by_its_own_rule_and_binds_no_names(tmp_path):
    old = json.loads(OLD.read_text())
    made = Certificate.load(OLD)
    assert old["claim"]["covariance"]["digest"] == made.digest == digest_of(matrix=made.matrix, version=1)
    names = old["claim"]["names"]
    names[0], names[1] = names[1], names[0]
    (tmp_path / "swapped.json").write_text(json.dumps(old))
    assert verify(tmp_path / "swapped.json")  # this is why there is a version 2
    # Held against the data it is seen, since names are compared.
    cov = rs.datasets.load_pitprops()
    assert verify(OLD, against=cov)
    assert not verify(tmp_path / "swapped.json", against=cov)


def test_a_changed_entry_of_version_1_is_refused(tmp_path):
    old = json.loads(OLD.read_text())
    entries = old["claim"]["covariance"]["entries"]["hex"]
    entries[0] = float(np.nextafter(float.fromhex(entries[0]), 9)).hex()
    (tmp_path / "c.json").write_text(json.dumps(old))
    with pytest.raises(rs.CertificateError, match="not that of the matrix"):
        verify(tmp_path / "c.json")
    for version in (0, 3, "2", None):
        (tmp_path / "c.json").write_text(json.dumps(old | {"version": version}))
        with pytest.raises(rs.CertificateError, match="is not known; this reads 1 and 2"):
            verify(tmp_path / "c.json")


def test_writing_is_in_version_2_whatever_was_read(tmp_path):
    old = Certificate.load(OLD)
    old.save(tmp_path / "new.json")
    again = Certificate.load(tmp_path / "new.json")
    assert json.loads((tmp_path / "new.json").read_text())["version"] == again.version == 2
    assert again.names == old.names
    assert again.digest != old.digest
    assert verify(again).outcome is Outcome.VERIFIED
    assert "binds neither" not in str(verify(again))


def test_an_old_document_in_new_clothes_is_refused(tmp_path):
    old = json.loads(OLD.read_text())
    (tmp_path / "c.json").write_text(json.dumps(old | {"version": 2}))
    with pytest.raises(rs.CertificateError, match="unknown kind of claim None"):
        verify(tmp_path / "c.json")
