"""Ctrl-C and kill -9 on the command line: what was proved is saved, and nothing half-written is left."""

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from processes import SECONDS_TO_END, start
from small_covariances import draw

import relaxspca as rs


@pytest.fixture(scope="module")
def long_work(tmp_path_factory):
    """Return a folder with a matrix whose search goes on for minutes."""
    folder = tmp_path_factory.mktemp("long")
    np.save(folder / "S.npy", draw("negative_definite", np.random.default_rng(0), 100))
    return folder


def wait_for_a_round(process):
    """Wait for a line of `--verbose`: a round of the search is over, however busy the machine is."""
    assert any(" node" in line for line in process.stderr), "the process ended before the round was over"


def test_ctrl_c_reports_and_saves_what_was_proved(long_work):
    words = ["-k", "20", "--certificate", "c.json", "--json", "--verbose"]
    process = start("solve", "S.npy", *words, cwd=long_work)
    wait_for_a_round(process)
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=SECONDS_TO_END)
    assert process.returncode == 130
    assert "Traceback" not in err
    found = json.loads(out)
    assert found["status"] == "interrupted"
    certificate = rs.Certificate.load(long_work / "c.json")
    assert found["lower"] in (certificate.lower, np.nextafter(certificate.lower, -np.inf))
    assert found["upper"] in (certificate.upper, np.nextafter(certificate.upper, np.inf))
    assert rs.verify(certificate)


SAVES = """
import os, sys
import numpy as np
import relaxspca as rs

cov = rs.Covariance(np.eye(150) + 0.01)  # so many entries that a second file is written beside c.json
first, second = (rs.solve(cov, k, node_limit=1).certificate for k in (1, 2))

def stopping(name):
    function = getattr(os, name)
    def instead(*arguments):
        print(name, flush=True)
        sys.stdin.readline()
        return function(*arguments)
    return instead

os.fsync, os.replace = stopping("fsync"), stopping("replace")
first.save("c.json")
second.save("c.json")
print("done", flush=True)
sys.stdin.readline()
"""


@pytest.fixture(scope="module")
def moments(tmp_path_factory):
    """Return the names of the calls at which two saves of a certificate can be killed."""
    *calls, last = steps_of_a_save(tmp_path_factory.mktemp("whole"), 100)
    assert last == "done"
    assert (calls.count("fsync"), calls.count("replace")) == (4, 4)
    return calls


def steps_of_a_save(folder, count):
    """Let a process save twice, kill it at its `count`-th step or at the end, and return the steps."""
    environment = os.environ | {"PYTHONPATH": str(Path(rs.__file__).parents[1]), "OMP_NUM_THREADS": "1"}
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "text": True}
    steps = []
    with subprocess.Popen([sys.executable, "-c", SAVES], cwd=folder, env=environment, **pipes) as process:
        while len(steps) < count and "done" not in steps:
            if steps:
                process.stdin.write("\n")
                process.stdin.flush()
            steps.append(process.stdout.readline().strip())
        process.kill()
    return steps


def test_killed_at_any_moment_a_certificate_is_whole_or_absent(moments, tmp_path):
    found = []
    for at in range(1, len(moments) + 1):
        folder = tmp_path / str(at)
        folder.mkdir()
        assert steps_of_a_save(folder, at) == moments[:at]
        file = folder / "c.json"
        if file.exists():
            assert rs.verify(file)
        found.append(rs.Certificate.load(file).k if file.exists() else None)
    # Until its own JSON is in place the second save leaves the first as it was.
    assert found == [None] * 4 + [1] * 4


def test_killed_during_solve_nothing_half_written(long_work):
    for rounds in (0, 1, 3):
        words = ["-k", "20", "--certificate", "killed.json", "--verbose"]
        process = start("solve", "S.npy", *words, cwd=long_work)
        for _ in range(rounds):
            wait_for_a_round(process)
        process.kill()
        process.communicate()
        assert process.returncode == -signal.SIGKILL
        assert not (long_work / "killed.json").exists()
