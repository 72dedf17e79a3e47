"""Make the components of a certificate exactly orthogonal inside their supports, and say what they explain."""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import numpy as np

from relaxspca.certificate import Certificate
from relaxspca.checker.defect import Defect
from relaxspca.checker.exact import Exact
from relaxspca.checker.orthogonal import Orthogonal


def quotient(form: Callable[[Any, Any], Any], T: Any, loadings: Any) -> Any:
    """Return z'S_TT z / z'z in exact rationals, for loadings of the variables T."""
    z = Exact().array(loadings)
    return form(T, z) / (z @ z)


def attained_together(certificate: Certificate, form: Callable[[Any, Any], Any]) -> Fraction:
    """Return the sum of x'Sx / x'x over orthogonal vectors on the supports, exactly, or raise `Defect`.

    The component with the fewest variables comes first, of equal ones the earlier. From each the projection
    onto what the earlier vectors have on its own support is taken off: it keeps its support, and is then
    orthogonal to them (``certificates/SPEC.md``, section 11). `form(T, x)` is x'S_TT x in rationals.
    """
    made, terms, components = Orthogonal(certificate.n), list[Fraction](), certificate.witness.components
    for t in sorted(range(len(components)), key=lambda t: len(components[t].support)):
        T = components[t].support
        x = made.add(T, _whole(components[t].loadings))
        if not x.any():
            raise Defect("the components cannot be made orthogonal inside their supports: one becomes 0")
        terms.append(Fraction(form(T, x)) / (x @ x))
    return made.total(terms)


def attained_on(certificate: Certificate, form: Callable[[Any, Any], Any]) -> Any:
    """Return what a certificate's component, or components, attain on a matrix that is given by its form.

    Of a component what is paid is taken off; or it is 0, that of no variables, if allowed.
    """
    if certificate.claim.kind == "components":
        try:
            return attained_together(certificate, form)
        except Defect:
            return -math.inf
    T = certificate.indices
    if not len(T):
        return Fraction(0)
    # What is to be included is paid, too.
    paid = Fraction(certificate.rho or 0.0) * len(np.union1d(T, certificate.include))
    found = quotient(form, T, certificate.loadings[T]) - paid
    return max(found, Fraction(0)) if certificate.allows_none else found


def exact_form(own: Any, places: Any = None) -> Callable[[Any, Any], Any]:
    """Return the function that gives z'S_TT z in rationals, T by the places of variables in S, if given."""

    def form(T: Any, z: Any) -> Any:
        at = T if places is None else places[T]
        if own.factor is None:
            return z @ (Exact().array(own.matrix[np.ix_(at, at)]) @ z)
        image = Exact().array(own.factor[:, at]) @ z
        return image @ image

    return form


def _whole(values: Any) -> Any:
    """Return a multiple of floats in whole numbers without common divisors."""
    exact = Exact().array(values)
    whole = exact * math.lcm(*(x.denominator for x in exact)) // 1
    return whole // (math.gcd(*whole) or 1)
