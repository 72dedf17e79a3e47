"""A certificate with a companion is whole whenever its writing is stopped."""

import hashlib
import json
import tracemalloc

import pytest
from interrupts import interrupt
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


@pytest.mark.parametrize("call", [1, 2])
def test_a_certificate_whose_replacement_was_stopped_is_the_old_one(path, monkeypatch, call):
    """Stopped before the arrays, and between them and the JSON."""
    interrupt(monkeypatch, writing, "replace", call)
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


def claiming(path, shape, storage, size=None):
    """Let a file claim a shape of its matrix; the directory of the companion claims a size, if one is given."""
    document = json.loads(path.read_text())
    document["subject"] |= {"storage": storage, "entries": {"shape": shape, "npz": "a0"}}
    content = bytearray((path.parent / document["arrays"]["file"]).read_bytes())
    if size is not None:
        at = content.index(b"PK\1\2") + 24
        content[at : at + 4] = size.to_bytes(4, "little")
    path.with_suffix(".npz").write_bytes(content)
    document["arrays"] = {"file": "c.npz", "sha256": hashlib.sha256(content).hexdigest()}
    path.write_text(json.dumps(document))


@pytest.mark.parametrize(
    ("shape", "storage", "size", "reason"),
    [
        ([1 << 14, 1 << 14], "dense", None, "has shape"),
        ([1 << 28], "dense", None, "has shape"),
        ([(1 << 28) // 6, 6], "factor", None, "not those of its shape"),
        ([(1 << 28) // 6, 6], "factor", (1 << 28) // 6 * 48 + 128, "is damaged"),
    ],
)
def test_what_a_companion_cannot_hold_is_refused_before_memory_is_taken(path, shape, storage, size, reason):
    """Shapes of 2^28 numbers, with and without a size to fit them: nothing so large is made."""
    claiming(path, shape, storage, size)
    tracemalloc.start()
    try:
        with pytest.raises(CertificateError, match=reason):
            Certificate.load(path)
        assert tracemalloc.get_traced_memory()[1] < 1 << 22
    finally:
        tracemalloc.stop()


def test_an_array_of_another_shape_than_the_rest_of_the_file_asks_for_is_not_unpacked(path, monkeypatch):
    claiming(path, [1 << 14, 1 << 14], "dense")
    monkeypatch.setattr("relaxspca.certificate.companion.Archive.array", None)
    with pytest.raises(CertificateError, match=r"matrix in subject has shape \(16384, 16384\), not 6 x 6"):
        Certificate.load(path)


def test_a_certificate_is_not_written_where_its_companion_goes(tmp_path):
    with pytest.raises(CertificateError, match="use .json"):
        CERTIFICATES[0].save(tmp_path / "c.npz")
    assert not list(tmp_path.iterdir())
