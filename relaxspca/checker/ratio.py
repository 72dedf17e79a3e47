"""Check a claim about the largest ratio of two quadratic forms: SPEC.md, section 9.

For x'Bx > 0, x'Ax / x'Bx <= mu says x'(A - mu B)x <= 0: the leaves of the tree bound M = D(A - mu B)D, D
positive and diagonal, by 0 or by s > 0, and then x'Ax / x'Bx <= mu + s / beta where DBD >= beta I.
"""

from __future__ import annotations

import math
from fractions import Fraction
from functools import cached_property
from typing import Any

import numpy as np

from relaxspca.certificate import Certificate, LeastSquares, Pencil
from relaxspca.checker.blocks import largest_eigenvalue
from relaxspca.checker.component import checked, core_of
from relaxspca.checker.exact import Exact, above, float_above
from relaxspca.checker.family import Defect
from relaxspca.checker.verdict import Checked


def check_ratio(certificate: Certificate, arithmetic: Any) -> Checked:
    """Return what is proved of a claim about a ratio, in an arithmetic."""
    forms = _Forms(certificate, arithmetic)

    def value() -> Any:
        if (found := attained(certificate, certificate.subject)) == -math.inf:
            raise Defect("x'Bx is not above 0 for the vector of the file")
        return found

    def proved(T: list[int], level: float) -> Any:
        if forms.explained <= level:
            return forms.explained
        return level if largest_eigenvalue(arithmetic, forms.at(level)[np.ix_(T, T)]) <= 0 else math.inf

    on_listed = (lambda T, z: _ratio(certificate.subject, T, z), proved)
    return checked(certificate, value, forms.upper, on_listed, optimum="largest ratio")


class _Forms:
    """A and B, and DBD, of a certificate in one arithmetic."""

    def __init__(self, certificate: Certificate, arithmetic: Any) -> None:
        self.certificate, self.arithmetic = certificate, arithmetic
        self.A, self.B = forms(certificate.subject, arithmetic)
        self.D = arithmetic.array(units(certificate))
        self.unit = self.D[:, None] * self.D[None, :]

    def at(self, mu: Any) -> Any:
        """Return D(A - mu B)D."""
        return (self.A - self.arithmetic.array(np.full(self.A.shape, mu)) * self.B) * self.unit

    @cached_property
    def tree(self) -> tuple[Any, int, list[str], list[str]]:
        """The largest bound of a leaf, their number, what is wrong with the tree, and which are above 0."""
        M, wrong, short = self.at(self.certificate.evidence.mu), list[str](), list[str]()
        found = core_of(self.certificate, self.arithmetic, M).upper(self.arithmetic.zero, wrong, short)
        return *found, wrong, short

    @cached_property
    def least(self) -> Any:
        """A lower bound on the smallest eigenvalue of DBD."""
        return -largest_eigenvalue(self.arithmetic, -(self.B * self.unit))

    @cached_property
    def explained(self) -> Any:
        """What all variables explain, of least squares: with a fit less than y'Cy, unless B may be singular.

        With r = C(y - Xw) and h = X'r - lambda w,
        |C(y - Xv)|^2 + lambda |v|^2 >= |r|^2 + lambda |w|^2 + 2h'(w - v) + beta |D^-1 (w - v)|^2 for every v.
        """
        data, fit = self.certificate.subject, self.certificate.evidence.fit
        if not isinstance(data, LeastSquares):
            return math.inf
        exact, value, ridge = Exact(), data.energy, Fraction(data.ridge)
        if fit is not None:
            X, w = exact.array(data.variables), exact.array(fit)
            r = _centred(data, exact.array(data.response) - X @ w)
            slope = (X.T @ r - ridge * w) * exact.array(units(self.certificate))
            left = r @ r + ridge * (w @ w)
            if not slope.any():
                value -= left
            elif 0 < self.least < math.inf:
                value = min(value, value - left + slope @ slope / Fraction(self.least))
        return value if isinstance(self.arithmetic, Exact) else float_above(value)

    def upper(self, level: float, reasons: list[str]) -> tuple[Any, int]:
        """Return the upper bound that is proved and the number of leaves; say what is above a level."""
        certificate, arithmetic = self.certificate, self.arithmetic
        mu: Any = certificate.evidence.mu
        excess, count, wrong, short = self.tree
        # Where CXw = 0 the form of A is 0 too.
        upper = min(mu if excess <= 0 else math.inf, self.explained)
        if 0 < excess < math.inf and self.least > 0:
            quotient = arithmetic.quotient_upper(arithmetic.array([excess]), arithmetic.array([self.least]))
            upper = min(upper, arithmetic.total([mu, *quotient]))
        reasons += wrong
        if isinstance(certificate.subject, Pencil) and self.least <= 0:
            reasons.append("B is not proved positive definite")
            upper = math.inf
        if upper > level:
            is_all = certificate.claim.listed is None
            said = ", above the claimed upper bound" if is_all else " of the supports that are not listed"
            reasons += [*short, f"only {above(upper)} is proved{said}"]
        return upper, count


def forms(data: Any, arithmetic: Any) -> tuple[Any, Any]:
    """Return A and B in the arithmetic."""
    if not isinstance(data, LeastSquares):
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
    b, B = moments[:-1, -1:], moments[:-1, :-1]
    if data.ridge:
        B = B + arithmetic.array(data.ridge * np.eye(data.n))
    return b @ b.T, B


def units(certificate: Certificate) -> Any:
    """Return what the variables are multiplied by in the evidence."""
    return np.ldexp(1.0, np.array(certificate.evidence.exponents))


def attained(certificate: Certificate, data: Any) -> Any:
    """Return x'Ax / x'Bx of the vector in exact rationals, minus infinity where x'Bx is not above 0."""
    (x,) = certificate.witness.components
    return _ratio(data, x.support, x.loadings)


def _ratio(data: Any, T: Any, loadings: Any) -> Any:
    """Return the same of loadings on a support."""
    exact = Exact()
    z = exact.array(loadings)
    if isinstance(data, LeastSquares):
        u = _centred(data, exact.array(data.variables[:, T]) @ z)
        form, unit = (u @ exact.array(data.response)) ** 2, u @ u + Fraction(data.ridge) * (z @ z)
    else:
        form, unit = (z @ (exact.array(M[np.ix_(T, T)]) @ z) for M in (data.numerator, data.denominator))
    return form / unit if unit > 0 else -math.inf


def _centred(data: LeastSquares, u: Any) -> Any:
    """Take the mean off where a constant is fitted."""
    return u - u.sum() / Fraction(len(u)) if data.intercept else u
