"""What Ctrl-C does where there is nothing to show: one line, and exit code 130."""

from __future__ import annotations

import os
from typing import NoReturn

__all__ = ["INTERRUPTED", "leave"]

INTERRUPTED = "relaxspca: interrupted before there was a result to show; files to be written may be missing"


def leave(*_: object) -> NoReturn:
    """End this process at once: for a signal that comes while modules are imported, when no file is open.

    An exception would be taken for a failed import by some modules, and end the process as a signal does.
    """
    os.write(2, f"{INTERRUPTED}\n".encode())
    os._exit(130)
