"""Where a command may write: looked at before the work begins, not after it."""

from __future__ import annotations

import os
from pathlib import Path

from relaxspca.errors import InputError

__all__ = ["check_figure", "check_folder", "check_new_folder"]


def check_folder(file: str | None) -> None:
    """Refuse an output file that cannot be written before the work begins, not after it."""
    if file is None:
        return
    path = Path(file)
    if not path.parent.is_dir():
        raise InputError(f"{file} cannot be written: there is no folder {path.parent}")
    if path.is_dir():
        raise InputError(f"{file} cannot be written: it is a folder")
    if path.exists() and not path.is_file():
        may_write = os.access(path, os.W_OK)
    else:
        may_write = os.access(Path(os.path.realpath(path)).parent, os.W_OK | os.X_OK)
    if not may_write:
        raise InputError(f"{file} cannot be written: permission denied")


def check_new_folder(folder: str | None) -> None:
    """Refuse an output folder that cannot be made or written into, before the work begins."""
    if folder is None:
        return
    path = Path(folder)
    there = next(p for p in (path, *path.absolute().parents) if p.exists())
    if not there.is_dir():
        raise InputError(f"{folder} cannot be made a folder: {there} is a file")
    if not os.access(there, os.W_OK | os.X_OK):
        raise InputError(f"{folder} cannot be written: permission denied")


def check_figure(file: str | None) -> None:
    """Refuse a figure that matplotlib cannot write, before the work begins."""
    if file is None:
        return
    from relaxspca.plotting.style import new_figure

    formats = new_figure(1, 1).canvas.get_supported_filetypes()
    if Path(file).suffix[1:].lower() not in formats:
        raise InputError(f"{file} is no figure: its name must end in one of {', '.join(sorted(formats))}")
