"""Lies and random changes of certificates about groups and signs: refused with the reason, never believed."""

import re

import numpy as np
import pytest
from building import changed, listed
from restricted_certificates import restricted_certificates, truth
from telling_lies import ABOVE, edit, evidence, numbers, pack, put, swap_children
from true_tables import matrix_of

from relaxspca.certificate import Eliminated, Leaf
from relaxspca.errors import CertificateError
from relaxspca.tasks.verify import verify_certificate as verify

TRUE = {name: made for name, (_, made) in restricted_certificates().items()}


def groups(*members):
    """Return the lie that states other groups."""

    def lie(d):
        kind = next(kind for kind in ("one_of_each", "whole_groups") if kind in d["claim"])
        d["claim"][kind] = list(members)

    return lie


def kind(name):
    """Return the lie that claims the same without groups or sign, or with another restriction."""

    def lie(d):
        for field in ("one_of_each", "whole_groups", "nonnegative"):
            d["claim"].pop(field, None)
        if name is not None:
            d["claim"][name] = True

    return lie


def witness(support, loadings):
    return put("witness", "components", [{"support": support, "loadings": [float(x).hex() for x in loadings]}])


def first_of(word):
    """Return the place of the first leaf of a kind."""
    return lambda d: next(at for at, node in enumerate(d["evidence"]["tree"]) if node[0] == word)


def point_of_collatz(change):
    """Return the lie that changes the point of the first collatz leaf."""

    def lie(d):
        tree = d["evidence"]["tree"]
        change(d["evidence"]["points"][tree[first_of("collatz")(d)][1]])

    return lie


def another_variable(point):
    point["variables"] = [i for i in range(6) if i not in point["variables"]][: len(point["variables"])]


def no_variable(point):
    point.update(variables=[], weights=pack(np.zeros(0)))


def half_of_it(point):
    point["variables"], point["weights"] = point["variables"][:1], pack(numbers(point["weights"])[:1])


def less_than_the_truth(d):
    for name, by in (("lower", 0.1), ("upper", 0.05)):
        d["claim"][name] = (TRUE["nonnegative, tree"].lower - by).hex()


def include_a_mate(d):
    d["claim"]["include"] = [2, 4]
    d["witness"]["components"] = [{"support": [4], "loadings": [(1.0).hex()]}]


def a_collatz_leaf_at_the_root(d):
    d["evidence"] = {"points": [{"kind": "rows", "variables": list(range(6)), "weights": pack(np.ones(6))}],
                     "tree": [["collatz", 0]]}  # fmt: skip


TREE = "is never reached|which an earlier split decided|" + ABOVE

LIES = [
    # Groups that are none, and claims about other groups.
    ("one of each", put("claim", "one_of_each", [[0, 1], [1, 4]]), "a variable is in two groups"),
    ("one of each", put("claim", "one_of_each", [[0, 1], []]), "a group of one_of_each has no variable"),
    ("one of each", put("claim", "one_of_each", [[0, 1], [2, 6]]), "a variable beyond n = 6"),
    ("one of each", put("claim", "one_of_each", [[0, 1], [4, 2]]), "not strictly increasing"),
    ("one of each", put("claim", "one_of_each", []), "leaves one_of_each out if it is empty"),
    ("one of each", groups([0, 1]), ABOVE),
    ("one of each", kind(None), ABOVE),
    ("one of each", kind("nonnegative"), ABOVE + "|negative"),
    ("one of each", put("claim", "k", 5), "only 4 variables may be used"),
    ("one of each", witness([0, 1], [1.0, 1.0]), "support has two variables of one group"),
    ("one of each", witness([2, 4, 5], [1.0, 1.0, 1.0]), "support has two variables of one group"),
    ("one of each, conditions", include_a_mate, "two variables of one group"),
    ("one of each, conditions", put("claim", "include", [2]), "with what is to be included the support has"),
    ("one of each, conditions", put("claim", "exclude", [0, 1, 3]), "excluded|only 2 variables may be used"),
    ("one of each", put("claim", "upper", (TRUE["one of each"].lower).hex()), ABOVE),
    ("one of each, tree", kind(None), TREE),
    ("one of each, tree", evidence("tree", 1, ["split", 0, 1, 2, 3]), "which an earlier split decided"),
    # Rules that are not proved for such claims.
    ("one of each", evidence("tree", 0, ["listed", None]), "listed, which proves nothing for such a claim"),
    ("one of each, perron", evidence("tree", 0, ["collatz", 0]), "which proves nothing for such a claim"),
    ("one of each, perron", edit("N", lambda N: N * (1 - 1e-12)), "is charged too little"),
    # Whole groups.
    ("whole groups", put("claim", "k", 4), "only 3 groups may be used, not 4"),
    ("whole groups", put("claim", "k", 3), ABOVE),
    ("whole groups", put("claim", "k", 1), "the support has 2 groups, more than 1"),
    ("whole groups", put("claim", "exclude", [0]), "whole_groups does not stand with exclude"),
    ("whole groups", kind(None), "support has 3 variables, more than 2"),
    ("whole groups", groups([0, 3], [2, 4]), "a variable that is in no group|" + ABOVE),
    ("whole groups, perron", evidence("points", 0, "variables", [0, 1, 3]), "beyond n = 3"),
    ("whole groups, perron", edit("N", lambda N: N * 0.99), "is charged too little"),
    ("whole groups, perron", edit("P", lambda P: P * 0), ABOVE),
    ("whole groups, tree", evidence("tree", 0, ["rows", None]), "never reached"),
    ("whole groups, tree", evidence("tree", 0, ["split", 0, 3, 1, 2]), "names a variable beyond n = 3"),
    ("whole groups, tree", groups([0, 3], [1, 5], [2, 4]), ABOVE + "|variables of 3 groups"),
    # Signs.
    ("nonnegative", witness([0, 1], [1.0, -1.0]), "a loading is negative"),
    ("nonnegative", put("claim", "include", [0]), "nonnegative does not stand with include"),
    ("nonnegative", kind(None), "is charged too little|" + ABOVE),
    ("nonnegative", edit("P", lambda P: -P), "is charged too little"),
    ("nonnegative", edit("P", lambda P: P * 0), ABOVE),
    ("nonnegative by rows", kind(None), ABOVE),
    ("nonnegative, tree", kind(None), "collatz, which proves nothing for such a claim"),
    ("nonnegative, tree", point_of_collatz(another_variable), "forced in"),
    ("nonnegative, tree", point_of_collatz(no_variable), "weights out if it is empty"),
    ("nonnegative, tree", point_of_collatz(half_of_it), "to be at most 0|" + ABOVE),
    ("nonnegative, tree", less_than_the_truth, "the optimum is at least"),
    ("nonnegative, tree", swap_children, "forced in|" + TREE),
    ("nonnegative, tree", a_collatz_leaf_at_the_root, "forced in"),
    ("nonnegative, exclude", lambda d: d["claim"].pop("exclude"), ABOVE),
    ("nonnegative, exclude", put("claim", "exclude", [1, 2, 3, 4]), "excluded variable|only 2 variables"),
]  # fmt: skip


@pytest.mark.parametrize("name", TRUE)
def test_true_certificates_hold_the_truth_of_their_matrix(name):
    made = TRUE[name]
    S = matrix_of(made)
    assert made.lower <= truth(S, made) <= made.upper
    assert all(verify(made, exact=exact, against=S) for exact in (True, False))


@pytest.mark.parametrize(
    ("fields", "said"),
    [
        ({"nonnegative": 1}, "nonnegative of Claim must be true or false, not 1"),
        (
            {"eliminated": Eliminated(("y",), np.array([0.5])), "elimination": Leaf("rows")},
            "no eliminated variables",
        ),
        (listed([[0, 1, 2]], [0.1], [0.1], 0.1, np.ones((1, 3))), "nonnegative does not stand with listed"),
        ({"k": None, "rho": 0.1}, "nonnegative does not stand with rho"),
        ({"include": [1], "exclude": []}, "does not stand with nonnegative|nonnegative does not stand with"),
        ({"one_of_each": [[0, 1]]}, "nonnegative does not stand with one_of_each"),
        ({"whole_groups": [[0, 1]]}, "nonnegative|whole_groups"),
        ({"tree": [Leaf("factor", 0)]}, "uses a point of another kind"),
    ],
)
def test_what_a_restriction_does_not_go_with_is_refused(fields, said):
    with pytest.raises(CertificateError, match=said):
        changed(TRUE["nonnegative"], **fields)


def test_the_words_of_a_claim_say_the_restriction():
    assert "at most one variable of each of the groups {x0, x1} and {x2, x4}" in TRUE["one of each"].statement
    assert "with at most 2 whole groups of 3" in TRUE["whole groups"].statement
    assert "non-negative loadings" in TRUE["nonnegative"].statement
    for made in TRUE.values():
        for text in (made.to_markdown(), made.to_latex(), str(verify(made))):
            assert re.search("one variable of each|of the groups|whole groups|non-negative loadings", text)
