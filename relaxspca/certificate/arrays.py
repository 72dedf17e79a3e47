"""Arrays in a certificate: hexadecimal floats inline, or members of the .npz beside it when there are many.

The specification is in ``certificates/SPEC.md``, section 4. What is unpacked is trusted in nothing.
"""

from __future__ import annotations

import hashlib
import math
import os
import re
import stat
import struct
import zlib
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from relaxspca.certificate.values import (
    MAX_NUMBERS,
    Floats,
    checked_text,
    fields_of,
    integers,
    list_of,
    real,
    require,
    require_shape,
)
from relaxspca.errors import CertificateError

MAX_NPZ_BYTES = 1 << 32
MAX_HEADER = 4096  # bytes of an .npy before its numbers
LOCAL, ENTRY, END = struct.Struct("<4s22xHH"), struct.Struct("<4s4xHH4xLLLHHH8xL"), struct.Struct("<4s6xHLLH")


class Unpacker:
    """Turn packed arrays back, inline or from the companion, whose digest is checked first."""

    def __init__(self, document: dict[str, Any], path: Path) -> None:
        self.companion: Archive | None = None
        self.count = 0
        if "arrays" not in document:
            return
        fields = fields_of(document["arrays"], "arrays", ("file", "sha256"))
        digest = checked_text("sha256 of the arrays", fields["sha256"])
        # Two names and no other: what a file states never leads elsewhere.
        places = {place.name: place for place in (path.with_suffix(".npz"), companion_of(path, digest))}
        is_beside = re.fullmatch("[0-9a-f]{64}", digest) is not None and fields["file"] in places
        require(is_beside, f"arrays must be in {path.with_suffix('.npz').name!r}")
        content = content_of(places[fields["file"]], MAX_NPZ_BYTES)
        require(sha256(content) == digest, f"the sha256 of {fields['file']!r} is not the one stated")
        self.companion = Archive(content)

    def __call__(self, packed: object, name: str, expected: tuple[int | None, ...]) -> Floats:
        """Return the array that was packed so; `name` is for messages.

        A shape that is not the expected one, in which None is any length, is refused before a number is read.
        """
        inline = isinstance(packed, dict) and "hex" in packed
        fields = fields_of(packed, name, ("shape", "hex" if inline else "npz"))
        shape = tuple(integers(fields["shape"], f"shape of {name}").tolist())
        require_shape(name, shape, expected)
        require(min(shape, default=0) >= 0, f"{name} has the impossible shape {shape}")
        self.count += math.prod(shape)
        is_small = self.count <= MAX_NUMBERS and max(shape, default=0) <= MAX_NUMBERS
        require(is_small, f"more than {MAX_NUMBERS} numbers")
        if not inline:
            return self._member(checked_text(f"key of {name}", fields["npz"]), shape, name)
        values = list_of(fields["hex"], name)
        fits = len(values) == math.prod(shape)
        require(fits, f"{name} has {len(values)} numbers for the shape {shape}")
        return np.array([real(x, name) for x in values], dtype=np.float64).reshape(shape)

    def close(self) -> None:
        """Raise CertificateError where the companion has more than the arrays that were read."""
        unread = set() if self.companion is None else self.companion.unread
        require(not unread, f"no array refers to {min(unread, default=b'')!r} of the companion")

    def _member(self, key: str, shape: tuple[int, ...], name: str) -> Floats:
        """Read one .npy member without trusting its header for more than its stated shape."""
        if self.companion is None:
            raise CertificateError(f"{name} refers to {key!r} of a companion, and the file states none")
        size = 8 * math.prod(shape)
        content = self.companion.read(key, size, size + MAX_HEADER, name)
        # To the letter: a header is data, never something to evaluate.
        listed = ", ".join(map(str, shape)) + ("," if len(shape) == 1 else "")
        told = f"{{'descr': '<f8', 'fortran_order': False, 'shape': ({listed}), }}".encode()
        length = 10 + int.from_bytes(content[8:10], "little")
        is_version_1 = content[:8] == b"\x93NUMPY\x01\x00"
        is_told = re.fullmatch(re.escape(told) + rb" *\n", content[10:length]) is not None
        require(is_version_1 and is_told, f"{name} is not an array of {shape} little-endian doubles by rows")
        fits = len(content) == length + size
        require(fits, f"{name} has another length than its shape {shape} says")
        return np.frombuffer(content, dtype="<f8", offset=length).reshape(shape)


def companion_of(path: Path, digest: str) -> Path:
    """Return where the arrays of a certificate are written: its stem, eight digits of their SHA-256, .npz.

    A certificate that is written anew thus never changes the arrays that the old one refers to.
    """
    return path.with_name(f"{path.stem}.{digest[:8]}.npz")


def content_of(path: Path, limit: int) -> bytes:
    """Return the bytes of a regular file, if they are not too many.

    A pipe in the place of a file would be waited for without an end, a device read without one.
    """
    # Without waiting, since a pipe that nobody writes to cannot otherwise even be opened.
    flags = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)
    with open(path, "rb", opener=lambda name, _: os.open(name, flags)) as stream:
        told = os.fstat(stream.fileno())
        require(stat.S_ISREG(told.st_mode), f"{path.name} is not a regular file")
        # Room is made for all that is asked for, at once.
        content = stream.read(min(told.st_size, limit) + 1)
    require(len(content) <= limit, f"{path.name} is larger than {limit} bytes")
    return content


def sha256(content: bytes) -> str:
    """Return the SHA-256 of bytes, in hexadecimal."""
    return hashlib.sha256(content).hexdigest()


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

    def read(self, key: str, least: int, most: int, what: str) -> bytes:
        """Return the one member of a name, if its size is in a range; before that nothing is unpacked."""
        name = f"{key}.npy".encode()
        if name not in self.members:
            raise CertificateError(f"{what} refers to {key!r}, which the companion lacks")
        member = self.members[name]
        self.unread.discard(name)
        is_plain = member.method in (0, 8) and not member.flags & 1
        require(is_plain, f"{what} is encrypted, or compressed in a way that is not deflate")
        fits = least <= member.size <= most
        require(fits, f"{what} has {member.size} bytes in the companion, not those of its shape")
        content = self._unpacked(member)
        if content is None or len(content) != member.size or zlib.crc32(content) != member.checksum:
            raise CertificateError(f"{what} is damaged: its bytes in the companion are not those stated")
        return content

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
