"""Check a claim about one component, and see what is proved of any claim: SPEC.md, sections 2, 3, 8 and 11."""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import numpy as np

from relaxspca.certificate import Certificate
from relaxspca.checker.core import Core
from relaxspca.checker.exact import Exact, above, below, exact_form
from relaxspca.checker.family import Defect, Family
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


def core_of(certificate: Certificate, arithmetic: Any, matrix: Any = None) -> Core:
    """Return the core claim that a claim is reduced to; M may be another matrix than the certificate's."""
    claim = certificate.claim
    if not (claim.one_of_each or claim.whole_groups or claim.nonnegative):
        return Core(certificate, arithmetic, matrix)
    from relaxspca.checker.reductions import Nonnegative, OneOfEach, WholeGroups

    make = OneOfEach if claim.one_of_each else WholeGroups if claim.whole_groups else Nonnegative
    return make(certificate, arithmetic, matrix)


def _tree(core: Core, level: float, reasons: list[str]) -> tuple[Any, int]:
    """Return the largest bound proved and the number of leaves; say which bounds are above a level."""
    worst, count = core.upper(level, reasons)
    worst = max(worst, core.arithmetic.zero) if core.certificate.allows_none else worst
    if core.certificate.eliminated is not None:
        from relaxspca.checker.reductions import over_eliminated

        worst = max(worst, over_eliminated(core, worst, level, reasons))
    return worst, count


def checked(
    certificate: Certificate,
    attained: Callable[[], Any],
    upper: Callable[[float, list[str]], tuple[Any, int]],
    on_listed: tuple[Callable[[Any, Any], Any], Callable[[Any, Any], Any]] | None = None,
    *,
    vectors: str = "vector attains",
    optimum: str = "optimum",
) -> Checked:
    """Return what is proved of a claim.

    Parameters
    ----------
    attained : returns what the vectors of the file attain, exactly, or raises Defect.
    upper : bounds every support that is not listed, and counts the leaves; says what is above a level.
    on_listed : what loadings attain on a support that is listed, and a bound for it, which need not be sharper
        than a level.
    vectors, optimum : what attains, and what is bounded, in words.
    """
    reasons, short, contradictions, lower = list[str](), list[str](), list[str](), -math.inf
    try:
        lower = attained()
        if lower < certificate.lower:
            short.append(f"the {vectors} only {below(lower)}, below the claimed lower bound")
    except Defect as why:
        short.append(str(why))
    listed, worst = certificate.claim.listed, -math.inf
    others, count = upper(certificate.upper if listed is None else listed.others, reasons)
    if listed is not None:
        from relaxspca.checker.rules import over_listed

        worst = over_listed(certificate, on_listed, contradictions, reasons)
        if max(others, worst) > certificate.upper:
            reasons.append(f"the largest bound is {above(max(others, worst))}, above the claimed upper bound")
    most = max(others, worst)
    least = math.nextafter(certificate.lower, -math.inf)
    if lower < certificate.lower and math.isfinite(least):  # perhaps nothing attains it
        most = min(most, max(upper(least, [])[0], worst))
    if listed is not None and lower > listed.others and len(certificate.indices) == certificate.k:
        support = certificate.indices.tolist()
        said = f"{support} is not listed, and attains {below(lower)}, more than is claimed of others"
        contradictions += [said] if listed.place(support) is None else []
    if lower > certificate.upper:
        contradictions.append(f"the {optimum} is at least {below(lower)}, above the claimed upper bound")
    if most < certificate.lower:
        contradictions.append(f"the {optimum} is at most {above(most)}, below the claimed lower bound")
    return Checked(lower, most, count, contradictions, reasons + short, others)
