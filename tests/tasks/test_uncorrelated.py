"""Components with uncorrelated scores, against a fine grid over all supports."""

import itertools
from fractions import Fraction

import numpy as np
import pytest
from draws import draws

import relaxspca as rs
from relaxspca.candidates.several import orthogonal, restarts
from relaxspca.candidates.several.orthogonal import exactly_orthogonal
from relaxspca.command.cli import main
from relaxspca.errors import InputError
from tests.small_covariances import draw

pytestmark = pytest.mark.usefixtures("short_starts")

PITPROPS = rs.datasets.load_pitprops()


def best_pair(S, turns=1500):
    """Return the best sum of variances of two uncorrelated vectors of two variables, on a grid of angles."""
    n, best = len(S), -np.inf
    angles = np.linspace(0, np.pi, turns, endpoint=False)
    for first, second in itertools.product(itertools.combinations(range(n), 2), repeat=2):
        X = np.zeros((turns, n))
        X[:, first] = np.stack([np.cos(angles), np.sin(angles)], axis=1)
        image = (X @ S)[:, second]
        y = np.stack([-image[:, 1], image[:, 0]], axis=1)
        length = np.linalg.norm(y, axis=1)
        y = y[length > 1e-9] / length[length > 1e-9, None]
        other = np.einsum("ti,ij,tj->t", y, S[np.ix_(second, second)], y)
        best = max(best, float((np.einsum("ti,ij,tj->t", X, S, X)[length > 1e-9] + other).max(initial=-np.inf)))
    return best


@pytest.mark.parametrize("kind", ["correlation", "wishart", "factor", "indefinite"])
def test_the_best_pair_is_between_the_bounds(kind):
    S = draw(kind, np.random.default_rng(2), 4)
    with pytest.warns(rs.DataWarning) if kind == "indefinite" else _nothing():
        cov = rs.Covariance(S)
    found = rs.components(cov, [2, 2], joint=True, uncorrelated=True)
    best = best_pair(S)
    assert found.lower <= found.upper
    assert best * (1 - 0.03) <= found.lower <= best * (1 + 1e-3)  # a local search, and a grid
    assert best <= found.upper + 1e-9
    X = found.loadings_array
    assert abs(X[:, 0] @ S @ X[:, 1]) < 1e-13 * np.abs(S).max()
    assert found.kind == "uncorrelated"
    assert found.certificate is None


class _nothing:
    def __enter__(self):
        return None

    def __exit__(self, *_):
        return False


def test_a_walk_finds_more_than_a_descent():
    """One descent from the best disjoint table, and from twelve rotations, reached 6.1337."""
    found = rs.components(PITPROPS, [4, 4, 4], joint=True, uncorrelated=True)
    assert found.lower > 6.48
    scores = found.loadings_array.T @ PITPROPS.matrix @ found.loadings_array
    assert np.abs(scores - np.diag(np.diagonal(scores))).max() < 1e-12
    assert np.trace(scores) == pytest.approx(found.lower, rel=1e-9)


def test_the_bound_is_the_smaller_of_the_single_optima_and_the_largest_eigenvalues():
    """SEVERAL: 8.475 against 8.812 at (4, 4, 4) of the pit props; at (2, 2) the single optima are less."""
    found = rs.components(PITPROPS, [4, 4, 4], joint=True, uncorrelated=True)
    values = np.linalg.eigvalsh(PITPROPS.matrix)
    assert found.upper == pytest.approx(values[-3:].sum(), rel=1e-9)
    single = rs.solve(PITPROPS, 2).upper
    few = rs.components(PITPROPS, [2, 2], joint=True, uncorrelated=True)
    assert few.upper == pytest.approx(2 * single, rel=1e-9)
    assert (np.diff(found.raw) <= 0).all()  # of equal sizes the largest first
    assert "uncorrelated" in repr(found)
    assert "nothing sharper was tried" in repr(found)
    assert found.status == "open"


def test_an_indefinite_matrix_is_bounded_by_the_single_optima_alone():
    with pytest.warns(rs.DataWarning):
        cov = rs.Covariance(np.diag([1.0, 1.0, -3.0]))
    found = rs.components(cov, [3, 3, 3], joint=True, uncorrelated=True)
    # The eigenvectors add up to -1. A vector of no variance, as (sqrt 3, 0, 1)/2, is uncorrelated with itself:
    # twice that one and (0, 1, 0) add up to 1.
    assert found.lower == pytest.approx(1.0)
    assert found.upper == pytest.approx(3.0)


def test_components_of_all_variables_are_the_eigenvectors():
    found = rs.components(PITPROPS, [13, 13], joint=True, uncorrelated=True)
    assert found.status == "optimal"
    assert found.lower == pytest.approx(np.linalg.eigvalsh(PITPROPS.matrix)[-2:].sum(), rel=1e-9)


def test_vectors_are_made_exactly_uncorrelated_before_they_are_rounded():
    S = np.array([[2.0, 1.0, 0.5], [1.0, 3.0, 0.25], [0.5, 0.25, 1.0]])
    X = np.array([[1.0, 0.3], [0.5, -0.2], [0.0, 1.0]])
    supports = [np.array([0, 1]), np.array([0, 1, 2])]
    made = exactly_orthogonal(X, supports, S)
    rows = [[Fraction(x) for x in row] for row in S]
    x, y = ([Fraction(float(value)) for value in column] for column in made.T)
    product = sum(x[i] * rows[i][j] * y[j] for i in range(3) for j in range(3))
    assert abs(product) < Fraction(1, 10**15)
    assert abs(float(X[:, 0] @ S @ X[:, 1])) > 0.1


@pytest.mark.parametrize("n", [1, 5])
def test_one_component_is_uncorrelated_with_no_other(n):
    cov = rs.Covariance(draw("wishart", np.random.default_rng(1), n))
    found = rs.components(cov, [min(n, 3)], joint=True, uncorrelated=True)
    assert found.status == "optimal"
    assert found.lower == pytest.approx(rs.solve(cov, min(n, 3)).lower, rel=1e-9)


@pytest.mark.parametrize("done", [0, 4])
def test_ctrl_c_keeps_a_table_and_its_bound(monkeypatch, done):
    climbed, count = restarts._climbed, []

    def stopped(*arguments):
        count.append(arguments)
        if len(count) == done + 1:
            raise KeyboardInterrupt
        return climbed(*arguments)

    monkeypatch.setattr(restarts, "_climbed", stopped)
    found = rs.components(PITPROPS, [4, 4], joint=True, uncorrelated=True)
    assert found.status == "interrupted"
    assert 4 < found.lower < 4.917 <= found.upper  # the best that is known, rounded up
    assert abs(found.loadings_array[:, 0] @ PITPROPS.matrix @ found.loadings_array[:, 1]) < 1e-12


def test_what_does_not_go_together_is_refused():
    for options in ({"disjoint": True}, {"node_limit": 3}):
        with pytest.raises(InputError, match="uncorrelated=True"):
            rs.components(PITPROPS, [2, 2], joint=True, uncorrelated=True, **options)
    with pytest.raises(InputError, match="uncorrelated=True"):
        rs.components(PITPROPS, total=4, n_components=2, joint=True, uncorrelated=True)
    with pytest.raises(InputError, match="go with joint=True"):
        rs.components(PITPROPS, [2, 2], uncorrelated=True)


def test_more_variables_than_observations_are_taken_as_their_matrix_of_numbers():
    cov = rs.Covariance.from_data(np.random.default_rng(0).normal(size=(5, 9)), correlation=True)
    assert cov.is_factored
    found = rs.components(cov, [3, 2], joint=True, uncorrelated=True)
    as_numbers = rs.components(rs.Covariance(cov.matrix), [3, 2], joint=True, uncorrelated=True)
    assert (found.lower, found.upper) == (as_numbers.lower, as_numbers.upper)
    x, y = found.loadings_array.T
    assert abs(x @ cov.matrix @ y) < 1e-12
    assert "the correlation matrix of 5 observations of 9 variables" in found.statement


def test_conditions_say_why_they_do_not_go_with_joint():
    with pytest.raises(InputError, match=r"cov\.restrict"):
        rs.components(PITPROPS, [2, 2], joint=True, exclude=["knots"])
    with pytest.raises(InputError, match="little to share"):
        rs.components(PITPROPS, [2, 2], joint=True, include=["knots"])


def test_totals_and_uncorrelated_scores_on_the_command_line(capsys):
    assert main(["components", "pitprops", "--total", "4", "--components", "2", "--joint", "--quiet"]) == 0
    assert (
        repr(rs.components(PITPROPS, total=4, n_components=2, joint=True)).splitlines()[0]
        in capsys.readouterr().out
    )
    assert main(["components", "pitprops", "-k", "3,2", "--joint", "--uncorrelated", "--quiet"]) == 0
    assert "uncorrelated components of 3 and 2 variables" in capsys.readouterr().out
    for words in (["--total", "4", "-k", "2"], [], ["--total", "4", "--components", "2"]):
        assert main(["components", "pitprops", *words, *(["--joint"] if "-k" in words else [])]) == 2
        assert "--total" in capsys.readouterr().err


def test_as_many_components_of_all_variables_as_there_are_explain_everything():
    n = draws(8, 13)
    cov = rs.Covariance(PITPROPS.matrix[:n, :n])
    found = rs.components(cov, [n] * n, joint=True, uncorrelated=True)
    assert found.status == "optimal"
    assert found.lower <= n <= found.upper


@pytest.mark.parametrize("is_singular", [False, True])
def test_vectors_of_nested_supports_are_exactly_uncorrelated(is_singular):
    rng = np.random.default_rng(3)
    A = rng.integers(-4, 5, size=(3 if is_singular else 8, 5)).astype(float)
    S, supports = A.T @ A, [np.arange(2), np.arange(4), np.arange(5)]
    X = np.zeros((5, 3))
    for t, support in enumerate(supports):
        X[support, t] = rng.integers(-3, 4, size=len(support)) + 0.5
    made = exactly_orthogonal(X, supports, S)
    assert np.abs(made.T @ S @ made - np.diag(np.diag(made.T @ S @ made))).max() < 1e-11
    assert (made[2:, 0] == 0).all()
    assert made[4, 1] == 0


@pytest.mark.parametrize("sizes", [[8] * 8, [9, 8, 8, 7, 7, 7, 6, 6]])
def test_where_rationals_would_be_too_long_supports_are_nested(sizes, monkeypatch):
    monkeypatch.setattr(orthogonal, "MOST_WORK", 4e8)
    found = rs.components(PITPROPS, sizes, joint=True, uncorrelated=True, time_limit=1)
    X = found.loadings_array
    products = X.T @ PITPROPS.matrix @ X
    assert np.abs(products - np.diag(np.diag(products))).max() < 1e-12
    assert ((X != 0).sum(axis=0) <= sizes).all()
    assert 0 < found.lower <= products.trace() + 1e-9 <= found.upper + 2e-9
