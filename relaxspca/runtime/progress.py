"""Progress of long work: one rewritten line on a terminal or in a notebook, or a log."""

from __future__ import annotations

import functools
import logging
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from html import escape
from typing import Any, ParamSpec, TypeVar

P = ParamSpec("P")
R = TypeVar("R")
T = TypeVar("T")

EVERY = 0.1  # seconds between two lines
QUICK = 0.5  # seconds; shorter work shows no line
LOG = logging.getLogger("relaxspca")


class _Terminal:
    """A line on stderr that is written again in its place."""

    def __init__(self) -> None:
        self.has_written = False

    def rewrite(self, text: str) -> None:
        self.has_written = True
        sys.stderr.write(f"\r{text[:100]}\x1b[K")
        sys.stderr.flush()

    def end(self, last: str) -> None:
        start = "\r\x1b[K" if self.has_written else ""
        sys.stderr.write(f"{start}{last}\n" if last else start)
        sys.stderr.flush()


class _Cell:
    """A line below a cell of a notebook."""

    def __init__(self) -> None:
        self.handle: Any = None

    def rewrite(self, text: str) -> None:
        from IPython.display import display

        shown = {"text/plain": text, "text/html": f"<small><code>{escape(text)}</code></small>" if text else ""}
        if self.handle is None:
            self.handle = display(shown, raw=True, display_id=True)
        else:
            self.handle.update(shown, raw=True)

    def end(self, last: str) -> None:
        if last or self.handle is not None:
            self.rewrite(last)


def _is_in_notebook() -> bool:
    """Say whether this process is the kernel of a notebook; one that has imported it need not be."""
    shell = sys.modules["IPython"].get_ipython() if "IPython" in sys.modules else None
    return shell is not None and "IPKernelApp" in shell.config


class _ProgressLine:
    """Progress in one line rewritten at most ten times a second, or every line on its own on stderr."""

    def __init__(self, is_shown: bool, is_whole: bool, is_kept: bool) -> None:
        self.is_shown, self.is_whole, self.is_kept = is_shown, is_whole, is_kept
        self.place = _Cell() if _is_in_notebook() else _Terminal()
        self.next = time.monotonic() + QUICK
        self.last = ""

    def write(self, text: str, *, passing: bool) -> None:
        self.last = self.last if passing else text
        if self.is_shown and self.is_whole:
            sys.stderr.write("" if passing else text + "\n")
        elif self.is_shown and time.monotonic() >= self.next:
            self.next = time.monotonic() + EVERY
            self.place.rewrite(text)

    def close(self) -> None:
        if self.is_shown and not self.is_whole:
            self.place.end(self.last if self.is_kept else "")


_current: ContextVar[_ProgressLine | None] = ContextVar("progress", default=None)


@contextmanager
def shown(verbose: bool | None, *, lines: bool = False, kept: bool = False) -> Iterator[None]:
    """Show the messages of `say` while the block runs.

    With None they are shown in a notebook and at Python's prompt; an outer block takes precedence. `kept`
    leaves the last line at the end, also when the work was too quick to show one.
    """
    if _current.get() is not None:
        yield
        return
    is_interactive = hasattr(sys, "ps1") or _is_in_notebook()
    line = _ProgressLine(is_interactive if verbose is None else bool(verbose), lines, kept)
    token = _current.set(line)
    try:
        yield
    finally:
        _current.reset(token)
        line.close()


def shows_progress(function: Callable[P, R]) -> Callable[P, R]:
    """Decorate a function with a keyword `verbose`, so that messages of `say` are shown while it runs."""

    @functools.wraps(function)
    def run(*args: P.args, **kwargs: P.kwargs) -> R:
        verbose = kwargs.get("verbose")
        with shown(None if verbose is None else bool(verbose), kept=bool(verbose)):
            return function(*args, **kwargs)

    return run


def say(text: str, *, passing: bool = False) -> None:
    """Report progress: in the log "relaxspca", and in the line of a block of `shown`.

    A `passing` message is shown in the rewritten line only, is never kept, and is logged for debugging.
    """
    LOG.log(logging.DEBUG if passing else logging.INFO, text)
    line = _current.get()
    if line is not None:
        line.write(text, passing=passing)


def followed(items: Sequence[T], what: str) -> Iterator[T]:
    """Yield items, and report before each its number.

    Examples
    --------
    >>> list(followed([3, 4], "row"))
    [3, 4]
    """
    for number, item in enumerate(items, 1):
        say(f"{what} {number} of {len(items)}")
        yield item
