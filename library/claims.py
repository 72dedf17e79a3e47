"""Certificates without their matrix: what may be passed on of a matrix that may not."""

from __future__ import annotations

import gzip
import json
import tempfile
from pathlib import Path
from typing import Any

import numpy as np
from problems import Problem

import relaxspca as rs

ENTRIES = ("entries", "variables", "response", "numerator", "denominator")  # of a matrix, of data, of a ratio


def packed_claim(certificate: rs.Certificate, *, with_matrix: bool) -> bytes:
    """Return a certificate as one compressed text."""
    document = _inline(certificate)
    if not with_matrix:
        document["subject"] |= {name: None for name in ENTRIES if name in document["subject"]}
    return gzip.compress(json.dumps(document, separators=(",", ":")).encode("ascii"), mtime=0)


def document_of(path: Path) -> dict[str, Any]:
    """Return a claim as it stands in its file."""
    document: dict[str, Any] = json.loads(gzip.decompress(path.read_bytes()))
    return document


def lacks_matrix(document: dict[str, Any]) -> bool:
    """Say whether the entries of a claim's matrix have to be put back."""
    return any(document["subject"].get(name, "") is None for name in ENTRIES)


def read_claim(path: Path, problem: Problem | None) -> rs.Certificate | None:
    """Return the certificate of a claim, with the matrix put back; None where that is not at hand.

    The digest in the claim binds the matrix: with another one `CertificateError` is raised.
    """
    document = document_of(path)
    if lacks_matrix(document):
        if problem is None:
            return None
        document["subject"] |= {name: _packed(values) for name, values in problem.entries.items()}
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
