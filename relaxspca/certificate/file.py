"""Read and write certificates: JSON with hexadecimal floats, big arrays in an .npz beside it.

The reader believes nothing: sizes, depth, types, repeated keys, digests and every number are
checked before a `Certificate` is made. See ``certificates/SPEC.md`` for the format.
"""

from __future__ import annotations

import hashlib
import io
import json
import math
import zipfile
from pathlib import Path
from typing import Any, NoReturn

import numpy as np

from relaxspca.certificate.certificate import Certificate
from relaxspca.certificate.eliminated import Eliminated
from relaxspca.certificate.evidence import (
    Floats,
    Ints,
    Leaf,
    PairwisePoint,
    PerronPoint,
    Point,
    PsiPoint,
    Split,
    WeightsPoint,
)
from relaxspca.errors import CertificateError
from relaxspca.runtime.files import replace

FORMAT, VERSION = "relaxspca-certificate", 1
MAX_JSON_BYTES = 1 << 28
MAX_NPZ_BYTES = 1 << 32
MAX_NUMBERS = 1 << 28
MAX_INLINE = 20_000


def write(certificate: Certificate, path: Path) -> None:
    """Write a certificate; each file appears whole or not at all."""
    if path.suffix == ".npz":
        raise CertificateError(f"{path}: .npz is the suffix of a certificate's companion; use .json")
    arrays: dict[str, Floats] = {}
    is_special = path.exists() and not path.is_file()  # a device or a pipe has no file beside it
    document = _document(certificate, _Packer(arrays, certificate, is_alone=is_special))
    if arrays:
        buffer = io.BytesIO()
        np.savez(buffer, **arrays)  # type: ignore[arg-type]
        companion = path.with_suffix(".npz")
        replace(companion, buffer.getvalue())
        document["arrays"] = {"file": companion.name, "sha256": _sha256(buffer.getvalue())}
    replace(path, json.dumps(document, indent=1).encode("ascii"))


def read(path: Path, content: bytes | None = None) -> Certificate:
    """Read a certificate, or the given bytes as if they were there; CertificateError if they are not one."""
    try:
        document = _parse(_bytes(path, MAX_JSON_BYTES) if content is None else content)
        return _certificate(document, path)
    except CertificateError as error:
        raise CertificateError(f"{path}: {error}") from None
    except RecursionError:
        raise CertificateError(f"{path}: nested too deeply") from None
    except Exception as error:  # hostile bytes make json, zipfile, its decompressors and numpy raise anything
        raise CertificateError(f"{path}: not readable as a certificate: {error}") from error


class _Packer:
    """Pack an array inline as hexadecimal floats, or into the companion when there are many."""

    def __init__(self, arrays: dict[str, Floats], certificate: Certificate, *, is_alone: bool) -> None:
        self.arrays = arrays
        fields = [certificate.matrix, certificate.factor]
        if certificate.eliminated is not None:
            fields.append(certificate.eliminated.variances)
        for point in certificate.points:
            fields += [value for value in vars(point).values() if isinstance(value, np.ndarray)]
        self.inline = is_alone or sum(a.size for a in fields if a is not None) <= MAX_INLINE

    def __call__(self, array: Floats | None) -> dict[str, Any] | None:
        if array is None:
            return None
        packed: dict[str, Any] = {"shape": list(array.shape)}
        if self.inline:
            return packed | {"hex": [x.hex() for x in array.ravel().tolist()]}
        key = f"a{len(self.arrays)}"
        self.arrays[key] = array
        return packed | {"npz": key}


def _document(certificate: Certificate, pack: _Packer) -> dict[str, Any]:
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


def _point_document(point: Point, pack: _Packer) -> dict[str, Any]:
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


def _certificate(document: object, path: Path) -> Certificate:
    root = _fields(
        document,
        "certificate",
        ("format", "version", "made_by", "claim", "witness", "points", "tree"),
        optional=("arrays", "eliminated"),
    )
    if root["format"] != FORMAT:
        raise CertificateError(f"format is {root['format']!r}, not {FORMAT!r}")
    if type(root["version"]) is not int or root["version"] != VERSION:
        raise CertificateError(f"version {root['version']!r} is not known; this reads {VERSION}")
    claim = _fields(
        root["claim"], "claim", ("n", "names", "covariance", "cardinality", "penalty", "lower", "upper")
    )
    covariance = _fields(claim["covariance"], "covariance", ("kind", "digest", "entries"))
    if covariance["kind"] not in ("dense", "factor"):
        raise CertificateError(f"unknown covariance kind {covariance['kind']!r}")
    witness = _fields(root["witness"], "witness", ("support", "loadings"))
    unpack = _Unpacker(root.get("arrays"), path)
    entries = unpack(covariance["entries"], "covariance entries")
    n = _integer(claim["n"], "n")
    if len(_list(claim["names"], "names")) != n:
        raise CertificateError(f"names must be {n} strings")
    certificate = Certificate(
        n=n,
        names=tuple(_string(name, "name") for name in _list(claim["names"], "names")),
        matrix=entries if covariance["kind"] == "dense" else None,
        factor=entries if covariance["kind"] == "factor" else None,
        cardinality=None if claim["cardinality"] is None else _integer(claim["cardinality"], "cardinality"),
        penalty=None if claim["penalty"] is None else _real(claim["penalty"], "penalty"),
        lower=_real(claim["lower"], "lower"),
        upper=_real(claim["upper"], "upper"),
        support=_integers(witness["support"], "support"),
        loadings=_loadings(witness, n),
        points=tuple(_point(point, unpack) for point in _list(root["points"], "points")),
        tree=tuple(_node(node) for node in _list(root["tree"], "tree")),
        **_eliminated(root.get("eliminated"), unpack),
        made_by=_string(root["made_by"], "made_by"),
    )
    if covariance["digest"] != certificate.digest:
        raise CertificateError(f"the digest {covariance['digest']!r} is not that of the matrix")
    return certificate


def _loadings(witness: dict[str, Any], n: int) -> Floats:
    support = _integers(witness["support"], "support")
    values = [_real(x, "loading") for x in _list(witness["loadings"], "loadings")]
    if len(values) != len(support):
        raise CertificateError(f"{len(values)} loadings for a support of {len(support)}")
    if not ((support >= 0) & (support < n)).all():
        raise CertificateError(f"support names a variable beyond n = {n}")
    loadings = np.zeros(n)
    loadings[support] = values
    return loadings


def _point(document: object, unpack: _Unpacker) -> Point:
    kind = document.get("kind") if isinstance(document, dict) else None
    if kind == "psi":
        p = _fields(document, "psi point", ("kind", "variables", "rho", "vectors", "factor", "shift"))
        return PsiPoint(
            variables=_integers(p["variables"], "psi variables"),
            rho=_real(p["rho"], "psi rho"),
            vectors=unpack(p["vectors"], "psi vectors"),
            shift=_real(p["shift"], "psi shift"),
            factor=None if p["factor"] is None else unpack(p["factor"], "psi factor"),
        )
    if kind == "pairwise":
        p = _fields(document, "pairwise point", ("kind", "variables", "V", "lam", "S", "L"))
        return PairwisePoint(
            variables=_integers(p["variables"], "pairwise variables"),
            V=unpack(p["V"], "pairwise V"),
            lam=unpack(p["lam"], "pairwise lam"),
            S=None if p["S"] is None else unpack(p["S"], "pairwise S"),
            L=None if p["L"] is None else unpack(p["L"], "pairwise L"),
        )
    if kind == "weights":
        p = _fields(document, "weights point", ("kind", "variables", "weights"))
        return WeightsPoint(
            variables=_integers(p["variables"], "weights variables"), weights=unpack(p["weights"], "weights")
        )
    if kind == "perron":
        p = _fields(document, "perron point", ("kind", "variables", "P", "N"))
        return PerronPoint(
            variables=_integers(p["variables"], "perron variables"),
            P=unpack(p["P"], "perron P"),
            N=unpack(p["N"], "perron N"),
        )
    raise CertificateError(f"unknown kind of point {kind!r}")


def _eliminated(document: object, unpack: _Unpacker) -> dict[str, Any]:
    if document is None:
        return {}
    e = _fields(document, "eliminated", ("names", "variances", "shift", "rule"))
    rule = None if e["rule"] is None else _node(e["rule"])
    return {
        "elimination": rule,
        "eliminated": Eliminated(
            tuple(_string(name, "name") for name in _list(e["names"], "eliminated names")),
            unpack(e["variances"], "eliminated variances"),
            _real(e["shift"], "shift"),
        ),
    }


def _node(document: object) -> Split | Leaf:
    node = _list(document, "node")
    if len(node) == 4 and node[0] == "split":
        return Split(*(_integer(x, "split") for x in node[1:]))
    if len(node) == 2:
        return Leaf(_string(node[0], "leaf kind"), None if node[1] is None else _integer(node[1], "leaf point"))
    raise CertificateError(f"{node!r} is neither a split nor a leaf"[:200])


class _Unpacker:
    """Turn packed arrays back, inline or from the companion, whose digest is checked first."""

    def __init__(self, arrays: object, path: Path) -> None:
        self.companion: zipfile.ZipFile | None = None
        self.count = 0
        if arrays is None:
            return
        fields = _fields(arrays, "arrays", ("file", "sha256"))
        if fields["file"] != path.with_suffix(".npz").name:
            raise CertificateError(f"arrays must be in {path.with_suffix('.npz').name!r}")
        content = _bytes(path.with_suffix(".npz"), MAX_NPZ_BYTES)
        if _sha256(content) != fields["sha256"]:
            raise CertificateError(f"the sha256 of {fields['file']!r} is not the one stated")
        self.companion = zipfile.ZipFile(io.BytesIO(content))

    def __call__(self, packed: object, name: str) -> Floats:
        inline = isinstance(packed, dict) and "hex" in packed
        fields = _fields(packed, name, ("shape", "hex" if inline else "npz"))
        shape = tuple(_integers(fields["shape"], f"shape of {name}").tolist())
        if len(shape) > 2 or any(length < 0 for length in shape):
            raise CertificateError(f"{name} has the impossible shape {shape}")
        self.count += math.prod(shape)
        if self.count > MAX_NUMBERS or max(shape, default=0) > MAX_NUMBERS:
            raise CertificateError(f"more than {MAX_NUMBERS} numbers")
        if not inline:
            return self._member(_string(fields["npz"], f"key of {name}"), shape, name)
        values = _list(fields["hex"], name)
        if len(values) != math.prod(shape):
            raise CertificateError(f"{name} has {len(values)} numbers for the shape {shape}")
        return np.array([_real(x, name) for x in values], dtype=np.float64).reshape(shape)

    def _member(self, key: str, shape: tuple[int, ...], name: str) -> Floats:
        """Read one .npy member without trusting its header for more than its stated shape."""
        names = [] if self.companion is None else self.companion.namelist()
        if self.companion is None or names.count(f"{key}.npy") != 1:
            raise CertificateError(f"{name} refers to {key!r}, which the companion lacks")
        info = self.companion.getinfo(f"{key}.npy")
        if info.file_size > 8 * math.prod(shape) + 4096:
            raise CertificateError(f"{name} is larger than its shape {shape}")
        with self.companion.open(info) as member:
            stream = io.BytesIO(member.read(8 * math.prod(shape) + 4097))
        if np.lib.format.read_magic(stream) != (1, 0):
            raise CertificateError(f"{name} is not an .npy array of version 1.0")
        found, by_columns, dtype = np.lib.format.read_array_header_1_0(stream)
        body = stream.read()
        if found != shape or dtype != np.dtype("<f8") or len(body) != 8 * math.prod(shape):
            raise CertificateError(f"{name} is not an array of {shape} little-endian doubles")
        return np.frombuffer(body, dtype="<f8").reshape(shape, order="F" if by_columns else "C")


def _parse(content: bytes) -> object:
    """Parse ASCII JSON in which keys are unique and every number is an integer."""

    def unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        fields: dict[str, Any] = {}
        for key, value in pairs:
            if key in fields:
                raise CertificateError(f"the key {key!r} is repeated")
            fields[key] = value
        return fields

    def refuse(text: str) -> NoReturn:
        raise CertificateError(f"the number {text!r} is not a hexadecimal string or an integer")

    return json.loads(
        content.decode("ascii"), object_pairs_hook=unique, parse_float=refuse, parse_constant=refuse
    )


def _fields(value: object, what: str, names: tuple[str, ...], optional: tuple[str, ...] = ()) -> dict[str, Any]:
    if not isinstance(value, dict):
        raise CertificateError(f"{what} must be an object")
    for name in names:
        if name not in value:
            raise CertificateError(f"{what} lacks {name!r}")
    for name in value:
        if name not in names + optional:
            raise CertificateError(f"{what} has the unknown field {name!r}")
    return value


def _list(value: object, what: str) -> list[Any]:
    if not isinstance(value, list):
        raise CertificateError(f"{what} must be a list")
    return value


def _string(value: object, what: str) -> str:
    if not isinstance(value, str):
        raise CertificateError(f"{what} must be a string")
    value.encode()  # a lone surrogate is no text: a ValueError here, rather than when it is printed
    return value


def _integer(value: object, what: str) -> int:
    if type(value) is not int or abs(value) > MAX_NUMBERS:
        raise CertificateError(f"{what} must be an integer of at most {MAX_NUMBERS}")
    return value


def _integers(value: object, what: str) -> Ints:
    return np.array([_integer(x, what) for x in _list(value, what)], dtype=np.int64)


def _real(value: object, what: str) -> float:
    """Return the float of which `value` is the one canonical hexadecimal spelling."""
    text = _string(value, what)
    try:
        number = float.fromhex(text)
    except (ValueError, OverflowError):
        number = math.nan
    if not math.isfinite(number):
        raise CertificateError(f"{what} is {text[:40]!r}: only finite hexadecimal floats are allowed")
    if number.hex() != text:
        raise CertificateError(f"{what} is {text[:40]!r}, which is not the canonical {number.hex()!r}")
    return number


def _bytes(path: Path, limit: int) -> bytes:
    with path.open("rb") as stream:
        content = stream.read(limit + 1)
    if len(content) > limit:
        raise CertificateError(f"{path.name} is larger than {limit} bytes")
    return content


def _sha256(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()
