"""relaxspca: sparse principal components with proofs."""

from importlib import import_module as _import_module
from types import ModuleType as _ModuleType
from typing import TYPE_CHECKING as _TYPE_CHECKING

if _TYPE_CHECKING:
    from relaxspca.public import *  # noqa: F403

__version__ = "0.2.0"

# Folders that are imported when they are first used, as rs.plotting.
_FOLDERS = frozenset(
    [
        "applications",
        "candidates",
        "encoders",
        "estimators",
        "models",
        "plotting",
        "regression",
        "relaxations",
        "report",
    ]
)


def __getattr__(name: str) -> _ModuleType:
    """Import what is asked for: a program must listen to Ctrl-C before a second of imports, not after it."""
    if name in _FOLDERS:
        return _import_module(f"relaxspca.{name}")
    public = _import_module("relaxspca.public")
    if name == "__all__" or name in public.__all__:
        found: _ModuleType = getattr(public, name)
        return found
    raise AttributeError(f"module 'relaxspca' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted([*_import_module("relaxspca.public").__all__, *_FOLDERS, "__version__"])
