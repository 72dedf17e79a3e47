"""What two bounds say in print: of which optimum, of which matrix, how wide, and what part of the variance."""

from __future__ import annotations

import math
from collections.abc import Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import numpy as np

from relaxspca.certificate import Certificate
from relaxspca.certificate.description import Description
from relaxspca.certificate.statement import scope
from relaxspca.numerics.decimals import (
    Interval,
    decimal_above,
    decimal_below,
    exact_decimal,
    float_above,
    interval,
)
from relaxspca.numerics.linalg import SMALLEST_DENORMAL, UNIT_ROUNDOFF, Array, product_radius

if TYPE_CHECKING:
    from relaxspca.problem.covariance import Covariance

__all__ = [
    "attained",
    "claimed_interval",
    "dense_variance",
    "matrix_words",
    "of_supports",
    "recorded",
    "share",
    "symbol_of",
    "total_variance",
]


def claimed_interval(certificate: Certificate, digits: int = 12) -> Interval:
    """Return the claim of a certificate in decimals; a penalty is printed with the fewest digits that name it.

    The bounds are true for the printed decimal of a penalty too: phi changes by at most n times what it does.

    Examples
    --------
    >>> import relaxspca as rs
    >>> result = rs.solve(rs.datasets.load_pitprops(), 2)
    >>> claimed_interval(result.certificate, 7).text("v_2")
    'v_2 = 1.954000 (±...e-1...)'
    """
    lower, upper, allows_none = certificate.lower, certificate.upper, certificate.allows_none
    return interval(*_widened(lower, upper, certificate.rho, certificate.n, allows_none), digits)


def recorded(
    lower: float,
    upper: float,
    penalty: float | None = None,
    n: int = 0,
    *,
    certificate: Certificate | None = None,
) -> dict[str, float]:
    """Return bounds as floats for CSV and JSON: true when read as decimals too, at most an ulp wider.

    A penalty and the number of variables are those of the certificate, if there is one.
    """
    allows_none = True
    if certificate is not None:
        penalty, n, allows_none = certificate.rho, certificate.n, certificate.allows_none
    low, high = _widened(lower, upper, penalty, n, allows_none)
    return {"lower": decimal_below(-float_above(-low)), "upper": decimal_above(float_above(high))}


def _widened(
    lower: float, upper: float, penalty: float | None, n: int, allows_none: bool
) -> tuple[Fraction, Fraction]:
    """Return the bounds for the decimal of a penalty; where no variables are allowed, 0 is attained at any."""
    off = Fraction(0) if penalty is None else n * abs(Fraction(exact_decimal(penalty)) - Fraction(penalty))
    low, high = Fraction(lower), Fraction(upper)
    return (low if low == 0 and allows_none else low - off), high + off


def symbol_of(k: int | None, penalty: float | None = None) -> str:
    """Return v_k or phi(rho) as it is printed.

    Examples
    --------
    >>> symbol_of(5), symbol_of(None, 0.1234564)
    ('v_5', 'phi(0.1234564)')
    """
    if penalty is not None:
        return f"phi({exact_decimal(penalty)})"
    return f"v_{k}"


def matrix_words(source: Covariance | Certificate, *, article: str = "the") -> str:
    """Return which matrix a claim speaks of.

    Examples
    --------
    >>> import relaxspca as rs
    >>> matrix_words(rs.Covariance([[2.0, 1.0], [1.0, 2.0]]))
    'the ... of 2 variables'
    """
    description = getattr(source, "description", None) or Description()
    eliminated = source.eliminated
    beyond = "" if eliminated is None else f" and {len(eliminated.variances)} eliminated ones"
    words, mark, after = description.words.partition(" after ")
    return f"{article} {words} of {source.n} variable{'s' * (source.n > 1)}{beyond}{mark}{after}"


def of_supports(certificate: Certificate) -> str:
    """Return which supports a claim is about, to be said after its matrix; nothing where all are meant.

    Examples
    --------
    >>> import relaxspca as rs
    >>> of_supports(rs.solve(rs.datasets.load_pitprops(), 2, exclude=["knots"]).certificate)
    ', of supports without knots'
    """
    return f", of supports {scope(certificate)}" if scope(certificate) else ""


def total_variance(source: Covariance | Certificate) -> float:
    """Return the trace, with the variances of eliminated variables, rounded once: variances may cancel."""
    eliminated = () if source.eliminated is None else source.eliminated.variances
    try:
        return math.fsum([*_diagonal(source).tolist(), *eliminated])
    except OverflowError:
        return math.inf


def share(value: float, source: Covariance | Certificate) -> float:
    """Return the part of the trace that a variance is; nan where the trace is not above 0."""
    total = total_variance(source)
    return value / total if total > 0 else math.nan


def attained(loadings: Array, names: Sequence[str], source: Covariance | Certificate) -> tuple[float, float]:
    r"""Return proved bounds on :math:`x'\Sigma x/x'x` for loadings that were rounded a few times.

    The bounds hold for every x whose entries are those given but for eight units of their last place: for
    loadings as they were given, before they were scaled to length 1.

    Parameters
    ----------
    loadings : (n,) array.
    names : names of the n variables.
    source : the matrix, of these variables or of some that hold all those used.
    """
    used = np.flatnonzero(loadings)
    x = loadings[used]
    if isinstance(source, Certificate):
        place = {name: i for i, name in enumerate(source.names)}
        at = np.array([place[names[i]] for i in used.tolist()], dtype=int)
        if source.matrix is not None:
            block, radius = source.matrix[np.ix_(at, at)], 0.0
        else:
            columns: Any = source.factor
            block, radius = columns[:, at].T @ columns[:, at], product_radius(columns[:, at], columns[:, at])
    else:
        block, radius = source.submatrix(used), source.rounding(used)
    length = float(x @ x)
    # Entries move by 2^-50 of themselves, and an inner product of length k stands on either side of a quotient.
    error = (32 * used.size + 256) * UNIT_ROUNDOFF * float(np.abs(x) @ np.abs(block) @ np.abs(x)) / length
    if block.any():
        error += 8 * (used.size + 1) ** 2 * SMALLEST_DENORMAL
    value = float(x @ block @ x) / length
    return value - error - radius, value + error + radius


def dense_variance(certificate: Certificate) -> float:
    r"""Return :math:`\lambda_1`, the variance of the dense component; nan where variables were eliminated."""
    if certificate.eliminated is not None:
        return math.nan
    if certificate.factor is not None:
        return float(np.linalg.norm(certificate.factor, 2) ** 2)
    assert certificate.matrix is not None
    return float(np.linalg.eigvalsh(certificate.matrix)[-1])


def _diagonal(source: Any) -> Any:
    if isinstance(source, Certificate):
        if source.matrix is not None:
            return np.diagonal(source.matrix)
        factor: Any = source.factor
        return np.einsum("ri,ri->i", factor, factor)
    return source.diagonal
