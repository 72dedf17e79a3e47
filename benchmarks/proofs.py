"""How large is a proof? Its leaves, and the bytes of its files."""

from __future__ import annotations

import tempfile
from pathlib import Path

from relaxspca import Certificate
from relaxspca.certificate import Leaf

SIZE = ("leaves", "kB")


def size_of(certificate: Certificate) -> tuple[int, float]:
    """Return the leaves of a certificate, and the kilobytes of what `save` writes, the matrix included."""
    leaves = sum(isinstance(node, Leaf) for node in certificate.tree)
    with tempfile.TemporaryDirectory() as folder:
        certificate.save(Path(folder) / "c.json")
        written = sum(file.stat().st_size for file in Path(folder).iterdir())
    return leaves, round(written / 1000, 1)
