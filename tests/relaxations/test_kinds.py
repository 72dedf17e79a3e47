"""The table of relaxations: tol reaches every method, and a formula without an answer says infinity."""

import inspect
import re
from pathlib import Path

import numpy as np
import pytest

import relaxspca as rs
from relaxspca.command.parser import parser
from relaxspca.relaxations.kinds import KINDS
from relaxspca.relaxations.published import perspective
from relaxspca.tasks.upper_bound import NAMES

PITPROPS = rs.datasets.load_pitprops()


@pytest.mark.parametrize("name", ["psi", "perron"])
def test_tol_is_the_accuracy_of_a_method(name):
    rough, fine = (rs.upper_bound(PITPROPS, 8, relaxation=name, tol=tol).upper for tol in (0.1, 1e-4))
    assert fine < rough <= fine * 1.1


def test_multipliers_beyond_the_floats_prove_nothing_and_are_not_nan():
    # Found by a random search: an infinite square beside an infinite weight.
    point = perspective.PerspectivePoint(
        rows=np.array([[1e155, 1e155], [0.0, -1e308]]),
        rows_lam=np.full(2, 1e308),
        row_sums=np.array([[-1.0, -1.0], [1e155, 1.0]]),
        row_sums_lam=np.full(2, 1e308),
    )
    with np.errstate(all="ignore"):
        assert perspective.upper_bound(rs.Covariance([[2.0, 1.0], [1.0, 2.0]]), point, 1) == np.inf


def parameter(function, name):
    """Return what a docstring says of a parameter."""
    text = inspect.getdoc(function)
    return re.search(rf"^{name} : .*\n((?:    .*\n)*)", text, re.MULTILINE)[1]


def test_every_name_of_a_bound_is_described():
    named = set(re.findall(r'"(\w+)"', parameter(rs.upper_bound, "relaxation")))
    assert named <= set(NAMES)
    assert set(NAMES) - named <= set(KINDS)
    page = (Path(__file__).parents[2] / "docs" / "choosing.md").read_text(encoding="utf-8")
    knows = page[page.index("`upper_bound` knows them as") :].split("At its optimum")[0]
    assert set(re.findall(r'"(\w+)"', knows)) == set(KINDS)


def test_the_help_lists_the_names(capsys):
    with pytest.raises(SystemExit):
        parser().parse_args(["bound", "--help"])
    said = " ".join(capsys.readouterr().out.split())
    said = said[said.index("--relaxation NAME ") :].split(" --")[0]
    assert [name for name in NAMES if not re.search(rf"\b{name}\b", said)] == []
