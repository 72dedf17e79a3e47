"""Ctrl-C from the first moment of the program to its last: one line and exit code 130, never a traceback."""

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from draws import draws

import relaxspca as rs

LINE = "relaxspca: interrupted\n"
# What the command line itself says, once its modules are there.
NO_RESULT = "relaxspca: interrupted before there was a result to show; files to be written may be missing\n"
# The program as its script runs it, with a signal sent when the n-th module after it, or a module by its name,
# is looked for, or when the interpreter ends. A module may hide it: that it was not found, or nothing at all.
PROGRAM = """
import atexit, importlib.abc, os, signal, sys

class Dropped:
    def __del__(self):
        os.kill(os.getpid(), signal.SIGINT)

class Interrupting(importlib.abc.MetaPathFinder):
    count = 0

    def find_spec(self, name, path, target=None):
        self.count += 1
        if at not in (name, str(self.count)):
            return
        try:
            Dropped() if hidden == "dropped" else os.kill(os.getpid(), signal.SIGINT)
        except KeyboardInterrupt:
            raise ImportError(name) if hidden == "failed" else KeyboardInterrupt

at, hidden, *sys.argv = sys.argv[1:]
if at == "end":
    atexit.register(os.kill, os.getpid(), signal.SIGINT)
from relaxspca.__main__ import main
sys.meta_path.insert(0, Interrupting())
raise SystemExit(main())
"""
PACKAGE = os.environ | {"PYTHONPATH": str(Path(rs.__file__).parents[1])}
SOLVE = ["solve", "pitprops", "-k", "2", "--certificate", "c.json", "--json"]


def interrupted(at, words, cwd, *, hidden="", handler=signal.SIG_DFL):
    """Run the program, interrupted where a module is looked for, and return the process."""
    return subprocess.run(
        [sys.executable, "-c", PROGRAM, str(at), hidden, "relaxspca", *words], capture_output=True, text=True,
        env=PACKAGE, preexec_fn=lambda: signal.signal(signal.SIGINT, handler), cwd=cwd,
    )  # fmt: skip


@pytest.mark.parametrize(
    "at", draws([1, 10, 200, "numpy"], [1, 2, 3, 5, 10, 30, 100, 200, 300, "numpy", "numpy.linalg"])
)
def test_ctrl_c_while_modules_are_imported(at, tmp_path):
    ran = interrupted(at, SOLVE, tmp_path)
    assert (ran.returncode, ran.stdout, ran.stderr) == (130, "", LINE)
    assert list(tmp_path.iterdir()) == []


def test_the_program_listens_before_it_imports_anything(tmp_path):
    words = ["-X", "importtime", "-c", "import signal, importlib.abc, relaxspca.__main__"]
    ran = subprocess.run([sys.executable, *words], capture_output=True, text=True, env=PACKAGE)
    *_, own, program = ran.stderr.splitlines()
    assert (own.split("|")[-1].strip(), program.split("|")[-1].strip()) == ("relaxspca", "relaxspca.__main__")


HIDDEN = [(at, how) for at in ("scipy.linalg", "relaxspca.search.run") for how in ("failed", "dropped", "")]


@pytest.mark.parametrize(("at", "hidden"), draws([HIDDEN[0], ("numpy.linalg", "dropped")], HIDDEN))
def test_ctrl_c_that_another_module_hides(at, hidden, tmp_path):
    ran = interrupted(at, SOLVE, tmp_path, hidden=hidden)
    assert (ran.returncode, ran.stdout) == (130, "")
    assert ran.stderr in (LINE, NO_RESULT)
    assert list(tmp_path.iterdir()) == []


def test_ctrl_c_when_all_is_printed(tmp_path):
    ran = interrupted("end", SOLVE, tmp_path)
    assert (ran.returncode, ran.stderr) == (130, LINE)
    assert json.loads(ran.stdout)["k"] == 2
    assert rs.verify(rs.Certificate.load(tmp_path / "c.json"))


def test_a_job_in_the_background_goes_on(tmp_path):
    ran = interrupted("numpy.linalg", ["--version"], tmp_path, handler=signal.SIG_IGN)
    assert (ran.returncode, ran.stdout) == (0, f"relaxspca {rs.__version__}\n")
