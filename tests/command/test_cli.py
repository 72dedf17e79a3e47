"""The command line: answers, exit codes, one line for every bad input."""

import io
import json
import os
import re
import shlex
import sys
from pathlib import Path

import numpy as np
import pytest
from commands import run

import relaxspca as rs
from relaxspca.candidates.deflation import DEFLATIONS
from relaxspca.command.cli import main
from relaxspca.command.parser import parser
from relaxspca.command.verbs import VERBS

SOLVE = ["solve", "pitprops", "-k", "3"]


@pytest.mark.skipif(os.geteuid() == 0, reason="root reads everything")
def test_a_file_without_permission(tmp_path, declined):
    path = tmp_path / "secret.csv"
    path.write_text("1,0\n0,1\n")
    path.chmod(0)
    assert str(path) in declined("solve", path, "-k", "1")


def test_certify_judges_the_loadings_of_another_run(tmp_path, answered, printed):
    (tmp_path / "run.json").write_text(printed("solve", "pitprops", "-k", "4", "--json"))
    (tmp_path / "names.txt").write_text("topdiam\nlength\nmoist\n")
    found = answered("certify", "pitprops", "--loadings", tmp_path / "run.json")
    assert (found["status"], found["better"]) == ("optimal", None)
    better = answered("certify", "pitprops", "--loadings", tmp_path / "names.txt")["better"]
    assert better["value"] == pytest.approx(2.4753313532)


def test_verify_says_refuted_and_unreadable_by_its_exit_code(tmp_path, capsys, printed):
    good, bad = tmp_path / "good.json", tmp_path / "bad.json"
    certificate = rs.solve(rs.datasets.load_pitprops(), 5).certificate
    certificate.save(good)
    claim = json.loads(good.read_text())
    claim["claim"]["upper"] = claim["claim"]["lower"]
    bad.write_text(json.dumps(claim))
    printed("verify", good, "--json")
    code, out, _ = run(capsys, "verify", good, bad, "--json")
    assert (code, json.loads(out)["verified"]) == (1, 1)
    for unreadable in (bytes(range(256)), b"{"):
        (tmp_path / "broken.json").write_bytes(unreadable)
        assert run(capsys, "verify", good, tmp_path / "broken.json", "--json")[0] == 2
    printed("verify", good, "--against", "pitprops")
    (tmp_path / "other.csv").write_text("2,1\n1,2\n")
    assert run(capsys, "verify", good, "--against", tmp_path / "other.csv")[0] == 1
    printed("verify", good, "--csv", tmp_path / "t.csv")
    assert "verified" in (tmp_path / "t.csv").read_text()


def test_what_read_writes_is_read_back_without_the_options(tmp_path, printed):
    (tmp_path / "t.csv").write_text("id,a,b\nx,1.5,2\ny,99,1\nz,2.5,7\nw,0.1,1\n")
    data, clean = tmp_path / "t.csv", tmp_path / "clean.csv"
    assert "(read it with --data)" in printed("read", data, "--na", "99", "--drop-missing", "--out", clean)
    expected = rs.read(data, na=99, drop_missing=True)
    assert np.array_equal(rs.read(clean).matrix, expected.matrix)
    assert "(read it with --covariance)" in printed("read", "pitprops", "--out", clean)
    assert rs.read(clean).digest == rs.datasets.load_pitprops().digest


def test_a_correlation_matrix_is_its_own_correlation(capsys):
    assert run(capsys, *SOLVE, "--correlation") == run(capsys, *SOLVE)
    assert "leave out --data" in run(capsys, *SOLVE, "--data")[2]


def test_limits_are_reported_and_exit_zero(answered, printed):
    found = answered("solve", "pitprops", "-k", "5", "--node-limit", "0")
    assert (found["status"], found["node_count"]) == ("node limit", 0)
    assert found["upper"] > 3.4061549468 >= found["lower"] - 1e-9
    assert "time limit" in printed("solve", "pitprops", "-k", "5", "--time-limit", "0")


@pytest.mark.parametrize("name", VERBS)
def test_help_of_a_command_has_an_example_that_parses_and_names_the_exit_codes(printed, name):
    out = printed(name, "--help")
    forms = () if name in ("read", "report", "verify") else ("csv", "latex", "markdown", "plot")
    assert all(f"--{form} FILE" in out for form in forms)
    example = re.search(r"example:\n +(.*)\n", out)[1]
    assert "exit codes" in out
    words = shlex.split(example)
    assert words[0] == "relaxspca"
    assert parser().parse_args(words[1:]).command == name
    page = (Path(__file__).parents[2] / "docs" / "command_line.md").read_text(encoding="utf-8")
    assert f"`relaxspca {name} " in page  # a row of its table


def test_verbose_prints_every_round_and_quiet_none(capsys):
    _, loud, rounds = run(capsys, "solve", "pitprops", "-k", "8", "--verbose")
    _, quiet, nothing = run(capsys, "solve", "pitprops", "-k", "8", "--quiet")
    assert loud.startswith(quiet)
    assert "| variable |" in loud
    assert "|" not in quiet
    assert rounds
    assert all(" node" in line for line in rounds.splitlines())
    assert nothing == ""


@pytest.mark.parametrize(
    ("encoding", "printed"), [("cp1252", "(+ enter, - leave)"), ("utf-8", "\N{MINUS SIGN} leave)")]
)
def test_symbols_that_a_console_lacks_are_printed_in_ascii(encoding, printed, monkeypatch):
    monkeypatch.setattr("sys.stdout", io.TextIOWrapper(io.BytesIO(), encoding))
    assert main(["path", "pitprops", "-k", "2-4"]) == 0
    sys.stdout.flush()
    assert printed in sys.stdout.buffer.getvalue().decode(encoding)


def test_help_names_every_deflation(printed):
    assert all(name in printed("components", "--help") for name in DEFLATIONS)
