"""The specification's example, schema and archive are true of the code, and files hold what was written."""

import json
import re
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest
from draws import draws
from every_certificate import every_certificate
from lies import test_lies, test_restricted_lies, test_table_lies
from telling_lies import put, saved

import relaxspca.certificate.writing as certificate_writing
from relaxspca import certificate
from relaxspca.certificate.fields import declared
from relaxspca.tasks.verify import verify_certificate as verify

# Objects of the schema, and the classes whose fields they have.
PLAIN = ("description", "eliminated", "matrix", "pencil", "least_squares", "claim", "witness", "evidence")
CLASSES = {name: name.title().replace("_", "") for name in PLAIN} | {"list": "ListedSupports"}
CLASSES |= {"rows": "RowsPoint", "factor": "FactorPoint", "multipliers": "MultiplierPoint"}
FOLDER = Path(__file__).parents[2] / "certificates"
TRUE = every_certificate()
TOLD = test_lies, test_restricted_lies, test_table_lies


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
    ("name", "inline"), [*((name, 20_000) for name in TRUE), *((name, 0) for name in [*TRUE][:: draws(3, 1)])]
)
def test_a_file_fits_the_schema_comes_back_as_it_was_and_verifies(name, inline, schema, tmp_path, monkeypatch):
    monkeypatch.setattr(certificate_writing, "MAX_INLINE", inline)
    made, path = TRUE[name], tmp_path / "true.json"
    first = saved(made, tmp_path)
    schema.validate(first)
    assert bool(inline) == (not list(tmp_path.glob("true.*.npz")))
    verdict = verify(path, exact=False, against=made.digest)
    assert verdict, verdict.reasons
    again = verdict.certificate
    assert (again.digest, again.statement) == (made.digest, made.statement)
    second = saved(again, tmp_path)
    for stored in (first, second):
        stored.get("arrays", {}).pop("file", None)
    assert first == second


# Reasons for which files are refused by their form alone.
FORM = re.compile(
    "must (be|have)|lacks|unknown|out if it is|does not stand|takes|none twice|is one of|version 3"
)
# What no lie of the tables tells.
WRONG = [
    ("perron", "claim", "nonnegative", False),
    ("perron", "subject", "description", "deflation", {}),
    ("perron", "arrays", {"file": "../x.npz"}),
    ("orthogonal supports", "claim", "sizes", [0]),
    ("orthogonal supports", "evidence", "mu", "0x1.0000000000000p+0"),
    ("orthogonal supports", "evidence", "points", 0, "rows", []),
    ("orthogonal supports", "subject", "eliminated", {}),
    *((name, *route) for name in ("dense", "origin") for route in (
        ("claim", "kind", "cardinality"), ("subject", "kind", "matrix"), ("evidence", "exponents", 0, 1001),
        ("evidence", "tree", 0, ["multipliers", 0, 1]), ("matrix", None),
    )),
]  # fmt: skip
LIES = [
    *((TRUE[name], put(*route)) for name, *route in WRONG),
    *((told.TRUE[name], lie) for told in TOLD for name, lie, reason in told.LIES if FORM.search(reason)),
]


@pytest.mark.parametrize("at", range(len(LIES)))
def test_schema_refuses_what_it_can_see(schema, at, tmp_path):
    made, lie = LIES[at]
    lying = saved(made, tmp_path)
    lie(lying)
    assert not schema.is_valid(lying)


DOCUMENTS = [
    json.loads(path.read_text()) for path in FOLDER.rglob("*.json") if not path.name.endswith(".schema.json")
]


def test_every_rule_and_every_kind_of_evidence_is_in_the_archive():
    nodes = {node[0] for d in DOCUMENTS for node in d["evidence"]["tree"]}
    rules = {"rows", "factor", "collatz", "listed", "multipliers", "choices"}
    assert nodes == rules | {"split", "restrict"}
    points = [point for d in DOCUMENTS for point in d["evidence"]["points"]]
    assert {(point["kind"], "weights" in point) for point in points} == {
        ("rows", True),
        ("rows", False),
        ("factor", False),
        ("multipliers", False),
    }
    assert any(node[1] is None for d in DOCUMENTS for node in d["evidence"]["tree"] if node[0] == "rows")
    assert any("elimination" in d["evidence"] for d in DOCUMENTS)


def test_some_proofs_rest_on_one_rule_alone():
    leaves = [{x[0] for x in d["evidence"]["tree"]} - {"split", "restrict"} for d in DOCUMENTS]
    for rule in ("rows", "factor", "multipliers", "choices"):
        assert {rule} in leaves


def test_every_claim_is_in_the_archive():
    claims = [d["claim"] for d in DOCUMENTS]
    kinds = {(claim["kind"], claim.get("supports")) for claim in claims}
    together = {("components", kind) for kind in ("orthogonal", "disjoint", "common")}
    assert kinds == {("component", None), ("ratio", None)} | together
    fields = {(claim["kind"], name) for claim in claims for name in claim}
    one = {"k", "rho", "include", "exclude", "one_of_each", "whole_groups", "nonnegative", "list"}
    assert fields >= {("component", name) for name in one}
    assert fields >= {("ratio", name) for name in ("k", "one_of_each", "budgets", "list")}
    assert fields >= {("components", name) for name in ("include", "exclude")}
    subjects = [d["subject"] for d in DOCUMENTS]
    assert {subject["kind"] for subject in subjects} == {"matrix", "pencil", "least_squares"}
    assert any(float.fromhex(subject.get("ridge", "0x0.0p+0")) > 0 for subject in subjects)
    assert any(subject.get("eliminated") for subject in subjects)
    assert {subject["storage"] for subject in subjects if "storage" in subject} == {"dense", "factor"}
