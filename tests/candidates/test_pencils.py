"""Supports for ratios: wherever time ends a support of the size asked for is there, and work stops."""

import itertools

import numpy as np
import pytest

from relaxspca.applications.subset_problem import matching_pursuit
from relaxspca.candidates.pencils import best_support
from relaxspca.problem.budgets import Budgets
from relaxspca.problem.conditions import Conditions
from relaxspca.problem.pencil import MatrixPencil
from relaxspca.problem.size import Cardinality
from relaxspca.runtime.deadline import Deadline

ENDS = [0, 1, 2, 3, 5, 8, 13, 40]


def forms(n):
    """Return two forms, the second positive definite."""
    rng = np.random.default_rng(n)
    X, Y = rng.standard_normal((2, 2 * n, n))
    return MatrixPencil(X.T @ X, Y.T @ Y)


@pytest.mark.parametrize("ends", ENDS)
@pytest.mark.parametrize(
    ("size", "conditions"),
    [
        (Cardinality(4), Conditions()),
        (Cardinality(4), Conditions(include=(7,), exclude=(2, 5))),
        (Budgets.of([(np.arange(6), 3), (np.arange(6, 9), 1)]), Conditions(include=(8,))),
    ],
)
def test_a_ratio_has_a_support_that_is_meant_wherever_time_ends(size, conditions, ends, clock, monkeypatch):
    pencil, fits = forms(9), []
    fitted = pencil.fitted
    monkeypatch.setattr(pencil, "fitted", lambda support: fits.append(support) or fitted(support))
    clock(itertools.count().__next__)  # it goes on by a second whenever it is asked
    support, _ = best_support(pencil, size, conditions, deadline=Deadline.after(ends))
    assert len(support) == 4
    assert conditions.allow(support.tolist())
    assert all(len(np.intersect1d(part, support)) <= most for part, most in size.parts(9))
    # A question at least for each round of swaps and each step; the last method is ended by three fits more.
    assert len(fits) <= 3 * ends + 3


def test_matching_pursuit_has_k_variables_wherever_time_ends(clock):
    rng = np.random.default_rng(0)
    M, y = rng.standard_normal((12, 8)), rng.standard_normal(12)
    clock(itertools.count().__next__)
    for ends in ENDS:
        assert len(np.unique(matching_pursuit(M, y, 3, Deadline.after(ends)))) == 3


def test_without_time_the_variables_of_the_largest_ratios_of_their_own_are_taken():
    pencil = forms(9)
    single = np.diagonal(pencil.A) / np.diagonal(pencil.B)
    found = best_support(pencil, Cardinality(3), deadline=Deadline.after(0))
    assert found[0].tolist() == sorted(np.argsort(single)[-3:].tolist())
    assert found[1] == "single ratios"
