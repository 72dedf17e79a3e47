"""Code blocks of the documentation run and print what the page says; notebooks and figures are its own."""

import functools
import json
import re
from pathlib import Path

import numpy as np
import pytest
from draws import draws
from scripts import script

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"
FENCE = re.compile(r"^```(\w+)\n(.*?)^```", re.DOTALL | re.MULTILINE)
ADVICE = "python docs/outputs.py NAME writes what a page shows anew"
RUN = {"python", "console"}
SHOWN = {"sh", "text", "none", "py", "latex", "bibtex", "r"}  # and not run

SLOW = ("README", "certify_a_component", "choosing", "data", "only_answer", "quick_start", "reporting")
SLOW += ("several_components", "studies", "text_study")
PAGES = [page for page in sorted(DOCS.rglob("*.md")) if "_build" not in page.parts] + [ROOT / "README.md"]


def blocks(page):
    return FENCE.findall(page.read_text(encoding="utf-8"))


def with_code(page):
    return any(language in RUN for language, _ in blocks(page))


@pytest.mark.parametrize(
    "page",
    [page for page in PAGES if with_code(page) and page.stem not in draws(SLOW, ())],
    ids=lambda page: page.stem,
)
def test_page(page, tmp_path, monkeypatch):
    pytest.importorskip("sklearn")
    pytest.importorskip("matplotlib")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "100")
    namespace = {"__name__": "__main__"}
    for language, code, shown in outputs().FENCE.findall(page.read_text(encoding="utf-8")):
        if language == "python":
            printed = outputs().run(code, namespace)
            assert not shown or outputs().alike(shown, printed), f"{code}\nprints\n{printed}\n{ADVICE}"
            continue
        for command, expected in outputs().commands(code):
            printed = outputs().commanded(command)
            assert not expected.strip() or outputs().alike(expected, printed), (
                f"$ {command}\n{printed}\n{ADVICE}"
            )


@functools.cache
def outputs():
    return script("docs/outputs.py")


def test_outputs_are_compared_by_words_and_by_a_few_digits():
    alike = outputs().alike
    assert alike("v = 3.40615494679 (±1.1e-12), 0.3 s\n", "v = 3.40615494123 (±2e-13), 1.25 s\n")
    assert not alike("26.20 %\n", "26.21 %\n")
    assert not alike("best\n", "worst\n")
    assert alike("one\n...\nthree\n", "one\ntwo\nthree\n")


def test_a_page_is_written_with_what_its_examples_print():
    page = "```python\nx = 1\nprint(x)\n```\n\n```text\n2\n```\n\n```python\nx\n```\n"
    assert outputs().written(page) == page.replace("2", "1")


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


KEPT = DOCS / "_static" / "notebooks"
OUT_OF_DATE = "the page has changed: run python docs/notebooks.py"


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
        assert [(cell["cell_type"], "".join(cell["source"])) for cell in kept] == cells, (
            f"{name}: {OUT_OF_DATE}"
        )
        assert (KEPT / f"{name}.py").read_text(encoding="utf-8") == notebooks.script(cells), (
            f"{name}: {OUT_OF_DATE}"
        )


def test_a_cell_keeps_what_it_prints():
    assert made().outputs("print(1 + 1)", {})[0]["text"] == ["2\n"]
    assert made().outputs("x = 1", {}) == []


def test_the_script_draws_every_figure_that_is_kept(tmp_path, monkeypatch):
    pytest.importorskip("matplotlib")
    figures = script("docs/figures.py")
    names = sorted(f"{draw.__name__}.png" for draw in figures.DRAWN)
    monkeypatch.setattr(figures, "DRAWN", figures.DRAWN[:: draws(8, 1)])
    figures.main(tmp_path)
    from matplotlib.image import imread

    drawn = sorted(path.name for path in tmp_path.iterdir())
    assert drawn == sorted(f"{draw.__name__}.png" for draw in figures.DRAWN)
    assert [name for name in names if not (DOCS / "_static" / name).exists()] == []
    for name in drawn:
        assert np.ptp(imread(tmp_path / name)[..., :3]) > 0.5  # not an empty page


def test_formulas_become_mathml_that_needs_no_network():
    pytest.importorskip("latex2mathml")
    math = script("docs/offline_math.py")
    made = math.mathml(math.aligned("a &= b \\\\ c &= d"), "block")
    assert made.count("<mtr>") == 2
    assert "http" not in made.replace("http://www.w3.org/1998/Math/MathML", "")
    assert "&=" not in made.split(">", 1)[1]


def test_a_formula_within_a_line_may_break_after_relations_outside_brackets():
    pytest.importorskip("latex2mathml")
    math = script("docs/offline_math.py")
    assert math.pieces(r"|x+y|\le f(a=b)+c") == [r"|x+y|\le", " f(a=b)+", "c"]
    assert math.pieces(r"-\infty") == [r"-\infty"]
    assert math.display(r"a=b\tag{1u}").count("(1u)") == 1


def test_the_page_of_examples_shows_every_example_with_what_it_printed():
    page = (DOCS / "examples.md").read_text(encoding="utf-8")
    for path in sorted((DOCS.parent / "examples").glob("*.py")):
        assert f"../examples/{path.name}" in page
        printed = (DOCS / "_static" / "examples" / f"{path.stem}.txt").read_text(encoding="utf-8")
        assert f"_static/examples/{path.stem}.txt" in page
        assert printed.strip()
