"""Write certificates of format 3 by hand, from certificates/SPEC.md: nothing of the package is used."""

from scripts import script

TOOL = script("tools/false_certificates.py")
number, array = TOOL.hexed, TOOL.packed


def matrix(entries, **fields):
    """Return a subject of names x0, x1, … and these entries; `certificate` states its digest."""
    names = [f"x{i}" for i in range(len(entries[0]))]
    description = {"kind": "matrix", "observations": None, "is_centred": None, "deflation": None}
    subject = {
        "kind": "matrix", "names": names, "storage": "dense", "entries": array(entries),
        "description": description, "eliminated": None,
    }  # fmt: skip
    return subject | fields


def pencil(numerator, denominator):
    """Return a subject of two matrices."""
    names = [f"x{i}" for i in range(len(numerator))]
    return {"kind": "pencil", "names": names, "numerator": array(numerator), "denominator": array(denominator)}


def certificate(subject, claim, witness, points=(), tree=(["rows", None],), **evidence):
    """Return a document; `witness` is a list of pairs of a support and its loadings."""
    components = [{"support": T, "loadings": [number(x) for x in z]} for T, z in witness]
    bounds = {name: number(claim[name]) for name in ("lower", "upper")}
    evidence |= {"points": list(points), "tree": list(tree)}
    return TOOL.signed(TOOL.document({**subject}, claim | bounds, {"components": components}, evidence))
