"""The certificate of an enclosure of the largest ratio of two quadratic forms."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np

from relaxspca.certificate import Budget, Certificate, Claim, Evidence, ListedSupports, Vector, Witness
from relaxspca.numerics.decimals import float_above
from relaxspca.numerics.linalg import Array, spread
from relaxspca.problem.conditions import Conditions
from relaxspca.problem.one_of_each import OneOfEachSize
from relaxspca.problem.pencil import QuadraticForms, float_below
from relaxspca.problem.size import Size
from relaxspca.search.ratio import Enclosed


def ratio_certificate(
    pencil: QuadraticForms,
    size: Size,
    conditions: Conditions,
    found: Enclosed,
    *,
    listed: ListedSupports | None = None,
    vectors: Array | None = None,
    made_by: str = "relaxspca",
) -> Certificate | None:
    """Return the certificate of an enclosure; None if either bound is infinite or has no proof.

    The units of the pencil are powers of two, so that conversion to the units given is exact. What is `listed`,
    with the `vectors` that attain its lower bounds, is in the units given already.
    """
    if found.proof is None or not math.isfinite(found.lower):
        return None
    loadings = spread(found.loadings * pencil.scaling[found.indices], found.indices, pencil.n)
    parts = size.parts(pencil.n)
    T = np.flatnonzero(loadings)
    return Certificate(
        subject=pencil.plain,
        claim=Claim(
            kind="ratio",
            k=size.most(pencil.n),
            lower=float_below(Fraction(found.lower) / pencil.unit),
            upper=float_above(Fraction(found.upper) / pencil.unit),
            include=conditions.inside,
            exclude=conditions.outside,
            budgets=tuple(Budget(variables, k) for variables, k in parts) if len(parts) > 1 else (),
            one_of_each=size.sets if isinstance(size, OneOfEachSize) else (),
            listed=listed,
        ),
        witness=Witness((Vector(T, loadings[T]),), vectors),
        evidence=Evidence(
            points=found.proof.points,
            tree=found.proof.nodes,
            mu=float_above(Fraction(found.proof.mu) / pencil.unit),
            exponents=pencil.exponents,
            fit=pencil.fit_behind(found.upper),
        ),
        made_by=made_by,
    )
