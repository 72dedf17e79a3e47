"""Write certificates of format 3 by hand, from certificates/SPEC.md: nothing of the package is used."""

import hashlib
import struct


def number(x):
    """Return a number as the file has it."""
    return float(x).hex()


def array(rows):
    """Return a vector or matrix as the file has it."""
    shape = [len(rows), len(rows[0])] if rows and isinstance(rows[0], list) else [len(rows)]
    flat = [x for row in rows for x in row] if len(shape) == 2 else rows
    return {"shape": shape, "hex": [number(x) for x in flat]}


def matrix(entries, **fields):
    """Return a subject of names x0, x1, … and these entries, with its digest."""
    names = [f"x{i}" for i in range(len(entries[0]))]
    description = {"kind": "matrix", "observations": None, "is_centred": None, "deflation": None}
    subject = {
        "kind": "matrix", "digest": "", "names": names, "storage": "dense", "entries": array(entries),
        "description": description, "eliminated": None,
    }  # fmt: skip
    return signed(subject | fields)


def pencil(numerator, denominator):
    """Return a subject of two matrices, with its digest."""
    names = [f"x{i}" for i in range(len(numerator))]
    both = {"numerator": array(numerator), "denominator": array(denominator)}
    return signed({"kind": "pencil", "digest": "", "names": names} | both)


def signed(subject):
    """Return a subject with its digest; of a matrix only one that is not deflated."""
    names = b"".join(map(_text, subject["names"]))
    if subject["kind"] == "pencil":
        bound = f"relaxspca pencil 1\ndense {len(subject['names'])}\n".encode()
        bound += _doubles(subject["numerator"]["hex"]) + _doubles(subject["denominator"]["hex"]) + names
    else:
        said, gone = subject["description"], subject["eliminated"]
        shape = subject["entries"]["shape"]
        bound = f"relaxspca matrix 2\n{subject['storage']} {shape[0]} {shape[1]}\n".encode()
        bound += _doubles(subject["entries"]["hex"]) + names + _text(said["kind"])
        centred = {None: "unknown", True: "yes", False: "no"}[said["is_centred"]]
        count = "unknown" if said["observations"] is None else said["observations"]
        bound += f"observations {count}\ncentred {centred}\ndeflation none\n".encode()
        bound += f"eliminated {'none' if gone is None else len(gone['names'])}\n".encode()
        if gone is not None:
            bound += b"".join(map(_text, gone["names"]))
            bound += _doubles([*gone["variances"]["hex"], gone["shift"]])
    return subject | {"digest": f"sha256:{hashlib.sha256(bound).hexdigest()}"}


def certificate(subject, claim, witness, points=(), tree=(["rows", None],), **evidence):
    """Return a document; `witness` is a list of pairs of a support and its loadings."""
    components = [{"support": T, "loadings": [number(x) for x in z]} for T, z in witness]
    bounds = {name: number(claim[name]) for name in ("lower", "upper")}
    return {
        "format": "relaxspca-certificate", "version": 3, "made_by": "by hand", "subject": subject,
        "claim": claim | bounds, "witness": {"components": components},
        "evidence": {"points": list(points), "tree": list(tree)} | evidence,
    }  # fmt: skip


def _text(said):
    return f"{len(said.encode())}:{said}\n".encode()


def _doubles(texts):
    return b"".join(struct.pack("<d", float.fromhex(x) + 0.0) for x in texts)
