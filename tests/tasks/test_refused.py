"""What no verb takes is an error of input, in words that say what is wrong."""

import numpy as np
import pytest

import relaxspca as rs
from relaxspca.errors import InputError

COV = rs.datasets.load_pitprops()
X = np.random.default_rng(0).normal(size=(80, 6))
NAN, INF, ONE = float("nan"), float("inf"), {"a": [0]}
TABLE = np.eye(13)[:, :3] + 1.0  # of loadings
CALLBACK = "callback must be a function of a Progress, not 3"
VERBS = {
    "solve": lambda **told: rs.solve(COV, **told),
    "path": lambda **told: rs.path(COV, **told),
    "certify": lambda **told: rs.certify(COV, [0, 1], **told),
    "certify a table": lambda table=TABLE, **told: rs.certify(COV, table, **told),
    "candidate": lambda **told: rs.candidate(COV, **{"k": 5} | told),
    "upper_bound": lambda **told: rs.upper_bound(COV, 5, **told),
    "near_optimal": lambda **told: rs.near_optimal(COV, **{"k": 3} | told),
    "compare": lambda **told: rs.compare(COV, 5, **told),
    "psi": lambda **told: rs.psi(COV, **told),
    "components": lambda **told: rs.components(COV, **told),
    "components together": lambda **told: rs.components(COV, joint=True, **told),
    "components on one support": lambda **told: rs.components(COV, joint=True, common=True, **told),
    "generalized": lambda **told: rs.generalized(np.diag(np.arange(1.0, 5)), np.eye(4), **told),
    "a denominator": lambda B: rs.generalized(np.eye(2), B, 1),
    "stability": lambda of: rs.stability(of()),
    "bootstrap": lambda **told: rs.bootstrap(**{"X": X, "k": 2} | told),
    "held_out": lambda **told: rs.held_out(X, **{"k": 2} | told),
}
NO_GENERATOR = [
    ({"rng": rng}, f"rng must be a generator, not {rng!r}: write rng=numpy.random") for rng in ("a", 3)
]
NO_NUMBER = [({"k": k}, "must be a whole number") for k in (2.5, "3", True, NAN, INF)]
NO_LIST = [({"k": k}, "k (must|is) .*not ") for k in (b"\x03", "3")]  # the list of these bytes would be [3]
APART = [([0, 1], 1), ([2, 3], 1)]
REFUSED = {
    "solve": [
        *(
            ({"k": several}, r"one cardinality.*components\(cov, k\).*path\(cov, k\)")
            for several in ([5, 4], np.array([5, 4]), range(1, 4))
        ),
        *(
            ({"k": 3, "time_limit": limit}, r"time_limit must be .* \(leave it out for no limit\)")
            for limit in (INF, 10**400, NAN, "1", -1.0)
        ),
        ({"k": 3, "groups": {"a": [0, 1], "b": [1, 2]}}, "length is in two groups"),
        ({"k": 3, "groups": {"a": ["nobody"]}}, "there is no variable 'nobody'"),
        ({"k": 3, "groups": {}}, "groups must be a mapping"),
        ({"k": 3, "groups": [[0, 1]]}, "groups must be a mapping"),
        (
            {"k": 4, "groups": {"size": [0, 1]}, "include": [0, 1]},
            "topdiam and length are to be included, but both are in the group",
        ),
        ({"most": 1, "groups": {"a": [0, 1], "b": [1, 2]}}, "length is in two groups"),
        ({"most": 1, "groups": {}}, "groups must be a mapping"),
        ({"most": 0, "groups": ONE}, "most = 0 is below 1"),
        ({"most": 1.5, "groups": ONE}, "most must be"),
        ({"most": 2}, "give groups too"),
        ({"groups": ONE}, "give the cardinality k, or most"),
        ({"groups": ONE, "k": 2, "most": 1}, "give k, for at most one"),
        ({"groups": ONE, "k": 2, "nonnegative": True}, "cannot be used together"),
        ({"groups": ONE, "k": 2, "rho": 0.1}, "rho cannot be used with groups"),
        ({"groups": ONE, "most": 1, "include": [1]}, "include cannot be used with most"),
        ({"nonnegative": True, "rho": 0.2}, "rho cannot be used with nonnegative"),
        ({"nonnegative": True, "k": 3, "include": ["topdiam"]}, "include cannot be used with nonnegative"),
        *NO_LIST,
        *NO_NUMBER,
        *(({"k": k}, "outside 1..13") for k in (0, 14)),
        *(({"k": 5} | told, "either the cardinality k or") for told in ({"k": None}, {"rho": 0.1})),
        *(({"rho": rho}, "penalty rho must be at least 0 and finite") for rho in (-1.0, NAN, INF, 10**400)),
        *(({"k": 5, "gap": gap}, "gap must be a number") for gap in (-0.1, NAN, "0", None, 10**400)),
        *(({"k": 5, "node_limit": most}, "node_limit must be a whole") for most in (1.5, "3", True)),
        ({"k": 5, "node_limit": -1}, "node_limit = -1 is below 0"),
        *(
            (
                {"k": 5, "n_jobs": jobs},
                "n_jobs must be a number of processes, or negative: -1 is one per core, -2 one fewer",
            )
            for jobs in (0, "2", 1.5)
        ),
        *(({"k": 5, "start": start}, "start must be a Candidate") for start in ("greedy", [0, 1])),
        ({"k": 5, "start": rs.Candidate.empty(COV)}, "the start uses no variable"),
        ({"k": 6, "callback": 3}, CALLBACK),
        ({"k": 3, "groups": {"size": ["topdiam", "length"]}, "callback": 3}, CALLBACK),
        ({"k": 3, "nonnegative": True, "callback": 3}, CALLBACK),
    ],
    "path": [
        ({"k": [3], "rho": [0.1]}, "give one of k, rho and share_of_dense"),
        ({"k": []}, "k is empty"),
        ({"rho": []}, "rho is empty"),
        ({"k": [0]}, "outside 1..13"),
        ({"k": [14]}, "outside 1..13"),
        *NO_LIST,
        ({"k": [2.5]}, "whole number"),
        ({"rho": [-1.0]}, "at least 0"),
        ({"rho": ["a"]}, "must be a number"),
        *(({"rho": rho}, "penalty rho") for rho in (-0.1, NAN, INF, "0.1", True)),
        ({"share_of_dense": 0.9, "k": 3}, "give one of k, rho"),
        ({"share_of_dense": 0}, "share_of_dense must be a number above 0"),
        ({"share_of_dense": 1.5}, "share_of_dense must be a number above 0"),
        ({"k": [2], "tol": "a"}, "tol must be a number of at least 0"),
        ({"k": [2], "time_limit": "1"}, "time_limit must be a number of at least 0, not '1'"),
    ],
    "certify": [
        ({"k": 1}, "uses 2 variables, more than k = 1"),
        ({"k": 14}, "outside 1..13"),
        ({"k": 2.5}, "whole number"),
        *NO_LIST,
        *(({"tol": tol}, "tol must be a number of at least 0") for tol in (-1.0, NAN, "a")),
    ],
    "certify a table": [
        ({"table": np.triu(np.ones((13, 13)))}, "two ways, its columns or its rows"),
        ({"table": np.ones((5, 4))}, "neither 13 rows nor 13 columns"),
        ({"table": {}}, "empty"),
        ({"table": {"a": {"topdiam": 1}, "b": {"oak": 1}}}, "no variable 'oak'"),
        ({"table": {"a": {"topdiam": 1}, "b": {"length": "x"}}}, "must be a number"),
        ({"table": {"a": ["topdiam"], "b": [0.0] * 13}}, "b: loadings are all zero"),
        ({"table": {"a": {"topdiam": 1}, "b": [1.0, 2.0]}}, "b: 2 loadings given for 13"),
        ({"k": [13, 13]}, "k holds 2 numbers for 3 components"),
        ({"k": 6}, "component 1 uses 13 variables, more than k = 6"),
        ({"after": [["topdiam"]]}, "after goes with one component"),
        ({"include": ["length"]}, "include and exclude go with one component"),
        ({"deflation": "peel"}, "deflation must be one of"),
    ],
    "candidate": [
        ({"k": None}, "whole number|give"),
        ({"method": ["greedy"]}, "method must be one of"),
        *NO_GENERATOR,
        *NO_NUMBER,
    ],
    "upper_bound": [({"relaxation": ["psi"]}, r"relaxation must be one of .*, not \['psi'\]")],
    "near_optimal": [
        ({"within": -0.1}, "within must be a number of at least 0"),
        ({"limit": 0}, "limit = 0 is below 1"),
        ({"k": 14}, "outside 1..13"),
        ({"include": [1], "exclude": [1]}, "is both included and excluded"),
        ({"callback": 3}, CALLBACK),
        *NO_NUMBER,
        ({"k": None}, "whole number|give"),
    ],
    "compare": [
        ({"methods": []}, "no method"),
        ({"methods": [["greedy"]]}, "method must be one of"),
        ({"time_limit": "1"}, "time_limit must be a number of at least 0, not '1'"),
    ],
    "psi": [
        *(({"rho": rho}, "penalty rho") for rho in (-1.0, NAN, "0.1")),
        ({"rho": 0.2, "tol": "a"}, "tol must be a number of at least 0"),
        ({"rho": 0.2, "time_limit": -1}, "time_limit must be a number of at least 0, not -1"),
    ],
    "components": [
        ({"k": [3, 2, 1], "n_components": 2}, "k holds 3 numbers for 2 components"),
        *(
            ({"k": 3, "n_components": wrong}, f"n_components must be a whole number, not {wrong!r}")
            for wrong in (1.5, "2", True)
        ),
        *(
            ({"k": 3, "n_components": count}, f"n_components = {count} is outside 1..13")
            for count in (-1, 0, 14, 10**30)
        ),
        ({"k": 3, "n_components": 2, "deflation": "shrink"}, "shrink"),
        ({"k": 14, "n_components": 2}, "14"),
        ({"k": [3, 0]}, "0"),
        *(({"k": k}, "k must be a whole number") for k in (1.5, NAN, True, "a")),
        ({"k": None}, "give k, the cardinality of each component"),
        *(
            ({"k": 2, "n_components": 2} | told, "joint=True")
            for told in ({"disjoint": True}, {"common": True}, {"node_limit": 3}, {"callback": print})
        ),
        ({"k": 2, "joint": "yes"}, "joint must be True or False, not 'yes'"),
        ({"k": "4,4"}, r"a list of them such as \[4, 4\], not '4,4'"),
        ({"k": b"4"}, r"a list of them such as \[4, 4\], not b'4'"),
        *NO_LIST,
        ({"k": [2, 2], "include": [["knots"], []]}, "an include for each component go with joint"),
    ],
    "components together": [
        ({"k": 2, "n_components": 2, "deflation": "hotelling"}, "no deflation"),
        ({"k": 2, "n_components": 2, "time_limit": -1}, "time_limit"),
        ({"k": 2, "n_components": 2, "node_limit": 0.5}, "node_limit"),
        ({"k": [3, 3], "callback": 3}, CALLBACK),
        ({"k": 2, "disjoint": "no"}, "disjoint must be True or False, not 'no'"),
        ({"k": [1, 1], "include": ["knots"]}, "too few variables for so many orthogonal components"),
        ({"k": [2, 2], "include": ["knots"], "disjoint": True}, "include a list for each"),
        ({"k": [2, 2], "include": [["knots"]]}, "include has 1 list for 2 components"),
        ({"k": [2, 1], "include": [[], ["knots", "moist"]]}, "2 variables to include and k = 1"),
        ({"k": [1] * 3, "exclude": COV.names[2:]}, "too few variables"),
    ],
    "components on one support": [
        ({"k": 3, "n_components": 4}, "must lie in 2..3, as all are on the same 3 variables, not 4"),
        ({"k": 3, "n_components": 1}, "must lie in 2..3, as all are on the same 3 variables, not 1"),
        ({"k": [3, 2]}, "have one cardinality"),
        ({"k": 3, "n_components": 2, "disjoint": True}, "are not disjoint"),
        ({"k": 3, "n_components": 2, "exclude": ["length"]}, "exclude .* cov.restrict"),
        ({"k": 3, "n_components": 2, "callback": 3}, CALLBACK),
    ],
    "generalized": [
        ({"k": 1, "include": [0, 1]}, "to include"),
        ({"k": 2, "include": [0], "exclude": [0]}, "both included and excluded"),
        ({"k": 2, "n_jobs": 0}, "n_jobs"),
        ({"k": 3, "callback": 3}, CALLBACK),
        ({"budgets": [([0, 1], 1)]}, "every variable once"),
        ({"budgets": [([0, 1], 1), ([1, 2, 3], 1)]}, "every variable once"),
        ({"budgets": [([0, 1], 0), ([2, 3], 0)]}, "no variable at all"),
        ({"budgets": [([0, 1], -1), ([2, 3], 1)]}, "at least 0"),
        ({"budgets": [0, 1]}, "must be a pair"),
        ({"budgets": APART, "k": 2}, "either the cardinality"),
        ({"budgets": APART, "include": [0, 1]}, "have a budget of 1"),
    ],
    "a denominator": [
        ({"B": np.ones((2, 2))}, "ridge"),
        ({"B": np.diag([1.0, -1.0])}, "ridge"),
        ({"B": np.eye(3)}, "same"),
        ({"B": [[1.0, 0.5], [0.0, 1.0]]}, "not symmetric"),
        ({"B": [[1.0, np.nan], [np.nan, 1.0]]}, "nan"),
    ],
    "stability": [
        ({"of": lambda: rs.solve(COV, rho=0.2)}, "not of a penalty"),
        ({"of": lambda: rs.solve(COV, 2, nonnegative=True)}, "groups or signs"),
        ({"of": lambda: rs.solve(COV, 2, groups={"a": [0, 1]})}, "groups or signs"),
        ({"of": lambda: rs.components(COV, [2, 2], joint=True)}, "Result or a NearOptimal, not of a JointComp"),
    ],
    "bootstrap": [
        ({"k": 2, "resamples": 0}, "below 1"),
        ({"k": 7}, "outside 1..6"),
        ({"X": X[:3]}, "in a resample every column is constant"),
        *NO_GENERATOR,
    ],
    "held_out": [({"k": [2], "folds": 1}, "outside 2"), ({"k": []}, "k is empty"), *NO_LIST, *NO_GENERATOR],
}


@pytest.mark.parametrize(
    ("verb", "told", "words"), [(verb, *case) for verb, cases in REFUSED.items() for case in cases]
)
def test_what_a_verb_does_not_take_is_named(verb, told, words):
    with pytest.raises(rs.InputError, match=words):
        VERBS[verb](**told)


def dense(n):
    return rs.Covariance(np.diag([1.0] + [0.0] * n)).restrict(range(1, n + 1))


def factored(n):
    factor = np.zeros((2, n + 1))
    factor[0, 0] = 1.0
    return rs.Covariance.from_factor(factor).restrict(range(1, n + 1))


AT_THE_DOOR = (
    rs.solve, rs.path, rs.certify, rs.candidate, rs.upper_bound, rs.psi, rs.near_optimal, rs.compare,
    rs.components,
)  # fmt: skip
OF_ZEROS = {verb.__name__: lambda cov, verb=verb: verb(cov, 1) for verb in AT_THE_DOOR} | {
    "generalized": lambda cov: rs.generalized(cov, np.eye(cov.n), 1),
    "Covariance": lambda cov: rs.Covariance(cov.matrix),
    "from_data": lambda cov: rs.Covariance.from_data(np.ones((4, cov.n))),
    "bootstrap": lambda cov: rs.bootstrap(np.ones((4, cov.n)), 1),
    "held_out": lambda cov: rs.held_out(np.ones((9, cov.n)), 1),
}


@pytest.mark.parametrize("n", [1, 3])
@pytest.mark.parametrize("made", [dense, factored])
@pytest.mark.parametrize("verb", OF_ZEROS)
def test_a_matrix_of_zeros_is_refused_by_every_verb(verb, made, n):
    with pytest.raises(InputError) as caught:
        OF_ZEROS[verb](made(n))
    assert str(caught.value).endswith("no variance to explain")


PARTS = {
    "solve": lambda cov: rs.solve(cov, 1, exclude=["x0"]),
    "penalised": lambda cov: rs.solve(cov, rho=0.1, exclude=["x0"]),
    "certify": lambda cov: rs.certify(cov, np.eye(cov.n)[1], exclude=["x0"]),
    "near_optimal": lambda cov: rs.near_optimal(cov, 1, exclude=["x0"]),
    "one_of_each": lambda cov: rs.solve(cov, 1, groups={"all": cov.names[1:]}, exclude=["x0"]),
    "nonnegative": lambda cov: rs.solve(cov, 1, nonnegative=True, exclude=["x0"]),
}


@pytest.mark.parametrize("verb", PARTS)
@pytest.mark.parametrize("is_factor", [False, True])
def test_what_may_be_used_may_be_zero(verb, is_factor):
    S = np.diag([1.0, 0.0, 0.0])
    cov = rs.Covariance.from_factor(S) if is_factor else rs.Covariance(S)
    found = PARTS[verb](cov)
    assert rs.verify(found.certificate)
    assert -1e-12 <= found.certificate.lower <= 0.0 <= found.certificate.upper <= 1e-12


@pytest.mark.parametrize(
    ("verb", "S"),
    [
        (lambda cov: rs.solve(cov, 2, nonnegative=True), -np.ones((3, 3)) + np.eye(3)),
        (lambda cov: rs.solve(cov, 2, groups={"pair": ["x0", "x1"]}), [[0.0, 1, 0], [1, 0, 0], [0, 0, 0]]),
        (lambda cov: rs.solve(cov, groups={"a": ["x0"], "b": ["x1"]}, most=1), np.ones((3, 3)) - np.eye(3)),
    ],
)
def test_entries_that_do_not_count_may_be_all_there_are(verb, S):
    """No entry that a nonnegative vector, one of each group or one group uses is above 0: nor is the best."""
    with pytest.warns(rs.DataWarning, match="not positive semidefinite"):
        cov = rs.Covariance(S)
    found = verb(cov)
    assert all(rs.verify(found.certificate, exact=exact) for exact in (True, False))
    assert found.lower == 0.0
    assert 0.0 <= found.upper < 1e-12
    assert (found.status, found.gap) == ("optimal", 0.0)
