"""`solve` where variables are eliminated before the search."""

import numpy as np
import pytest
from draws import draws
from interrupts import interrupt

import relaxspca as rs
from relaxspca.certificate import FactorPoint, RowsPoint
from relaxspca.problem.gram import FactorGram
from relaxspca.problem.node import Node
from relaxspca.problem.size import Cardinality
from relaxspca.report import write_report
from relaxspca.runtime import deadline
from relaxspca.search import branch_and_bound, heavy_rows, reduced, run
from relaxspca.search.branch_and_bound import Search
from relaxspca.search.elimination import shrink
from relaxspca.search.heavy_rows import Restricted, Restriction, heavy_variables
from relaxspca.search.limits import UNLIMITED
from relaxspca.search.run import Run
from relaxspca.tasks import prove


@pytest.fixture
def most(monkeypatch):
    """Return a function that sets how many variables a search may have."""

    def set_most(*counts):
        for module in (prove, reduced, heavy_rows):
            monkeypatch.setattr(module, "MOST", counts)

    return set_most


@pytest.fixture
def search_at_most(most, monkeypatch):
    """Return a function that sets how many variables a search may have, and lets variances choose them."""

    def set_largest(count):
        most(count)
        nothing = Restriction(np.inf, np.zeros(0, dtype=int), np.zeros(0), np.zeros(0, dtype=int))
        found = lambda search, _: Restricted((), (nothing,) if search.cov.n > count else ())  # noqa: E731
        monkeypatch.setattr(Search, "restrictions", found)

    return set_largest


def wide_covariance(seed, n=80, m=25):
    """The variables in reverse order, so that those eliminated come first and shift the others."""
    rng = np.random.default_rng(seed)
    X = rng.standard_normal((m, n)) * rng.uniform(0.1, 1.0, n)
    X[:, :12] += 2 * rng.standard_normal((m, 1)) * rng.uniform(0.5, 1.5, 12)
    return rs.Covariance.from_data(X[:, ::-1], names=[f"x{i}" for i in range(n)][::-1])


@pytest.mark.parametrize("seed", range(5))
def test_elimination_first_gives_the_optimum_of_the_whole_search(seed, search_at_most):
    cov = wide_covariance(seed)
    whole = rs.solve(cov, 4)
    others = [*whole.candidate.indices[:3].tolist(), int(np.argmin(cov.diagonal))]
    search_at_most(30)
    found, judged, (row,) = rs.solve(cov, 4), rs.certify(cov, others), rs.path(cov, k=[4]).rows
    assert found.certificate.n < cov.n
    assert found.certificate.eliminated.count == cov.n - found.certificate.n
    assert found.lower == pytest.approx(whole.lower, rel=1e-12)
    assert whole.lower <= min(found.upper, judged.upper)
    assert found.support == row.support == whole.support == tuple(cov.names[i] for i in row.indices)
    x = found.candidate.loadings
    assert x @ cov.matrix @ x == pytest.approx(found.lower, rel=1e-9)
    assert judged.status == "improvable"
    assert judged.better.indices.tolist() == whole.candidate.indices.tolist()
    assert judged.lower == pytest.approx(judged.candidate.value, rel=1e-12)
    assert judged.upper <= whole.lower * (1 + 1e-6)
    assert all(cov.names[i] in repr(judged) for i in others)
    assert row.certified
    assert row.certificate.eliminated is not None
    assert all(rs.verify(one.certificate) for one in (found, judged, row))


@pytest.mark.parametrize("seed", range(5))
def test_where_variances_leave_few_no_rows_are_asked(seed, most, monkeypatch):
    cov = wide_covariance(seed)
    whole = rs.solve(cov, 3)
    most(40)
    monkeypatch.setattr(reduced, "MANY", 40)
    monkeypatch.setattr(branch_and_bound, "heavy_variables", None)
    found = rs.solve(cov, 3)
    assert found.certificate.eliminated.count >= 40
    assert found.status == whole.status == "optimal"
    assert found.support == whole.support
    assert rs.verify(found.certificate)


@pytest.mark.parametrize("cov", [rs.Covariance(np.eye(9) + 0.5), rs.Covariance.from_factor(np.eye(9) + 0.2)])
@pytest.mark.parametrize("k", [1, 2, 4])
def test_variables_alike_that_are_more_than_a_node_has_are_searched(search_at_most, cov, k):
    whole = rs.solve(cov, k)
    search_at_most(5)
    found = rs.solve(cov, k)
    assert found.lower == pytest.approx(whole.lower)
    assert whole.lower <= found.upper * (1 + 1e-12)
    assert found.upper <= np.sort(cov.diagonal)[-k:].sum() * (1 + 1e-9)  # the trace
    assert found.candidate.loadings.shape == (cov.n,)
    assert rs.verify(found.certificate)


@pytest.mark.parametrize("is_stopped", [False, True])
def test_conditions_hold_where_variances_leave_too_many(is_stopped, search_at_most, monkeypatch):
    search_at_most(5)
    if is_stopped:  # by Ctrl-C
        interrupt(monkeypatch, reduced.Elimination, "least")
    found = rs.solve(rs.Covariance(np.eye(9) + 0.5), 2, include=["x3"], exclude=["x0"])
    assert (found.status == "interrupted") == is_stopped
    assert "x3" in found.support
    assert "x0" not in found.support
    assert rs.verify(found.certificate)


def test_more_than_a_node_has_of_what_was_eliminated_before_is_an_error(search_at_most):
    search_at_most(5)
    with pytest.raises(rs.InputError, match="cannot be eliminated"):
        rs.solve(shrink(rs.Covariance(np.eye(9) + 0.5 * np.diag([1.0] * 8 + [0.0])), 1.2), 2)


def test_tables_and_records_name_the_variables_used_where_others_were_eliminated(
    search_at_most, tmp_path, answered
):
    cov = wide_covariance(1)
    search_at_most(30)
    found = rs.solve(cov, 4)
    used = {cov.names[i] for i in found.candidate.indices}
    assert set(found.support) == used
    assert {name for name in cov.names if f"| {name} |" in found.to_markdown()} == used
    page = write_report(found, tmp_path).read_text()
    assert {name for name in cov.names if f"<td>{name}</td>" in page} == used
    np.save(tmp_path / "cov.npy", cov.matrix)  # of which the variables are numbered
    told = answered("solve", tmp_path / "cov.npy", "-k", "4")
    x, indices = np.array([*told["loadings"].values()]), told["indices"]
    assert [*told["loadings"]] == told["support"] == [f"x{i}" for i in indices]
    assert x @ cov.submatrix(indices) @ x == pytest.approx(told["lower"], rel=1e-9)


def test_a_component_is_bounded_where_too_many_variables_remain(search_at_most):
    cov = rs.Covariance(np.eye(9) + 0.5 + 0.01 * np.diag(np.arange(9)))
    optimum = rs.solve(cov, 3).lower
    search_at_most(5)
    judged = rs.certify(cov, [0, 1, 2])
    assert judged.upper >= optimum > judged.lower
    assert rs.verify(judged.certificate)


@pytest.mark.parametrize(
    ("S", "k", "optimum"),
    [
        (-np.eye(60), 3, -1.0),
        (-np.eye(60) - 0.5, 1, -1.5),
        (np.ones((60, 60)) - np.eye(60), 3, 2.0),
        (np.diag([5.0, 4.0] + 58 * [-1.0]), 3, 5.0),
        (np.diag([0.0] + 59 * [-1.0]), 2, 0.0),
    ],
    ids=["-I", "negative", "hollow", "indefinite", "zero"],
)
def test_an_optimum_of_0_or_below_or_of_an_indefinite_matrix(S, k, optimum, search_at_most):
    search_at_most(30)
    with pytest.warns(rs.DataWarning, match="not positive semidefinite"):
        cov = rs.Covariance(S)
    found = rs.solve(cov, k)
    assert found.lower == pytest.approx(optimum)
    assert found.upper >= optimum
    assert found.status in ("optimal", "elimination")  # no limit was set
    assert rs.verify(found.certificate), rs.verify(found.certificate).reasons


TWO_GROUPS = np.eye(60, 2) @ np.kron(np.eye(2), np.full(12, 3.0)) @ np.eye(24, 60)
TWO_GROUPS += 0.1 * np.random.default_rng(0).standard_normal((60, 60))
LOUD = [
    np.random.default_rng(seed).standard_normal((20, 80)) * [*25 * [6], *55 * [1]]
    for seed in range(draws(1, 3))
]
REDUCED = [(TWO_GROUPS, 6, 26, FactorPoint), *((A, 8, 30, RowsPoint) for A in LOUD)]


@pytest.mark.parametrize(("A", "k", "count", "point"), REDUCED)
def test_a_matrix_of_entries_is_reduced_where_row_sums_fail(A, k, count, point, search_at_most):
    cov = rs.Covariance(A.T @ A)
    whole = rs.solve(cov, k)
    search_at_most(count)
    found = rs.solve(cov, k)
    certificate = found.certificate
    assert isinstance(certificate.points[certificate.evidence.elimination.point], point)
    assert certificate.n <= count
    assert (found.status, found.support) == ("optimal", whole.support)
    assert rs.verify(certificate, against=cov), rs.verify(certificate).reasons


def test_no_matrix_of_all_pairs_is_formed_after_a_time_limit(monkeypatch):
    rng = np.random.default_rng(0)
    X = rng.standard_normal((30, 4600))
    X[:, :2300] += np.sqrt(2) * rng.standard_normal((30, 23)).repeat(100, axis=1)
    cov = rs.Covariance.from_data(X * np.exp(0.7 * rng.standard_normal(4600)))
    block = FactorGram.block

    def small(gram, indices):
        assert len(indices) <= 4400
        return block(gram, indices)

    monkeypatch.setattr(FactorGram, "block", small)
    found = rs.solve(cov, 20, time_limit=0)
    assert found.lower <= found.upper < np.inf


def test_few_variables_are_not_searched_below_what_the_others_may_reach():
    X = np.random.default_rng(3).standard_normal((20, 200))
    cov, size = rs.Covariance.from_data(X, correlation=True), Cardinality(8)
    best = rs.candidate(cov, 8)
    rows = heavy_variables(cov, size, Node.of([], None, range(200)), best.value, most=(40, 60))
    leaves = []
    for last in rows.higher:
        for floor in (-np.inf, last.level):
            run = Run(cov, size, best)
            run.search.floor = floor
            found = reduced._finished(run, rows, last, UNLIMITED)
            assert found.status == "elimination"
            assert found.upper == pytest.approx(last.level)
            assert rs.verify(found.certificate)
            leaves.append(len(found.certificate.tree))
    assert leaves[1] < leaves[0]
    assert leaves[3] < leaves[2]


@pytest.mark.filterwarnings("ignore:the matrix is not positive")
@pytest.mark.parametrize("is_factor", [False, True])
def test_a_search_of_too_many_variables_that_is_stopped_at_once_has_a_bound(is_factor, most, monkeypatch):
    A = np.random.default_rng(0).standard_normal((30, 30))
    cov = rs.Covariance.from_factor(A) if is_factor else rs.Covariance(A + A.T)
    most(5, 10, 20)
    for name, value in {"MANY": 5, "ROWS_A_SECOND": 5, "MOST": (5, 10, 20)}.items():
        monkeypatch.setattr(run, name, value)
    monkeypatch.setattr(deadline, "ROWS_A_SECOND", 0.001)
    found = rs.solve(cov, 3, time_limit=0)
    assert found.status == "time limit"
    assert found.lower <= found.upper < np.inf
    assert rs.verify(found.certificate)
