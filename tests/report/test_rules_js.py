"""The worked examples of the specification: both checkers prove their bound, and nothing less."""

import itertools
import json
import random

import numpy as np
import pytest
from checker import test_beside as beside
from draws import draws
from format3 import array, certificate, matrix, number, pencil
from true_tables import table
from two_checkers import NODE, checked, python, saved, written

from relaxspca.certificate import Leaf, Restrict

pytestmark = pytest.mark.skipif(NODE is None, reason="node is not installed")

S = [[1, 2, 0], [2, 4, 1], [0, 1, 1]]
EPS = 2.0**-40
P = [[0, 2, 0], [2, 0, 1], [0, 1, 0]]
N = [[0, 4, 0], [1 + EPS, 0, 1 + EPS], [0, 1, 0]]
ALL = [0, 1, 2]
TWO = {"kind": "component", "k": 2}
BEST = [([0, 1], [1, 2])]
DIAG = [[3, 0, 0], [0, 2, 0], [0, 0, 1]]
BESIDE = [[2, 1, 0, 0], [1, 2, 0, 0], [0, 0, 1, 0], [0, 0, 0, 1]]
PAIR = [([0], [1]), ([1], [1])]
ONES = {"kind": "components", "sizes": [1, 1]}


def weights(*w):
    return {"kind": "rows", "variables": list(range(len(w))), "weights": array(list(w))}


def multipliers(M, y):
    return {"kind": "multipliers", "variables": ALL, "M": array(M), "y": array(y), "rows": [None, None]}


def pairs(N):
    return {"kind": "rows", "variables": ALL, "P": array(P), "N": array(N)}


PLAIN_FACTOR = {
    "kind": "factor", "variables": [0, 1], "rho": number(1), "vectors": array([[0, 0]]), "factor": None,
    "shift": number(0),
}  # fmt: skip
SIGNS = {"kind": "component", "k": 2, "nonnegative": True}
LISTED = {"supports": [[0]], "lower": [number(3)], "upper": [number(3 + EPS)], "others": number(2 + EPS)}
EXAMPLES = {
    # name: (subject, claim, witness, points, tree, the bound)
    "weights": (matrix(S), TWO, BEST, [weights(1, 1, 1)], [["rows", 0]], 6),
    "better weights": (matrix(S), TWO, BEST, [weights(1, 2, 1)], [["rows", 0]], 5),
    "P and N": (matrix(S), TWO, BEST, [pairs(N)], [["rows", 0]], 5 + EPS),
    "factor": (
        matrix([[1, 1]], storage="factor"), {"kind": "component", "k": 1}, [([0], [1])], [PLAIN_FACTOR],
        [["factor", 0]], 1,
    ),
    "collatz": (
        matrix([[1, -1], [-1, 2]]), SIGNS, [([1], [1])],
        [{"kind": "rows", "variables": [1], "weights": array([1])}],
        [["split", 0, 1, 1, 2], ["collatz", 0], ["rows", None]], 2,
    ),
    "restrict": (
        matrix(BESIDE), TWO, [([0, 1], [1, 1])], [],
        [["restrict", 0, None, number(2.5), [0, 1], 1], ["rows", None]], 3,
    ),
    "multipliers, disjoint": (
        matrix(DIAG), ONES | {"supports": "disjoint"}, PAIR, [multipliers(DIAG, [-1, 0, 0])],
        [["multipliers", 0]], 5,
    ),
    "multipliers, no y": (
        matrix(DIAG), ONES | {"supports": "disjoint"}, PAIR, [multipliers(DIAG, [0, 0, 0])],
        [["multipliers", 0]], 6,
    ),
    "multipliers, orthogonal": (
        matrix(DIAG), ONES | {"supports": "orthogonal"}, PAIR,
        [multipliers([[2, 0, 0], [0, 2, 0], [0, 0, 1]], [0, 0, 0])], [["multipliers", 0]], 5,
    ),
    "choices": (
        matrix(DIAG), ONES | {"supports": "orthogonal"}, PAIR,
        [multipliers([[2, 0, 0], [0, 2, 0], [0, 0, 1]], [0, 0, 0])], [["choices", [0]]], 5,
    ),
    "losses": (
        matrix([[3, 0], [0, 2]]), {"kind": "components", "sizes": [2, 2], "supports": "orthogonal"}, PAIR,
        [{
            "kind": "multipliers", "variables": [0, 1], "M": array([[3, 0], [0, 2]]), "y": array([0, 0]),
            "rows": [None, None],
        }],
        [["choices", [0]]], 6 - 11 / 16,
    ),
}  # fmt: skip


def outcomes(documents, folder):
    """Return what both checkers say, which has to be the same."""
    paths = written(documents, folder)
    said = [one["outcome"] for one in checked(paths)]
    assert said == [python(path)[0] for path in paths]
    return said


@pytest.mark.parametrize("name", EXAMPLES)
def test_an_example_is_proved_at_its_bound_and_not_below(name, tmp_path):
    subject, claim, witness, points, tree, bound = EXAMPLES[name]
    # The loss that is counted, (t/32) e (8 + 2e + e²) with t = 2 and e = 1, is a little less by rounding.
    room = 1e-6 if name == "losses" else 1e-14
    claims = [claim | {"lower": 0.5, "upper": upper} for upper in (bound + room, bound - 2 * room)]
    made = [certificate(subject, claim, witness, points, tree) for claim in claims]
    said = outcomes(made, tmp_path)
    assert said[0] == "VERIFIED"
    assert said[1] != "VERIFIED"


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
    assert outcomes([listed, low, ratio, lower], tmp_path) == [
        "VERIFIED",
        "INCONCLUSIVE",
        "VERIFIED",
        "REFUTED",
    ]


def test_a_listed_support_that_attains_more_than_the_upper_bound_refutes_the_claim(tmp_path):
    claim = {"kind": "component", "k": 1, "lower": 1, "upper": 2.5, "list": LISTED}
    made = certificate(matrix(DIAG), claim, [([2], [1])], [], [["rows", None]])
    made["witness"]["list"] = array([[1]])
    assert outcomes([made], tmp_path) == ["REFUTED"]


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
    tree = [["multipliers", None]]
    too_many = {"k": 4, "tree": [["rows", None]]}
    made = [
        certificate(matrix(DIAG), claim, PAIR, [], tree, singles=some)
        for some in ([], [too_many], [too_many | {"k": 3}])
    ]
    assert outcomes(made, tmp_path) == ["REFUSED", "REFUSED", "VERIFIED"]


def test_a_negative_multiplier_proves_nothing_of_orthogonal_components(tmp_path):
    claim = ONES | {"supports": "orthogonal", "lower": 0.5, "upper": 9}
    made = certificate(matrix(DIAG), claim, PAIR, [multipliers(DIAG, [-1, 0, 0])], [["multipliers", 0]])
    assert outcomes([made], tmp_path) == ["INCONCLUSIVE"]


def restricted(rng):
    """Return a claim with a restrict node at the root, and whether enumeration says that it holds."""
    n = rng.randrange(3, 7)
    k = rng.randrange(1, n)
    M = np.array([[rng.gauss(0, 1) for _ in range(n)] for _ in range(n)])
    M = np.round((M + M.T) * 4) / 4
    supports = [list(T) for T in itertools.combinations(range(n), k)]
    level = rng.random() * 4
    charges = np.abs(M)
    charges[np.diag_indices(n)] = np.diag(M)
    heavy = {i for T in supports if charges[np.ix_(T, T)].sum(axis=1).max() > level for i in T}
    kept = sorted(heavy - ({rng.choice(sorted(heavy))} if heavy and rng.random() < 0.5 else set()))
    best = max(supports, key=lambda T: np.linalg.eigvalsh(M[np.ix_(T, T)])[-1])
    values, vectors = np.linalg.eigh(M[np.ix_(best, best)])
    inside = M[np.ix_(kept, kept)]
    upper = max(level, *np.linalg.eigvalsh(inside)) + 1e-9 if len(kept) >= k else level
    claim = {"kind": "component", "k": k, "lower": min(values[-1], upper) - 1.0, "upper": upper}
    tree = [["restrict", 0, None, number(level), kept, 1], ["rows", None]]
    made = certificate(matrix(M.tolist()), claim, [(best, vectors[:, -1])], [], tree)
    return made, heavy <= set(kept), values[-1] <= upper


def test_a_restrict_node_proves_what_enumeration_says(tmp_path):
    """Kept has to hold every variable of a support with a row that is charged more than the level."""
    rng = random.Random(2)
    made = [restricted(rng) for _ in range(200)]
    said = outcomes([document for document, _, _ in made], tmp_path)
    for outcome, (_, is_whole, is_true) in zip(said, made, strict=True):
        assert (outcome == "VERIFIED") == is_whole
        assert is_true or outcome != "VERIFIED"
    assert 20 < said.count("VERIFIED") < 180


def under_multipliers(seed, kind):
    """Yield claims with a restrict node under multipliers, and whether they are proved."""
    S, sizes, points, J = beside.drawn(np.random.default_rng([seed, 5]), kind)
    unforced = [i for i in range(len(S)) if not any(i in own for own in J)]
    chosen = [own[0] if own else unforced.pop() for own in J]
    many = 99 * len(sizes) * np.abs(S).sum()
    for t, (level, upper) in enumerate(zip(*beside.proved(S, kind, sizes, points, J), strict=True)):
        if not np.isfinite(level):
            continue
        far, room = many + abs(level) + abs(upper), 1e-7 * (1 + abs(level) + abs(upper))
        top = far + upper
        for more, most in ((room, 99 * far), (-room, 99 * far), (far, top + room), (far, top - room)):
            node = Restrict(t, 2, level + more, tuple(points[1].variables.tolist()), 1, 1)
            yield table(
                S, kind, sizes, most, points=points, tree=[node, Leaf("multipliers")], lower=-many,
                include=J if any(J) else (), indices=[[i] for i in chosen], loadings=np.eye(len(S))[:, chosen],
            ), more == room or more == far and most > top  # fmt: skip


@pytest.mark.parametrize("kind", beside.KINDS)
def test_a_restriction_under_multipliers_proves_what_enumeration_says(kind, tmp_path):
    made = [pair for seed in range(draws(25, 200)) for pair in under_multipliers(seed, kind)]
    said = checked(written([saved(one, tmp_path) for one, _ in made], tmp_path))
    assert [one["outcome"] == "VERIFIED" for one in said] == [is_proved for _, is_proved in made]
    assert len(made) > 100
