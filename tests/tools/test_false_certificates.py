"""Small false claims at any scale: no checker verifies one, and a checker with a defect is found out."""

import itertools
import json
import math
import random
import sys

import numpy as np
import pytest
from draws import draws
from sabotaged import sabotaged
from scripts import ROOT, script
from two_checkers import checked, python

from relaxspca.checker import component, core, restrict, rounded
from relaxspca.checker.core import Core
from relaxspca.checker.rows import RowCharges

sys.path.append(str(ROOT / "tools"))
false, near = script("tools/false_certificates.py"), script("tools/nearly_attained.py")


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


# Of the rules of several components: a text of a file of the checker, what a defective one has instead, the kind
# of files that find it, and whether the arithmetic is exact.
DEFECTS = {
    "copies forgotten": ("multipliers", "*values * uses])", "*values])", "apart", True),
    "y once for two": (
        "multipliers",
        "arithmetic.array(y) * arithmetic.array(times)",
        "arithmetic.array(y)",
        "same",
        True,
    ),
    "delta forgotten": (
        "multipliers",
        "delta = max(arithmetic.zero, arithmetic.eigenvalue_upper(-Z)) if V else arithmetic.zero",
        "delta = arithmetic.zero",
        "apart",
        True,
    ),
    "delta once more": (
        "multipliers",
        "charge = [-delta] * len(certificate.sizes)",
        "charge = [-delta] * (1 + len(certificate.sizes))",
        "same",
        True,
    ),
    "slack forgotten": (
        "multipliers",
        "arithmetic.array([delta] * len(V))",
        "arithmetic.array([arithmetic.zero] * len(V))",
        "apart",
        True,
    ),
    "one place less": (
        "multipliers",
        "others[max(len(others) - open_places, 0) :]",
        "others[max(len(others) - open_places, 0) + 1 :]",
        "same",
        True,
    ),
    "forced not paid": ("multipliers", "[*excess[is_used], *paid", "[*paid", "same", True),
    "negative y allowed": ("multipliers", "if any(y[j] < 0 and", "if False and any(y[j] < 0 and", "same", True),
    "y forgotten in rows": (
        "multipliers",
        "q = arithmetic.upper(N + arithmetic.array(np.tile(y, (len(V), 1))))",
        "q = arithmetic.upper(N)",
        "apart",
        True,
    ),
    "room in rows": (
        "multipliers",
        "room = min(part.size - len(J), len(F))",
        "room = max(min(part.size - len(J), len(F)) - 1, 0)",
        "apart",
        True,
    ),
    "supports one less": (
        "multipliers",
        "        most = min(part.size - len(J), len(F))\n",
        "        most = max(min(part.size - len(J), len(F)) - 1, 0)\n",
        "same",
        True,
    ),
    "pairs unpaid": ("multipliers", "lambda P: P != 0", "lambda P: P != P", "apart", True),
    "no smaller supports tried": (
        "multipliers",
        "least = most if not may_be_smaller(self.certificate) else 0 if J else 1",
        "least = most",
        "smaller",
        True,
    ),
    "below 0 paid by partners": (
        "multipliers",
        "q = np.where(may_stay_out, np.maximum(q, arithmetic.zero), q)",
        "pass",
        "smaller",
        True,
    ),
    "y sign": (
        "multipliers",
        "diagonal - arithmetic.array(y) * arithmetic.array(times)",
        "diagonal + arithmetic.array(y) * arithmetic.array(times)",
        "same",
        True,
    ),
    "no support at size": (
        "parts",
        "if len(part.forced) > part.size or",
        "if len(part.forced) >= part.size or",
        "single",
        True,
    ),
    "smaller need sizes": (
        "parts",
        "least = 1 if may_be_smaller(certificate) else part.size",
        "least = part.size",
        "smaller",
        True,
    ),
    "full too early": ("parts", "if len(J) == size:", "if len(J) >= size - 1 and J:", "same", True),
    "few variables": (
        "parts",
        "len(variables_of(parts)) < len(certificate.sizes)",
        "len(variables_of(parts)) <= len(certificate.sizes)",
        "single",
        True,
    ),
    "loss twice": (
        "choices",
        "total = rows.sums[h] - rows.losses[h] + head.union(union)",
        "total = rows.sums[h] - 2 * rows.losses[h] + head.union(union)",
        "meeting",
        True,
    ),
    "choices one less": (
        "choices",
        "room = range(min(part.size - len(J), len(F)) + 1)",
        "room = range(max(min(part.size - len(J), len(F)), 1))",
        "apart",
        True,
    ),
    "forced all in": (
        "choices",
        "for m in range(len(J) + 1) for some",
        "for m in [len(J)] for some",
        "apart",
        True,
    ),
    "rest forgotten": (
        "choices",
        "head.everything + sum(group.count * int(group.largest[h, 0]) for group in later)",
        "head.everything",
        "meeting",
        True,
    ),
    "others' loss twice": (
        "choices",
        "total[more] -= kept.largest",
        "total[more] -= 2 * kept.largest",
        "meeting",
        True,
    ),
    "sets must be apart": (
        "compatible",
        "(shared == 0) | (shared & shared - 1 != 0)",
        "(shared == 0)",
        "meeting",
        True,
    ),
    "charge of choices": (
        "units",
        "arithmetic.total([-delta] * r)",
        "arithmetic.total([-delta] * (r + 1))",
        "meeting",
        True,
    ),
    "polynomial": ("orthogonality_cut", "// (32 * q**3)", "// (16 * q**3)", "meeting", True),
    "polynomial rounded": ("orthogonality_cut", "np.floor(t / 32 * e", "np.floor(t / 16 * e", "meeting", False),
    "cosine": (
        "orthogonality_cut",
        "p, q = 4 * g * h * c * c, t * t * (v * v).sum(axis=1) * (w * w).sum(axis=1)",
        "p, q = 4 * g * h * (v * v).sum(axis=1) * (w * w).sum(axis=1), t * t * (v * v).sum(axis=1) * (w * w).sum(axis=1)",
        "meeting",
        True,
    ),
    "condition dropped": (
        "restrict",
        "short = (with_each > node.level) & is_gone[columns][None, :]",
        "short = np.zeros(with_each.shape, dtype=bool)",
        "restricted",
        True,
    ),
    "own row": (
        "restrict",
        "short |= own & ((charge > node.level) & is_gone[rows] & ~np.isin(rows, J))[:, None]",
        "pass",
        "restricted",
        True,
    ),
    "places one less": (
        "restrict",
        "places = room - np.isin(rows, free)",
        "places = room - 1 - np.isin(rows, free)",
        "weighed",
        True,
    ),
    "room not less own": (
        "restrict",
        "least = ranked[np.arange(len(rows)), np.maximum(places, 1) - 1]",
        "least = ranked[np.arange(len(rows)), 0]",
        "restricted",
        True,
    ),
    "forced one more": (
        "restrict",
        "short[:, : len(J)] = False",
        "short[:, : len(J) + 1] = False",
        "restricted",
        True,
    ),
    "forced not charged": (
        "restrict",
        "np.where(own, arithmetic.zero, p)[:, :forced]]",
        "0 * np.where(own, arithmetic.zero, p)[:, :forced]]",
        "restricted",
        True,
    ),
    "p_hi not added": ("restrict", "- taken + arithmetic.array(p)", "- taken", "restricted", True),
    "others forgotten": (
        "components",
        "arithmetic.total([level, *others] * copies)",
        "arithmetic.total([level] * copies)",
        "restricted",
        True,
    ),
    "copies of level": (
        "components",
        "arithmetic.total([level, *others] * copies)",
        "arithmetic.total([level, *others])",
        "restricted",
        True,
    ),
    "one partner less": (
        "rows",
        "counts = count - np.isin(rows, free)",
        "counts = np.maximum(count - 1, 0) - np.isin(rows, free)",
        "restricted",
        True,
    ),
    "outside of equal sizes": (
        "tree",
        "if (size, (J, F)) == same else",
        "if size == same[0] else",
        "apart",
        True,
    ),
    "restrict all parts": (
        "tree",
        "(*sides[: node.part], kept, *sides[node.part + 1 :])",
        "tuple((J, F & bits_of(node.kept)) for J, F in sides)",
        "restricted",
        True,
    ),
    "LAPACK believed exact": (
        "exact",
        "margin = n * rows / 2**52\n        while math.isfinite(estimate) and margin < rows:",
        "return Fraction(estimate)\n        while math.isfinite(estimate) and margin < rows:",
        "same",
        True,
    ),
}
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
    file, text, instead, kind, exact = DEFECTS[name]
    sabotaged(monkeypatch, file, text, instead)
    assert any(python(path, exact)[0] == "VERIFIED" for path in written([kind], 1000, 1, tmp_path))
