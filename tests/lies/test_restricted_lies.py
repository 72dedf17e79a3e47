"""Lies and random changes of certificates about groups and signs: refused with the reason, never believed."""

import json
import random
import re

import numpy as np
import pytest
from draws import draws
from lies.test_lies import swap_inside_and_outside
from lies.test_mutations import READ
from random_changes import change, change_evidence, change_matrix
from restricted_certificates import restricted_certificates, truth
from telling_lies import ABOVE, edit, evidence, numbers, pack, put, refused

from relaxspca.certificate import Certificate, Eliminated, Leaf, Others, Restriction, Split, WeightsPoint
from relaxspca.certificate.reading import parsed_file
from relaxspca.checker import verify
from relaxspca.errors import CertificateError

TRUE = {name: made for name, (_, made) in restricted_certificates().items()}
COUNT = draws(700, 3000)


def groups(*members):
    """Return the lie that states other groups."""

    def lie(d):
        d["claim"]["groups"] = {"names": [f"g{i}" for i in range(len(members))], "members": list(members)}

    return lie


def kind(name):
    """Return the lie that claims the same without groups or sign, or with another restriction."""

    def lie(d):
        d["claim"]["kind"] = name
        if name in ("cardinality", "nonnegative"):
            d["claim"].pop("groups", None)

    return lie


def witness(support, loadings):
    return put("witness", {"support": support, "loadings": [float(x).hex() for x in loadings]})


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


def a_weight_of_zero(point):
    weights = numbers(point["weights"])
    weights[0] = 0.0
    point["weights"] = pack(weights)


def less_than_the_truth(d):
    for name, by in (("lower", 0.1), ("upper", 0.05)):
        d["claim"][name] = (TRUE["nonnegative, tree"].lower - by).hex()


def include_a_mate(d):
    d["claim"]["include"] = [2, 4]
    d["witness"] = {"support": [4], "loadings": [(1.0).hex()]}


def a_collatz_leaf_at_the_root(d):
    d["evidence"] = {"points": [{"kind": "weights", "variables": list(range(6)), "weights": pack(np.ones(6))}],
                     "tree": [["collatz", 0]], "elimination": None}  # fmt: skip


def a_void_in_the_place_of(word):
    def lie(d):
        d["evidence"]["tree"][first_of(word)(d)] = ["void", None]

    return lie


TREE = "more than one support|is never reached|which an earlier split decided|a void leaf|" + ABOVE

LIES = [
    # Groups that are none, and claims about other groups.
    ("one of each", lambda d: d["claim"].pop("groups"), "lacks 'groups'"),
    ("one of each", lambda d: d["claim"]["groups"].pop("names"), "lacks 'names'"),
    ("one of each", put("claim", "groups", "members", [[0, 1], [1, 4]]), "a variable is in two groups"),
    ("one of each", put("claim", "groups", "members", [[0, 1], []]), "a group has no variable"),
    ("one of each", put("claim", "groups", "members", [[0, 1], [2, 6]]), "a variable beyond n = 6"),
    ("one of each", put("claim", "groups", "members", [[0, 1], [4, 2]]), "not strictly increasing"),
    ("one of each", put("claim", "groups", "members", [[0, 1], [2, 2]]), "not strictly increasing"),
    ("one of each", put("claim", "groups", "members", [[0, 1]]), "names of groups must be 1 strings"),
    ("one of each", put("claim", "groups", {"names": [], "members": []}), "one at least"),
    ("one of each", put("claim", "groups", "names", ["a", "a"]), "two groups have one name"),
    ("one of each", put("claim", "groups", "names", ["a", 1]), "name must be a string"),
    ("one of each", groups([0, 1]), ABOVE),
    ("one of each", kind("cardinality"), ABOVE),
    ("one of each", kind("nonnegative"), ABOVE + "|negative"),
    ("one of each", put("claim", "kind", "one_of_all"), "unknown kind of claim 'one_of_all'"),
    ("one of each", put("claim", "k", 5), "only 4 variables of different groups"),
    ("one of each", put("claim", "rho", (0.5).hex()), "unknown field 'rho'"),
    ("one of each", witness([0, 1], [1.0, 1.0]), "support has two variables of one group"),
    ("one of each", witness([2, 4, 5], [1.0, 1.0, 1.0]), "support has two variables of one group"),
    ("one of each, conditions", include_a_mate, "two variables of one group"),
    ("one of each, conditions", put("claim", "include", [2]), "with those to include the support has 4"),
    ("one of each, conditions", put("claim", "exclude", [0, 1, 3]), "excluded|different groups"),
    ("one of each", put("claim", "upper", (TRUE["one of each"].lower).hex()), ABOVE),
    ("one of each, tree", groups([0, 1]), TREE),
    ("one of each, tree", kind("cardinality"), TREE),
    ("one of each, tree", swap_inside_and_outside, TREE),
    ("one of each, tree", evidence("tree", 1, ["split", 1, 2, 3]), "which an earlier split decided"),
    ("one of each, tree", a_void_in_the_place_of("support"), "a void leaf has supports of size 3"),
    # Rules that are not proved for such claims.
    ("one of each", evidence("tree", 0, ["trace", None]), "trace, which proves nothing for one_of_each"),
    ("one of each", evidence("tree", 0, ["listed", None]), "listed, which proves nothing for one_of_each"),
    ("one of each, perron", evidence("tree", 0, ["collatz", 0]), "which proves nothing for one_of_each"),
    ("one of each, perron", edit("N", lambda N: N * (1 - 1e-12)), "is underpaid"),
    # Whole groups.
    ("whole groups", put("claim", "k", 4), "4 of 3 groups cannot be chosen"),
    ("whole groups", put("claim", "k", 3), ABOVE),
    ("whole groups", put("claim", "k", 1), "variables of 2 groups, more than 1"),
    ("whole groups", put("claim", "exclude", [0]), "unknown field 'exclude'"),
    ("whole groups", kind("cardinality"), "support has 3 variables, more than 2"),
    ("whole groups", groups([0, 3], [2, 4]), "a variable that is in no group|" + ABOVE),
    ("whole groups, perron", evidence("points", 0, "variables", [0, 1, 3]), "beyond n = 3"),
    ("whole groups, perron", edit("N", lambda N: N * 0.99), "is underpaid"),
    ("whole groups, perron", edit("P", lambda P: P * 0), ABOVE),
    ("whole groups, tree", evidence("tree", 0, ["support", None]), "more than one support|never reached"),
    ("whole groups, tree", evidence("tree", 0, ["split", 3, 1, 2]), "splits a variable beyond n = 3"),
    ("whole groups, tree", groups([0, 3], [1, 5], [2, 4]), ABOVE + "|variables of 3 groups"),
    ("whole groups, tree", a_void_in_the_place_of("support"), "a void leaf has supports of size 2"),
    # Signs.
    ("nonnegative", witness([0, 1], [1.0, -1.0]), "a loading is negative"),
    ("nonnegative", put("claim", "include", [0]), "unknown field 'include'"),
    ("nonnegative", kind("cardinality"), "is underpaid|" + ABOVE),
    ("nonnegative", edit("P", lambda P: -P), "is underpaid"),
    ("nonnegative", edit("P", lambda P: P * 0), ABOVE),
    ("nonnegative by rows", kind("cardinality"), ABOVE),
    ("nonnegative, tree", kind("cardinality"), "loadings may be negative"),
    ("nonnegative, tree", point_of_collatz(another_variable), "forced in"),
    ("nonnegative, tree", point_of_collatz(no_variable), "forced in"),
    ("nonnegative, tree", point_of_collatz(half_of_it), "to be at most 0|" + ABOVE),
    ("nonnegative, tree", point_of_collatz(a_weight_of_zero), "weights must all be positive"),
    ("nonnegative, tree", less_than_the_truth, "the optimum is at least"),
    ("nonnegative, tree", swap_inside_and_outside, "forced in|" + TREE),
    ("nonnegative, tree", a_void_in_the_place_of("support"), "a void leaf has supports"),
    ("nonnegative, tree", a_void_in_the_place_of("collatz"), "a void leaf has supports"),
    ("nonnegative, tree", a_collatz_leaf_at_the_root, "forced in"),
    ("nonnegative, exclude", lambda d: d["claim"].pop("exclude"), ABOVE),
    ("nonnegative, exclude", put("claim", "exclude", [1, 2, 3, 4]), "excluded variable|only 2 variables"),
]  # fmt: skip


@pytest.mark.parametrize(("name", "lie", "reason"), LIES, ids=[f"{at}-{x[0]}" for at, x in enumerate(LIES)])
def test_lies_are_refused_with_their_reason(name, lie, reason, tmp_path):
    refused(TRUE[name], lie, reason, tmp_path)


@pytest.mark.parametrize("name", TRUE)
@pytest.mark.parametrize("exact", [True, False])
def test_true_certificates_verify_after_saving(name, exact, tmp_path):
    TRUE[name].save(tmp_path / "c.json")
    found = Certificate.load(tmp_path / "c.json")
    assert verify(found, exact=exact)
    S = found.matrix if found.factor is None else found.factor.T @ found.factor
    assert found.lower <= truth(S, found) <= found.upper
    assert verify(found, exact=exact, against=S)
    assert found.claim == TRUE[name].claim


@pytest.mark.parametrize(
    ("fields", "said"),
    [
        ({"restriction": "nonnegative"}, "not of class Restriction"),
        ({"eliminated": Eliminated(("y",), np.array([0.5])), "elimination": Leaf("spectral")}, "nothing else"),
        ({"others": Others(0.1, ([0, 1, 2],), [0.1], [0.1], np.ones((1, 3)))}, "goes with nothing else"),
        ({"k": None, "rho": 0.1}, "needs k, not rho"),
        ({"include": [1], "exclude": []}, "includes no variable"),
        ({"tree": [Leaf("psi", 0)]}, "psi, which proves nothing for nonnegative"),
    ],
)
def test_what_a_restriction_does_not_go_with_is_refused(fields, said):
    with pytest.raises(CertificateError, match=said):
        Certificate(**vars(TRUE["nonnegative"]) | fields)


@pytest.mark.parametrize("name", ["nonnegative_", "", None])
def test_unknown_restrictions_are_refused(name):
    with pytest.raises(CertificateError, match="unknown restriction"):
        Restriction(name)


def test_the_words_of_a_claim_say_the_restriction():
    assert "with at most one variable of each of the groups a, b" in TRUE["one of each"].claim
    assert "with at most 2 whole groups of 3" in TRUE["whole groups"].claim
    assert "with no negative loading" in TRUE["nonnegative"].claim
    for made in TRUE.values():
        for text in (made.to_markdown(), made.to_latex(), str(verify(made))):
            assert re.search("one variable of each|of the groups|whole groups|no negative loading", text)


def test_a_row_of_zeros_needs_no_rounding():
    """Where Sigma w is exactly 0 on a free variable, the sum is not enclosed but seen to be at most 0."""
    made = Certificate(
        n=2,
        names=("a", "b"),
        matrix=np.eye(2),
        k=2,
        lower=1.0,
        upper=1.0 + 1e-9,
        indices=[0],
        loadings=[1.0, 0.0],
        points=[WeightsPoint([0], [0.3])],
        tree=[Split(0, 1, 2), Leaf("collatz", 0), Leaf("spectral")],
        restriction=Restriction("nonnegative"),
    )
    for exact in (True, False):
        assert verify(made, exact=exact)


def test_no_mutation_proves_what_is_false(tmp_path):
    rng, path, originals = random.Random(11), tmp_path / "true.json", []
    for made in TRUE.values():
        made.save(path)
        originals.append(path.read_text())
    loaded = verified = 0
    for count in range(COUNT):
        document = json.loads(rng.choice(originals))
        steps = [change_matrix, change_evidence, change]
        for step in sorted(rng.choices(steps, [2, 4, 4], k=rng.choice([1, 1, 2, 3])), key=steps.index):
            step(document, rng)
        try:
            made = parsed_file(path, READ, json.dumps(document).encode())
        except CertificateError:
            continue
        if made.restriction is None:
            continue
        loaded += 1
        S = made.matrix if made.factor is None else made.factor.T @ made.factor
        value, room = truth(S, made), 1e-13 * np.abs(S).sum()
        verdict = verify(made, exact=count % 20 == 0)
        assert verdict.proved_upper >= value - room, (verdict, document)
        assert verdict.proved_lower <= value + room, (verdict, document)
        if verdict:
            verified += 1
            assert made.lower - room <= value <= made.upper + room
        unreachable = Certificate(**vars(made) | {"lower": -1e9, "upper": -1e9})
        assert verify(unreachable, exact=False).proved_upper >= value - room, document
    assert loaded > COUNT // 3
    assert verified > COUNT // 10
