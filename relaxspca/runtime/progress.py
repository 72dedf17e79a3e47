"""Progress of long work: a callback, or one line on a terminal."""

from __future__ import annotations

import sys
from collections.abc import Callable

__all__ = ["ProgressCallback", "terminal_progress"]

ProgressCallback = Callable[[str, int, int | None], None]  # what, how many are done, out of how many


def terminal_progress(what: str, done: int, total: int | None) -> None:
    """Rewrite one line on stderr; do nothing when stderr is not a terminal."""
    if not sys.stderr.isatty():
        return
    of = f" of {total}" if total is not None else ""
    sys.stderr.write(f"\r{what}: {done}{of} blocks" + ("\n" if done == total else ""))
    sys.stderr.flush()
