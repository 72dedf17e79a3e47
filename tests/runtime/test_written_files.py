"""What is written and printed: modes, links, devices, full disks and odd encodings."""

import json
import os
import stat
import threading
from pathlib import Path

import numpy as np
import pytest
from processes import SECONDS_TO_END, start

import relaxspca as rs
from relaxspca.runtime.files import replace


def mode(path):
    return stat.S_IMODE(path.stat().st_mode)


def test_a_new_file_obeys_the_umask_and_an_old_one_keeps_its_mode(tmp_path):
    before = os.umask(0o027)
    try:
        replace(tmp_path / "new", b"1")
        (tmp_path / "old").write_bytes(b"0")
        (tmp_path / "old").chmod(0o606)
        replace(tmp_path / "old", b"1")
    finally:
        os.umask(before)
    assert (mode(tmp_path / "new"), mode(tmp_path / "old")) == (0o640, 0o606)
    assert sorted(os.listdir(tmp_path)) == ["new", "old"]


def test_a_link_is_written_through(tmp_path):
    (tmp_path / "folder").mkdir()
    (tmp_path / "link").symlink_to(tmp_path / "folder" / "target")
    for content in (b"1", b"2"):
        replace(tmp_path / "link", content)
        assert (tmp_path / "link").is_symlink()
        assert (tmp_path / "folder" / "target").read_bytes() == content


def test_a_pipe_gets_the_whole_certificate_and_stays_a_pipe(tmp_path):
    pipe = tmp_path / "pipe.json"
    os.mkfifo(pipe)
    # So many entries that a regular file would have a companion.
    certificate = rs.solve(rs.Covariance(np.eye(150) + 0.01), 1).certificate
    read = []
    reader = threading.Thread(target=lambda: read.append(pipe.read_bytes()), daemon=True)
    reader.start()
    certificate.save(pipe)
    reader.join(timeout=300)
    assert pipe.is_fifo()
    assert os.listdir(tmp_path) == ["pipe.json"]
    (tmp_path / "copy.json").write_bytes(read[0])
    assert rs.Certificate.load(tmp_path / "copy.json").statement == certificate.statement
    replace(Path("/dev/null"), b"1")
    assert not Path("/dev/null").is_file()


def test_a_failure_names_the_path_of_the_user(tmp_path):
    with pytest.raises(OSError, match="absent/c.json"):
        replace(tmp_path / "absent" / "c.json", b"1")


def test_a_folder_without_permission_is_refused_before_the_work(tmp_path, monkeypatch, declined):
    monkeypatch.setattr(os, "access", lambda path, how: False)  # root may write anywhere
    monkeypatch.setattr(rs, "solve", None)
    file = str(tmp_path / "c.json")
    assert f"{file} cannot be written" in declined("solve", "pitprops", "-k", "3", "--certificate", file)


@pytest.mark.parametrize("words", [["path", "--certificates"], ["report", "-k", "1-3", "--out"]])
def test_an_output_folder_that_cannot_be_is_refused_before_the_work(words, tmp_path, monkeypatch, declined):
    pytest.importorskip("matplotlib")
    monkeypatch.setattr(rs, "path", None)
    (tmp_path / "file").write_text("")
    folder = str(tmp_path / "file" / "inside")
    assert f"{folder} cannot be made a folder" in declined(words[0], "pitprops", *words[1:], folder)


def test_a_report_about_nothing_leaves_nothing(tmp_path):
    pytest.importorskip("matplotlib")
    from relaxspca.report import write_report

    with pytest.raises(rs.InputError, match="NoneType"):
        write_report(None, tmp_path / "out")
    assert os.listdir(tmp_path) == []


def test_names_that_the_terminal_cannot_show_are_escaped(tmp_path, printed):
    (tmp_path / "S.csv").write_text("höhe,b\n2,1\n1,2\n", encoding="utf-8")
    words = ["solve", str(tmp_path / "S.csv"), "-k", "1", "--covariance"]
    process = start(*words, PYTHONIOENCODING="ascii")
    said = process.communicate(timeout=SECONDS_TO_END)
    assert (process.returncode, said[1]) == (0, "")
    assert r"h\xf6he" in said[0]
    said = printed(*words, "--json")
    assert said.isascii()
    assert json.loads(said)["support"] == ["höhe"]


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no /dev/full here")
def test_a_full_disk_is_one_line():
    with open("/dev/full", "wb") as full:
        process = start("read", "pitprops", stdout=full)
        said = process.communicate(timeout=SECONDS_TO_END)[1]
    assert process.returncode == 2
    assert said.splitlines() == ["relaxspca: error: cannot write to standard output: No space left on device"]
