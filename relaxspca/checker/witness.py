"""Make the components of a certificate exactly orthogonal inside their supports, and say what they explain."""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import numpy as np

from relaxspca.certificate import Certificate
from relaxspca.checker.exact import Exact
from relaxspca.checker.orthogonal import NotAttained, Orthogonal


def attained(certificate: Certificate, T: Any, loadings: Any) -> Any:
    """Return z' Sigma z / z'z in exact rationals, for loadings of the variables T."""
    exact = Exact()
    z = exact.array(loadings)
    if certificate.factor is not None:
        image = exact.array(certificate.factor[:, T]) @ z
        return (image * image).sum() / (z * z).sum()
    assert certificate.matrix is not None
    return z @ (exact.array(certificate.matrix[T][:, T]) @ z) / (z * z).sum()


def attained_together(certificate: Certificate, block: Callable[[Any], Any]) -> Fraction:
    """Return the sum of x'Sx / x'x over orthogonal vectors on the supports, exactly, or raise `NotAttained`.

    The component with the fewest variables comes first, of equal ones the earlier. From each the projection
    onto what the earlier vectors have on its own support is taken off: it keeps its support, and is then
    orthogonal to them (``certificates/SPEC.md``, section 11). `block(T)` is S_TT in rationals.
    """
    made, terms, components = Orthogonal(certificate.n), list[Fraction](), certificate.witness.components
    for t in sorted(range(len(components)), key=lambda t: len(components[t].support)):
        T = components[t].support
        x = made.add(T, _whole(components[t].loadings))
        if not x.any():
            raise NotAttained("the components cannot be made orthogonal inside their supports: one becomes 0")
        terms.append(Fraction(x @ (block(T) @ x)) / (x @ x))
    return made.total(terms)


def attained_on(certificate: Certificate, block: Callable[[Any], Any]) -> Any:
    """Return what a certificate's component or components attain on another matrix, given by its blocks."""
    if certificate.claim.kind == "components":
        try:
            return attained_together(certificate, block)
        except NotAttained:
            return -math.inf
    T = certificate.indices
    if not len(T):
        return Fraction(0)
    z = Exact().array(certificate.loadings[T])
    return z @ (block(T) @ z) / (z * z).sum() - paid(certificate)


def paid(certificate: Certificate) -> Fraction:
    """Return what the variables of the component and those to include cost together, 0 without a penalty."""
    return Fraction(certificate.rho or 0.0) * len(np.union1d(certificate.indices, certificate.include))


def exact_block(certificate: Certificate) -> Callable[[Any], Any]:
    """Return the function that gives Sigma_TT in rationals."""
    exact, A, matrix = Exact(), certificate.factor, certificate.matrix
    if A is not None:
        return lambda T: exact.array(A[:, T]).T @ exact.array(A[:, T])
    return lambda T: exact.array(matrix[np.ix_(T, T)])


def _whole(values: Any) -> Any:
    """Return a multiple of floats in whole numbers without common divisors."""
    exact = Exact().array(values)
    whole = exact * math.lcm(*(x.denominator for x in exact)) // 1
    return whole // (math.gcd(*whole) or 1)
