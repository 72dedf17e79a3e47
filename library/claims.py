"""Certificates without their matrix: what may be passed on of a matrix that may not."""

from __future__ import annotations

import gzip
import json
import tempfile
from pathlib import Path
from typing import Any

import numpy as np

import relaxspca as rs

LARGEST = 400_000  # bytes of a claim, compressed; longer proofs are made again by whoever wants them


def write_claim(certificate: rs.Certificate, path: Path, *, with_matrix: bool) -> bool:
    """Write a certificate as one compressed text; say whether it was short enough to be kept."""
    document = _inline(certificate)
    if not with_matrix:
        document["subject"]["entries"] = None
    packed = gzip.compress(json.dumps(document, separators=(",", ":")).encode("ascii"), mtime=0)
    path.unlink(missing_ok=True)
    if len(packed) > LARGEST:
        return False
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(packed)
    return True


def read_claim(path: Path, cov: rs.Covariance | None) -> rs.Certificate | None:
    """Return the certificate of a claim, with the matrix put back; None where that is not at hand.

    The digest in the claim binds the matrix: with another one `CertificateError` is raised.
    """
    document = json.loads(gzip.decompress(path.read_bytes()))
    if document["subject"]["entries"] is None:
        if cov is None:
            return None
        document["subject"]["entries"] = _packed(cov.factor if cov.is_factored else cov.matrix)
    with tempfile.TemporaryDirectory() as folder:
        whole = Path(folder) / "claim.json"
        whole.write_text(json.dumps(document), encoding="ascii")
        return rs.Certificate.load(whole)


def _inline(certificate: rs.Certificate) -> dict[str, Any]:
    """Return the document of a certificate with every array in it."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "whole.json"
        certificate.save(path)
        document: dict[str, Any] = json.loads(path.read_text(encoding="ascii"))
        arrays = document.pop("arrays", None)
        if arrays is not None:
            with np.load(path.parent / arrays["file"]) as members:
                document = _with_arrays(document, members)
    return document


def _with_arrays(part: Any, members: Any) -> Any:
    """Return a document in which arrays stand in the place of references to them."""
    if isinstance(part, dict) and set(part) == {"shape", "npz"}:
        return _packed(members[part["npz"]])
    if isinstance(part, dict):
        return {name: _with_arrays(value, members) for name, value in part.items()}
    if isinstance(part, list):
        return [_with_arrays(value, members) for value in part]
    return part


def _packed(array: Any) -> dict[str, Any]:
    values = np.asarray(array, dtype=np.float64)
    return {"shape": list(values.shape), "hex": [float(x).hex() for x in values.ravel()]}
