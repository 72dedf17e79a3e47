"""Make the components of a certificate exactly orthogonal inside their supports, and say what they explain."""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import numpy as np

from relaxspca.certificate import Certificate, TableCertificate
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


def attained_together(certificate: TableCertificate, block: Callable[[Any], Any]) -> Fraction:
    """Return the sum of x'Sx / x'x over orthogonal vectors on the supports, exactly, or raise `NotAttained`.

    The component with the fewest variables comes first, of equal ones the earlier. From each the projection
    onto what the earlier vectors have on its own support is taken off: it keeps its support, and is then
    orthogonal to them (``certificates/SPEC.md``, section 13). `block(T)` is S_TT in rationals.
    """
    made, terms = Orthogonal(certificate.n), list[Fraction]()
    for t in sorted(range(len(certificate.indices)), key=lambda t: len(certificate.indices[t])):
        T = certificate.indices[t]
        x = made.add(T, _whole(certificate.loadings[T, t]))
        if not x.any():
            raise NotAttained("the components cannot be made orthogonal inside their supports: one becomes 0")
        terms.append(Fraction(x @ (block(T) @ x)) / (x @ x))
    return made.total(terms)


def attained_on(certificate: Certificate | TableCertificate, block: Callable[[Any], Any]) -> Any:
    """Return what a certificate's component or components attain on another matrix, given by its blocks."""
    if isinstance(certificate, TableCertificate):
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


def exact_block(certificate: TableCertificate) -> Callable[[Any], Any]:
    """Return the function that gives Sigma_TT in rationals."""
    exact = Exact()
    if certificate.factor is not None:
        A = certificate.factor
        return lambda T: exact.array(A[:, T]).T @ exact.array(A[:, T])
    matrix = certificate.matrix
    assert matrix is not None
    return lambda T: exact.array(matrix[np.ix_(T, T)])


def _whole(values: Any) -> Any:
    """Return a multiple of floats in whole numbers without common divisors."""
    exact = Exact().array(values)
    whole = exact * math.lcm(*(x.denominator for x in exact)) // 1
    return whole // (math.gcd(*whole) or 1)
