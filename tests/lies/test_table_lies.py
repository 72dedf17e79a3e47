"""Every lie here is a true certificate of several components with one defect; each is refused by name."""

import copy

import numpy as np
from telling_lies import ABOVE, at, edit, evidence, exactly, larger_support, pack, put, swap_children
from true_choices import true_choices
from true_tables import true_tables

TRUE = {name: made for name, (_, made) in (true_tables() | true_choices()).items()}
ROOM, LISTED = 3e-9, "orthogonal choices 2,2"
LOST = "orthogonal choices 3,3 loss"


def claim(*route):
    return put("claim", *route)


def one_part_less(d):
    """Put a split of the first component below itself in the place of one of the second."""
    split = next(node for node in d["evidence"]["tree"][1:] if node[0] == "split")
    split[1] = 1 - split[1]


def the_same_vector_twice(d):
    d["witness"]["components"][1] = d["witness"]["components"][0]


def vectors_that_vanish(d):
    """Two vectors on one support of one variable: the second becomes 0."""
    one = {"support": [0], "loadings": [(1.0).hex()]}
    d["witness"]["components"] = [one, copy.deepcopy(one)]


def share_a_variable(d):
    support = d["witness"]["components"][0]["support"]
    d["witness"]["components"][1] = {"support": support[:1], "loadings": [(1.0).hex()]}


def another_support(d):
    component = d["witness"]["components"][1]
    component["support"] = [i for i in range(5) if i not in component["support"]][:1] + component["support"][1:]
    component["support"].sort()


def drop_a_component(d):
    d["witness"]["components"].pop()


LIES = [
    # The claim: which supports, which sizes, which bounds.
    ("disjoint supports", claim("supports", "orthogonal"), "a multiplier is below 0"),
    ("disjoint enumeration 2", claim("supports", "orthogonal"), ABOVE),
    ("smaller supports", claim("supports", "orthogonal"), "a multiplier is below 0"),
    ("common supports", claim("supports", "orthogonal"), "entries in rows"),
    ("common eigenvalues", claim("supports", "disjoint"), "two disjoint supports have a variable in common"),
    ("orthogonal supports", claim("supports", "common"), "not all on one support"),
    ("orthogonal supports", claim("supports", "apart"), "supports are one of"),
    ("orthogonal supports", claim("sizes", [3, 2]), ABOVE),
    ("orthogonal supports", claim("sizes", [2, 3]), "not sorted"),
    ("orthogonal supports", claim("sizes", [2, 2, 1]), "2 vectors for 3"),
    ("orthogonal supports", claim("sizes", [2, 1]), "more than 1"),
    ("orthogonal supports", claim("sizes", [6, 2]), "only 5 variables may be used, not 6"),
    ("orthogonal supports", claim("sizes", []), "leaves sizes out if it is empty"),
    ("common supports", claim("sizes", [3, 2]), "one cardinality"),
    ("common supports", claim("sizes", [3] * 4), "no 4 components"),
    ("common supports", claim("sizes", [4, 4]), ABOVE),
    ("orthogonal supports", edit("upper", lambda x: x - ROOM, "claim"), ABOVE),
    ("orthogonal rows", claim("upper", np.nextafter(exactly(TRUE["orthogonal rows"]), 0).hex()), ABOVE),
    ("common rows", claim("upper", np.nextafter(exactly(TRUE["common rows"]), 0).hex()), ABOVE),
    ("orthogonal supports", edit("lower", lambda x: x + ROOM, "claim"), "the components attain only"),
    ("overlap", edit("lower", lambda x: x + ROOM, "claim"), "the components attain only"),
    ("orthogonal supports", claim("k", 2), "a claim of the kind 'components' has no k"),
    ("orthogonal supports", claim("kind", "ratio"), "a ratio needs k"),
    # Multipliers.
    ("orthogonal supports", edit("M", at((0, 1), 9.0)), "M of MultiplierPoint is not symmetric"),
    ("orthogonal supports", edit("M", lambda M: M - 0.5), ABOVE),
    ("orthogonal supports", edit("y", lambda y: y - 1.0), "a multiplier is below 0"),
    ("orthogonal supports", edit("y", at(0, -5e-324)), "a multiplier is below 0"),
    ("orthogonal supports", edit("y", lambda y: y + 1.0), ABOVE),
    ("disjoint supports", edit("y", lambda y: y * 9), ABOVE),
    ("orthogonal supports", evidence("points", 0, "variables", [0, 1, 2, 3, 5]), "beyond n = 5"),
    ("orthogonal supports", evidence("points", 0, "rows", [None]), "1 entries in rows"),
    ("orthogonal supports", evidence("points", 0, "rows", [None, 0]), "uses a point of another kind"),
    ("orthogonal rows", evidence("points", 0, "rows", [1, 2]), "uses a point that is not there"),
    ("orthogonal rows", evidence("points", 0, "rows", [1, True]), "rows of MultiplierPoint must be an integer"),
    ("orthogonal rows", edit("N", lambda N: N * (1 - 1e-12), 1), "is charged too little"),
    ("orthogonal rows", edit("P", lambda P: -P, 1), ABOVE),
    ("common rows", edit("N", lambda N: N * 2, 1), ABOVE),
    ("smaller rows", edit("y", lambda y: y * 9), ABOVE),
    (
        "orthogonal supports",
        evidence("points", [{"kind": "rows", "variables": [0], "weights": pack([1.0])}]),
        "point 0 is of a kind not used here|uses a point of another kind",
    ),
    # The tree.
    ("orthogonal tree", evidence("tree", 0, ["split", 2, 1, 1, 2]), "node 0 is about part"),
    ("common tree", evidence("tree", 0, ["split", 1, 1, 1, 2]), "node 0 is about part"),
    ("orthogonal tree", evidence("tree", 0, ["split", 0, 5, 1, 2]), "names a variable beyond n = 5"),
    ("orthogonal tree", evidence("tree", 1, ["rows", None]), "rows, which proves nothing for such a claim"),
    ("orthogonal rows", evidence("tree", 0, ["multipliers", 1]), "uses a point of another kind"),
    (LISTED, evidence("tree", 0, ["multipliers", None]), ABOVE),
    ("orthogonal enumeration 2", swap_children, "decided|" + ABOVE),
    ("disjoint enumeration 2", swap_children, "decided|" + ABOVE),
    ("disjoint enumeration 3", one_part_less, "decided|" + ABOVE),
    ("negative multiplier", evidence("tree", 1, ["split", 1, 3, 3, 4]), "a multiplier is below 0"),
    # Leaves that go through choices of supports.
    (LISTED, claim("upper", np.nextafter(exactly(TRUE[LISTED]), 0).hex()), ABOVE),
    (LOST, edit("upper", lambda x: x - ROOM, "claim"), ABOVE),
    (LOST, edit("M", lambda M: M * (1 + 1e-6)), ABOVE),
    (LISTED, evidence("tree", 0, ["choices", [3]]), ABOVE),
    (LISTED, evidence("tree", 0, ["choices", [1]]), ABOVE),
    (LISTED, evidence("tree", 0, ["choices", []]), "takes a list of points, at least one"),
    (LISTED, evidence("tree", 0, ["choices", [0, 1, 0]]), "at least one and none twice"),
    (LISTED, evidence("tree", 0, ["choices", [0, 4]]), "uses a point that is not there"),
    (LISTED, evidence("tree", 0, ["choices", None]), "a choices leaf takes a list of points"),
    (LISTED, evidence("tree", 0, ["choices", 0]), "a choices leaf takes a list of points"),
    (LISTED, evidence("tree", 0, ["choices", [True]]), "must be an integer"),
    (LISTED, evidence("tree", 0, ["multipliers", True]), "must be an integer"),
    (LISTED, evidence("tree", 0, ["multipliers", [0]]), "not one that it takes"),
    ("orthogonal rows", evidence("tree", 0, ["choices", [0, 1]]), "uses a point of another kind"),
    (
        "common supports",
        evidence("tree", 0, ["choices", [0]]),
        "choices, which proves nothing for such a claim",
    ),
    # The components.
    ("orthogonal supports", the_same_vector_twice, "cannot be made orthogonal"),
    ("orthogonal supports", vectors_that_vanish, "cannot be made orthogonal"),
    ("disjoint supports", share_a_variable, "two disjoint supports have a variable in common"),
    ("common supports", another_support, "not all on one support"),
    ("orthogonal supports", larger_support(3), "support 0 has 3 variables, more than 2"),
    ("orthogonal supports", drop_a_component, "1 vector for 2"),
]
