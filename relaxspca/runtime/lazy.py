"""Lazy import, by name, from a folder higher in the layering; no other import may go upwards."""

from __future__ import annotations

from importlib import import_module
from typing import Any


def attribute(module: str, name: str) -> Any:
    """Return an attribute of a module in a higher folder, such as the function behind a result's `plot`.

    Parameters
    ----------
    module : its name without the leading ``relaxspca.``.
    name : name of the attribute.

    Examples
    --------
    >>> attribute("errors", "counted")(2, "door")
    '2 doors'
    """
    return getattr(import_module(f"relaxspca.{module}"), name)
