"""Make a notebook and a script of each page that can be followed: python docs/notebooks.py [NAME ...].

The code is that of the page, which the tests run; it is run here as well, and what it prints goes into the
notebook. Both are kept in docs/_static/notebooks, and every such page links to its own.
"""

import contextlib
import io
import json
import os
import re
import sys
import tempfile
import time
from pathlib import Path

import matplotlib

matplotlib.use("Agg")

DOCS = Path(__file__).parent
KEPT = DOCS / "_static" / "notebooks"
PAGES = [
    "certify_a_component",
    "models",
    "only_answer",
    "several_components",
    "studies",
    "text_study",
    "tutorial",
]
BLOCK = re.compile(r"^```python\n(.*?)^```\n(?:\n```text\n.*?^```\n)?", re.DOTALL | re.MULTILINE)  # with output


def main(names):
    """Make the pages that are named, or all."""
    KEPT.mkdir(parents=True, exist_ok=True)
    for name in names or PAGES:
        began = time.process_time()
        found = cells(name)
        (KEPT / f"{name}.ipynb").write_text(json.dumps(notebook(found), indent=1) + "\n", encoding="utf-8")
        (KEPT / f"{name}.py").write_text(script(found), encoding="utf-8")
        print(f"{name}: {sum(kind == 'code' for kind, _ in found)} cells, {time.process_time() - began:.1f} s")


def cells(name):
    """Return the parts of a page, each with its kind, "markdown" or "code"."""
    parts = BLOCK.split((DOCS / f"{name}.md").read_text(encoding="utf-8"))
    found = [
        ("code" if at % 2 else "markdown", (part if at % 2 else plain(part)).strip())
        for at, part in enumerate(parts)
    ]
    return [(kind, text) for kind, text in found if text]


def plain(text):
    """Return text without what only the pages have: their links to each other, pictures and directives."""
    text = re.sub(r"^.*\{download\}.*\n", "", text, flags=re.MULTILINE)
    text = re.sub(r"!\[(.*?)\]\(.*?\)(\{.*?\})?", r"*(Figure: \1)*", text, flags=re.DOTALL)
    return re.sub(r"\[([^\]]*)\]\((?!http)[^)]*\)", r"\1", text)


def notebook(found):
    """Return an executed notebook in the format of Jupyter."""
    held, made, count = {"__name__": "__main__"}, [], 0
    with tempfile.TemporaryDirectory() as folder, contextlib.chdir(folder):
        for kind, text in found:
            cell = {"cell_type": kind, "metadata": {}, "source": text.splitlines(keepends=True)}
            if kind == "code":
                count += 1
                cell |= {"execution_count": count, "outputs": outputs(text, held)}
            made.append(cell)
    kernel = {"display_name": "Python 3", "language": "python", "name": "python3"}
    return {"cells": made, "metadata": {"kernelspec": kernel}, "nbformat": 4, "nbformat_minor": 4}


def outputs(code, held):
    """Run a cell; return what it printed."""
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        exec(compile(code, "cell", "exec"), held)
    lines = printed.getvalue().replace(os.getcwd(), "FOLDER").splitlines(keepends=True)
    return [{"name": "stdout", "output_type": "stream", "text": lines}] if lines else []


def script(found):
    """Return the same as a script, its text as comments."""
    return "\n\n".join(text if kind == "code" else comment(text) for kind, text in found) + "\n"


def comment(text):
    """Return lines of text as comments."""
    return "\n".join(f"# {line}".rstrip() for line in text.splitlines())


if __name__ == "__main__":
    main(sys.argv[1:])
