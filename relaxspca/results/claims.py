"""What two bounds say in print: of which optimum, of which matrix, how wide, and what part of the variance."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import numpy as np

from relaxspca.certificate import Certificate
from relaxspca.certificate.wording import scope, subject_to
from relaxspca.errors import counted, in_line
from relaxspca.numerics.decimals import Interval, exact_decimal, float_above
from relaxspca.numerics.linalg import Array, product_radius
from relaxspca.numerics.percent import decimal_above, decimal_below
from relaxspca.problem.candidate import quotient
from relaxspca.results.digits import between
from relaxspca.results.sentences import claim, largest_variance

if TYPE_CHECKING:
    from relaxspca.problem.covariance import Covariance


def printed_claim(certificate: Certificate) -> Interval:
    """Return the claim of a certificate as it is printed.

    The bounds are true for the printed decimal of a penalty too: phi changes by at most n times what it does.

    Examples
    --------
    >>> import relaxspca as rs
    >>> result = rs.solve(rs.datasets.load_pitprops(), 2)
    >>> printed_claim(result.certificate).brief
    '1.95400'
    """
    return between(*_widened(certificate.lower, certificate.upper, certificate))


def claim_of(certificate: Certificate, group_names: Sequence[str] = ()) -> str:
    """Return the claim of a certificate as a sentence: which optimum, its value, of which matrix.

    Groups are called by their names, where these are given.

    Examples
    --------
    >>> import relaxspca as rs
    >>> claim_of(rs.solve(rs.datasets.load_pitprops(), 2, exclude=["knots"]).certificate)
    'Largest variance with at most 2 of 13 variables, subject to knots excluded: 1.95400 (rounded; ...).'
    """
    n = certificate.n + (0 if certificate.eliminated is None else certificate.eliminated.count)
    conditions, groups = scope(certificate, group_names), certificate.claim.whole_groups
    if groups:
        what = f"Largest variance with at most {certificate.k} of {counted(len(groups), 'group')}"
    elif certificate.rho is not None:
        what = largest_variance(0, n, conditions, penalty=exact_decimal(certificate.rho))
    else:
        what = largest_variance(certificate.k or 0, n, conditions)
    return claim(what, printed_claim(certificate), certificate.description.words)


def recorded(
    lower: float, upper: float, *, certificate: Certificate | None = None, of: str = ""
) -> dict[str, float]:
    """Return bounds as floats for CSV and JSON: true when read as decimals too, at most an ulp wider.

    With a certificate they are true for the printed decimal of its penalty, if it has one. Their names begin
    with what they are `of`.
    """
    if certificate is not None and certificate.rho is not None:
        low, high = _widened(lower, upper, certificate)
        lower, upper = -float_above(-low), float_above(high)
    return {f"{of}lower": decimal_below(lower), f"{of}upper": decimal_above(upper)}


def variables_used(support: Sequence[str], indices: Iterable[int]) -> dict[str, str]:
    """Return variables for CSV and JSON: their names, and their positions."""
    return {"support": in_line(support, "; "), "indices": " ".join(map(str, indices))}


def _widened(lower: float, upper: float, certificate: Certificate) -> tuple[Fraction, Fraction]:
    """Return the bounds for the decimal of a penalty; where no variables are allowed, 0 is attained at any."""
    rho, low, high = certificate.rho, Fraction(lower), Fraction(upper)
    off = Fraction(0) if rho is None else certificate.n * abs(Fraction(exact_decimal(rho)) - Fraction(rho))
    return (low if low == 0 and certificate.allows_none else low - off), high + off


def matrix_words(source: Covariance | Certificate) -> str:
    """Return which matrix a claim speaks of.

    Examples
    --------
    >>> import relaxspca as rs
    >>> matrix_words(rs.Covariance([[2.0, 1.0], [1.0, 2.0]]))
    'the ... of 2 variables'
    """
    gone = 0 if source.eliminated is None else source.eliminated.count
    beyond = f", {gone} of them eliminated" if gone else ""
    words, mark, after = source.description.words.partition(" after ")
    return f"the {words} of {counted(source.n + gone, 'variable')}{beyond}{mark}{after}"


def conditions_of(certificate: Certificate) -> str:
    """Return what the variables are subject to, to be said after the matrix; nothing where they are free."""
    return subject_to(scope(certificate))


def about_matrix(certificate: Certificate) -> str:
    """Return the matrix and the conditions on the variables as they stand in brackets, without an article."""
    return f"{matrix_words(certificate).removeprefix('the ')}{conditions_of(certificate)}"


def total_variance(source: Covariance | Certificate) -> float:
    """Return the trace, with the variances of eliminated variables, rounded once: variances may cancel."""
    eliminated = () if source.eliminated is None else source.eliminated.variances
    try:
        return math.fsum([*diagonal_of(source).tolist(), *eliminated])
    except OverflowError:
        return math.inf


def share_of(variance: float, total: float) -> float:
    """Return a variance as a part of the trace; nan where the trace is not above 0, or is less than it."""
    part = variance / total if total > 0 else math.nan
    return part if part <= 1 + 1e-9 else math.nan


def attained(loadings: Array, names: Sequence[str], source: Covariance | Certificate) -> tuple[float, float]:
    r"""Return proved bounds on :math:`x'\Sigma x/x'x` for (n,) loadings that were rounded a few times.

    The bounds hold for every x whose entries are those given but for eight units of their last place: for
    loadings as they were given, before they were scaled to length 1. The source has the n named variables, or
    some that hold all those used.
    """
    used = np.flatnonzero(loadings)
    x = loadings[used]
    if isinstance(source, Certificate):
        place = {name: i for i, name in enumerate(source.names)}
        block, radius = block_of(source, np.array([place[names[i]] for i in used.tolist()], dtype=int))
    else:
        block, radius = source.submatrix(used), source.rounding(used)
    value, error = quotient(x, block)
    # That entries move by 2^-50 of themselves changes it by 32 u |x|'|B||x| / x'x: less than the error again.
    return value - 2 * error - radius, value + 2 * error + radius


def block_of(certificate: Certificate, T: Any) -> tuple[Array, float]:
    """Return the entries of the matrix of a certificate on some variables, and their rounding (variance)."""
    if certificate.matrix is not None:
        return np.asarray(certificate.matrix[np.ix_(T, T)]), 0.0
    assert certificate.factor is not None
    columns = certificate.factor[:, T]
    return np.asarray(columns.T @ columns), product_radius(columns, columns)


def dense_variance(certificate: Certificate) -> float:
    r"""Return :math:`\lambda_1`, the variance of the dense component; nan where variables were eliminated."""
    if certificate.eliminated is not None:
        return math.nan
    if certificate.factor is not None:
        return float(np.linalg.norm(certificate.factor, 2) ** 2)
    assert certificate.matrix is not None
    return float(np.linalg.eigvalsh(certificate.matrix)[-1])


def diagonal_of(source: Any) -> Any:
    """Return the variances of the variables of a covariance or certificate, those not eliminated."""
    if isinstance(source, Certificate):
        if source.matrix is not None:
            return np.diagonal(source.matrix)
        factor: Any = source.factor
        return np.einsum("ri,ri->i", factor, factor)
    return source.diagonal
