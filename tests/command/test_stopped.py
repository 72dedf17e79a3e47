"""Ctrl-C and kill -9 on the command line: what was proved is saved, and nothing half-written is left."""

import json
import os
import shutil
import signal

import numpy as np
import pytest
from draws import draws
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


def test_killed_during_solve_nothing_half_written(long_work):
    for rounds in draws((1,), (0, 1, 3)):
        words = ["-k", "20", "--certificate", "killed.json", "--verbose"]
        process = start("solve", "S.npy", *words, cwd=long_work)
        for _ in range(rounds):
            wait_for_a_round(process)
        process.kill()
        process.communicate()
        assert process.returncode == -signal.SIGKILL
        assert not (long_work / "killed.json").exists()
