"""Ctrl-C during a sequence of results: those already computed are kept."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TypeVar

T = TypeVar("T")


def until_interrupted(items: Iterable[T]) -> tuple[list[T], bool]:
    """Return the items computed before Ctrl-C, all if it did not come, and whether it came.

    Before the first item there is nothing to keep, and it is raised.

    Examples
    --------
    >>> def work():
    ...     yield 1
    ...     raise KeyboardInterrupt
    >>> until_interrupted(work()), until_interrupted([1, 2])
    (([1], True), ([1, 2], False))
    """
    done: list[T] = []
    try:
        for item in items:
            done.append(item)
    except KeyboardInterrupt:
        if not done:
            raise
        return done, True
    return done, False
