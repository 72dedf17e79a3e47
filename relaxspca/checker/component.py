"""Check a claim about one component: SPEC.md, sections 2 to 8 and 11."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any

import numpy as np

from relaxspca.certificate import Certificate, Eliminated
from relaxspca.checker.core import Core
from relaxspca.checker.defect import Defect
from relaxspca.checker.exact import Exact, above, exact_form
from relaxspca.checker.family import Family
from relaxspca.checker.proved import checked
from relaxspca.checker.reductions import core_of
from relaxspca.checker.verdict import Checked


def check_component(certificate: Certificate, arithmetic: Any) -> Checked:
    """Return what is proved of a claim about one component, in an arithmetic."""
    core, form = core_of(certificate, arithmetic), exact_form(certificate)
    return checked(
        certificate,
        lambda: attained_by(certificate, form),
        lambda level, reasons: _tree(core, level, reasons),
        (lambda T, z: quotient(form, T, z), lambda T, _: core.eigenvalue(Family(tuple(T), ()))),
    )


def quotient(form: Any, T: Any, loadings: Any) -> Any:
    """Return z'S_TT z / z'z in exact rationals, for loadings of the variables T."""
    z = Exact().array(loadings)
    return form(T, z) / (z @ z)


def attained_by(certificate: Certificate, form: Any) -> Any:
    """Return what the component of a certificate attains on a matrix that is given by its form.

    What is paid is taken off; or it is 0, that of no variables, if allowed.
    """
    (x,) = certificate.witness.components
    if not len(x.support):
        return Fraction(0)
    # What is to be included is paid, too.
    paid = Fraction(certificate.rho or 0.0) * len(np.union1d(x.support, certificate.include))
    found = quotient(form, x.support, x.loadings) - paid
    return max(found, Fraction(0)) if certificate.allows_none else found


def _tree(core: Core, level: float, reasons: list[str]) -> tuple[Any, int]:
    """Return the largest bound proved and the number of leaves; say which bounds are above a level."""
    worst, count = core.upper(level, reasons)
    worst = max(worst, core.arithmetic.zero) if core.certificate.allows_none else worst
    if core.certificate.eliminated is not None:
        try:
            beyond, lacking = _elimination_upper(core, core.certificate.eliminated, worst, level), ""
        except Defect as defect:
            beyond, lacking = math.inf, str(defect)
        if beyond > level:
            reasons.append(lacking or f"of supports with eliminated variables only {above(beyond)} is proved")
        worst = max(worst, beyond)
    return worst, count


def _elimination_upper(core: Core, eliminated: Eliminated, kept_upper: Any, level: float) -> Any:
    """Return a bound for every support of A, kept, and B, b >= 1 eliminated variables.

    With Sigma + d I positive semidefinite, lambda_max(Sigma_TT) is at most lambda_max(Sigma_AA), which a rule
    bounds for as many variables or more, plus the b largest eliminated variances and b d. If penalised, an
    eliminated variable adds what its variance and d exceed the penalty by to `kept_upper`, for any size of A.
    """
    arithmetic, penalty, k = core.arithmetic, core.penalty, core.certificate.k
    variances = eliminated.largest(eliminated.count).tolist()
    if penalty is not None:
        gains = [arithmetic.total([v, eliminated.shift, -penalty]) for v in variances]
        return arithmetic.total([kept_upper, *(max(gain, arithmetic.zero) for gain in gains)])
    rule: Any = core.certificate.evidence.elimination
    everything, added, bound, worst = tuple(range(core.n)), arithmetic.zero, math.inf, -math.inf
    for size, variance in zip(reversed(range(k)), variances, strict=False):
        added, bound = (arithmetic.total([x, variance, eliminated.shift]) for x in (added, bound))
        if bound > level or not size:
            kept = ((everything, size),)
            bound = core.least(rule, Family((), kept, kept), level, [added]) if size else added
        worst = max(worst, bound)
    return worst
