"""Small false claims at any scale: no checker verifies one, and a checker with a defect is found out."""

import itertools
import json
import math
import random
import sys
from importlib import import_module

import numpy as np
import pytest
from draws import draws
from sabotaged import sabotaged
from scripts import ROOT
from two_checkers import checked, python

from relaxspca.checker import component, core, restrict, rounded
from relaxspca.checker.core import Core
from relaxspca.checker.rows import RowCharges

sys.path.append(str(ROOT / "tools"))
false, near = import_module("false_certificates"), import_module("nearly_attained")


def written(kinds, count, seed, folder):
    """Yield the paths of some false certificates."""
    source = near.nearly_attained if {*kinds} <= {*near.KINDS} else false.false_certificates
    made_up = itertools.islice(source(random.Random(seed), kinds), count)
    for at, (_, made) in enumerate(made_up):
        (folder / f"{at}.json").write_text(json.dumps(made))
        yield folder / f"{at}.json"


@pytest.mark.parametrize("kinds", [false.KINDS, [*near.KINDS]])
def test_no_checker_verifies_a_false_claim(kinds, tmp_path):
    paths = list(written(kinds, draws(120, 5000), 1, tmp_path))
    met = [
        {python(path, True)[0], python(path, False)[0], said["outcome"]}
        for path, said in zip(paths, checked(paths), strict=True)
    ]
    assert all(found <= {"INCONCLUSIVE", "REFUTED"} for found in met)
    assert sum(found == {"INCONCLUSIVE"} for found in met) > len(met) / 3


def overflow_is_read_as_no_support(patch):
    """In `restrict` an infinite sum stood for minus infinity, that no support has both variables."""
    honest = restrict._charges

    def charges(*given):
        charge, with_each = honest(*given)
        return charge, np.where(np.isinf(with_each.astype(float)), -math.inf, with_each)

    patch.setattr(restrict, "_charges", charges)


def residual_of_a_factor_is_forgotten(patch):
    honest = Core.factored
    patch.setattr(
        Core, "factored", lambda self, at: [x if i != 2 else 0 for i, x in enumerate(honest(self, at))]
    )


def pairs_are_not_paid(patch):
    patch.setattr(core, "charged", lambda arithmetic, point, *_: [*map(arithmetic.array, (point.P, point.N))])


def eigenvalues_of_lapack_are_believed(patch):
    patch.setattr(
        rounded.Rounded, "eigenvalue_upper", lambda _, M: float(np.linalg.eigvalsh(np.nan_to_num(M.middle))[-1])
    )


def the_shift_of_eliminated_variables_is_forgotten(patch):
    honest = component._elimination_upper

    def upper(core, eliminated, *more):
        return honest(core, component.Eliminated(eliminated.names, eliminated.variances), *more)

    patch.setattr(component, "_elimination_upper", upper)


def rows_pay_one_partner_less(patch):
    honest = RowCharges.of
    patch.setattr(
        RowCharges, "of", lambda self, J, parts: honest(self, J, [(free, max(k - 1, 0)) for free, k in parts])
    )


@pytest.mark.parametrize(
    ("defect", "kinds", "exact", "seed"),
    [
        (overflow_is_read_as_no_support, ["k"], False, 1),
        (residual_of_a_factor_is_forgotten, ["k", "rho"], True, 1),
        (pairs_are_not_paid, ["rho", "k"], True, 1),
        (eigenvalues_of_lapack_are_believed, ["k", "rho conditions"], False, 2),
        (the_shift_of_eliminated_variables_is_forgotten, ["k eliminated"], True, 1),
        (rows_pay_one_partner_less, ["k", "rho conditions"], True, 1),
    ],
)
def test_a_defect_of_the_checker_is_found(defect, kinds, exact, seed, tmp_path, monkeypatch):
    defect(monkeypatch)
    found = (python(path, exact)[0] == "VERIFIED" for path in written(kinds, 3000, seed, tmp_path))
    assert any(found)


# Of the rules of several components: a text of a file of the checker, what a defective one has instead, and the
# kind of files that find it.
DEFECTS = {row["defect"]: row for row in json.loads((ROOT / "tests/tools/defects.json").read_text())}
FEW = [
    "copies forgotten",
    "y once for two",
    "one place less",
    "loss twice",
    "condition dropped",
    "forced all in",
]


@pytest.mark.parametrize("name", FEW if draws(0, 1) == 0 else DEFECTS)
def test_a_defect_of_the_rules_for_several_components_is_found(name, tmp_path, monkeypatch):
    row = DEFECTS[name]
    sabotaged(monkeypatch, row["file"], row["text"], row["instead"])
    files = written([row["found_by"]], 1000, 1, tmp_path)
    assert any(python(path, row["exact"])[0] == "VERIFIED" for path in files)
