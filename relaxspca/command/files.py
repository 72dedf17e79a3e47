"""What a command writes: the words --csv, --latex, --plot and others, and whether it can be written."""

from __future__ import annotations

import argparse
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

from relaxspca.errors import InputError
from relaxspca.results.tables import saved

FORMS = {
    "csv": "table, in full precision",
    "latex": "LaTeX tables (packages booktabs and tabularx)",
    "markdown": "tables in Markdown",
    "html": "tables in HTML",
    "loadings": "loadings of all variables as CSV",
    "plot": "figure, in the format of its ending",
}
USUAL = ("csv", "latex", "markdown", "plot")
WRITTEN = ("csv", "latex", "markdown", "html", "loadings", "plot", "certificate")
READ = ("data", "denominator", "paths", "against", "after", "groups")


def add_files(command: argparse.ArgumentParser, forms: tuple[str, ...] = USUAL) -> None:
    """Add a word for each form of a result that can be written to a file."""
    for name in forms:
        command.add_argument(f"--{name}", metavar="FILE", help=f"write the {FORMS[name]}")
    if "latex" in forms:
        caption = "caption of the LaTeX table, in LaTeX; without one it does not float"
        command.add_argument("--caption", metavar="TEXT", help=caption)
    # In certify --loadings is what is read: only what was added here is ever written.
    command.set_defaults(forms=forms)


def write_files(found: Any, arguments: argparse.Namespace) -> None:
    """Write the forms of a result that were asked for."""
    written: dict[str, Callable[[str], Any]] = {
        "csv": found.to_csv,
        "latex": lambda file: saved(found.to_latex(caption=arguments.caption or False), file),
        "markdown": lambda file: saved(found.to_markdown(), file),
        "html": lambda file: saved(found._repr_html_(), file),
        "loadings": lambda file: found.loadings_csv(file),
        "plot": found.save,
    }
    for name in getattr(arguments, "forms", ()):
        if getattr(arguments, name) is not None:
            written[name](getattr(arguments, name))


def check_written(arguments: argparse.Namespace) -> None:
    """Refuse what cannot be written before the work begins, and not after it.

    A folder of certificates may be new. An output file is not read too, or written by another option; what is
    no file may be both.
    """
    # In certify --loadings is what is read: only forms that a command writes are among its forms.
    written = [name for name in WRITTEN if name != "loadings" or name in getattr(arguments, "forms", ())]
    _check_apart(arguments, written)
    for name in written:
        check_folder(getattr(arguments, name, None))
    check_new_folder(getattr(arguments, "certificates", None))
    _check_figure(getattr(arguments, "plot", None))
    if getattr(arguments, "caption", None) is not None and arguments.latex is None:
        raise InputError("--caption is that of the LaTeX table: give --latex FILE too")


def _check_apart(arguments: argparse.Namespace, written: list[str]) -> None:
    written, read = [*written, "out"], READ if "loadings" in written else (*READ, "loadings")
    used: dict[str, str] = {}
    for name in (*read, *written):
        given = getattr(arguments, name, None)
        for file in given if isinstance(given, list) else [given]:
            if not isinstance(file, str) or (os.path.exists(file) and not os.path.isfile(file)):
                continue
            option = f"--{name}" if name in (*written, "against", "after", "groups") else "what is read"
            other = used.setdefault(os.path.realpath(file), option)
            if name in written and other != option:
                raise InputError(f"{other} and {option} are one file, {file}: write to another one")


def check_folder(file: str | None) -> None:
    """Refuse an output file that cannot be written."""
    if file is None:
        return
    path = _named(file)
    if not path.parent.is_dir():
        raise InputError(f"{file} cannot be written: there is no folder {path.parent}")
    if path.is_dir():
        raise InputError(f"{file} cannot be written: it is a folder")
    is_device = path.exists() and not path.is_file()
    target, needed = (path, os.W_OK) if is_device else (path.resolve().parent, os.W_OK | os.X_OK)
    if not os.access(target, needed):
        raise InputError(f"{file} cannot be written: permission denied")


def check_new_folder(folder: str | None) -> None:
    """Refuse an output folder that cannot be made or written into."""
    if folder is None:
        return
    path = _named(folder)
    if path.suffix.lower() == ".json" and not path.is_dir():
        raise InputError(f"{folder} is named as a file is, and a folder is to be written: give it another name")
    there = next(p for p in (path, *path.absolute().parents) if p.exists())
    if not there.is_dir():
        raise InputError(f"{folder} cannot be made a folder: {there} is a file")
    if not os.access(there, os.W_OK | os.X_OK):
        raise InputError(f"{folder} cannot be written: permission denied")


def _check_figure(file: str | None) -> None:
    """Refuse a figure that matplotlib cannot write."""
    if file is None:
        return
    from relaxspca.plotting.style import new_figure

    formats = new_figure(1, 1).canvas.get_supported_filetypes()
    if Path(file).suffix[1:].lower() not in formats:
        raise InputError(f"{file}: the name of a figure must end in one of {', '.join(sorted(formats))}")


def _named(path: str) -> Path:
    if not path:
        raise InputError("the name of what is to be written is empty: give one, or leave the option out")
    return Path(path)
