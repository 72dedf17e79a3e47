"""The command near-optimal, and conditions on the support from the command line."""

import json

import numpy as np
import pytest

import relaxspca as rs
from relaxspca.command.cli import main


def run(capsys, *words):
    code = main(list(words))
    out, err = capsys.readouterr()
    return code, out, err


def test_conditions_of_solve(capsys, tmp_path):
    proof = str(tmp_path / "c.json")
    code, out, _ = run(
        capsys,
        "solve",
        "pitprops",
        "-k",
        "3",
        "--with",
        "knots",
        "--without",
        "topdiam",
        "--certificate",
        proof,
    )
    assert code == 0
    assert "moist, testsg, knots" in out
    code, out, _ = run(capsys, "verify", proof, "--against", "pitprops")
    assert code == 0
    assert rs.Certificate.load(proof).include.tolist() == [11]
    code, _, err = run(capsys, "solve", "pitprops", "-k", "3", "--with", "knots", "--without", "knots")
    assert code == 2
    assert "knots is in include and in exclude" in err


def test_near_optimal_prints_writes_and_proves(capsys, tmp_path):
    pytest.importorskip("matplotlib")
    proof, table, figure = (str(tmp_path / name) for name in ("c.json", "t.csv", "f.png"))
    code, out, _ = run(
        capsys, "near-optimal", "pitprops", "-k", "10", "--within", "0.02", "--costs", "--decimals", "3",
        "--certificate", proof, "--csv", table, "--plot", figure,
    )  # fmt: skip
    assert code == 0
    assert "12 supports of 10 variables are within 2 % of the best" in out
    assert "optimal for every matrix that rounds to this one at 3 decimals: yes" in out
    assert (tmp_path / "t.csv").read_text().count("\n") == 13
    assert (tmp_path / "f.png").stat().st_size > 1000
    assert rs.verify(proof, against=rs.datasets.load_pitprops())


def test_near_optimal_as_json(capsys):
    code, out, _ = run(capsys, "near-optimal", "pitprops", "-k", "10", "--json", "--decimals", "3")
    found = json.loads(out)
    assert code == 0
    assert found["is_complete"] is True
    assert len(found["supports"]) == 5
    assert found["is_optimal_as_printed"] is True
    assert "topdiam" in found["core"]


def test_bad_arguments_leave_with_a_reason(capsys, tmp_path):
    np.savetxt(tmp_path / "S.csv", np.eye(3), delimiter=",")
    code, _, err = run(capsys, "near-optimal", str(tmp_path / "S.csv"), "-k", "2", "--within", "-1")
    assert code == 2
    assert "within must be a number of at least 0" in err
