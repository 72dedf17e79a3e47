"""The words --csv, --latex, --markdown, --plot and --caption, the same in every command."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from typing import Any

from relaxspca.results.tables import saved

FORMS = {
    "csv": "table, in full precision",
    "latex": "LaTeX tables",
    "markdown": "tables in Markdown",
    "html": "tables in HTML",
    "loadings": "loadings of all variables as CSV",
    "plot": "figure, in the format of its ending",
}
USUAL = ("csv", "latex", "markdown", "plot")


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
    contents: dict[str, Callable[[], str]] = {
        "csv": lambda: str(found.to_csv()),
        "latex": lambda: str(found.to_latex(caption=getattr(arguments, "caption", None) or False)),
        "markdown": lambda: str(found.to_markdown()),
        "html": lambda: str(found._repr_html_()),
        "loadings": lambda: str(found.loadings_csv()),
    }
    asked = [name for name in getattr(arguments, "forms", ()) if getattr(arguments, name) is not None]
    for name in asked:
        if name != "plot":
            saved(contents[name](), getattr(arguments, name))
    if "plot" in asked:
        found.save(arguments.plot)
