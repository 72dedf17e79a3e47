"""relaxspca: sparse principal components with proofs."""

# A module that is imported here, typing too, delays the program's answer to Ctrl-C.
TYPE_CHECKING = False
if TYPE_CHECKING:
    from types import ModuleType

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


def __getattr__(name: str) -> "ModuleType":
    """Import names on first use, so that Ctrl-C is answered before the imports, which take a second."""
    from importlib import import_module

    if name in _FOLDERS:
        return import_module(f"relaxspca.{name}")
    public = import_module("relaxspca.public")
    if name == "__all__" or name in public.__all__:
        found: ModuleType = getattr(public, name)
        return found
    raise AttributeError(f"module 'relaxspca' has no attribute {name!r}")


def __dir__() -> list[str]:
    import relaxspca.public as public

    return sorted([*public.__all__, *_FOLDERS, "__version__"])
