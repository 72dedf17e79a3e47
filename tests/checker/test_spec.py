"""The specification's worked example and schema are true of the code."""

import json
import re
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest
from restricted_certificates import restricted_certificates
from telling_lies import document_of, put
from true_certificates import true_certificates

from relaxspca import certificate
from relaxspca.certificate.fields import declared
from relaxspca.checker import verify

# Objects of the schema, and the classes whose fields they have.
PLAIN = ("description", "eliminated", "matrix", "pencil", "least_squares", "claim", "witness", "evidence")
CLASSES = {name: name.title().replace("_", "") for name in PLAIN} | {"list": "ListedSupports"}
CLASSES |= {"rows": "RowsPoint WeightsPoint", "factor": "FactorPoint", "multipliers": "MultiplierPoint"}
FOLDER = Path(__file__).parents[2] / "certificates"
TRUE = {name: made for name, (_, made) in (true_certificates() | restricted_certificates()).items()}


def worked_example():
    return re.search(r"```json\n(.*?)```", (FOLDER / "SPEC.md").read_text(encoding="utf-8"), re.DOTALL).group(1)


@pytest.mark.parametrize("exact", [True, False])
def test_the_worked_example_is_a_certificate_that_verifies(exact, tmp_path):
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


def test_schema_accepts_the_worked_example_and_every_true_certificate(schema, tmp_path, monkeypatch):
    schema.validate(json.loads(worked_example()))
    for made in TRUE.values():
        schema.validate(document_of(made, tmp_path))
    monkeypatch.setattr("relaxspca.certificate.writing.MAX_INLINE", 0)
    for made in TRUE.values():
        schema.validate(document_of(made, tmp_path))


@pytest.mark.parametrize(
    "route",
    [
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
)
def test_schema_refuses_what_it_can_see(schema, route, tmp_path):
    lying = document_of(TRUE["perron"], tmp_path)
    assert schema.is_valid(lying)
    put(*route)(lying)
    assert not schema.is_valid(lying)


def test_the_specification_names_every_kind_of_leaf():
    from relaxspca.checker.rules import RULES

    text = (FOLDER / "SPEC.md").read_text(encoding="utf-8")
    assert {kind for kind in RULES if f"`{kind}`" in text} == set(RULES)
