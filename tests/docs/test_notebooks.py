"""The notebooks and scripts that can be downloaded are those of the pages as they are."""

import json
from pathlib import Path

import pytest
from scripts import script

DOCS = Path(__file__).parents[2] / "docs"
KEPT = DOCS / "_static" / "notebooks"
ADVICE = "the page has changed: run python docs/notebooks.py"


def made():
    pytest.importorskip("matplotlib")
    return script("docs/notebooks.py")


def test_every_page_links_to_its_own():
    for name in made().PAGES:
        page = (DOCS / f"{name}.md").read_text(encoding="utf-8")
        assert f"_static/notebooks/{name}.ipynb" in page
        assert f"_static/notebooks/{name}.py" in page


def test_notebook_and_script_say_and_run_what_the_page_does():
    notebooks = made()
    for name in notebooks.PAGES:
        cells = notebooks.cells(name)
        assert {"code", "markdown"} == {kind for kind, _ in cells}
        kept = json.loads((KEPT / f"{name}.ipynb").read_text(encoding="utf-8"))["cells"]
        assert [(cell["cell_type"], "".join(cell["source"])) for cell in kept] == cells, f"{name}: {ADVICE}"
        assert (KEPT / f"{name}.py").read_text(encoding="utf-8") == notebooks.script(cells), f"{name}: {ADVICE}"


def test_a_cell_keeps_what_it_prints():
    assert made().outputs("print(1 + 1)", {})[0]["text"] == ["2\n"]
    assert made().outputs("x = 1", {}) == []
