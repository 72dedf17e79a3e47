"""Versions that are not known are refused by name, and so is an old document in new clothes."""

import json

import pytest
from true_certificates import true_certificates

from relaxspca.checker import verify
from relaxspca.errors import CertificateError


@pytest.fixture
def document(tmp_path):
    true_certificates()["tree"][1].save(tmp_path / "c.json")
    return json.loads((tmp_path / "c.json").read_text())


def test_this_version_is_read(document, tmp_path):
    assert document["version"] == 3
    assert verify(tmp_path / "c.json")


@pytest.mark.parametrize("version", [0, 1, 2, 4, "3", True, 3.0, None])
def test_other_versions_are_refused(version, document, tmp_path):
    (tmp_path / "c.json").write_text(json.dumps(document | {"version": version}))
    with pytest.raises(CertificateError, match="is not known; this reads 3|is not a hexadecimal string"):
        verify(tmp_path / "c.json")


def test_an_old_document_in_new_clothes_is_refused(document, tmp_path):
    old = document | {"claim": document["claim"] | {"kind": "cardinality"}, "matrix": document["subject"]}
    del old["subject"]
    (tmp_path / "c.json").write_text(json.dumps(old))
    with pytest.raises(CertificateError, match="lacks 'subject'"):
        verify(tmp_path / "c.json")
    (tmp_path / "c.json").write_text(json.dumps(document | {"claim": old["claim"]}))
    with pytest.raises(CertificateError, match="unknown kind of claim 'cardinality'"):
        verify(tmp_path / "c.json")
