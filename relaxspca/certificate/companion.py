"""The .npz beside a certificate, which is trusted in nothing: ``certificates/SPEC.md``, section 4."""

from __future__ import annotations

import hashlib
import math
import re
import struct
import zlib
from pathlib import Path
from typing import NamedTuple

import numpy as np

from relaxspca.certificate.values import Floats, checked_text, content_of, fields_of, require
from relaxspca.errors import CertificateError

MAX_NPZ_BYTES = 1 << 32
MAX_HEADER = 4096  # bytes of an .npy before its numbers
LOCAL, ENTRY, END = struct.Struct("<4s22xHH"), struct.Struct("<4s4xHH4xLLLHHH8xL"), struct.Struct("<4s6xHLLH")


def companion_of(path: Path, digest: str) -> Path:
    """Return where the arrays of a certificate are written: its stem, eight digits of their SHA-256, .npz."""
    return path.with_name(f"{path.stem}.{digest[:8]}.npz")


def archive(stated: object, path: Path) -> Archive:
    """Return the companion of a certificate, whose digest is checked first."""
    fields = fields_of(stated, "arrays", ("file", "sha256"))
    digest = checked_text("sha256 of the arrays", fields["sha256"])
    # Two names and no other: what a file states never leads elsewhere.
    places = {place.name: place for place in (path.with_suffix(".npz"), companion_of(path, digest))}
    is_beside = re.fullmatch("[0-9a-f]{64}", digest) is not None and fields["file"] in places
    require(is_beside, f"arrays must be in {path.with_suffix('.npz').name!r}")
    content = content_of(places[fields["file"]], MAX_NPZ_BYTES)
    is_stated = hashlib.sha256(content).hexdigest() == digest
    require(is_stated, f"the sha256 of {fields['file']!r} is not the one stated")
    return Archive(content)


class _Member(NamedTuple):
    flags: int
    method: int
    checksum: int
    packed: int
    size: int
    start: int


class Archive:
    """The bytes of an .npz, and where its members stand; CertificateError where they are not one archive.

    It is one zip archive from the first byte to the last, and every member is an array of the certificate.
    Where it begins, which of two members of a name counts, and what else it holds, is thus never a question.
    """

    def __init__(self, content: bytes) -> None:
        self.content = content
        self.members: dict[bytes, _Member] = {}
        self.unread: set[bytes] = set()
        marker, count, length, at, comment = END.unpack(content[-END.size :].rjust(END.size))
        end = len(content) - END.size
        _is_one(marker == b"PK\5\6" and comment == 0 and at + length == end)
        for _ in range(count):
            _is_one(at + ENTRY.size <= end)
            marker, flags, method, checksum, packed, size, name, extra, note, start = ENTRY.unpack_from(
                content, at
            )
            _is_one(marker == b"PK\1\2")
            at += ENTRY.size
            self.members[content[at : at + name]] = _Member(flags, method, checksum, packed, size, start)
            at += name + extra + note
        require(len(self.members) == count, "the companion has two members of the same name")
        _is_one(at == end and min((member.start for member in self.members.values()), default=0) == 0)
        self.unread.update(self.members)

    def array(self, key: str, shape: tuple[int, ...], what: str) -> Floats:
        """Return the array of a name; nothing is unpacked before its size is seen to be that of its shape."""
        name, size = f"{key}.npy".encode(), 8 * math.prod(shape)
        if name not in self.members:
            raise CertificateError(f"{what} refers to {key!r}, which the companion lacks")
        member = self.members[name]
        self.unread.discard(name)
        is_plain = member.method in (0, 8) and not member.flags & 1
        require(is_plain, f"{what} is encrypted, or compressed in a way that is not deflate")
        fits = size <= member.size <= size + MAX_HEADER
        require(fits, f"{what} has {member.size} bytes in the companion, not those of its shape")
        content = self._unpacked(member)
        if content is None or len(content) != member.size or zlib.crc32(content) != member.checksum:
            raise CertificateError(f"{what} is damaged: its bytes in the companion are not those stated")
        # To the letter: a header is data, never something to evaluate.
        listed = ", ".join(map(str, shape)) + ("," if len(shape) == 1 else "")
        told = f"{{'descr': '<f8', 'fortran_order': False, 'shape': ({listed}), }}".encode()
        length = 10 + int.from_bytes(content[8:10], "little")
        is_version_1 = content[:8] == b"\x93NUMPY\x01\x00"
        is_told = re.fullmatch(re.escape(told) + rb" *\n", content[10:length]) is not None
        require(is_version_1 and is_told, f"{what} is not an array of {shape} little-endian doubles by rows")
        require(len(content) == length + size, f"{what} has another length than its shape {shape} says")
        return np.frombuffer(content, dtype="<f8", offset=length).reshape(shape)

    def _unpacked(self, member: _Member) -> bytes | None:
        """Return the bytes of a member, or None where its packed bytes are not what they are said to be."""
        _is_one(member.start + LOCAL.size <= len(self.content))
        marker, name, extra = LOCAL.unpack_from(self.content, member.start)
        _is_one(marker == b"PK\3\4")
        at = member.start + LOCAL.size + name + extra
        packed = self.content[at : at + member.packed]
        # Deflate makes at most 1032 bytes of one.
        if len(packed) != member.packed or member.size > 1032 * member.packed:
            return None
        if member.method == 0:  # stored
            return packed
        inflate = zlib.decompressobj(-zlib.MAX_WBITS)
        try:
            content = inflate.decompress(packed, member.size + 1)
        except zlib.error:
            return None
        return content if inflate.eof and not inflate.unused_data else None


def _is_one(holds: bool) -> None:
    require(holds, "the companion is not one zip archive from its first byte to its last")
