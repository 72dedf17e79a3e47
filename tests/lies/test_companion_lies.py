"""Lies about the .npz beside a certificate: of another content, place, kind or form than is stated."""

import hashlib
import io
import json
import re
import zipfile

import numpy as np
from telling_lies import refusal
from true_certificates import true_certificates

import relaxspca.certificate.writing as certificate_writing
from relaxspca.checker import verify


def repacked(content, compression, change=lambda member: member):
    """Return an .npz with other compression, its first member changed."""
    stream = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(content)) as old, zipfile.ZipFile(stream, "w", compression) as new:
        for at, name in enumerate(old.namelist()):
            new.writestr(name, change(old.read(name)) if at == 0 else old.read(name))
    return stream.getvalue()


def with_header(content, header):
    """Return an .npz whose first array has another header, of the same length."""

    def change(member):
        assert len(header) < member.index(b"\n") - 10
        return member[:10] + header.encode().ljust(member.index(b"\n") - 10) + member[member.index(b"\n") :]

    return repacked(content, zipfile.ZIP_STORED, change)


def commented(content):
    """Return an .npz with a comment at its end."""
    stream = io.BytesIO(content)
    with zipfile.ZipFile(stream, "a") as archive:
        archive.comment = b"more"
    return stream.getvalue()


def larger_than_it_is(content):
    """Yield .npz files, stored and deflated, whose directory states other bytes than its first member has."""
    for way in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
        archive = repacked(content, way)
        at = archive.index(b"PK\1\2")
        packed, size = (int.from_bytes(archive[at + by : at + by + 4], "little") for by in (20, 24))
        for lie in ((size, size + 8), (packed - 1, size)):
            spelt = b"".join(x.to_bytes(4, "little") for x in lie)
            yield archive[: at + 20] + spelt + archive[at + 28 :]


def companions(text, content):
    """Return lies about the .npz beside a certificate: (new JSON, new bytes, reason)."""
    document = json.loads(text)

    def archive(**arrays):
        stream = io.BytesIO()
        np.savez(stream, **arrays)
        return stream.getvalue()

    def stated(content, file="lie.npz"):
        return document | {"arrays": {"file": file, "sha256": hashlib.sha256(content).hexdigest()}}

    arrays = dict(np.load(io.BytesIO(content)))
    flipped = content[:200] + bytes([content[200] ^ 1]) + content[201:]
    a0 = arrays["a0"]
    wrong = {
        "pickle": a0.astype(object),
        "single": a0.astype("f4"),
        "big": a0.astype(">f8"),
        "shape": a0.ravel(),
        "larger": np.zeros((200, 200)),
        "nan": a0 * np.nan,
        "by columns": np.asfortranarray(arrays["a0"] + np.arange(6.0)),
    }
    yield stated(content), flipped, "sha256 of 'lie.npz' is not the one stated"
    yield stated(content, "../lie.npz"), content, "arrays must be in 'lie.npz'"
    yield stated(content), None, "not readable as a certificate"
    whole = "not one zip archive from its first byte to its last"
    for piece in (content[:99], b"", content[:21], content[1:], content[:-1]):
        yield stated(piece), piece, whole
    for other in (
        b"#" + content,
        content + b"#",
        content[:99] + content,
        content + content,
        commented(content),
    ):
        yield stated(other), other, whole
    for other in larger_than_it_is(content):
        yield stated(other), other, "is damaged"
    lacking = archive(**{key: value for key, value in arrays.items() if key != "a1"})
    yield stated(lacking), lacking, "refers to 'a1', which the companion lacks"
    for other in (archive(**arrays, spare=a0), archive(**arrays, spare=a0).replace(b"spare.npy", b"spare.txt")):
        yield stated(other), other, "no array refers to b'spare"
    twice = archive(**arrays, b0=a0).replace(b"b0.npy", b"a0.npy")
    yield stated(twice), twice, "two members of the same name"
    for name, array in wrong.items():
        other = archive(**(arrays | {"a0": array}))
        other_size = "bytes in the companion, not those of its shape"
        reason = {"nan": "not finite"} | dict.fromkeys(["larger", "single"], other_size)
        yield stated(other), other, reason.get(name, "is not an array of")
    for header in (
        "{'descr': '<f8', 'shape': (6,",
        "{[]: 1}",
        "{1: 1, 'a': 2}",
        "(" * 99,
        "exit()",
        "{'descr': (), 'fortran_order': False, 'shape': (6, 6)}",
        "{'descr': '<f8','fortran_order':False, 'shape': (6, 6), }",
    ):
        other = with_header(content, header)
        yield stated(other), other, "is not an array of"
    for change, reason in (
        (lambda member: member[:6] + b"\2\0" + member[8:10] + b"\0\0" + member[10:], "is not an array of"),
        (lambda member: member + b"\0", "has another length than its shape"),
    ):
        other = repacked(content, zipfile.ZIP_STORED, change)
        yield stated(other), other, reason
    upper = stated(content)
    upper["arrays"]["sha256"] = upper["arrays"]["sha256"].upper()
    yield upper, content, "arrays must be in 'lie.npz'"
    for way in (zipfile.ZIP_LZMA, zipfile.ZIP_BZIP2):
        other = repacked(content, way)
        yield stated(other), other, "compressed in a way that is not deflate"
    yield {**stated(content), "arrays": None}, content, "arrays must be an object"


def test_lies_of_the_companion_are_refused(tmp_path, monkeypatch):
    monkeypatch.setattr(certificate_writing, "MAX_INLINE", 0)
    true_certificates()["perron"][1].save(tmp_path / "lie.json")
    assert verify(tmp_path / "lie.json")
    [companion] = tmp_path.glob("lie.*.npz")
    text, content = (tmp_path / "lie.json").read_text(), companion.read_bytes()
    count = 0
    for document, spoiled, reason in companions(text, content):
        (tmp_path / "lie.npz").unlink(missing_ok=True)
        if spoiled is not None:
            (tmp_path / "lie.npz").write_bytes(spoiled)
        for said in refusal(document, tmp_path):
            assert re.search(reason, said), said
        count += 1
    assert count == 41
    document, packed = deflated(text, content)  # which is read
    (tmp_path / "lie.npz").write_bytes(packed)
    (tmp_path / "lie.json").write_text(json.dumps(document))
    assert verify(tmp_path / "lie.json")


def deflated(text, content):
    """Return a certificate with its companion compressed."""
    packed = repacked(content, zipfile.ZIP_DEFLATED)
    stated = {"file": "lie.npz", "sha256": hashlib.sha256(packed).hexdigest()}
    return json.loads(text) | {"arrays": stated}, packed
