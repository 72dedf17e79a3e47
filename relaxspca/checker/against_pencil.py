"""Hold a claim about a ratio against the reader's own two matrices, or own least-squares data, by value.

``certificates/SPEC.md``, section 12, states and proves the rule: (A' - mu B') - (A - mu B) is small, so that
x'A'x / x'B'x is hardly above mu. Nothing is taken on trust from either side.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from relaxspca.certificate import Certificate, LeastSquares, Pencil, values
from relaxspca.checker.against import AgainstMatrix, another, by_digest
from relaxspca.checker.blocks import largest_eigenvalue
from relaxspca.checker.exact import above, below, float_above, float_below
from relaxspca.checker.names import another_number, matched
from relaxspca.checker.own_matrix import held
from relaxspca.checker.ratio import attained, forms, units, verify_ratio
from relaxspca.checker.verdict import Verdict


@dataclass(frozen=True, eq=False)
class Given:
    """The reader's pencil, and the names of its variables where it has some."""

    pencil: Pencil | LeastSquares
    names: tuple[str, ...] | None = None
    eliminated: None = None

    @property
    def n(self) -> int:
        """Number of variables."""
        return self.pencil.n


def verify_pencil(certificate: Certificate, exact: bool | None, given: Given | str | None) -> Verdict:
    """Check a claim about a ratio, and hold it against a digest or a pencil."""

    def compare(arithmetic: Any, lower: Any, upper: Any) -> AgainstMatrix:
        if isinstance(given, str):
            return by_digest(certificate, given, lower, upper)
        assert given is not None
        return _by_value(certificate, given, arithmetic, upper)

    return verify_ratio(certificate, exact, None if given is None else compare)


def given_pencil(certificate: Certificate, given: Any) -> Given:
    """Return a pair (A, B) or (X, y), a certificate or a pencil as the reader's; else CertificateError."""
    is_dense = isinstance(certificate.subject, Pencil)
    found: Given | None = None
    if isinstance(given, Certificate):
        given = given.subject
    if isinstance(given, Pencil | LeastSquares):
        found = Given(given, given.names)
    elif isinstance(given, tuple) and len(given) == 2:
        found = _matrices(*given) if is_dense else _observations(certificate, *given)
    pair = "(A, B), in a shell --against A --denominator B"
    pair = pair if is_dense else "(X, y), in a shell --against DATA --response NAME"
    is_alike = found is not None and isinstance(found.pencil, type(certificate.subject))
    values.require(is_alike, f"this claim is held against a digest or the pair {pair}")
    assert found is not None
    return found


def _matrices(*pair: Any) -> Given:
    # The labels of rows and columns of a table are compared where it is held against a claim of any kind.
    (A, above), (B, below) = (_labelled(held(M) if hasattr(M, "columns") else M) for M in pair)
    if above is not None and below is not None and above != below:
        values.require(sorted(above) == sorted(below), "the two matrices are of different variables")
        at = [below.index(name) for name in above]
        B = np.asarray(B)[np.ix_(at, at)]
    names = above or below
    return Given(Pencil(names=names or _numbered(A), numerator=A, denominator=B), names)


def _observations(certificate: Certificate, X: Any, y: Any) -> Given:
    array, names = _labelled(X)
    if hasattr(X, "columns") and hasattr(y, "to_numpy"):
        values.require(
            list(X.index) == list(y.index), "the rows of X and y have different labels: put them in one order"
        )
    values.require(names is None or len(set(names)) == len(names), "two columns of X have the same name")
    response = np.asarray(y.to_numpy() if hasattr(y, "to_numpy") else y)
    own: Any = certificate.subject
    data = LeastSquares(
        names=names or _numbered(array),
        variables=array,
        response=response,
        intercept=own.intercept,
        ridge=own.ridge,
    )
    return Given(data, names)


def _numbered(array: Any) -> tuple[str, ...]:
    """Return names for the columns of an array that has none."""
    shape = np.shape(array)
    return tuple(map(str, range(shape[-1] if shape else 0)))


def _labelled(given: Any) -> tuple[Any, tuple[str, ...] | None]:
    """Return an array, and the names of its columns: those of a table, a covariance or a mapping to columns."""
    if isinstance(given, Mapping):
        columns = [np.asarray(column) for column in given.values()]
        values.require(len({column.shape for column in columns}) == 1, "the columns of X differ in length")
        return np.column_stack(columns), tuple(map(str, given))
    if hasattr(given, "columns") and hasattr(given, "to_numpy"):
        return given.to_numpy(), tuple(map(str, given.columns))
    if hasattr(given, "matrix") and hasattr(given, "names"):
        return given.matrix, tuple(given.names)
    return given, None


def _by_value(certificate: Certificate, given: Given, arithmetic: Any, proved: Any) -> AgainstMatrix:
    """Compare the forms, and say what follows for those of the reader."""
    if unequal := another_number(certificate, given):
        return another(unequal)
    at, faults = matched(certificate, given)
    assert at is not None  # nothing is eliminated from a pencil
    theirs = _in_order(given.pencil, at)
    lower, upper, spread, is_same = attained(certificate, theirs), float_above(proved), 0.0, True
    is_equal = _is_equal(certificate.subject, theirs)
    if not is_equal:
        upper, spread, is_same = _widened(certificate, theirs, upper, arithmetic)
    order = "compared by position" if given.names is None or faults else "compared by names"
    bounds = f"{below(lower, 12)} <= {certificate.symbol} <= {above(upper, 12)}"
    note = (
        f"what you gave is identical to what was certified ({order})"
        if is_equal
        else f"what you gave differs in A - mu B by at most {above(spread, 3)} in spectral norm, "
        f"in the units of the evidence ({order}); for it {bounds}"
    )
    reasons = list(faults)
    if not is_same:
        reasons.append(f"{note}; that is more than rounding: the certificate is about other matrices")
    elif faults:
        reasons.append(f"but {note}")
    is_false = not (faults or is_same) and (lower > certificate.upper or upper < certificate.lower)
    return AgainstMatrix(spread, float_below(lower), upper, note, tuple(reasons), is_false)


def _is_equal(own: Any, other: Any) -> bool:
    """Say whether both are the same to the last bit, but for names."""
    pairs = ((getattr(data, name) for data in (own, other)) for name in vars(own) if name != "names")
    return all(np.array_equal(a, b) for a, b in pairs)


def _in_order(pencil: Pencil | LeastSquares, at: list[int]) -> Pencil | LeastSquares:
    """Return the reader's pencil with the variables in the order of the certificate."""
    if isinstance(pencil, LeastSquares):
        return replace(pencil, variables=pencil.variables[:, at])
    block = np.ix_(at, at)
    return replace(pencil, numerator=pencil.numerator[block], denominator=pencil.denominator[block])


def _widened(
    certificate: Certificate, theirs: Pencil | LeastSquares, mu: float, arithmetic: Any
) -> tuple[float, float, bool]:
    """Return what bounds the reader's ratio, how far the forms at mu are apart, and whether that is rounding.

    Where x'Ax <= mu x'Bx, x'A'x <= mu x'B'x + e|z|^2 for x = Dz, and x'B'x >= beta |z|^2.
    """
    D = arithmetic.array(units(certificate))
    pair = zip(forms(certificate.subject, arithmetic), forms(theirs, arithmetic), strict=True)
    (A, theirs_A), (B, theirs_B) = ([M * (D[:, None] * D[None, :]) for M in both] for both in pair)
    changes = theirs_A - A, theirs_B - B
    is_same = all(
        _row_sums(arithmetic, change) * 10**6 <= arithmetic.magnitude(M).max() < math.inf
        for change, M in zip(changes, (A, B), strict=True)
    )
    upper: Any = theirs.energy if isinstance(theirs, LeastSquares) else math.inf
    spread: Any = math.inf
    if mu < math.inf:
        spread = _row_sums(arithmetic, changes[0] - arithmetic.array(np.full(A.shape, mu)) * changes[1])
        least = -largest_eigenvalue(arithmetic, -theirs_B)
        quotient = arithmetic.quotient_upper(arithmetic.array([spread]), arithmetic.array([least]))
        upper = min(upper, arithmetic.total([mu, *quotient]))
    return float_above(upper), float_above(spread), is_same


def _row_sums(arithmetic: Any, change: Any) -> Any:
    """Return the largest absolute row sum of a symmetric matrix: it bounds the spectral norm."""
    return arithmetic.total(arithmetic.magnitude(change), axis=1).max()
