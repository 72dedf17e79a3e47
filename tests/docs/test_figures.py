"""The figures of the first pages are drawn by the script beside them."""

from pathlib import Path

import numpy as np
import pytest
from draws import draws
from scripts import script

DOCS = Path(__file__).parents[2] / "docs"


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
