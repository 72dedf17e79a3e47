"""Every lie here is a true certificate with one defect; each is refused, and the reason names the defect."""

import json
import re

import numpy as np
import pytest
from lies import test_restricted_lies, test_table_lies
from random_changes import sign
from telling_lies import (
    ABOVE,
    at,
    document_of,
    edit,
    evidence,
    exactly,
    larger_support,
    numbers,
    pack,
    put,
    refusal,
    refused,
    swap_children,
)
from true_certificates import ROOM, true_certificates

TRUE = {name: made for name, (_, made) in true_certificates().items()}
DEEP = json.loads("[" * 400 + "]" * 400)
UNEVEN = {"names": ["y"] * 2, "variances": {"shape": [2], "hex": []}, "shift": "0"}


def drop_a_leaf(d):
    d["evidence"]["tree"].pop()


def eliminate_nothing(d):
    d["subject"]["eliminated"] = None
    sign(d)


def use_one_leaf_for_two_children(d):
    d["evidence"]["tree"] = [["split", 0, 0, 1, 1], ["rows", 0]]


def fewer_rows_of_evidence(d):
    point = d["evidence"]["points"][0]
    P, N = numbers(point["P"]), numbers(point["N"])
    point.update(variables=point["variables"][:-1], P=pack(P[:-1, :-1]), N=pack(N[:-1, :-1]))


def no_rows_of_evidence(d):
    point = d["evidence"]["points"][0]
    point.update(vectors=pack(numbers(point["vectors"])[:0]), factor=pack(numbers(point["factor"])[:0]))


def a_matrix_that_is_not_symmetric(d):
    entries = numbers(d["subject"]["entries"])
    entries[0, 1] += 1
    d["subject"]["entries"] = pack(entries)


def a_shift_that_the_factor_does_not_have(d):
    d["evidence"]["points"][0]["shift"] = (-0.5).hex()


def duplicate_in_support(d):
    d["witness"]["components"][0]["support"][1] = d["witness"]["components"][0]["support"][0]


def duplicate_variable_of_a_point(d):
    d["evidence"]["points"][0]["variables"][1] = 0


def too_large_a_lower_bound(d):
    d["claim"]["lower"] = d["claim"]["upper"]


def no_loadings(d):
    d["witness"]["components"][0]["loadings"] = [(0.0).hex() for _ in d["witness"]["components"][0]["loadings"]]


def a_number_that_is_no_string(d):
    d["claim"]["upper"] = 3.5


def old_in_new_clothes(d):
    d["claim"]["kind"], d["matrix"] = "cardinality", d.pop("subject")


def swapped_conditions(d):
    d["claim"]["include"], d["claim"]["exclude"] = d["claim"]["exclude"], d["claim"]["include"]


def drop_from_the_list(d):
    for name in ("supports", "lower", "upper"):
        d["claim"]["list"][name].pop(1)
    loadings = numbers(d["witness"]["list"])
    d["witness"]["list"] = pack(np.delete(loadings, 1, axis=0))


def list_another(d):
    d["claim"]["list"]["supports"][1] = (
        [1, 2, 3] if [1, 2, 3] not in d["claim"]["list"]["supports"] else [0, 4, 5]
    )


def list_twice(d):
    d["claim"]["list"]["supports"][1] = d["claim"]["list"]["supports"][0]


def change_listed(name, by):
    def lie(d):
        values = d["claim"]["list"][name]
        values[1] = (float.fromhex(values[1]) + by).hex()

    return lie


def take_nothing_out(d):
    d["subject"]["description"]["deflation"]["loadings"].update(shape=[7, 0], hex=[])


def edit_listed_loadings(d):
    loadings = numbers(d["witness"]["list"])
    loadings[2] = -loadings[2][::-1] + 1
    d["witness"]["list"] = pack(loadings)


LIES = [
    # The tree.
    ("tree", drop_a_leaf, "beyond the last node of the tree"),
    ("perron", use_one_leaf_for_two_children, "node 1 of the tree is reached twice"),
    ("tree", evidence("tree", 2, ["split", 0, 2, 3, 4]), "splits variable 2, which an earlier split decided"),
    ("tree", evidence("tree", 2, ["split", 0, 1, 0, 4]), "node 0 of the tree is reached twice"),
    ("tree", evidence("tree", 2, ["rows", None]), "node 3 of the tree is never reached|" + ABOVE),
    ("perron", evidence("tree", [["rows", 0], ["rows", None]]), "node 1 of the tree is never reached"),
    ("perron", evidence("tree", []), "tree of Evidence must have at least 1 entry"),
    ("enumeration", swap_children, "is never reached|" + ABOVE),
    ("enumeration", evidence("tree", 0, ["split", 0, 6, 1, 2]), "names a variable beyond n = 6"),
    ("perron", evidence("tree", 0, ["factor", 0]), "uses a point of another kind"),
    ("perron", evidence("tree", 0, ["rows", 1]), "uses a point that is not there"),
    ("perron", evidence("tree", 0, ["rows", -1]), "must be an integer of at least 0"),
    ("perron", evidence("tree", 0, ["obvious", None]), "unknown leaf kind 'obvious'"),
    ("near optimal", evidence("tree", 0, ["listed", 0]), "a listed leaf is not one that it takes"),
    # Perron points.
    ("perron", edit("P", lambda P: P[:-1]), r"P of rows in points of evidence has shape \(5, 6\)"),
    ("perron", edit("P", at((0, 1), 0.0)), "P of RowsPoint is not symmetric"),
    ("perron", edit("P", lambda P: P * 1.01), "is charged too little"),
    ("perron", edit("N", lambda N: N * (1 - 1e-12)), "is charged too little"),
    ("perron", edit("N", lambda N: 0 * N + 5e-324), "is charged too little|not 0 on the diagonal"),
    ("perron", edit("N", lambda N: N * 4), ABOVE),
    ("perron", edit("N", at((2, 1), -1e-300)), "entry -1e-300, below 0"),
    ("perron", edit("N", lambda N: N + np.eye(6)), "not 0 on the diagonal"),
    ("perron and weights", evidence("points", 0, "paid", [0, 2, 6]), "a variable that it does not have"),
    ("perron and weights", edit("weights", lambda w: w**9), ABOVE),
    ("perron and weights", edit("N", lambda N: N * (1 - 1e-12)), r"the pair \(0, 2\) is charged too little"),
    ("perron", fewer_rows_of_evidence, r"says nothing of the variables \[5\]"),
    ("perron", duplicate_variable_of_a_point, "not strictly increasing"),
    ("perron", evidence("points", 0, "variables", [0, 1, 2, 3, 4, 6]), "names a variable beyond n = 6"),
    # Psi points.
    ("psi", evidence("points", 0, "rho", (-0.125).hex()), "rho of FactorPoint is -0.125, below 0"),
    ("psi", evidence("points", 0, "rho", (0.5).hex()), ABOVE),
    ("psi", edit("vectors", lambda Y: Y * 0.9), ABOVE),
    ("psi", edit("vectors", lambda Y: Y[:, :-1]), "vectors of factor in points of evidence has shape"),
    ("psi", edit("factor", lambda A: A * 0.99), ABOVE),
    ("psi", edit("factor", lambda A: A[:-1]), "factor of factor in points of evidence has shape"),
    ("psi", evidence("points", 0, "factor", None), "has no factor of its own"),
    ("psi on a factor", evidence("points", 0, "shift", (0.5).hex()), "has no factor of its own"),
    ("psi", a_shift_that_the_factor_does_not_have, "shift of FactorPoint is -0.5, below 0"),
    ("psi on a factor", edit("vectors", lambda Y: np.vstack([Y, 0 * Y])), "the claim's factor does not fit it"),
    ("psi", no_rows_of_evidence, ABOVE),
    # The other points, and eliminated variables.
    ("weighted rowsum", edit("weights", at(0, 0.0)), "entry 0.0, below 5e-324"),
    ("weighted rowsum", edit("weights", at(0, 1e-3)), ABOVE),
    ("eliminated", evidence("elimination", None), "a node must be a list"),
    ("eliminated", put("claim", "upper", (TRUE["spectral"].upper).hex()), "supports with eliminated variables"),
    # The claim.
    ("perron", put("claim", "k", 4), ABOVE),
    ("perron", put("claim", "k", 7), "only 6 variables may be used, not 7"),
    ("perron", put("claim", "k", 0), "k of Claim must be an integer of at least 1"),
    ("perron", put("claim", "k", 2**28 + 1), "an integer of at least 1 and at most"),
    ("perron", put("claim", "k", True), "k of Claim must be an integer"),
    ("perron", put("claim", "rho", (0.5).hex()), "give either k or rho"),
    ("penalised psi", put("claim", "rho", (0.19).hex()), ABOVE),
    ("penalised psi", put("claim", "rho", (0.21).hex()), "the vector attains only"),
    ("penalised psi", put("claim", "rho", (-0.2).hex()), "rho of Claim is -0.2, below 0"),
    ("perron", edit("upper", lambda u: u - 3e-9, "claim"), ABOVE),
    ("spectral", put("claim", "upper", np.nextafter(exactly(TRUE["spectral"]), 0).hex()), ABOVE),
    ("perron", edit("lower", lambda low: low + 3e-9, "claim"), "the vector attains only"),
    ("perron", too_large_a_lower_bound, "the vector attains only"),
    ("perron", put("claim", "lower", (9.0).hex()), "lower bound is above the upper bound"),
    ("perron", put("claim", "n", 6), "unknown field 'n'"),
    ("perron", put("subject", "names", 0, 7), "names of Matrix must be a string"),
    ("perron", put("subject", "digest", TRUE["one variable"].digest), "not that of the matrix"),
    ("perron", a_matrix_that_is_not_symmetric, "matrix is not symmetric"),
    # What the digest binds: names, description, eliminated variables.
    ("eliminated", put("subject", "eliminated", "names", 0, "x1"), "two variables have the name 'x1'"),
    ("eliminated", eliminate_nothing, "elimination rule"),
    ("perron", put("subject", "names", 0, "x1"), "two variables have the name 'x1'"),
    ("perron", put("subject", "names", [f"x{i}" for i in range(7)]), "entries of matrix in subject has shape"),
    ("perron", put("subject", "names", []), r"entries of matrix in subject has shape \(6, 6\), not 0 x 0"),
    ("described", put("subject", "description", "kind", "distance"), "a matrix is one of"),
    ("described", put("subject", "description", "observations", 0), "must be an integer of at least 1"),
    ("described", put("subject", "description", "observations", True), "must be an integer"),
    ("described", put("subject", "description", "is_centred", 1), "must be true or false"),
    ("described", put("subject", "description", "deflation", "digest", "sha256:0"), "is not the digest"),
    ("described", put("subject", "description", "deflation", "names", list("abcdefg")), "no variable x0, x1"),
    ("described", take_nothing_out, "at least one component"),
    ("described", lambda d: d["subject"]["description"].pop("deflation"), "lacks 'deflation'"),
    ("perron", put("claim", "kind", "row sparse"), "unknown kind of claim 'row sparse'"),
    ("perron", put("claim", "kind", "ratio"), "is not about a Matrix"),
    ("perron", put("claim", {"kind": "joint", "parts": []}), "claim lacks"),
    ("perron", lambda d: d["claim"].pop("kind"), "claim lacks 'kind'"),
    ("perron", put("claim", "charges", []), "unknown field 'charges'"),
    # Conditions on the supports.
    ("include", lambda d: d["claim"].pop("include"), ABOVE),
    ("include", put("claim", "include", [4, 4]), "not strictly increasing"),
    ("include", put("claim", "include", [6]), "beyond n = 6"),
    ("include", put("claim", "include", []), "leaves include out if it is empty"),
    ("include", put("claim", "include", [[0], [1, 2]]), "include must be a list of integers"),
    ("include", put("claim", "include", [0, 1, 2, 3]), "the support has 4 variables, more than 3"),
    ("include", put("claim", "exclude", TRUE["include"].include.tolist()), "to be included and excluded"),
    ("exclude", lambda d: d["claim"].pop("exclude"), ABOVE),
    ("exclude", put("claim", "exclude", [0]), ABOVE),
    ("exclude", put("claim", "exclude", [0, 4]), ABOVE + "|the support has an excluded variable"),
    ("exclude", put("claim", "exclude", [0, 1, 2, 3]), "excluded variable|only 2 variables may be used"),
    (
        "both conditions",
        swapped_conditions,
        ABOVE + "|the support has an excluded variable|with those to include",
    ),
    ("both conditions", evidence("tree", [["split", 0, 1, 1, 2], *2 * [["rows", None]]]), "splits variable 1"),
    ("both conditions", evidence("tree", [["split", 0, 2, 1, 2], *2 * [["rows", None]]]), "splits variable 2"),
    ("penalised include", lambda d: d["claim"].pop("include"), "the optimum is at least 0, above"),
    ("penalised include", put("claim", "include", [1]), ABOVE + "|the vector attains only"),
    ("penalised include", put("claim", "include", [0, 1]), "the vector attains only"),
    ("penalised include", put("witness", "components", 0, "support", [1]), "the vector attains only"),
    (
        "penalised include",
        put("witness", "components", [{"support": [], "loadings": []}]),
        "the support is empty",
    ),
    ("penalised include", put("claim", "rho", (2.75).hex()), ABOVE),
    ("penalised include", put("claim", "rho", (3.25).hex()), "the vector attains only"),
    ("penalised include eliminated", lambda d: d["claim"].pop("include"), "the optimum is at least 0, above"),
    ("penalised exclude", lambda d: d["claim"].pop("exclude"), ABOVE),
    # Lists of supports, and what is claimed of all others.
    ("near optimal", drop_from_the_list, "which is not listed"),
    ("near optimal", list_another, "which is not listed|the vector attains only|its vector attains only"),
    ("near optimal", list_twice, "a support is listed twice"),
    ("near optimal", put("claim", "list", "supports", []), "must have at least 1 entry|has shape"),
    ("near optimal", put("claim", "list", "supports", 1, [0, 1]), "a support listed has 2 variables, not 3"),
    (
        "near optimal",
        put("claim", "exclude", TRUE["near optimal"].claim.listed.supports[0][:1].tolist()),
        "has an excluded variable",
    ),
    ("near optimal", put("claim", "list", "others", (0.5).hex()), "above the claimed upper bound"),
    (
        "near optimal",
        put("claim", "list", "others", (TRUE["near optimal"].claim.listed.others - 3 * ROOM).hex()),
        ABOVE,
    ),
    (
        "near optimal",
        put("claim", "list", "others", (99.0).hex()),
        "more is claimed of other supports than of all",
    ),
    (
        "near optimal",
        put("claim", "kind", "components"),
        "a claim of the kind 'components' has no|supports are one of",
    ),
    ("near optimal", change_listed("lower", 3 * ROOM), "its vector attains only|lower above upper"),
    ("near optimal", change_listed("upper", -1.5 * ROOM), "above what is claimed"),
    ("near optimal", edit_listed_loadings, "its vector attains only"),
    ("near optimal", lambda d: d["witness"].pop("list"), "the loadings listed have shape None"),
    ("enumeration", evidence("tree", 3, ["listed", None]), "listed, which proves nothing for such a claim"),
    ("near optimal", evidence("tree", [["listed", None]]), "more than one support"),
    ("eliminated", evidence("elimination", ["listed", None]), "is listed, which proves nothing"),
    # The witness.
    ("perron", larger_support(4), "support has 4 variables, more than 3"),
    ("perron", duplicate_in_support, "not strictly increasing"),
    ("perron", put("witness", "components", 0, "support", [0, 1, 6]), "beyond n = 6"),
    ("perron", put("witness", "components", 0, "loadings", [(1.0).hex()]), r"of Vector has shape \(1,\)"),
    ("perron", put("witness", "components", 0, "loadings", 0, (-9.0).hex()), "the vector attains only"),
    ("perron", no_loadings, "loadings are all 0"),
    # Numbers.
    ("perron", put("claim", "upper", "nan"), "only finite hexadecimal floats"),
    ("perron", evidence("points", 0, "N", "hex", 0, "0x1.0p+1024"), "only finite hexadecimal floats"),
    ("perron", put("claim", "upper", "3.5"), "not the canonical"),
    ("perron", put("claim", "upper", "0x1.C000000000000p+1"), "not the canonical"),
    ("perron", put("claim", "upper", "0x1.80000000000000000000000001p+1"), "not the canonical"),
    ("perron", a_number_that_is_no_string, "'3.5' is not a hexadecimal string"),
    ("perron", evidence("points", 0, "P", "shape", [6, 7]), r"has shape \(6, 7\), not 6 x 6"),
    ("perron", evidence("points", 0, "P", "shape", [-6, -6]), r"has shape \(-6, -6\), not 6 x 6"),
    ("perron", evidence("points", 0, "P", "shape", [1 << 28, 1 << 28]), r"has shape \(268435456, 268435456\)"),
    ("perron", evidence("points", 0, "P", "shape", [6, 6, 1]), r"has shape \(6, 6, 1\), not 6 x 6"),
    # The document.
    ("perron", put("format", "certificate"), "format is 'certificate'"),
    *[
        ("perron", put("version", other), "is not known; this program reads version 3")
        for other in (0, 1, 2, 4, True)
    ],
    *[("perron", put("version", other), "is not known|is not a hexadecimal") for other in ("3", 3.0, None)],
    ("perron", old_in_new_clothes, "lacks 'subject'"),
    ("perron", put("note", "trust me"), "unknown field 'note'"),
    ("perron", put("claim", "tolerance", "0x1.0p-3"), "unknown field 'tolerance'"),
    ("perron", lambda d: d.pop("witness"), "lacks 'witness'"),
    ("perron", evidence("tree", {"0": ["rows", 0]}), "tree of evidence must be a list"),
    ("perron", evidence("tree", 0, ["split", 0, 1]), "a split node lacks .inside"),
    ("perron", evidence("points", 0, "kind", "pickle"), "unknown kind 'pickle' of points"),
    ("perron", put("made_by", None), "made_by of Certificate must be a string"),
    ("perron", put("subject", "names", DEEP), "entries of matrix in subject has shape"),
    ("perron", put("subject", "description", []), "description of matrix in subject must be an object"),
    ("perron", put("subject", "description", "kind", DEEP), "kind of Description must be a string"),
    ("perron", put("claim", DEEP), "claim must be an object"),
    ("perron", put("claim", "kind", {"cardinality": 1}), "kind of Claim must be a string"),
    ("perron", evidence(None), "evidence must be an object"),
    ("perron", evidence("elimination", ["rows", None, None]), "a leaf has 3 entries, more than 2"),
    ("perron", put("subject", "eliminated", UNEVEN), r"has 0 numbers for the shape \(2,\)"),
    ("perron", put("arrays", None), "arrays must be an object"),
    ("perron", put("arrays", {"file": "c.npz", "sha256": 7}), "sha256 of the arrays must be a string, not 7"),
]


TOLD = [
    (about, name, lie, reason)
    for about in (None, test_restricted_lies, test_table_lies)
    for name, lie, reason in (about.LIES if about else LIES)
]


@pytest.mark.parametrize(
    ("about", "name", "lie", "reason"), TOLD, ids=[f"{i}-{x[3][:30]}" for i, x in enumerate(TOLD)]
)
def test_lie_is_refused_with_the_reason_that_names_it(about, name, lie, reason, tmp_path):
    refused((about.TRUE if about else TRUE)[name], lie, reason, tmp_path)


def version(text):
    """Return the change of a file that writes something else for its version."""
    return lambda whole: whole.replace('"version": 3,', text)


BROKEN = [
    (lambda whole: whole[:-30], "not readable as a certificate"),
    (lambda whole: "", "not readable as a certificate"),
    (lambda whole: "[" * 100_000, "nested too deeply|not readable"),
    (version('"version": 3, "version": 3,'), "'version' is repeated"),
    (version('"version": 3, "versio\\u006e": 2,'), "'version' is repeated"),
    (version('"version": 3.0,'), "'3.0' is not a hexadecimal string"),
    (version('"version": NaN,'), "'NaN' is not a hexadecimal string"),
    (version(f'"version": {"1" * 5000},'), "not readable as"),
    (lambda whole: whole.replace("x0", "x\u00e9"), "not readable as a certificate"),
    (lambda whole: whole.replace("x0", "x\\ud800"), "is no text: surrogates not allowed"),
    (lambda whole: "[]", "certificate must be an object"),
    (lambda whole: whole + "{}", "not readable as a certificate"),
]


@pytest.mark.parametrize(("spoil", "reason"), BROKEN)
def test_broken_files_are_refused(spoil, reason, tmp_path):
    text = json.dumps(document_of(TRUE["perron"]))
    assert spoil(text) != text
    for said in refusal(spoil(text), tmp_path):
        assert re.search(reason, said), said
