"""A certificate with a companion is whole whenever its writing is stopped."""

import json

import pytest
from true_certificates import true_certificates

import relaxspca.certificate.writing as writing
from relaxspca import Certificate, verify
from relaxspca.errors import CertificateError

CERTIFICATES = [made for _, made in true_certificates().values()]


@pytest.fixture
def path(tmp_path, monkeypatch):
    monkeypatch.setattr(writing, "MAX_INLINE", 0)
    CERTIFICATES[0].save(tmp_path / "c.json")
    return tmp_path / "c.json"


@pytest.mark.parametrize("writes", [0, 1])
def test_a_certificate_whose_replacement_was_stopped_is_the_old_one(path, monkeypatch, writes):
    """Stopped before the arrays, and between them and the JSON."""
    done, replace = [], writing.replace

    def stopped(*arguments):
        if len(done) == writes:
            raise KeyboardInterrupt
        done.append(replace(*arguments))

    monkeypatch.setattr(writing, "replace", stopped)
    with pytest.raises(KeyboardInterrupt):
        CERTIFICATES[1].save(path)
    assert Certificate.load(path).digest == CERTIFICATES[0].digest
    assert verify(path)


def test_only_the_companion_that_the_old_certificate_stated_is_removed(path):
    (path.parent / "c.npz").write_bytes(b"data of someone else")
    CERTIFICATES[1].save(path)
    assert verify(path)
    stated = json.loads(path.read_text())["arrays"]["file"]
    assert {file.name for file in path.parent.iterdir()} == {"c.json", "c.npz", stated}


def test_the_name_of_earlier_files_is_read_and_its_companion_replaced(path):
    document = json.loads(path.read_text())
    (path.parent / document["arrays"]["file"]).rename(path.with_suffix(".npz"))
    path.write_text(json.dumps(document | {"arrays": document["arrays"] | {"file": "c.npz"}}))
    assert verify(path)
    CERTIFICATES[1].save(path)
    assert verify(path)
    assert not path.with_suffix(".npz").exists()


@pytest.mark.parametrize("file", ["d.npz", "c.00000000.npz", "../c.npz", "c..npz", ""])
def test_no_other_name_is_read(path, file):
    document = json.loads(path.read_text())
    path.write_text(json.dumps(document | {"arrays": document["arrays"] | {"file": file}}))
    with pytest.raises(CertificateError, match="arrays must be in"):
        Certificate.load(path)


def test_files_with_a_companion_round_trip(tmp_path, monkeypatch):
    monkeypatch.setattr(writing, "MAX_INLINE", 0)
    for at, made in enumerate(CERTIFICATES):
        path = tmp_path / f"{at}.json"
        made.save(path)
        [companion] = tmp_path.glob(f"{at}.*.npz")
        assert companion.name in path.read_text(), at
        assert verify(path), at
        again = Certificate.load(path)
        again.save(tmp_path / "again.json")
        first, second = (json.loads(p.read_text()) for p in (path, tmp_path / "again.json"))
        for document in (first, second):
            del document["arrays"]["file"]
        assert first == second


def test_a_certificate_is_not_written_where_its_companion_goes(tmp_path):
    with pytest.raises(CertificateError, match="use .json"):
        CERTIFICATES[0].save(tmp_path / "c.npz")
    assert not list(tmp_path.iterdir())
