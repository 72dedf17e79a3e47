"""The benchmark beside other programs that prove says plainly what it can not run."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

BENCHMARKS = Path(__file__).parents[2] / "benchmarks"


def test_without_julia_it_says_so(tmp_path):
    pytest.importorskip("matplotlib")  # which the frontier draws with, whose matrices these are
    done = subprocess.run(
        [sys.executable, BENCHMARKS / "peers_proofs.py", "--optimal-spca", tmp_path],
        env=os.environ | {"PATH": str(tmp_path)},
        check=False,
        capture_output=True,
        text=True,
    )
    assert done.returncode == 2
    assert "no program `julia` is on the PATH" in done.stderr
