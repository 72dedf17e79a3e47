"""The largest ratio of two forms over few variables, against enumeration and laws."""

import itertools
from fractions import Fraction

import exact_ratios
import numpy as np
import pytest
import scipy.linalg
from enumeration import largest_ratio
from exact_ratios import EXACT

import relaxspca as rs
from relaxspca.problem.least_squares import LeastSquaresPencil
from relaxspca.problem.pencil import MatrixPencil
from relaxspca.problem.size import Cardinality
from relaxspca.search.ratio import enclose


def pencil(n, seed):
    """Return an indefinite form, and a definite one whose variables have units of their own."""
    rng = np.random.default_rng(seed)
    X = rng.standard_normal((n + 3, n)) * 10.0 ** rng.uniform(-2, 2, n)
    A = rng.standard_normal((n, n))
    return A + A.T, X.T @ X


def test_units_of_variables_and_forms_do_not_matter():
    A, B = pencil(6, 5)
    found = rs.generalized(A, B, 3)
    units = 2.0 ** np.arange(-9, 9, 3)
    scaled = rs.generalized(7 * A * np.outer(units, units), B * np.outer(units, units), 3)
    assert scaled.indices == found.indices
    assert scaled.lower == pytest.approx(7 * found.lower, rel=1e-9)


def test_a_poor_start_is_left_behind():
    """Dinkelbach's iteration goes on from the supports that the search meets."""
    A, B = pencil(8, 11)
    forms = MatrixPencil(A, B)
    best = largest_ratio(A, B, 3)
    worst = min(
        itertools.combinations(range(8), 3),
        key=lambda T: scipy.linalg.eigh(A[np.ix_(T, T)], B[np.ix_(T, T)], eigvals_only=True)[-1],
    )
    found = enclose(forms, Cardinality(3), np.array(worst), upper=forms.dense_upper(), least=forms.least)
    assert found.steps > 1
    assert found.lower == pytest.approx(best, rel=1e-9)


def test_rounding_of_the_difference_is_enclosed():
    """What `difference` states holds of the exact forms, in both kinds of pencil."""
    rng = np.random.default_rng(2)
    A, B = pencil(5, 2)
    X, y = rng.standard_normal((7, 4)) * 10.0 ** rng.uniform(-2, 2, 4), rng.standard_normal(7) + 3
    plain = MatrixPencil(A, B)
    fits = [LeastSquaresPencil(X, y, tuple("abcd"), intercept=intercept) for intercept in (False, True)]
    for forms, exact in (
        (plain, [EXACT.array(M) for M in (plain.A, plain.B)]),
        *((fit, exact_ratios.forms(fit.X, fit.y, fit.intercept)) for fit in fits),
    ):
        for mu in (0.1, 1 / 3, 17.3):
            near = forms.difference(mu)
            missed = EXACT.array(near.matrix) - (exact[0] - Fraction(mu) * exact[1])
            assert abs(missed).max() <= Fraction(near.error)


def test_a_ratio_of_zero_is_said_to_be_zero():
    found = rs.generalized([[0.0, 0.0], [0.0, -1.0]], np.eye(2), 1)
    assert (found.lower, found.indices, found.status, found.gap) == (0.0, (0,), "optimal", 0.0)
    assert 0 <= found.upper <= 1e-8
    assert "both bounds count as 0 beside the largest entry" in found.statement


def test_the_number_of_processes_does_not_matter():
    pytest.importorskip("joblib")
    A, B = pencil(18, 1)
    one, two = (rs.generalized(A, B, 6, n_jobs=jobs) for jobs in (1, 2))
    assert (one.lower, one.upper, one.node_count) == (two.lower, two.upper, two.node_count)
    assert one.certificate.tree == two.certificate.tree
    assert one.node_count > 2


@pytest.mark.parametrize(
    "how", [{"k": 1, "exclude": [0]}, {"budgets": [([0], 0), ([1, 2], 1)]}, {"k": 1, "include": [2]}]
)
@pytest.mark.parametrize("large", [1e3, 1e9, 1e12, 1e60])
def test_variables_that_cannot_be_used_do_not_make_a_ratio_zero(how, large):
    found = rs.generalized(np.diag([large, 1.0, 2.0]), np.eye(3), **how)
    assert (found.status, found.lower) == ("optimal", 2.0)
    assert found.upper <= 2 * (1 + 2e-9)
    assert rs.verify(found.certificate, exact=False)


def test_an_ill_conditioned_ratio_is_enclosed_in_few_steps(clock):
    """What is fitted on a support attains less than the vector that was met: steps once went on for ever."""
    A = [[0.8665318485135615, -0.7202060077736956], [-0.7202060077736956, 0.9935169206716529]]
    B = [[0.8427878975999346, 1.0261950264944708], [1.0261950264944708, 1.249515133523998]]
    clock(itertools.count().__next__)  # it goes on whenever it is read
    found = rs.generalized(A, B, 2, time_limit=300.0)
    assert (found.status, found.steps < 10) == ("open", True)
    assert rs.verify(found.certificate)
    (a, b, c), (d, e, f) = ([Fraction(x) for x in (M[0][0], M[0][1], M[1][1])] for M in (A, B))
    # The largest root of det(A - t B), a parabola that opens upwards.
    determinant, middle = d * f - e * e, (a * f + c * d - 2 * b * e) / (2 * (d * f - e * e))
    assert determinant > 0
    low, high = (Fraction(value) for value in (found.lower, found.upper))
    assert (high - middle) ** 2 >= middle**2 - (a * c - b * b) / determinant
    assert (low - middle) ** 2 <= middle**2 - (a * c - b * b) / determinant
    assert middle <= low <= high <= 16 * low


def test_what_a_ratio_may_gain_is_no_variance():
    A = np.ones((3, 3)) - np.eye(3)
    said = rs.generalized(A, np.eye(3), 1, time_limit=0).statement
    assert "larger by at most 2.1 (ratio)" in said
