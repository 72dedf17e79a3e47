import csv
import io

import numpy as np
import pytest
from draws import examples
from hypothesis import given
from hypothesis import strategies as st
from printed import forms, rows

import relaxspca as rs
from relaxspca.numerics.latex import latex_escaped
from relaxspca.results.tables import Table, csv_table

CELLS = st.text(st.sampled_from("ab1 ,;'\"\\|&_é\u00a0\u202e\u2028\U0001f600"), max_size=8)


@examples(50)
@given(lines=st.lists(st.tuples(CELLS, CELLS), max_size=4))
def test_csv_is_read_back(lines):
    read = list(csv.reader(io.StringIO(csv_table(["a", "b"], lines), newline="")))
    assert read == [["a", "b"], *(list(line) for line in lines)]


def test_special_characters_do_not_break_a_table():
    assert latex_escaped(r"a_b & 5% \ {x}") == r"a\_b \& 5\% \textbackslash{} \{x\}"
    assert Table(("a",), [["x|y"]]).markdown().splitlines()[-1] == "| x\\|y |"
    assert Table(("a", "b"), [["1_2", "3"]], (1,)).latex().splitlines()[1] == r"\begin{tabular}{lr}"


def test_names_in_markdown_are_neither_marks_nor_several_lines():
    names = ["<b>a</b>", "x_y_z", "new\nline"]
    found = rs.solve(rs.Covariance(np.eye(3) + 1, names=names), 3)
    shown = {line.split(" | ")[0] for line in found.to_markdown().splitlines() if line.startswith("| ")}
    assert {r"| \<b\>a\</b\>", r"| x\_y\_z", "| new line"} <= shown
    assert "| <b>a</b> | 0.5774 |" in found.to_text()


def test_names_that_look_like_numbers_stay_names():
    lines = Table(("variable", "PC 1"), [["1e5", "1e5"]], (1,), wrapped=(0,)).latex().splitlines()
    assert r"1e5 & $1\cdot10^{5}$ \\" in lines


def test_a_small_loading_is_printed_with_two_digits_and_only_an_absent_one_is_blank():
    x = np.array([[1.0, 0.0], [-4e-4, 0.0], [0.0, 1.0]]) / np.sqrt([1.0 + 1.6e-7, 1.0])
    cov = rs.Covariance(x @ np.diag([3.0, 2.0]) @ x.T, names=["a", "b", "c"])
    found = rs.components(cov, [2, 1])  # the eigenvectors of the matrix, up to a sign
    sign = "-" if found.loadings[0]["b"] < 0 else ""
    assert f"| b | {sign}0.00040 |  |\n| c |  | 1.000 |" in found.to_markdown()
    assert f"b & ${sign}0.00040$ &  \\\\\nc &  & $1.000$ \\\\" in found.to_latex()
    assert f"<td>b</td><td>{sign}0.00040</td><td></td></tr><tr><td>c</td><td></td>" in found._repr_html_()
    assert "0.00040" in {text.get_text().lstrip("-") for text in found.plot().axes[0].texts}


@pytest.mark.parametrize("cardinalities", [range(1, 10), range(9, 0, -1), [2, 8], [3, 4]])
def test_changes_along_a_path_give_back_the_variables_of_every_row(cardinalities):
    cov = rs.Covariance(np.corrcoef(np.random.default_rng(2).normal(size=(9, 15))))
    path = rs.path(cov, k=cardinalities)
    for text in forms(path):
        used = set()
        for (_, cell, *_), row in zip([line for line in rows(text) if line[0].isdigit()], path, strict=False):
            used = after(used, cell)
            assert used == {*row.support} or (cell == "any" and row.k == 1), text
    assert "| 4 | + " in repr(path) or len(path) == 2


def test_a_row_with_a_gap_is_not_said_to_be_proved():
    path = rs.path(rs.datasets.load_pitprops(), k=[5], time_limit=0)
    assert path[0].gap > 0.01
    header, row = (line for line in repr(path).splitlines() if line.startswith(("| k", "| 5")))
    assert header.endswith("| gap, % | upper bound by |")
    assert row.endswith("| branch and bound |")
    assert "0 proved optimal" in path.statement


def after(used, cell):
    """Return the variables of a row, of which a cell says how it differs from those of the row above."""
    changes = cell.split(", ")
    if changes[0][0] not in "+\N{MINUS SIGN}":
        return {*changes}
    entered, left = ({name[2:] for name in changes if name[0] == mark} for mark in "+\N{MINUS SIGN}")
    assert not entered & used
    assert left <= used
    return used - left | entered
