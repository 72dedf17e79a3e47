"""The command generalized."""

import numpy as np
import pytest
from commands import write_csv

import relaxspca as rs
from relaxspca.command.cli import main

A = np.array([[4.0, 2.0, -1.0], [2.0, 3.0, 1.0], [-1.0, 1.0, -5.0]])
B = np.array([[2.0, 0.5, 0.0], [0.5, 1.0, 0.0], [0.0, 0.0, 3.0]])


@pytest.fixture
def files(tmp_path):
    matrices = {"A.csv": A, "B.csv": B, "singular.csv": np.ones((3, 3))}
    return [write_csv(tmp_path / name, "abc", matrix) for name, matrix in matrices.items()]


def test_it_says_what_the_function_says(answered, printed, files):
    words = ["generalized", files[0], files[1], "--covariance", "-k", "2"]
    said = answered(*words)
    found = rs.generalized(A, B, 2, names="abc")
    assert said["support"] == list(found.support)
    assert said["lower"] <= found.upper
    assert said["upper"] >= found.lower
    assert said["status"] == "optimal"
    assert "Largest ratio x'Ax / x'Bx with at most 2 of 3 variables: " in printed(*words)


def test_a_singular_form_needs_a_ridge(declined, files):
    words = ["generalized", files[0], files[2], "--covariance", "-k", "2"]
    assert "ridge" in declined(*words)
    assert main([*words, "--ridge", "0.1"]) == 0


def test_it_writes_a_certificate_that_verify_explains(capsys, printed, files, tmp_path):
    proof = str(tmp_path / "c.json")
    words = f"generalized {files[0]} {files[1]} --covariance -k 2 --without a --certificate {proof}".split()
    said = printed(*words)
    assert "with at most 2 of 3 variables, subject to a excluded: " in said
    assert f"relaxspca verify {proof}" in said
    told = printed("verify", proof, "--exact")
    assert "the largest x'Ax / x'Bx of a vector x that uses at most 2 variables, subject to a excluded" in told
    assert "B is positive definite" in told
    text = (tmp_path / "c.json").read_text()
    (tmp_path / "c.json").write_text(text.replace('"kind": "ratio"', '"kind": "quotient"'))
    assert main(["verify", proof]) == 2
    assert "unknown kind" in capsys.readouterr().out


@pytest.mark.parametrize("within", [0.05, 0.5])
def test_a_list_has_every_set_of_nearly_the_largest_ratio(declined, answered, printed, files, within):
    words = ["generalized", files[0], files[1], "--covariance", "-k", "2", "--within", str(within)]
    found = answered(*words)
    near = rs.near_optimal((A, B), 2, within=within).indices
    assert [tuple(row["indices"]) for row in found["supports"]] == list(near)
    assert found["is_complete"]
    assert "leave out --groups, --gap, --ridge" in declined(*words, "--ridge", "1")
    assert "subject to at most one variable of the group g" in printed(*words[:-2], "--groups", "g=a,b")
