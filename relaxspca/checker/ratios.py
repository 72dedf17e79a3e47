"""Check a claim about the largest ratio of two quadratic forms.

For x'Bx > 0, x'Ax / x'Bx <= mu says x'(A - mu B)x <= 0: the leaves of the tree bound M = D(A - mu B)D, D
positive and diagonal, by 0 or by s > 0, and then x'Ax / x'Bx <= mu + s / beta where DBD >= beta I. Read it
along the section on ratios of ``certificates/SPEC.md``.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from fractions import Fraction
from typing import Any

import numpy as np

from relaxspca.certificate import LeastSquaresData, Pencil, RatioCertificate, statement
from relaxspca.checker.arithmetic import arithmetic_for
from relaxspca.checker.blocks import Blocks
from relaxspca.checker.exact import Exact, float_above
from relaxspca.checker.family import Parts
from relaxspca.checker.leaves import Evidence, least_bound
from relaxspca.checker.tree import Case, Defect, leaves
from relaxspca.checker.verdict import MOST_REASONS, Verdict, above, below, contradicting, verdict_on

EXACT_OBSERVATIONS = 2000
Arithmetic = Any  # Exact or Rounded


def verify_ratio(certificate: RatioCertificate, exact: bool | None) -> Verdict:
    """Check a claim about a ratio; the parameters are those of `verify`."""
    arithmetic, reasons = arithmetic_of(certificate, exact), list[str]()
    with np.errstate(all="ignore"):
        lower = attained(certificate, certificate.pencil)
        upper, count = _proved(certificate, arithmetic, reasons)
    if lower == -math.inf:
        reasons.append("x'Bx is not above 0 for the vector of the file")
    elif lower < certificate.lower:
        reasons.append(f"the vector attains only {below(lower)}, below the claimed lower bound")
    wrong = contradicting(certificate, lower, upper, "largest ratio"), reasons
    return verdict_on(certificate, arithmetic, (lower, upper, count), wrong, about="vector")


def arithmetic_of(certificate: RatioCertificate, exact: bool | None) -> Arithmetic:
    """Return the arithmetic asked for; None asks for the exact one where it is quick."""
    is_long = len(getattr(certificate.pencil, "response", ())) > EXACT_OBSERVATIONS
    return arithmetic_for(certificate, False if exact is None and is_long else exact)


def _proved(certificate: RatioCertificate, arithmetic: Arithmetic, reasons: list[str]) -> tuple[Any, int]:
    """Return the upper bound that is proved and the number of leaves; say what falls short."""
    A, B = forms(certificate.pencil, arithmetic)
    D = arithmetic.array(certificate.units)
    mu, unit = arithmetic.array(np.full(A.shape, certificate.mu)), D[:, None] * D[None, :]
    checked = _Ratio(certificate, arithmetic, (A - mu * B) * unit)
    excess, count = checked.upper(reasons)
    upper: Any = certificate.mu if excess <= 0 else math.inf
    if isinstance(certificate.pencil, LeastSquaresData):
        # Where CXw = 0 the form of A is 0 too.
        explained = _explained(certificate, arithmetic, B * unit)
        upper = min(upper, explained if arithmetic.name == Exact.name else float_above(explained))
    else:
        least = -Blocks(arithmetic, -(B * unit)).eigenvalue(range(certificate.n))
        if least <= 0:
            reasons.append("B is not proved positive definite")
        elif 0 < excess < math.inf:
            quotient = arithmetic.quotient_upper(arithmetic.array([excess]), arithmetic.array([least]))
            upper = arithmetic.total([certificate.mu, *quotient])
    if upper > certificate.upper:
        reasons.append(f"only {above(upper)} is proved, above the claimed upper bound")
        reasons.extend(checked.short)
    return upper, count


class _Ratio(Evidence):
    """The evidence of a certificate about M = D(A - mu B)D, in one arithmetic."""

    def __init__(self, certificate: RatioCertificate, arithmetic: Arithmetic, M: Any) -> None:
        super().__init__(certificate, arithmetic)  # type: ignore[arg-type]
        self.matrix = M
        budgets = [(budget.variables.tolist(), budget.k) for budget in certificate.budgets]
        self.budgets: Parts = budgets or [(range(certificate.n), certificate.k)]
        self.short: list[str] = []

    def parts_of(self, node: Case) -> Iterator[Parts]:
        """Yield the budgets."""
        yield self.budgets

    def upper(self, reasons: list[str]) -> tuple[Any, int]:
        """Return the largest of the leaves' bounds on x'Mx and the number of leaves.

        What is wrong with the tree goes to the reasons. What a leaf lacks goes to `short`: a claim about least
        squares may not need it.
        """
        c, count, worst = self.certificate, 0, -math.inf
        try:
            for node in leaves(c.tree, c.n, c.include, c.exclude):
                count += 1
                try:
                    bounds = (least_bound(self, node.leaf, family, 0.0) for family in self.families(node))
                    bound, defect = max(bounds, default=-math.inf), ""
                except Defect as error:
                    bound, defect = math.inf, str(error)
                if bound > 0 and len(self.short) < MOST_REASONS:
                    said = f"its {node.leaf.kind} bound is {statement.above(float_above(bound), 3)}, not 0"
                    self.short.append(f"node {node.index}: {defect or said}")
                worst = max(worst, bound)
        except Defect as defect:
            reasons.append(str(defect))
            worst = math.inf
        return worst, count


def forms(data: Pencil, arithmetic: Arithmetic) -> tuple[Any, Any]:
    """Return A and B in the arithmetic."""
    if not isinstance(data, LeastSquaresData):
        return arithmetic.array(data.numerator), arithmetic.array(data.denominator)
    columns = np.column_stack([data.variables, data.response])
    Z = arithmetic.array(columns)
    if data.intercept:
        # Z'CZ does not change with what is taken off a column: it cancels little where that is near the mean.
        # Where the sum of a mean overflows nothing is taken off.
        mean, p = columns.mean(axis=0), len(columns)
        Z = Z - arithmetic.array(np.tile(np.where(np.isfinite(mean), mean, 0.0), (p, 1)))
    moments = Z.T @ Z
    if data.intercept:
        totals = Z.sum(axis=0)[None, :]
        moments = moments - totals.T @ totals * arithmetic.reciprocal(arithmetic.array([[float(p)]]))
    b = moments[:-1, -1:]
    return b @ b.T, moments[:-1, :-1]


def _explained(certificate: RatioCertificate, arithmetic: Arithmetic, B: Any) -> Any:
    """Return what all variables together explain at most: with a fit less than y'Cy, unless B may be singular.

    With r = C(y - Xw) and h = X'r, |C(y - Xv)|^2 >= |r|^2 + 2h'(w - v) + beta |D^-1 (w - v)|^2 for every v.
    """
    data: Any = certificate.pencil
    exact, energy = Exact(), data.energy
    if certificate.fit is None:
        return energy
    X = exact.array(data.variables)
    r = _centred(data, exact.array(data.response) - X @ exact.array(certificate.fit))
    slope = (X.T @ r) * exact.array(certificate.units)
    if not slope.any():
        return energy - r @ r
    least = -Blocks(arithmetic, -B).eigenvalue(range(certificate.n))
    return min(energy, energy - r @ r + slope @ slope / Fraction(least)) if 0 < least < math.inf else energy


def attained(certificate: RatioCertificate, data: Pencil) -> Any:
    """Return x'Ax / x'Bx of the vector in exact rationals, minus infinity where x'Bx is not above 0."""
    exact, T = Exact(), certificate.indices
    z = exact.array(certificate.loadings[T])
    if isinstance(data, LeastSquaresData):
        u = _centred(data, exact.array(data.variables[:, T]) @ z)
        form, unit = (u @ exact.array(data.response)) ** 2, u @ u
    else:
        form, unit = (z @ (exact.array(M[np.ix_(T, T)]) @ z) for M in (data.numerator, data.denominator))
    return form / unit if unit > 0 else -math.inf


def _centred(data: LeastSquaresData, u: Any) -> Any:
    """Take the mean off where a constant is fitted."""
    return u - u.sum() / Fraction(len(u)) if data.intercept else u
