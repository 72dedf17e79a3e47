"""Imports that are made late: from a folder higher in the layering, by name, and of what an extra brings."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module
from typing import Any

from relaxspca.errors import MissingExtra


def attribute(module: str, name: str) -> Any:
    """Return an attribute of a module in a higher folder, such as the function behind a result's `plot`.

    Examples
    --------
    >>> attribute("errors", "counted")(2, "door")
    '2 doors'
    """
    return getattr(import_module(f"relaxspca.{module}"), name)


@contextmanager
def needed(what: str, extra: str) -> Iterator[None]:
    """Name the extra to install where an import within fails: "figures need matplotlib", "plot".

    Examples
    --------
    >>> with needed("tables need rows", "files"):
    ...     import csv
    """
    try:
        yield
    except ImportError:
        raise MissingExtra(f"{what}: pip install 'relaxspca[{extra}]'") from None
