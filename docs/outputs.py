"""Write below every example of a page what it prints: python docs/outputs.py [NAME ...].

A block of text right below a block of Python is what that prints; in a block of the console it stands below the
command. The tests run all of it again and compare words, and numbers to a few digits (`alike`). Where a page
leaves lines out, by a line of three dots, it is only told that what remains is no longer printed.
"""

import contextlib
import doctest
import io
import os
import re
import shlex
import sys
import tempfile
from pathlib import Path

import matplotlib

matplotlib.use("Agg")

from relaxspca.command.cli import main as command

DOCS = Path(__file__).parent
FENCE = re.compile(r"^```(python|console)\n(.*?)^```\n(?:\n```text\n(.*?)^```\n)?", re.DOTALL | re.MULTILINE)
DIGEST = re.compile(r"sha256:[0-9a-f]+")  # a correlation matrix differs in last digits from machine to machine
# A bound on what components explain "in total" is one of little effort: its last digit is the machine's.
NUMBER = re.compile(r"±?-?\d+(?:\.\d+)?(?:e[+-]?\d+)?(?: s\b| nodes?\b| open\b| \\?% in total)?")


def main(names):
    """Write the outputs of the pages that are named, or of all."""
    pages = {page.stem: page for page in (DOCS.parent / "README.md", *sorted(DOCS.rglob("*.md")))}
    for page in [pages[name] for name in names] or pages.values():
        text = page.read_text(encoding="utf-8")
        made = written(text)
        if made != text:
            page.write_text(made, encoding="utf-8")
            print(f"{page.name}: written")


def written(page):
    """Return a page with the outputs of its examples."""
    os.environ["COLUMNS"] = "100"
    with tempfile.TemporaryDirectory() as folder, contextlib.chdir(folder):
        return FENCE.sub(lambda found, held={"__name__": "__main__"}: _block(*found.groups(), held), page)


def _block(language, code, shown, held):
    if language == "console":
        return f"```console\n{''.join(_command(*pair) for pair in commands(code))}```\n"
    printed = run(code, held)
    below = "" if shown is None else f"\n```text\n{_kept(shown, printed, code)}```\n"
    return f"```python\n{code}```\n{below}"


def _command(line, shown):
    printed = commanded(line)
    return f"$ {line}\n{_kept(shown, printed, line) if shown.strip() else shown}"


def _kept(shown, printed, code):
    """Return what a page shows where it is still printed, or leaves lines out; else what is printed."""
    if alike(shown, printed):
        return shown
    if "..." in shown.split():
        print(f"no longer printed:\n{code}\n{printed}")
        return shown
    return printed


def commands(code):
    """Return pairs of a command and the output that a page shows."""
    parts = re.split(r"^\$ ", code, flags=re.MULTILINE)[1:]
    return [part.split("\n", 1) for part in parts]


def run(code, held):
    """Run a block of Python among some names; return what it printed."""
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        exec(compile(code, "page", "exec"), held)
    return "".join(f"{line.rstrip()}\n" for line in printed.getvalue().splitlines())


def commanded(line):
    """Run a command; return what it printed, on both streams."""
    words = shlex.split(line)
    assert words[0] == "relaxspca", f"only relaxspca is run, not {words[0]}"
    said, warned = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(said), contextlib.redirect_stderr(warned):
        code = command(words[1:])
    assert code == 0, warned.getvalue()
    return said.getvalue() + warned.getvalue()


def alike(shown, printed):
    """Return whether a page shows what is printed, but for time, rounding, digests and lines left out."""
    flags = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE
    return doctest.OutputChecker().check_output(_rough(shown), _rough(printed), flags)


def _rough(text):
    return NUMBER.sub(lambda found: _few_digits(found[0]), DIGEST.sub("sha256:#", text))


def _few_digits(number):
    if re.search(r"[±es]|open|total", number):
        return "#"
    whole, _, rest = number.partition(".")
    return f"{whole}.{rest[:3]}" if len(rest) > 4 else number


if __name__ == "__main__":
    main(sys.argv[1:])
