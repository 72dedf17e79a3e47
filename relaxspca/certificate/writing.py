"""Write a certificate: JSON with hexadecimal floats, big arrays in an .npz beside it."""

from __future__ import annotations

import io
import json
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from relaxspca.certificate.arrays import Packer, sha256
from relaxspca.certificate.evidence import Floats, PerronPoint, Point, PsiPoint, Split, WeightsPoint
from relaxspca.errors import CertificateError
from relaxspca.runtime.files import replace

if TYPE_CHECKING:
    from relaxspca.certificate.certificate import Certificate

FORMAT, VERSION = "relaxspca-certificate", 1
MAX_INLINE = 20_000  # numbers; more go into the companion


def write(certificate: Certificate, path: Path) -> None:
    """Write a certificate; each file appears whole or not at all."""
    if path.suffix == ".npz":
        raise CertificateError(f"{path}: .npz is the suffix of a certificate's companion; use .json")
    arrays: dict[str, Floats] = {}
    is_special = path.exists() and not path.is_file()  # a device or a pipe has no file beside it
    is_inline = is_special or sum(array.size for array in _arrays(certificate)) <= MAX_INLINE
    document = _document(certificate, Packer(arrays, is_inline=is_inline))
    if arrays:
        buffer = io.BytesIO()
        np.savez(buffer, **arrays)  # type: ignore[arg-type]
        companion = path.with_suffix(".npz")
        replace(companion, buffer.getvalue())
        document["arrays"] = {"file": companion.name, "sha256": sha256(buffer.getvalue())}
    replace(path, json.dumps(document, indent=1).encode("ascii"))


def _arrays(certificate: Certificate) -> Iterator[Floats]:
    """Yield every array that a certificate holds."""
    holders = [certificate, *certificate.points, certificate.eliminated]
    for holder in holders:
        yield from (value for value in vars(holder).values() if isinstance(value, np.ndarray)) if holder else ()


def _document(certificate: Certificate, pack: Packer) -> dict[str, Any]:
    is_factor = certificate.matrix is None
    entries = certificate.factor if is_factor else certificate.matrix
    document = {
        "format": FORMAT,
        "version": VERSION,
        "made_by": certificate.made_by,
        "claim": {
            "n": certificate.n,
            "names": list(certificate.names),
            "covariance": {
                "kind": "factor" if is_factor else "dense",
                "digest": certificate.digest,
                "entries": pack(entries),
            },
            "cardinality": certificate.cardinality,
            "penalty": None if certificate.penalty is None else certificate.penalty.hex(),
            "lower": certificate.lower.hex(),
            "upper": certificate.upper.hex(),
        },
        "witness": {
            "support": certificate.support.tolist(),
            "loadings": [x.hex() for x in certificate.loadings[certificate.support].tolist()],
        },
        "points": [_point_document(point, pack) for point in certificate.points],
        "tree": [
            ["split", node.variable, node.inside, node.outside]
            if isinstance(node, Split)
            else [node.kind, node.point]
            for node in certificate.tree
        ],
    }
    if certificate.eliminated is not None:
        rule = certificate.elimination
        document["eliminated"] = {
            "names": list(certificate.eliminated.names),
            "variances": pack(certificate.eliminated.variances),
            "shift": certificate.eliminated.shift.hex(),
            "rule": None if rule is None else [rule.kind, rule.point],
        }
    return document


def _point_document(point: Point, pack: Packer) -> dict[str, Any]:
    variables = {"variables": point.variables.tolist()}
    if isinstance(point, PsiPoint):
        return (
            {"kind": "psi"}
            | variables
            | {
                "rho": point.rho.hex(),
                "vectors": pack(point.vectors),
                "factor": pack(point.factor),
                "shift": point.shift.hex(),
            }
        )
    if isinstance(point, WeightsPoint):
        return {"kind": "weights"} | variables | {"weights": pack(point.weights)}
    if isinstance(point, PerronPoint):
        return {"kind": "perron"} | variables | {"P": pack(point.P), "N": pack(point.N)}
    return (
        {"kind": "pairwise"}
        | variables
        | {"V": pack(point.V), "lam": pack(point.lam), "S": pack(point.S), "L": pack(point.L)}
    )
