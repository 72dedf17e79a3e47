"""Ctrl-C from the first moment of the program to its last: one line and exit code 130, never a traceback."""

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

import relaxspca as rs

LINE = "relaxspca: interrupted before there was a result to show; files to be written may be missing\n"
# The program, with a signal sent when a module is looked for, or when the interpreter ends.
PROGRAM = """
import atexit, importlib.abc, os, runpy, signal, sys

class Interrupting(importlib.abc.MetaPathFinder):
    def find_spec(self, name, path, target=None):
        if name == at:
            os.kill(os.getpid(), signal.SIGINT)

at, *sys.argv = sys.argv[1:]
sys.meta_path.insert(0, Interrupting())
if at == "end":
    atexit.register(os.kill, os.getpid(), signal.SIGINT)
runpy.run_module("relaxspca", run_name="__main__")
"""


def interrupted(at, words, cwd, handler=signal.SIG_DFL):
    """Run the program, interrupted where a module is looked for, and return the process."""
    root = str(Path(rs.__file__).parents[1])
    return subprocess.run(
        [sys.executable, "-c", PROGRAM, at, "relaxspca", *words], capture_output=True, text=True, cwd=cwd,
        env=os.environ | {"PYTHONPATH": root}, preexec_fn=lambda: signal.signal(signal.SIGINT, handler),
    )  # fmt: skip


@pytest.mark.parametrize("words", [["--version"], ["solve", "pitprops", "-k", "2", "--certificate", "c.json"]])
@pytest.mark.parametrize(
    "at", ["numpy", "numpy.linalg", "relaxspca.certificate", "relaxspca.search.run", "relaxspca.command.verbs"]
)
def test_ctrl_c_while_modules_are_imported(at, words, tmp_path):
    ran = interrupted(at, words, tmp_path)
    assert (ran.returncode, ran.stdout, ran.stderr) == (130, "", LINE)
    assert list(tmp_path.iterdir()) == []


def test_ctrl_c_when_all_is_printed(tmp_path):
    ran = interrupted("end", ["solve", "pitprops", "-k", "2", "--certificate", "c.json", "--json"], tmp_path)
    assert json.loads(ran.stdout)["k"] == 2
    assert "Traceback" not in ran.stderr
    assert rs.verify(rs.Certificate.load(tmp_path / "c.json"))


def test_a_job_in_the_background_goes_on(tmp_path):
    ran = interrupted("numpy.linalg", ["--version"], tmp_path, signal.SIG_IGN)
    assert (ran.returncode, ran.stdout) == (0, f"relaxspca {rs.__version__}\n")
