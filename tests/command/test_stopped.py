"""Ctrl-C and kill -9 on the command line: what was proved is saved, and nothing half-written is left."""

import json
import os
import shutil
import signal

import numpy as np
from processes import SECONDS_TO_END, start
from small_covariances import draw

import relaxspca as rs


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
