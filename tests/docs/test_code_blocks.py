"""Every code block of the documentation runs, and prints what the page says."""

import contextlib
import doctest
import io
import re
import shlex
from pathlib import Path

import pytest

from relaxspca.command.cli import main

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"
FENCE = re.compile(r"^```(\w+)\n(.*?)^```", re.DOTALL | re.MULTILINE)
RUN, SHOWN = {"python", "console"}, {"sh", "text", "latex", "bibtex"}  # what is shown is not run

PAGES = [page for page in sorted(DOCS.rglob("*.md")) if "_build" not in page.parts] + [ROOT / "README.md"]


def blocks(page):
    return FENCE.findall(page.read_text(encoding="utf-8"))


def with_code(page):
    return any(language in RUN for language, _ in blocks(page))


@pytest.mark.usefixtures("short_starts")  # what pages assert of tables holds from there too
@pytest.mark.parametrize("page", [page for page in PAGES if with_code(page)], ids=lambda page: page.stem)
def test_page(page, tmp_path, monkeypatch):
    pytest.importorskip("sklearn")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "100")
    namespace = {"__name__": "__main__"}
    for language, code in blocks(page):
        if language == "python":
            exec(compile(code, str(page), "exec"), namespace)
        elif language == "console":
            for command, expected in commands(code):
                run(command, expected)


def commands(code):
    """Return pairs of a command and the output that the page shows."""
    parts = re.split(r"^\$ ", code, flags=re.MULTILINE)[1:]
    return [part.split("\n", 1) for part in parts]


def run(command, expected):
    words = shlex.split(command)
    assert words[0] == "relaxspca", f"only relaxspca is run, not {words[0]}"
    said, warned = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(said), contextlib.redirect_stderr(warned):
        code = main(words[1:])
    assert code == 0, warned.getvalue()
    flags = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE
    seen = said.getvalue() + warned.getvalue() if expected.strip() else ""
    assert doctest.OutputChecker().check_output(steady(expected), steady(seen), flags), f"$ {command}\n{seen}"


def steady(text):
    """Return a text without the digits that differ between machines: times, roundings and counts of nodes."""
    text = re.sub(r"\b\d+\.\d+ s\b", "0.0 s", text)
    text = re.sub(r"\b\d(?:\.\d+)?e-\d+", "1e-9", text)
    return re.sub(r"Searched \d+ nodes?\.", "Searched.", text)


def test_every_fence_has_a_language_that_is_run_or_shown():
    directives = {"toctree", "eval-rst", "literalinclude"}
    for page in PAGES:
        for line in page.read_text(encoding="utf-8").splitlines():
            if line.startswith("```") and line != "```":
                language = re.match(r"```\{?([\w-]*)", line)[1]
                assert language in RUN | SHOWN | directives, f"{page.name}: {line}"


def test_links_between_pages_lead_somewhere():
    for page in PAGES:
        for target in re.findall(r"\]\(([^)#:]+\.md)", page.read_text(encoding="utf-8")):
            assert (page.parent / target).exists(), f"{page.name}: {target}"
