"""How lies are told: a change of one place of a document, and why the checker does not believe it."""

import json
import re
import tempfile
from functools import cache
from pathlib import Path

import numpy as np

from relaxspca.certificate import load_certificate
from relaxspca.checker import verify
from relaxspca.errors import CertificateError

ABOVE = r"bound is [^,]*, above|above the claimed upper bound"


def refusal(text, folder):
    """Return why the checker does not believe a file, in either arithmetic."""
    path = folder / "lie.json"
    path.write_text(text if isinstance(text, str) else json.dumps(text))
    try:
        certificate = load_certificate(path)
    except CertificateError as error:
        return [str(error)]
    verdicts = [verify(certificate, exact=exact) for exact in (True, False)]
    assert not any(verdicts), verdicts
    return ["; ".join(verdict.reasons) for verdict in verdicts]


def numbers(packed):
    """Return a packed array as floats."""
    return np.array([float.fromhex(x) for x in packed["hex"]]).reshape(packed["shape"])


def pack(array):
    return {"shape": list(np.shape(array)), "hex": [float(x).hex() for x in np.ravel(array)]}


def edit(field, change, where=0):
    """Return the lie that applies `change` to an array of a point, of the first if not said, or to a number."""

    def lie(d):
        held = d[where] if where == "claim" else d["evidence"]["points"][where]
        if where == "claim":
            held[field] = float(change(float.fromhex(held[field]))).hex()
        else:
            held[field] = pack(change(numbers(held[field])))

    return lie


def put(*route):
    """Return the lie that stores the last item where the others lead."""

    def lie(d):
        *way, key, value = route
        for step in way:
            d = d[step]
        d[key] = value

    return lie


def swap_children(d):
    """Exchange the sides of the first split whose children differ."""
    tree = d["evidence"]["tree"]
    split = next(node for node in tree if node[0] == "split" and tree[node[3]] != tree[node[4]])
    split[3], split[4] = split[4], split[3]


def larger_support(k):
    """Return the lie whose first vector is on so many variables."""
    return put("witness", "components", 0, {"support": [*range(k)], "loadings": [(1.0).hex()] * k})


def exactly(made):
    """Return the bound that is proved in exact arithmetic: nothing below it is."""
    return verify(made, exact=True).proved_upper


def evidence(*route):
    return put("evidence", *route)


def at(i, value):
    def change(array):
        array = array.copy()
        array[i] = value
        return array

    return change


def refused(made, lie, reason, folder):
    """Tell a lie about a true certificate, and assert that it is refused for a reason that names it."""
    lying = document_of(made)
    lie(lying)
    assert json.dumps(lying) != _text_of(made), "no lie was told"
    for said in refusal(lying, folder):
        assert re.search(reason, said), said


def saved(made, folder):
    """Return a certificate as its file has it."""
    made.save(folder / "true.json")
    return json.loads((folder / "true.json").read_text())


def document_of(made):
    """Return what stands in the file of a true certificate."""
    return json.loads(_text_of(made))


@cache
def _text_of(made):
    with tempfile.TemporaryDirectory() as folder:
        document = saved(made, Path(folder))
        assert verify(Path(folder) / "true.json"), made
    return json.dumps(document)


def loaded(document, folder):
    """Return the certificate of a document, or None where it is refused."""
    (folder / "c.json").write_text(json.dumps(document))
    try:
        return load_certificate(folder / "c.json")
    except CertificateError:
        return None
