"""Printing to standard output, whatever it can encode, and the line that says how a file was read."""

from __future__ import annotations

import argparse
import contextlib
import sys
import warnings
from collections.abc import Iterator


def encodable(text: str) -> str:
    """Return text in the characters that standard output has."""
    encoding = sys.stdout.encoding or "utf-8"
    if "±".encode(encoding, "replace") == b"?":
        text = text.replace("±", "+-")
    return text.encode(encoding, "backslashreplace").decode(encoding)


def say_read(taken: str, arguments: argparse.Namespace) -> None:
    """Print how the data were read, before anything is made of them; nothing where JSON is asked for."""
    if arguments.json or sys.stdout is None:
        return
    verb = "Using" if taken.startswith("the built-in") else "Read"
    # What cannot be written now is an error when the answer is printed.
    with contextlib.suppress(OSError):
        sys.stdout.write(encodable(f"{verb} {taken}") + "\n")
        sys.stdout.flush()


@contextlib.contextmanager
def notes_after() -> Iterator[None]:
    """Keep the notes of what is done within, and issue them at its end, whether it fails or not."""
    notes: list[warnings.WarningMessage] = []
    try:
        with warnings.catch_warnings(record=True) as notes:
            yield
    finally:
        for note in notes:
            warnings.warn(note.message, note.category, stacklevel=2)
