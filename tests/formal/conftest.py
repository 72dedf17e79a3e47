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
    make = ["make", "-s", "-C", str(FORMAL)]
    with (FORMAL / ".lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if subprocess.run([*make, "-q"], check=False, capture_output=True).returncode:
            probe = subprocess.run(
                [str(FORMAL / "packages.sh"), "--check"], capture_output=True, text=True, check=False
            )
            if probe.returncode:
                pytest.skip(probe.stderr)
            subprocess.run(make, check=True, capture_output=True)
    return FORMAL / "build" / "checker"


@pytest.fixture
def verdict(checker, tmp_path):
    """Return a function that says what is proved of a certificate, with its own evidence or other words."""
    import prove

    held = [None]

    def say(made, words=None):
        if held[0] is not made:
            made.save(tmp_path / "c.json")
            held[0] = made
        if words is None:
            return prove.verdict_on(tmp_path / "c.json", checker=checker)
        return prove.accepted(tmp_path / "c.json", " ".join(words), checker=checker)

    return say
