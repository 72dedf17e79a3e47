"""Small claims whose bounds are seen at a glance: both checkers prove them, and nothing less."""

import hashlib
import json
from fractions import Fraction

import numpy as np
import pytest
from draws import draws
from format3 import array, certificate, matrix, number, pencil
from two_checkers import NODE, checked, python, written

from relaxspca.checker.exact import float_below

pytestmark = pytest.mark.skipif(NODE is None, reason="node is not installed")

EPS = 2.0**-40
TWO = {"kind": "component", "k": 2}
DIAG = [[3, 0, 0], [0, 2, 0], [0, 0, 1]]
BESIDE = [[2, 1, 0, 0], [1, 2, 0, 0], [0, 0, 1, 0], [0, 0, 0, 1]]
PAIR = [([0], [1]), ([1], [1])]
ONES = {"kind": "components", "sizes": [1, 1]}


def weights(*w):
    return {"kind": "rows", "variables": list(range(len(w))), "weights": array(list(w))}


def multipliers(M, y, rows=(None, None)):
    """Return a point of the first variables."""
    point = {"kind": "multipliers", "variables": list(range(len(y))), "rows": list(rows)}
    return point | {"M": array(M), "y": array(y)}


def unpaired(N):
    """Return a point of the first variables with P = 0."""
    zero = [[0] * len(N) for _ in N]
    return {"kind": "rows", "variables": list(range(len(N))), "P": array(zero), "N": array(N)}


def diagonal(*entries):
    return np.diag(entries).tolist()


def line(*entries):
    """Return a matrix of five variables, of which the first and the last are correlated."""
    ends = np.zeros((5, 5))
    ends[0, 4] = ends[4, 0] = 0.5
    return (np.diag(entries) + ends).tolist()


LINE = line(5, 4, 3, 2, 1)


def under(level, kept, part=0, point=None, multiplied=1):
    """Return a restriction under multipliers, and a child of which nothing is to be proved."""
    return [["restrict", part, point, number(level), kept, 1, multiplied], ["multipliers", None]]


PLAIN_FACTOR = {
    "kind": "factor", "variables": [0, 1], "rho": number(1), "vectors": array([[0, 0]]), "factor": None,
    "shift": number(0),
}  # fmt: skip
SIGNS = {"kind": "component", "k": 2, "nonnegative": True}
LISTED = {"supports": [[0]], "lower": [number(3)], "upper": [number(3 + EPS)], "others": number(2 + EPS)}


def outcomes(documents, folder):
    """Return what both checkers say, which has to be the same."""
    paths = written(documents, folder)
    said = [one["outcome"] for one in checked(paths)]
    assert said == [python(path)[0] for path in paths]
    return said


def test_a_list_and_a_ratio(tmp_path):
    tree = [["split", 0, 0, 1, 2], ["listed", None], ["rows", None]]
    claim = {"kind": "component", "k": 1, "lower": 3, "upper": 3 + EPS, "list": LISTED}
    listed = certificate(matrix(DIAG), claim, [([0], [1])], [], tree)
    listed["witness"]["list"] = array([[1]])
    low = json.loads(json.dumps(listed))
    low["claim"]["list"]["others"] = number(2 - EPS)
    ratio = certificate(
        pencil([[4, 0], [0, 1]], [[1, 0], [0, 1]]), {"kind": "ratio", "k": 1, "lower": 4, "upper": 4},
        [([0], [1])], mu=number(4), exponents=[0, 0],
    )  # fmt: skip
    lower = json.loads(json.dumps(ratio))
    lower["evidence"]["mu"] = lower["claim"]["upper"] = lower["claim"]["lower"] = number(3.9)
    close = certificate(
        pencil([[4, 0], [0, 1]], [[1, 0], [0, 1]]), {"kind": "ratio", "k": 2, "lower": 2, "upper": 4},
        [([0, 1], [1, 1])], [], [["listed", None]], mu=number(2), exponents=[0, 0],
    )  # fmt: skip
    close["witness"]["list"] = array([[1, 1]])
    close["claim"]["list"] = LISTED | {"supports": [[0, 1]], "lower": [number(2)], "upper": [number(4 - EPS)]}
    # What a listed support attains is above the upper bound of all.
    above = certificate(matrix(DIAG), claim | {"lower": 1, "upper": 2.5}, [([2], [1])], [], [["rows", None]])
    above["witness"]["list"] = array([[1]])
    said = outcomes([listed, low, ratio, lower, close, above], tmp_path)
    assert said == ["VERIFIED", "INCONCLUSIVE", "VERIFIED", "REFUTED", "INCONCLUSIVE", "REFUTED"]


def test_the_level_of_a_restrict_node_without_supports_does_not_count(tmp_path):
    one = [
        ["split", 0, 0, 1, 4], ["split", 0, 1, 2, 5], ["restrict", 0, None, number(9), [], 3],
        ["rows", None], ["rows", None], ["rows", None],
    ]  # fmt: skip
    single = TWO | {"k": 1, "lower": 3, "upper": 3 + EPS}
    several = ONES | {"supports": "disjoint", "lower": 5, "upper": 5 + EPS}
    point = multipliers(DIAG, [-1, 0, 0])
    # No two disjoint supports have variable 0 in both; no evidence of single components is needed there.
    two = [
        ["split", 0, 0, 1, 2], ["split", 1, 0, 3, 5], ["multipliers", 0],
        ["restrict", 0, None, number(9), [], 4], ["multipliers", None], ["multipliers", 0],
    ]  # fmt: skip
    made = [
        certificate(matrix(DIAG), single, [([0], [1])], [], one),
        certificate(matrix(DIAG), several, PAIR, [point], two),
    ]
    assert outcomes(made, tmp_path) == ["VERIFIED", "VERIFIED"]


def test_singles_that_are_no_evidence_are_refused(tmp_path):
    claim = ONES | {"supports": "disjoint", "lower": 5, "upper": 6}
    too_many = {"k": 4, "tree": [["rows", None]]}
    made = [
        certificate(matrix(DIAG), claim, PAIR, [], [["multipliers", None]], singles=some)
        for some in ([], [too_many], [too_many | {"k": 3}] * 2, [too_many | {"k": 3}])
    ]
    assert outcomes(made, tmp_path) == ["REFUSED", "REFUSED", "REFUSED", "VERIFIED"]


def together(part=0, upper=18, level=5.5, **evidence):
    """Return a claim about four components, of which one with the first variable stands beside three others."""
    tree = [["restrict", part, None, number(level), [1, 2, 3, 4], 1], ["choices", [0]]]
    claim = ONES | {"sizes": [2, 2, 1, 1], "supports": "orthogonal", "lower": 14, "upper": upper}
    points = [multipliers(line(2, 2, 2, 2, 1), [0] * 5, [None] * 4)]
    return certificate(matrix(LINE), claim, [([t], [1]) for t in range(4)], points, tree, **evidence)


def explaining(upper=12.25, sizes=(2, 1, 1), tree=(["choices", [0]],), M=(3, 3, 3, 2, 1), y=(0,) * 5):
    """Return what fewer components explain, with evidence of their own."""
    points = [multipliers(line(*M), list(y), [None] * len(sizes))]
    return {"sizes": sizes, "upper": number(upper), "evidence": {"points": points, "tree": tree}}


def test_what_the_other_components_explain_together_counts_once_it_is_proved(tmp_path):
    both, singles = [explaining(), explaining(12.5, [2, 2, 1])], [{"k": k, "tree": PLAIN} for k in (1, 2)]
    bounds = [(0, 17.75, 5.5), (1, 17.75, 5.5), (2, 17.5, 5), (3, 17.5, 5)]  # the level and what the others do
    made = [together(*bound, fewer=both) for bound in bounds]
    made += [together(t, 21, singles=singles) for t in (0, 2)]
    unproved = [explaining(12), explaining(tree=[["multipliers", None]])]
    # That is a proof for disjoint supports.
    unproved += [explaining(tree=[["multipliers", 0]], M=(5, 4, 3, 2, 1), y=(-2, -1, 0, 0, 0))]
    less = [together(t, upper - EPS, level, fewer=both) for t, upper, level in bounds]
    less += [together(t, 18, level - EPS, fewer=both) for t, _, level in bounds]
    less += [together(2, fewer=both[:1]), together(2, 20, singles=singles)]
    less += [together(2, fewer=[both[0], explaining(12.5, [2, 2, 1], [["multipliers", None]])])]
    less += [together(singles=singles, fewer=[one]) for one in unproved]
    assert outcomes(made + less, tmp_path) == ["VERIFIED"] * len(made) + ["INCONCLUSIVE"] * len(less)


def test_choices_are_rounded_upwards_to_the_last_digit(tmp_path):
    """Of a diagonal matrix a choice is bounded by what it explains, whatever Z is: two numbers of 53 bits."""
    made, rng, claim = [], np.random.default_rng(7), ONES | {"supports": "orthogonal", "lower": 0}
    for at in range(draws(12, 120)):
        entries, few_bits = np.sort(rng.random(4))[::-1], np.array([1.75, 1.5, 1.25, 1.0])
        entries = few_bits - rng.random() if at % 3 == 2 else entries
        entries = np.array([1.0, 2.0**-60, 0.0, 0.0]) if at == 0 else entries
        best = Fraction(entries[0]) + Fraction(entries[1])
        point = multipliers(diagonal(*[entries, entries - rng.random(4), few_bits][at % 3]), [0] * 4)
        for upper in (float_below(best - Fraction(1, 10**30)), float(best) + EPS):
            given = matrix(diagonal(*entries)), claim | {"upper": upper}, [([2], [1]), ([3], [1])]
            made.append(certificate(*given, [point], [["choices", [0]]]))
    assert outcomes(made, tmp_path) == ["INCONCLUSIVE", "VERIFIED"] * (len(made) // 2)


def test_fewer_that_are_no_evidence_are_refused(tmp_path):
    others = [[explaining(sizes=sizes)] for sizes in ([1], [2, 2, 1, 1], [1, 1, 1], [1, 2, 1])]
    made = [together(fewer=some) for some in ([], [explaining()] * 2, *others)]
    assert outcomes(made, tmp_path) == ["REFUSED"] * 6
    claim = ONES | {"sizes": [3, 3, 3], "supports": "common", "lower": 12, "upper": 16}
    witness, leaf = [([0, 1, 2], x) for x in np.eye(3)], [["multipliers", None]]
    made = [
        certificate(matrix(LINE), claim, witness, [], leaf, **more)
        for more in ({}, {"fewer": [explaining(12, [3, 3], leaf)]})
    ]
    assert outcomes(made, tmp_path) == ["VERIFIED", "REFUSED"]


ULP = 2.0**-52
# Columns 1 and 2 of row 0 cost nearly the same, and in doubles the same.
TIE = [[0, 1 + 2 * ULP, 1 + ULP], [1 + 2 * ULP, 0, 0], [1 + ULP, 0, 0]]
# N_0j t + y_j t for t = 1 + 2^-27: that of column 1 is 1/32 of a last digit more, but in doubles one less.
STEP, PART = 31 * 2.0**-31, 2.0**-58
NEARLY = [
    unpaired([[0, 1 + STEP, 1], [0, 0, 0], [0, 0, 0]]), weights(1 + 2.0**-27, 1, 1, 1),
    multipliers(diagonal(-1, -1, -1), [0, 31 * PART, STEP + 29 * PART], [0]),
]  # fmt: skip
# Of this factor columns 0 and 1 have the product 1 + 9.7 ULP, in doubles 1; columns 0 and 2 have 1 + 6 ULP.
STEEP, LOST = 2.0**-10, 31 / 64 * ULP * 2.0**10
SUMS = [[1, 1, 1], [STEEP, LOST, 6 * ULP / STEEP], *[[STEEP, LOST, 0]] * 19]
NONE = {"names": [], "variances": array([]), "shift": number(1)}
GONE = NONE | {"names": ["y0", "y1"], "variances": array([0, 0])}
SHIFTED = PLAIN_FACTOR | {
    "rho": number(4), "vectors": array([[0, 0], [0, 0]]), "factor": array([[2, 0], [0, 1]]), "shift": number(3),
}  # fmt: skip
MINUS = {"P": array([[0, -2, 0], [-2, 0, 0], [0, 0, 0]])}
ORTHOGONAL, DISJOINT = (ONES | {"supports": name} for name in ("orthogonal", "disjoint"))
LOW, PAIRS = [multipliers(DIAG, [-2, -2, -2])], DISJOINT | {"sizes": [2, 2]}
ONE, LAST, APART = [([0], [1])], [([1], [1]), ([2], [1])], [([0], [1]), ([2], [1])]
PLAIN, MULTIPLIED = [["rows", None]], [["multipliers", 0]]
PENALTY, TWINS = {"kind": "component", "lower": 0}, [[3, 0, 0], [0, 2, 2], [0, 2, 2]]
LEAST_SQUARES = {
    "kind": "least_squares", "names": ["x0", "x1"], "intercept": True, "ridge": number(0),
    "variables": array([[1.7e308, 1], [1.7e308, 0], [0, 0]]), "response": array([0, 0, 1]),
}  # fmt: skip
UNPROVED = {
    # name: (subject, claim, witness, points, tree, a bound below what this proves, other evidence)
    "common supports under multipliers": (
        matrix(diagonal(0, 0, 1, 1)), PAIRS | {"supports": "common"}, [([0, 1], [1, 0]), ([0, 1], [0, 1])],
        [unpaired([[0]]), multipliers([[0]], [0], [0])], under(1, [0]), 1.5,
    ),
    "multipliers that lack a forced variable": (
        matrix(diagonal(1, 1, 5, 1)), ORTHOGONAL | {"sizes": [3, 1], "include": [[2], []]}, PAIR,
        [unpaired([[0]]), multipliers([[1]], [0], [0, 0])], under(5, [0], part=1), 50,
    ),
    "multipliers of a variable that is left out": (
        matrix(diagonal(9, 1, 1)), ORTHOGONAL, APART, [unpaired([[0]]), multipliers([[9]], [0], [0, 0])],
        under(1, []), 11,
    ),
    "what multipliers lack to be semidefinite is not taken back": (
        matrix(diagonal(9, 1, 1)), ORTHOGONAL, APART,
        [unpaired([[0]]), multipliers([[10]], [0], [0, 0]), multipliers(diagonal(1, 1, 1), [0, 0, 0])],
        [*under(1, [0])[:1], ["multipliers", 2]], 10.5,
    ),
    "a restriction where smaller supports count": (
        matrix(DIAG), PAIRS, LAST, [], [["restrict", 0, None, number(3), [], 1], ["multipliers", None]], 7,
        {"singles": [{"k": 2, "tree": PLAIN}]},
    ),
    "the level of one of two copies": (
        matrix(BESIDE), ONES | {"sizes": [2, 2], "supports": "common"}, [([0, 1], x) for x in ([1, 0], [0, 1])],
        [], [["restrict", 0, None, number(3), [2, 3], 1], ["multipliers", None]], 5,
    ),
    "the level of a restriction": (
        matrix(diagonal(9, 1)), TWO | {"k": 1}, [([1], [1])], [],
        [["restrict", 0, None, number(9), [1], 1], *PLAIN], 2,
    ),
    "variables beside multipliers without rows": (
        matrix(diagonal(1, 5, 5)), ORTHOGONAL, PAIR, [multipliers([[1]], [0])], under(1, [0], multiplied=0), 7,
    ),
    "the dearer column": (matrix(TIE), TWO, ONE, [weights(1, 1, 1 + ULP)], [["rows", 0]], 1 + 2 * ULP),
    "the dearer column left out": (
        matrix(TIE), TWO, ONE, [weights(1, 1, 1 + ULP)],
        [["restrict", 0, 0, number(1 + 2 * ULP), [0], 1], *PLAIN], 1 + 2 * ULP,
    ),
    "the dearer column of a factor": (
        matrix(SUMS, storage="factor"), TWO, ONE, [weights(1, 1, 1)], [["rows", 0]], 2 + 20 / 2**20 + 6 * ULP,
    ),
    "the dearer column with multipliers": (
        matrix(diagonal(-1, -1, -1, -1)), ORTHOGONAL | {"sizes": [3]}, ONE, NEARLY,
        under(STEP + 29 * PART, [0, 1, 2], point=1, multiplied=2), STEP + 30 * PART,
    ),
    "the largest size at a penalty": (
        matrix([[1, 1], [1, 1]]), PENALTY | {"rho": number(0.25)}, ONE, [weights(1, 1)], [["rows", 0]], 1,
    ),
    "a penalised row that is left out": (
        matrix(diagonal(0.5, 0.5, -9)), PENALTY | {"rho": number(1), "include": [2], "lower": -10},
        [([2], [1])], [], [["restrict", 0, None, number(-1.75), [], 1], *PLAIN], -1.75,
    ),
    "a negative multiplier of what may be shared": (
        matrix(DIAG), ORTHOGONAL, PAIR, [multipliers(DIAG, [-1, 0, 0])], MULTIPLIED, 9,
    ),
    "supports smaller than their sizes": (matrix(DIAG), PAIRS, LAST, LOW, MULTIPLIED, 4.5),
    "the same by rows": (
        matrix(diagonal(1, 2, 3)), DISJOINT | {"sizes": [3, 3]}, PAIR,
        [multipliers(diagonal(1, 2, 3), [-2, -2, -2], [1, 1]), unpaired([[0] * 3] * 3)], MULTIPLIED, 4.5,
    ),
    "the same where a variable is excluded": (
        matrix(diagonal(3, 2, 1, 0)), PAIRS | {"exclude": [3]}, LAST, LOW, MULTIPLIED, 4.5,
    ),
    "as much taken back as multipliers lack for every component": (
        matrix(diagonal(1, 1, 0)), ORTHOGONAL, LAST, [multipliers(diagonal(2, 2, 1), [0] * 3)], MULTIPLIED, 1.5,
    ),
    "a number below 0 that no row pays": (
        matrix([[1, -2, 0], [-2, 1, 0], [0, 0, 1]]), ORTHOGONAL | {"sizes": [2, 1]}, PAIR,
        [multipliers([[1, -2, 0], [-2, 1, 0], [0, 0, 1]], [0] * 3, [1, 1]), unpaired([[0] * 3] * 3) | MINUS],
        MULTIPLIED, 3,
    ),
    "a support smaller than its size where all of that is not left": (
        matrix(DIAG), DISJOINT | {"sizes": [3, 1], "include": [[], [0]]}, [([2], [1]), ([0], [1])], [],
        [["split", 0, 0, 1, 2], ["multipliers", None], ["multipliers", None]], 4.5,
    ),
    "the shift of two eliminated variables": (
        matrix(diagonal(0, 0), eliminated=GONE), TWO, ONE, [], PLAIN, 1.5, {"elimination": ["rows", None]},
    ),
    "their shift at a penalty": (
        matrix([[1]], eliminated=GONE), PENALTY | {"rho": number(0.5)}, ONE, [], PLAIN, 0.75,
    ),
    "a variable to include that is not used is paid": (
        matrix(diagonal(1, 0)), PENALTY | {"rho": number(0.25), "include": [1], "lower": 0.6}, ONE,
        [unpaired([[0, 1], [1, 0]])], [["rows", 0]], 1.6,
    ),
    "a choice without what is forced in": (
        matrix(TWINS), ORTHOGONAL | {"sizes": [2, 2], "include": [[2], [1]]}, PAIR,
        [multipliers(TWINS, [0] * 3)], [["choices", [0]]], 6,
    ),
    "a mean that is too large for doubles": (
        LEAST_SQUARES, {"kind": "ratio", "k": 1, "lower": 0.1}, [([1], [1])], [weights(1, 1)], [["rows", 0]],
        0.3, {"mu": number(0.3), "exponents": [0, 0]},
    ),
    "an eliminated variable that costs more than it adds": (
        matrix([[1]], eliminated=GONE | {"variances": array([1, 0]), "shift": number(0)}),
        PENALTY | {"rho": number(0.5)}, ONE, [], PLAIN, 0.75,
    ),
    "a level in a tree of one component": (
        matrix(diagonal(9, 9, 1)), ORTHOGONAL, APART, [],
        [["restrict", 0, None, number(9), [], 1], ["multipliers", None]], 12,
        {"singles": [{"k": 1, "tree": [["restrict", 0, None, number(9), [2], 1], *PLAIN]}]},
    ),
    "weights of a variable that is not forced": (
        matrix(diagonal(1, 9)), SIGNS, ONE, [{"kind": "rows", "variables": [0], "weights": array([1])}],
        [["collatz", 0]], 2,
    ),
    "the shift of a factor": (
        matrix(diagonal(1, -2)), TWO | {"k": 1}, [([1], [1])], [SHIFTED], [["factor", 0]], 0.5,
    ),
    "a form that may be negative": (
        pencil([[-3, 0], [0, -3]], [[1, 0], [0, -1]]), {"kind": "ratio", "k": 1, "lower": 1}, ONE, [], PLAIN, 2,
        {"mu": number(0), "exponents": [0, 0]},
    ),
}  # fmt: skip


def test_nothing_less_than_what_the_evidence_proves_is_verified(tmp_path):
    made = [
        certificate(subject, {"lower": -3} | claim | {"upper": upper}, witness, points, tree, **dict(*more))
        for subject, claim, witness, points, tree, upper, *more in UNPROVED.values()
    ]
    said = dict(zip(UNPROVED, outcomes(made, tmp_path), strict=True))
    assert said == dict.fromkeys(UNPROVED, "INCONCLUSIVE")


def test_what_is_wrong_in_form_is_refused_and_what_is_only_empty_is_read(tmp_path):
    penalty, common = PENALTY | {"rho": number(1), "upper": 1}, ONES | {"sizes": [2], "supports": "common"}
    twice = LISTED | {name: LISTED[name] * 2 for name in ("supports", "lower", "upper")}
    with_null, wide = [["restrict", 0, None, number(9), [0], 1, None], *PLAIN], {"lower": 1, "upper": 4}
    ratio = {"kind": "ratio", "k": 1, "budgets": [{"variables": T, "k": len(T) // 2} for T in ([0, 1], [])]}
    made = [
        certificate(matrix([[1]], eliminated=GONE | {"variances": array([0, -1])}), penalty, ONE),
        certificate(matrix([[1]]), penalty, ONE),
        certificate(matrix(DIAG), TWO | {"k": 1, "lower": 3, "upper": 9, "list": twice}, ONE),
        certificate(matrix(DIAG), TWO | wide, ONE, [], with_null),
        certificate(matrix(DIAG), common | wide, ONE, [multipliers(DIAG, [0] * 3, [None])], [["choices", [0]]]),
        certificate(matrix(DIAG, eliminated=NONE), TWO | wide, ONE, elimination=["rows", None]),
        certificate(pencil(diagonal(4, 1), diagonal(1, 1)), ratio | wide, ONE, mu=number(4), exponents=[0, 0]),
    ]
    made[1]["claim"]["upper"] = "0x1.0000000000000p+1024"
    made[2]["witness"]["list"] = array([[1], [1]])
    assert outcomes(made, tmp_path) == ["REFUSED"] * 5 + ["VERIFIED"] * 2


@pytest.mark.parametrize(("name", "said"), [("é".encode(), "VERIFIED"), (b"\xe9", "REFUSED")])
def test_members_of_a_companion_are_named_in_utf_8(name, said, tmp_path):
    whole = certificate(matrix(DIAG), TWO | {"lower": 1, "upper": 4}, ONE)
    whole["subject"]["entries"] = {"shape": [3, 3], "npz": "é"}
    plain, path = "e" * len(name), tmp_path / "c.json"
    np.savez(tmp_path / "c.npz", **{plain: np.array(DIAG, dtype=float)})
    content = (tmp_path / "c.npz").read_bytes().replace(f"{plain}.npy".encode(), name + b".npy")
    (tmp_path / "c.npz").write_bytes(content)
    stated = {"file": "c.npz", "sha256": hashlib.sha256(content).hexdigest()}
    path.write_text(json.dumps(whole | {"arrays": stated}))
    assert (checked([path])[0]["outcome"], python(path)[0]) == (said, said)
