"""The verified checker, built once for all tests; without Rocq they are skipped."""

import fcntl
import subprocess
import sys
from pathlib import Path

import pytest

FORMAL = Path(__file__).parents[2] / "formal"
sys.path.insert(0, str(FORMAL))


@pytest.fixture(scope="session")
def checker():
    """Build the checker once, whichever worker comes first."""
    probe = subprocess.run(
        [str(FORMAL / "packages.sh"), "--check"], capture_output=True, text=True, check=False
    )
    if probe.returncode:
        pytest.skip(probe.stderr)
    with (FORMAL / ".lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        subprocess.run(["make", "-s", "-C", str(FORMAL)], check=True, capture_output=True)
    return FORMAL / "build" / "checker"
