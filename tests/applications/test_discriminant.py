"""Sparse discriminants and canonical correlations against enumeration."""

import itertools

import numpy as np
import pytest
import scipy.linalg
from enumeration import largest_ratio

import relaxspca as rs
from relaxspca.applications import canonical_correlations, discriminants, scatter_matrices
from relaxspca.errors import in_line

pytest.importorskip("sklearn")
from sklearn.datasets import load_linnerud, load_wine


def scaled_wine():
    data = load_wine()
    return (data.data - data.data.mean(axis=0)) / data.data.std(axis=0), data.target


@pytest.mark.parametrize(
    ("k", "asked"),
    [
        *((k, {}) for k in (1, 2, 3, 6, 12, 13)),
        *(
            (3, asked)
            for asked in ({"include": [4]}, {"exclude": [6, 12]}, {"include": [4, 7], "exclude": [6]})
        ),
    ],
)
def test_the_discriminant_of_wine_is_that_of_enumeration(k, asked):
    X, y = scaled_wine()
    found = discriminants(X, y, k, **asked)[0]
    assert found.status == "optimal"
    assert found.lower == pytest.approx(largest_ratio(*scatter_matrices(X, y), k, **asked), rel=1e-8)
    assert rs.verify(found.certificate)


def test_scatter_matrices_add_up_to_the_covariance():
    X, y = scaled_wine()
    between, within = scatter_matrices(X, y)
    np.testing.assert_allclose(between + within, np.cov(X.T, bias=True), atol=1e-12)
    assert np.linalg.matrix_rank(between, tol=1e-9) == 2


def test_a_second_direction_is_uncorrelated_within_groups_where_all_variables_are_used():
    X, y = scaled_wine()
    between, within = scatter_matrices(X, y)
    first, second = discriminants(X, y, 13, 2)
    values = scipy.linalg.eigh(between, within, eigvals_only=True)
    assert second.lower == pytest.approx(values[-2], rel=1e-6)
    assert abs(first.loadings_array @ within @ second.loadings_array) < 1e-6
    with pytest.raises(rs.InputError, match="fewer"):
        discriminants(X, y, 13, 3)


@pytest.mark.parametrize("k", [2, 3, 4, 5, 6])
def test_the_canonical_correlation_of_linnerud_is_that_of_enumeration(k):
    data = load_linnerud()
    directions = canonical_correlations(data.data, data.target, k)
    assert "correlation of combinations of 3 and of 3 variables in 20 observations" in directions.statement
    found = directions[0]
    best = max(
        largest_correlation(data.data[:, list(S)], data.target[:, list(T)])
        for p in range(1, k)
        for S in itertools.combinations(range(3), min(p, 3))
        for T in itertools.combinations(range(3), min(k - p, 3))
    )
    assert found.status == "optimal"
    assert found.lower == pytest.approx(best, rel=1e-8)
    u, v = found.loadings_array[:3], found.loadings_array[3:]
    assert abs(np.corrcoef(data.data @ u, data.target @ v)[0, 1]) == pytest.approx(best, rel=1e-6)


def largest_correlation(X, Y):
    Q, R = (np.linalg.qr(Z - Z.mean(axis=0))[0] for Z in (X, Y))
    return np.linalg.svd(Q.T @ R)[1][0]


def test_directions_are_shown_as_a_table_and_read_as_a_list(tmp_path):
    X, y = scaled_wine()
    found = discriminants(X, y, 2, 2, names=[f"v,{j}" for j in range(13)])
    first, second = found
    assert (len(found), found[1]) == (2, second)
    claim, ratio, *table = repr(found).splitlines()
    assert claim == (
        "2 directions of at most 2 variables, each given the previous ones: 2 proved optimal. "
        "Uniqueness not checked."
    )
    assert (
        ratio == "Ratio: variance between over variance within 3 groups, of 13 variables in 178 observations."
    )
    assert [line.split(" | ")[-1] for line in table[2:4]] == [f"{in_line(row.support)} |" for row in found]
    shown = {line.strip("| ").split(" | ")[0]: line.split("|")[2:4] for line in table[6:]}
    assert set(shown) == {*first.support, *second.support}
    for at, row in enumerate(found):
        for name, cells in shown.items():
            assert float(cells[at].strip() or 0) == pytest.approx(row.loadings.get(name, 0.0), abs=5e-5)
    assert found._repr_html_().count("<tr>") == 4 + len(shown)
    assert [record["direction"] for record in found.to_records()] == [1, 2]
    assert [rs.verify(path).verified for path in found.save_certificates(tmp_path)] == [True, True]
    assert "0.5 added to the diagonal of B" in repr(discriminants(X, y, 1, ridge=0.5))
    under = discriminants(X, y, 2, include=["x3"], exclude=["x1"], names=[f"x{j}" for j in range(13)])
    assert "of at most 2 variables, subject to x3 included, x1 excluded: 1 proved optimal." in under.statement
    pairs = canonical_correlations(X[:, :3], X[:, 3:6], (1, 2))
    assert "subject to at most 1 of x0, x1, x2 and at most 2 of y0, y1, y2: 1 proved" in pairs.statement


def test_two_budgets_against_enumeration_of_both_supports():
    rng = np.random.default_rng(3)
    Z = rng.standard_normal((60, 3))
    X = Z @ rng.standard_normal((3, 5)) + rng.standard_normal((60, 5))
    Y = Z @ rng.standard_normal((3, 4)) + rng.standard_normal((60, 4))
    for k_x, k_y in ((1, 1), (1, 3), (3, 1), (2, 2), (5, 4)):
        pairs = itertools.product(itertools.combinations(range(5), k_x), itertools.combinations(range(4), k_y))
        best = max(largest_correlation(X[:, S], Y[:, T]) for S, T in pairs)
        found = canonical_correlations(X, Y, (k_x, k_y))[0]
        assert found.lower <= best * (1 + 1e-12)
        assert best * (1 - 1e-12) <= found.upper <= best * (1 + 3e-9)
        assert rs.verify(found.certificate)
    with pytest.raises(rs.InputError, match="k_y = 5"):
        canonical_correlations(X, Y, (1, 5))
