"""The command line as a process of its own."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import relaxspca

SECONDS_TO_END = 300  # only so that a process that hangs does not hang the tests


def listen_to_ctrl_c():
    """Undo what a shell does to a job in the background, which is to ignore Ctrl-C."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


def start(*words, cwd=None, stdout=subprocess.PIPE, **environment):
    """Start the command line as a process of its own, with more in its environment."""
    root = str(Path(relaxspca.__file__).parents[1])
    return subprocess.Popen(
        [sys.executable, "-m", "relaxspca", *map(str, words)],
        cwd=cwd, env=os.environ | {"PYTHONPATH": root, "OMP_NUM_THREADS": "1"} | environment, text=True,
        stdout=stdout, stderr=subprocess.PIPE, preexec_fn=listen_to_ctrl_c,
    )  # fmt: skip
