"""False claims about the matrix of a true certificate, near to the truth, with evidence changed at random.

The vectors of a true certificate attain a value exactly. A claim that its optimum is below that value is false
whatever stands in its evidence, and no enumeration has to be trusted. The vectors are then exchanged for some
that attain little, so that only the evidence can show what is wrong.
"""

import copy
import math

import numpy as np
from random_changes import change, change_evidence, change_kind, fewer_variables
from telling_lies import numbers, pack
from true_ratios import data, pencil

import relaxspca as rs
from relaxspca.applications import subset_selection

SPECIAL = ("list", "one_of_each", "whole_groups", "nonnegative", "budgets")
LOW = -1e12  # what the vectors left attain in any case


def kind_of(document):
    """Return what a claim is about, in one word."""
    claim, subject = document["claim"], document["subject"]
    special = [name for name in SPECIAL if name in claim]
    if subject["kind"] != "matrix":
        return " ".join([subject["kind"], *special])
    if claim["kind"] == "components":
        return claim["supports"]
    eliminated = ["eliminated"] if subject["eliminated"] else []
    return " ".join(["rho" if "rho" in claim else "k", *special, *eliminated])


def searched(rng):
    """Return certificates that the package writes of small random problems, one of each kind of claim."""
    n = int(rng.integers(5, 9))
    X = rng.standard_normal((int(rng.integers(3, 2 * n)), n)) @ rng.standard_normal((n, n))
    cov = rs.Covariance.from_data(X, correlation=bool(rng.random() < 0.5))
    k, some = int(rng.integers(2, n - 1)), [int(i) for i in rng.permutation(n)]
    groups = {"a": some[:2], "b": some[2:4], "c": some[4:]}
    ends = {"include": some[:1], "exclude": some[-1:]}
    A, B = pencil(rng, n)
    halves = [(some[: n // 2], 1), (some[n // 2 :], 2)]
    found = [
        rs.solve(cov, k),
        rs.solve(cov, k, **ends),
        rs.solve(cov, rho=float(np.mean(np.diag(cov.matrix)) / 3), **(ends if rng.random() < 0.5 else {})),
        rs.solve(cov, 2, groups=groups),
        rs.solve(cov, groups=groups, most=2),
        rs.solve(cov, k, nonnegative=True),
        rs.near_optimal(cov, k, within=0.1, limit=8),
        *(rs.components(cov, [k, 2], joint=True, disjoint=apart) for apart in (False, True)),
        rs.components(cov, max(k, 2), 2, joint=True, common=True),
        rs.generalized(A, B, k),
        rs.generalized(A, B, budgets=halves),
        subset_selection(*data(rng, n), k, intercept=True, ridge=float(rng.choice([0, 0.5]))),
        subset_selection(*data(rng, n), k),
    ]
    return [result.certificate for result in found]


def false_claim(document, attained, rng):
    """Return a document whose claim is false: its optimum is at least `attained`, its upper bound less."""
    made = copy.deepcopy(document)
    claim, own = made["claim"], made["claim"].get("list")
    if own is not None and len(own["supports"]) > 1 and rng.random() < 0.7:
        _forget_one(made, rng)
    else:
        claim["upper"] = _below(attained, rng).hex()
        if own is not None:
            own["others"] = _least(own["others"], claim["upper"])
    claim["lower"] = _least(claim["lower"], (LOW).hex())
    _weaken(made, rng)
    evidence = made["evidence"]
    if "mu" in evidence and rng.random() < 0.8:
        evidence["mu"] = claim["upper"]
    for _ in range(rng.choice([0, 1, 1, 2, 3])):
        _change(made, rng)
    return made


def _below(value, rng):
    """Return a double below a value, by a last digit or more."""
    by = rng.choice([0.0, 1e-14, 1e-12, 1e-9, 1e-6, 1e-3, 0.1])
    return min(value - by * abs(value), float(np.nextafter(value, -math.inf)))


def _least(*texts):
    return min(texts, key=float.fromhex)


def _forget_one(made, rng):
    """Take a support from a list, and claim that no other attains what it attains."""
    own, rows = made["claim"]["list"], numbers(made["witness"]["list"])
    at = rng.randrange(len(own["supports"]))
    own["others"] = _least(own["others"], _below(float.fromhex(own["lower"][at]), rng).hex())
    for name in ("supports", "lower", "upper"):
        del own[name][at]
    made["witness"]["list"] = pack(np.delete(rows, at, axis=0))


def _weaken(made, rng):
    """Let every vector be a single variable of its support, another one for each."""
    taken, is_common = set(), made["claim"].get("supports") == "common"
    for vector in made["witness"]["components"]:
        support = vector["support"]
        free = [i for i in support if i not in taken]
        if not free:
            continue
        chosen = rng.choice(free)
        taken.add(chosen)
        vector["support"] = support if is_common else [chosen]
        vector["loadings"] = [float(i == chosen).hex() for i in vector["support"]]


def _change(made, rng):
    """Change a number of a point, a leaf, a node or any one thing of the evidence."""
    tree, level = made["evidence"]["tree"], made["claim"]["upper"]
    how = rng.randrange(7)
    if how < 3 and made["evidence"]["points"]:
        change_evidence(made, rng)
    elif how == 3:
        change_kind(made, rng) if made["claim"]["kind"] == "component" else fewer_variables(made, rng)
    elif how == 4 and tree:
        n = len(made["subject"]["names"])
        kept = sorted(rng.sample(range(n), rng.randrange(n + 1)))
        at, part = rng.randrange(len(tree)), 0
        tree.append(tree[at])
        tree[at] = ["restrict", part, None, level, kept, len(tree) - 1]
    elif how == 5 and tree:
        at, other = rng.randrange(len(tree)), rng.randrange(len(tree))
        tree[at], tree[other] = tree[other], tree[at]
    else:
        change({"tree": tree}, rng)
