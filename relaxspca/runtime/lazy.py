"""The one way from a folder to one above it: by name, and only when it is called."""

from __future__ import annotations

from importlib import import_module
from typing import Any

__all__ = ["attribute"]


def attribute(module: str, name: str) -> Any:
    """Return something from a folder above the caller's, such as the function behind a result's `plot`.

    Parameters
    ----------
    module : without the ``relaxspca.`` before it.
    name : what the module offers.

    Examples
    --------
    >>> attribute("errors", "counted")(2, "door")
    '2 doors'
    """
    return getattr(import_module(f"relaxspca.{module}"), name)
