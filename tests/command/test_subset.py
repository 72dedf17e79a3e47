"""The command subset: choices, paths and verdicts beside enumeration."""

import itertools
import json

import numpy as np
import pytest
from commands import write_csv
from interrupts import interrupt

from relaxspca.command.cli import main
from relaxspca.search import branch_and_bound


@pytest.fixture
def table(tmp_path):
    rng = np.random.default_rng(0)
    X = rng.normal(size=(30, 5))
    y = X @ [2.0, 0.0, -1.0, 0.0, 0.3] + 0.5 * rng.normal(size=30) + 4
    return write_csv(tmp_path / "t.csv", [*"abcde", "price"], np.column_stack([X, y])), X, y


def residual(X, y, T):
    M = np.column_stack([X[:, T], np.ones(len(y))])
    return float(np.sum((y - M @ np.linalg.lstsq(M, y, rcond=None)[0]) ** 2))


def test_the_choice_is_that_of_enumeration_and_its_certificate_verifies(table, answered, printed, tmp_path):
    path, X, y = table
    proof = str(tmp_path / "c.json")
    words = ["subset", path, "--response", "price", "-k", "2", "--intercept", "--certificate", proof]
    (row,) = answered(*words)["rows"]
    best = min(itertools.combinations(range(5), 2), key=lambda T: residual(X, y, T))
    assert row["lower"] <= residual(X, y, best) * (1 + 1e-9)
    assert row["upper"] == pytest.approx(residual(X, y, best), rel=1e-9)
    assert main(["verify", proof]) == 0
    shown = printed(*words)
    assert "Read 30 observations of price and 5 variables" in shown
    assert all("abcde"[j] in shown for j in best)


def test_a_path_and_a_verdict(table, answered, printed, tmp_path):
    path, X, y = table
    words = ["subset", path, "--response", "price", "--intercept"]
    rows = answered(*words, "-k", "1-4", "--csv", tmp_path / "p.csv")["rows"]
    for k, row in enumerate(rows, 1):
        best = min(residual(X, y, T) for T in itertools.combinations(range(5), k))
        assert row["upper"] == pytest.approx(best, rel=1e-9)
    assert (tmp_path / "p.csv").exists()
    assert "b, d" in printed(*words, "--subset", "b,d")


def test_a_proof_that_roundings_hide_is_said_to_be_one_for_exact_arithmetic(tmp_path, capsys, printed):
    """Two columns are one but for a millionth: more observations than are checked exactly unless asked for."""
    rng = np.random.default_rng(1)
    X = rng.standard_normal((2100, 3))
    X[:, 1] = X[:, 0] * (1 + 1e-6 * rng.standard_normal(2100))
    table = np.column_stack([X, rng.standard_normal(2100) + X[:, 0]])
    np.savetxt(tmp_path / "t.csv", table, delimiter=",", header="a,b,c,y", comments="", fmt="%.17g")
    proof = str(tmp_path / "c.json")
    words = ["subset", str(tmp_path / "t.csv"), "--response", "y", "-k", "2", "-q", "--certificate", proof]
    assert main(words) == 0
    capsys.readouterr()
    assert main(["verify", proof]) == 1
    assert "--exact avoids it and takes longer" in capsys.readouterr().out
    assert "--exact" not in printed("verify", proof, "--exact")


def test_a_list_has_every_subset_of_enumeration(table, answered, printed, tmp_path):
    path, X, y = table
    proof = str(tmp_path / "c.json")
    words = f"subset {path} --response price -k 2 --within 0.5 --intercept --without d".split()
    found = answered(*words, "--certificate", proof)
    values = {T: residual(X, y, T) for T in itertools.combinations([0, 1, 2, 4], 2)}
    near = {T for T, value in values.items() if value <= 1.5 * min(values.values())}
    assert {tuple(row["indices"]) for row in found["supports"]} == near
    for row in found["supports"]:
        assert row["lower"] <= values[tuple(row["indices"])] * (1 + 1e-9)
        assert row["upper"] >= values[tuple(row["indices"])] * (1 - 1e-9)
    assert found["is_complete"]
    assert all(values[T] >= found["others_at_least"] * (1 - 1e-9) for T in set(values) - near)
    assert main(["verify", proof]) == 0
    assert "on 5 variables and an intercept, subject to d excluded)" in printed(*words)


@pytest.mark.parametrize("asked", [["-k", "2"], ["-k", "2,3"], ["--subset", "a,b"]])
def test_a_search_that_was_interrupted_is_reported_with_its_exit_code(table, asked, monkeypatch, capsys):
    interrupt(monkeypatch, branch_and_bound, "expand")
    words = ["subset", table[0], "--response", "price", *asked, "--json"]
    assert main(words) == 130
    rows = json.loads(capsys.readouterr().out)["rows"]
    assert ("interrupted" in {row["status"] for row in rows}) == (asked[0] == "-k")
