"""Scripts of docs/, tools/ and benchmarks/ in this process: what they import is imported once."""

import contextlib
import importlib.util
import io
import runpy
import subprocess
import sys
from pathlib import Path
from unittest import mock

ROOT = Path(__file__).parents[1]


def script(path):
    """Load a script as a module, by its path from the root of the repository."""
    spec = importlib.util.spec_from_file_location(Path(path).stem, ROOT / path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def ran(path, *words):
    """Run a script as a program, and return its exit code and what it prints."""
    printed, code = io.StringIO(), 0
    with (
        mock.patch.object(sys, "argv", [path, *map(str, words)]),
        mock.patch.object(sys, "path", [str((ROOT / path).parent), *sys.path]),
        contextlib.redirect_stdout(printed),
    ):
        try:
            runpy.run_path(str(ROOT / path), run_name="__main__")
        except SystemExit as ended:
            code = ended.code or 0
    return code, printed.getvalue()


def typeset(folder, document):
    """Return what pdflatex says of a document."""
    (folder / "all.tex").write_text(document, encoding="utf-8")
    words = ["pdflatex", "-interaction=nonstopmode", "-halt-on-error", "all.tex"]
    ran = subprocess.run(words, cwd=folder, capture_output=True, text=True, errors="replace", check=False)
    assert ran.returncode == 0, ran.stdout[-2000:]
    return ran.stdout
