"""The specification's worked example and schema are true of the code, and files hold what was written."""

import json
import re
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest
from draws import draws
from every_certificate import every_certificate
from telling_lies import put

import relaxspca.certificate.writing as certificate_writing
from relaxspca import certificate
from relaxspca.certificate import Certificate
from relaxspca.certificate.fields import declared
from relaxspca.tasks.verify import verify_certificate as verify

# Objects of the schema, and the classes whose fields they have.
PLAIN = ("description", "eliminated", "matrix", "pencil", "least_squares", "claim", "witness", "evidence")
CLASSES = {name: name.title().replace("_", "") for name in PLAIN} | {"list": "ListedSupports"}
CLASSES |= {"rows": "RowsPoint WeightsPoint", "factor": "FactorPoint", "multipliers": "MultiplierPoint"}
FOLDER = Path(__file__).parents[2] / "certificates"
TRUE = every_certificate()


def document(made, path):
    made.save(path)
    return json.loads(path.read_text(encoding="utf-8"))


def worked_example():
    return re.search(r"```json\n(.*?)```", (FOLDER / "SPEC.md").read_text(encoding="utf-8"), re.DOTALL).group(1)


@pytest.mark.parametrize("exact", [True, False])
def test_the_worked_example_is_a_certificate_that_verifies(exact, schema, tmp_path):
    schema.validate(json.loads(worked_example()))
    (tmp_path / "c.json").write_text(worked_example())
    verdict = verify(tmp_path / "c.json", exact=exact)
    assert verdict
    assert Fraction(verdict.proved_lower) == 5
    assert 5 + 2**-40 <= verdict.proved_upper < 5 + 2**-40 + 2**-45
    assert verify(tmp_path / "c.json", against=np.array([[1.0, 2, 0], [2, 4, 1], [0, 1, 1]]))


@pytest.mark.parametrize("name", CLASSES)
def test_the_schema_has_the_fields_that_the_classes_declare(schema, name):
    objects = ("component", "ratio", "components") if name == "claim" else (name,)
    found, beside = [schema.schema["$defs"][own] for own in objects], {"kind", "digest"}
    tables = [declared(getattr(certificate, own)).items() for own in CLASSES[name].split()]
    fields = {codec.name or key for own in tables for key, codec in own}
    assert {field for own in found for field in own["properties"]} - beside == fields - beside
    needed = set.intersection(*({key for key, codec in own if not codec.is_optional} for own in tables))
    assert set.intersection(*({*own["required"]} for own in found)) - beside == needed - beside


@pytest.mark.parametrize(
    ("name", "inline"), [*((name, 20_000) for name in TRUE), *((name, 0) for name in [*TRUE][:: draws(2, 1)])]
)
def test_a_file_fits_the_schema_comes_back_as_it_was_and_verifies(name, inline, schema, tmp_path, monkeypatch):
    monkeypatch.setattr(certificate_writing, "MAX_INLINE", inline)
    made, path = TRUE[name], tmp_path / "c.json"
    first = document(made, path)
    schema.validate(first)
    assert bool(inline) == (not list(tmp_path.glob("c.*.npz")))
    again = Certificate.load(path)
    assert (again.digest, again.statement) == (made.digest, made.statement)
    for exact in (True, False):
        verdict = verify(path, exact=exact, against=made.digest)
        assert verdict, verdict.reasons
        assert made.lower <= verdict.proved_lower
        assert made.upper >= verdict.proved_upper
    assert verdict.proved_upper == verify(made, exact=False).proved_upper
    assert not verify(path, exact=False, against="sha256:" + 64 * "0")
    second = document(again, tmp_path / "again.json")
    for stored in (first, second):
        stored.get("arrays", {}).pop("file", None)
    assert first == second


WRONG = {
    "perron": [
        ("claim", "upper", "nan"),
        ("claim", "upper", 3.5),
        ("claim", "k", 0),
        ("claim", "rho", "0x1.0p+0"),
        ("claim", "kind", "joint"),
        ("claim", "nonnegative", False),
        ("subject", "names", ["x", "x"]),
        ("subject", "storage", "sparse"),
        ("subject", "description", "kind", "distance"),
        ("subject", "description", "observations", 0),
        ("subject", "description", "is_centred", 1),
        ("subject", "description", "deflation", {}),
        ("witness", "components", 0, "support", [0, 0, 1]),
        ("evidence", "tree", []),
        ("version", 1),
        ("evidence", "tree", 0, ["obvious", None]),
        ("note", "x"),
        ("evidence", "points", 0, "kind", "pickle"),
        ("evidence", "points", 0, "P", "hex", 0, "0X1.8P+1"),
        ("arrays", {"file": "../x.npz"}),
    ],
    "orthogonal supports": [
        ("claim", "supports", "overlapping"),
        ("claim", "sizes", [0]),
        ("claim", "kind", "cardinality"),
        ("witness", {"support": [0], "loadings": ["0x1.0000000000000p+0"]}),
        ("evidence", "mu", "0x1.0000000000000p+0"),
        ("evidence", "elimination", None),
        ("evidence", "tree", 0, ["split", 0, 1, 2]),
        ("evidence", "tree", 0, ["trace", None]),
        ("evidence", "tree", 0, ["rows", None]),
        ("evidence", "tree", 0, ["choices", 0]),
        ("evidence", "tree", 0, ["choices", []]),
        ("evidence", "tree", 0, ["choices", [0, 0]]),
        ("evidence", "tree", 0, ["groups", [[[0], None]]]),
        ("evidence", "points", 0, "rows", []),
        ("evidence", "points", 0, "kind", "perron"),
        ("subject", "eliminated", {}),
    ],
    **dict.fromkeys(
        ("dense", "origin"),
        [
            ("claim", "kind", "cardinality"),
            ("subject", "kind", "matrix"),
            ("evidence", "exponents", 0, 1001),
            ("evidence", "tree", 0, ["multipliers", 0, 1]),
            ("matrix", None),
        ],
    ),
}


@pytest.mark.parametrize(
    ("name", "route"), [(name, route) for name, routes in WRONG.items() for route in routes]
)
def test_schema_refuses_what_it_can_see(schema, name, route, tmp_path):
    lying = document(TRUE[name], tmp_path / "c.json")
    assert schema.is_valid(lying)
    put(*route)(lying)
    assert not schema.is_valid(lying)
