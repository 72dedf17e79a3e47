"""Certificates by flat names: `component`, `components` and `ratio` build them, `changed` changes some fields.

Only this module knows which part of a certificate has a field. Loadings are given for all n variables, those of
several components as columns.
"""

from dataclasses import fields, replace
from functools import partial

import numpy as np

from relaxspca.certificate import (
    Certificate,
    Claim,
    Evidence,
    LeastSquares,
    ListedSupports,
    Matrix,
    Pencil,
    RowsPoint,
    Vector,
    Witness,
)
from relaxspca.certificate.values import require

PARTS = {
    part: [field.name for cls in classes for field in fields(cls)]
    for part, classes in {
        "subject": (Matrix, Pencil, LeastSquares),
        "claim": (Claim,),
        "evidence": (Evidence,),
        "witness": (Witness,),
    }.items()
}


def taken(given, part):
    """Take what belongs to a part out of the fields given."""
    return {name: given.pop(name) for name in [*given] if name in PARTS[part]}


def listed(supports, lower, upper, others, vectors):
    """Return what a claim lists, with its vectors: as `component` takes it."""
    return {"listed": ListedSupports(tuple(supports), lower, upper, others), "vectors": np.array(vectors)}


def ones(n, variables=None):
    """Return weights 1: row sums."""
    variables = np.arange(n) if variables is None else np.asarray(variables)
    return RowsPoint(variables, weights=np.ones(len(variables)))


def roots(S):
    """Return the roots of the variances as weights: no row exceeds the trace of a semidefinite matrix."""
    return RowsPoint(np.arange(len(S)), weights=np.sqrt(np.diag(S)))


def witness_of(kind, given):
    """Return the vectors that are given by positions and loadings."""
    indices, loadings = given.pop("indices"), given.pop("loadings")
    loadings = loadings if isinstance(loadings, np.ndarray) else np.array(loadings, dtype=object)
    pairs = zip(indices, loadings.T, strict=True) if kind == "components" else [(indices, loadings)]
    vectors = []
    for T, z in pairs:
        T = np.asarray(T, dtype=None if len(T) else int)
        inside = T[len(z) > T] if T.ndim == 1 else T
        require(not np.delete(z, inside).any(), "loadings are not 0 outside the support")
        vectors.append(Vector(T, [z[i] if i < len(z) else 1.0 for i in T.tolist()]))
    return Witness(tuple(vectors), given.pop("vectors", None))


def subject_of(given):
    """Return the matrix of the fields given."""
    given.pop("n", None)
    matrix, factor = given.pop("matrix", None), given.pop("factor", None)
    rest = {name: given.pop(name) for name in ("description", "eliminated") if name in given}
    storage, entries = ("dense", matrix) if factor is None else ("factor", factor)
    return Matrix(names=tuple(given.pop("names")), storage=storage, entries=entries, **rest)


def built(kind, /, **given):
    """Return a certificate of one component, of several, or of a ratio, whose `subject` is given."""
    subject = given.pop("subject") if "subject" in given else subject_of(given)
    witness = witness_of(kind, given)
    claim, evidence = Claim(kind=kind, **taken(given, "claim")), Evidence(**taken(given, "evidence"))
    return Certificate(subject=subject, claim=claim, witness=witness, evidence=evidence, **given)


component, components, ratio = (partial(built, kind) for kind in ("component", "components", "ratio"))


def changed(made, **given):
    """Return a certificate with other fields, by their flat names; or whatever else with other fields."""
    if not isinstance(made, Certificate):
        return replace(made, **given)
    if {"matrix", "factor"} & {*given}:
        storage, entries = (
            ("factor", given.pop("factor")) if given.get("factor") is not None else ("dense", None)
        )
        given |= {"storage": storage, "entries": given.get("matrix") if entries is None else entries}
        given.pop("matrix", None)
    parts = {}
    if {"indices", "loadings", "vectors"} & {*given}:
        held = {"indices": made.indices, "loadings": made.loadings, "vectors": made.witness.listed}
        held = {name: given.pop(name, value) for name, value in held.items()}
        parts["witness"] = witness_of(made.claim.kind, held)
    for part in PARTS:
        own = taken(given, part) if part not in {*given, *parts} else {}
        if own:
            parts[part] = replace(getattr(made, part), **own)
    return replace(made, **parts, **given)
