"""Ctrl-C from the first moment of the program to its last: one line and exit code 130, never a traceback."""

import json
import os
import shutil
import signal
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from draws import draws
from processes import SECONDS_TO_END, start
from small_covariances import draw

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


def test_ctrl_c_reports_and_saves_what_was_proved(tmp_path):
    np.save(tmp_path / "S.npy", draw("negative_definite", np.random.default_rng(0), 100))  # minutes of search
    words = ["-k", "20", "--certificate", "c.json", "--json", "--verbose"]
    process = start("solve", "S.npy", *words, cwd=tmp_path)
    # Wait for a line of `--verbose`: a round of the search is over, however busy the machine is.
    assert any(" node" in line for line in process.stderr), "the process ended before the round was over"
    assert os.listdir(tmp_path) == ["S.npy"]  # as kill -9 would leave the folder now
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=SECONDS_TO_END)
    assert process.returncode == 130
    assert "Traceback" not in err
    found = json.loads(out)
    assert found["status"] == "interrupted"
    certificate = rs.Certificate.load(tmp_path / "c.json")
    assert found["lower"] in (certificate.lower, np.nextafter(certificate.lower, -np.inf))
    assert found["upper"] in (certificate.upper, np.nextafter(certificate.upper, np.inf))
    assert rs.verify(certificate)


def test_killed_at_any_moment_a_certificate_is_whole_or_absent(tmp_path, monkeypatch):
    """Whoever is killed leaves the folder as it is then: it is copied before every step of two saves."""
    folder, moments, calls = tmp_path / "own", [], []
    folder.mkdir()

    def copied_before(name):
        step = getattr(os, name)

        def instead(*arguments):
            moments.append(shutil.copytree(folder, tmp_path / str(len(moments))))
            calls.append(name)
            return step(*arguments)

        monkeypatch.setattr(os, name, instead)

    cov = rs.Covariance(np.eye(150) + 0.01)  # so many entries that a second file is written beside c.json
    first, second = (rs.solve(cov, k, node_limit=1).certificate for k in (1, 2))
    copied_before("fsync")
    copied_before("replace")
    first.save(folder / "c.json")
    second.save(folder / "c.json")
    assert (calls.count("fsync"), calls.count("replace")) == (4, 4)
    found = []
    for file in (moment / "c.json" for moment in moments):
        if file.exists():
            assert rs.verify(file)
        found.append(rs.Certificate.load(file).k if file.exists() else None)
    # Until its own JSON is in place the second save leaves the first as it was.
    assert found == [None] * 4 + [1] * 4
