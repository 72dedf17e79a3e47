"""The archive has a certificate for every rule, every kind of evidence and every claim of the specification."""

import json
from pathlib import Path

FOLDER = Path(__file__).parents[2] / "certificates"
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
