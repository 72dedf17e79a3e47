"""Take members out of an .npz that is not trusted.

``certificates/SPEC.md``, section 4, says which archives are read: those that are one zip archive from the first
byte to the last, of which every member is an array of the certificate. Where it begins, which of two members of
a name counts, and what else it holds, is thus never a question.
"""

from __future__ import annotations

import struct
import zlib
from typing import NamedTuple

from relaxspca.certificate.values import require
from relaxspca.errors import CertificateError

LOCAL, ENTRY, END = struct.Struct("<4s22xHH"), struct.Struct("<4s4xHH4xLLLHHH8xL"), struct.Struct("<4s6xHLLH")


class _Member(NamedTuple):
    flags: int
    method: int
    checksum: int
    packed: int
    size: int
    start: int


class Archive:
    """The bytes of an .npz, and where its members stand; CertificateError where they are not one archive."""

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
