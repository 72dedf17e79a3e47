"""The command subset: choices, paths, verdicts and lists are those of Python."""

import json

import numpy as np
import pytest
from commands import write_csv
from interrupts import interrupt

from relaxspca.applications import near_optimal_subsets, subset_path
from relaxspca.command.cli import main
from relaxspca.search import branch_and_bound


@pytest.fixture
def table(tmp_path):
    rng = np.random.default_rng(0)
    X = rng.normal(size=(30, 5))
    y = X @ [2.0, 0.0, -1.0, 0.0, 0.3] + 0.5 * rng.normal(size=30) + 4
    return write_csv(tmp_path / "t.csv", [*"abcde", "price"], np.column_stack([X, y])), X, y


def test_a_path_a_verdict_and_a_choice_whose_certificate_verifies(table, answered, printed, tmp_path):
    path, X, y = table
    words = ["subset", path, "--response", "price", "--intercept"]
    rows = answered(*words, "-k", "1-4", "--csv", tmp_path / "p.csv")["rows"]
    fits = subset_path(X, y, range(1, 5), intercept=True)
    assert [row["upper"] for row in rows] == pytest.approx([fit.upper for fit in fits], rel=1e-9)
    assert [row["lower"] for row in rows] == pytest.approx([fit.lower for fit in fits], rel=1e-9)
    assert (tmp_path / "p.csv").exists()
    assert "b, d" in printed(*words, "--subset", "b,d")
    shown = printed(*words, "-k", "2", "--certificate", tmp_path / "c.json")
    assert "Read 30 observations of price and 5 variables" in shown
    assert all("abcde"[j] in shown for j in fits[1].indices)
    assert main(["verify", str(tmp_path / "c.json")]) == 0


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


def test_a_list_of_subsets_is_written_and_proved(table, answered, printed, tmp_path):
    path, X, y = table
    proof = str(tmp_path / "c.json")
    words = f"subset {path} --response price -k 2 --within 0.5 --intercept --without d".split()
    said = answered(*words, "--certificate", proof)
    listed = near_optimal_subsets(X, y, 2, within=0.5, intercept=True, exclude=[3])
    assert [tuple(row["indices"]) for row in said["supports"]] == list(listed.indices)
    bounds = np.array([(row["lower"], row["upper"]) for row in said["supports"]])
    assert bounds == pytest.approx(np.array(listed.residuals), rel=1e-9)
    assert said["is_complete"]
    assert said["others_at_least"] == pytest.approx(listed.others_at_least)
    assert main(["verify", proof]) == 0
    assert "on 5 variables and an intercept, subject to d excluded)" in printed(*words)


def test_one_option_is_named_for_what_python_excludes(declined, tmp_path):
    (tmp_path / "t.csv").write_text("a,b,y\n1,2,0\n3,6,1\n4,8,1.5\n9,18,4\n")
    said = declined("subset", tmp_path / "t.csv", "--response", "y", "-k", "1", "--within", "0.1")
    assert said.rstrip().endswith("exclude=['b'] (on the command line: exclude is --without)")


@pytest.mark.parametrize("asked", [["-k", "2"], ["-k", "2,3"], ["--subset", "a,b"]])
def test_a_search_that_was_interrupted_is_reported_with_its_exit_code(table, asked, monkeypatch, capsys):
    interrupt(monkeypatch, branch_and_bound, "expand")
    words = ["subset", table[0], "--response", "price", *asked, "--json"]
    assert main(words) == 130
    rows = json.loads(capsys.readouterr().out)["rows"]
    assert ("interrupted" in {row["status"] for row in rows}) == (asked[0] == "-k")
