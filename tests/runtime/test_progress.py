"""Long work says where it is: on a terminal, in a notebook, or when asked to; else it is silent."""

import logging
import sys

import pytest

import relaxspca as rs
from relaxspca.command.cli import main
from relaxspca.runtime import progress

COV = rs.datasets.load_pitprops()
WORK = {
    "solve": lambda **shown: rs.solve(COV, 8, **shown),
    "certify": lambda **shown: rs.certify(COV, ["topdiam", "moist"], **shown),
    "upper_bound": lambda **shown: rs.upper_bound(COV, 4, **shown),
    "path": lambda **shown: rs.path(COV, k=[3, 4], **shown),
    "penalties": lambda **shown: rs.path(COV, rho=[0.3, 0.5], **shown),
    "compare": lambda **shown: rs.compare(COV, 3, methods=["greedy"], **shown),
    "components": lambda **shown: rs.components(COV, [3, 2], **shown),
}


@pytest.mark.parametrize("work", WORK)
def test_every_verb_logs_its_progress_and_shows_it_when_it_is_asked_to(work, capsys, caplog, monkeypatch):
    with caplog.at_level(logging.INFO, logger="relaxspca"):
        WORK[work]()
    assert {record.name for record in caplog.records} == {"relaxspca"}
    assert capsys.readouterr().err == ""
    monkeypatch.setattr(progress, "QUICK", 0.0)
    monkeypatch.setattr(progress, "EVERY", 0.0)
    WORK[work](verbose=True)
    said = capsys.readouterr().err
    assert said.startswith("\r")
    assert said.endswith("\n")  # the last line stays
    monkeypatch.setattr(sys, "ps1", ">>> ", raising=False)  # at Python's prompt
    WORK[work]()
    said = capsys.readouterr().err
    assert said.startswith("\r")
    assert said.endswith("\r\x1b[K")  # nobody asked for it: the line is gone when the work is done
    WORK[work](verbose=False)
    assert capsys.readouterr().err == ""
    monkeypatch.setattr(progress, "QUICK", 1e9)
    WORK[work](verbose=True)
    said = capsys.readouterr().err
    assert (said.count("\n"), said[-1], "\r" in said) == (1, "\n", False)


def test_a_notebook_shows_pictures_and_text_and_no_progress_when_the_work_is_done():
    nbformat, nbclient = pytest.importorskip("nbformat"), pytest.importorskip("nbclient")
    pytest.importorskip("ipykernel")
    pytest.importorskip("matplotlib")
    cells = [
        "import relaxspca as rs; from relaxspca.runtime import progress; progress.QUICK = 0.0",
        "cov = rs.datasets.load_pitprops(); result = rs.solve(cov, 5)",
        "result.plot()",
        "rs.path(cov, k=[2, 3]).plot()",
        "rs.verify(result.certificate)",
        "result = rs.solve(cov, 5, verbose=True)",
    ]
    book = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(cell) for cell in cells])
    nbclient.NotebookClient(book, timeout=120, kernel_name="python3").execute()
    quiet, picture, path, verdict, asked = [cell["outputs"] for cell in book["cells"][1:]]
    assert [found["data"] for found in quiet] == [{"text/plain": "", "text/html": ""}]
    assert "image/png" in picture[-1]["data"]
    assert "image/png" in path[-1]["data"]
    assert "VERIFIED" in verdict[-1]["data"]["text/html"]
    assert "&lt;= v &lt;=" in asked[0]["data"]["text/html"]


@pytest.mark.parametrize(
    "words", [["certify", "--loadings", "x.txt"], ["path", "-k", "3-4"], ["compare", "-k", "3"]]
)
def test_the_command_line_says_every_step_when_it_is_asked_to(words, tmp_path, capsys, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "x.txt").write_text("topdiam\nmoist\n")
    command = [words[0], "pitprops", *words[1:]]
    assert main([*command, "--verbose"]) == 0
    assert len(capsys.readouterr().err.splitlines()) >= 1
    assert main([*command, "--quiet"]) == 0
    assert capsys.readouterr().err == ""


def test_a_table_says_what_comes_before_its_first_bound_in_a_line_that_is_rewritten(capsys, monkeypatch):
    monkeypatch.setattr(progress, "QUICK", 0.0)
    monkeypatch.setattr(progress, "EVERY", 0.0)
    rs.components(rs.Covariance(COV.matrix[:8, :8]), [3, 3, 3], joint=True, verbose=True)
    *passing, kept = capsys.readouterr().err.split("\r")
    before = [line for line in passing if "<= v <=" not in line]
    assert any("Searching for 3 components (start " in line for line in before)
    assert any("Enumerating sets of variables" in line for line in before)
    assert "<= v <=" in kept
    assert main(["components", "pitprops", "-k", "3,3", "--joint", "--verbose"]) == 0
    said = capsys.readouterr().err
    assert "<= v <=" in said
    assert "restart 1" not in said
    assert "Enumerating sets of variables" not in said
