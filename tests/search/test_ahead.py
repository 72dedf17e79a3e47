"""Nodes that are searched ahead: neither the tree nor any bound on the way depends on them."""

import os
import signal
from contextlib import nullcontext

import numpy as np
import pytest
from draws import draws
from enumeration import values_of
from pools import Elsewhere, agree
from small_covariances import covariance, draw, optimum

import relaxspca as rs
from relaxspca.problem.size import Cardinality
from relaxspca.runtime.deadline import FOREVER
from relaxspca.runtime.distributed import _executor
from relaxspca.search import engine
from relaxspca.search.branch_and_bound import Search
from relaxspca.search.limits import SearchLimits
from relaxspca.search.proof_tree import Points
from relaxspca.search.run import first_proof

pytestmark = [
    pytest.mark.usefixtures("splitting", "short_starts"),
    pytest.mark.filterwarnings("ignore::relaxspca.DataWarning"),
]


@pytest.fixture
def ahead(monkeypatch):
    """Nodes are searched ahead from the first on, by copies in another order, as by nine other processes."""
    monkeypatch.setattr(engine, "PATIENCE", 0.0)
    pool = Elsewhere()
    monkeypatch.setattr(engine, "workers", lambda: nullcontext(pool))
    return pool


SEARCHES = {
    "component": lambda cov, **told: rs.solve(cov, 7, **told),
    "penalty": lambda cov, **told: rs.solve(cov, rho=0.1 * float(cov.diagonal.max()), **told),
    "conditions": lambda cov, **told: rs.solve(cov, 7, include=[1], exclude=[2], **told),
    "one of each": lambda cov, **told: rs.solve(cov, 7, groups={"a": [0, 1], "b": [3, 4]}, **told),
    "nonnegative": lambda cov, **told: rs.solve(cov, 4, nonnegative=True, **told),
}
TABLES = {
    "orthogonal": lambda cov, **told: rs.components(cov, [3, 3], joint=True, node_limit=5, **told),
    "common": lambda cov, **told: rs.components(cov, 4, 2, joint=True, common=True, node_limit=5, **told),
}


@pytest.mark.usefixtures("unlisted")
@pytest.mark.parametrize("name", SEARCHES | TABLES)
def test_what_others_find_changes_no_bound_on_the_way(name, request):
    kind, seed, n = ("wishart", 5, draws(9, 15)) if name in SEARCHES else ("correlation", 4, 7)
    cov, search = covariance(draw(kind, np.random.default_rng(seed), n)), (SEARCHES | TABLES)[name]
    alone = search(cov)
    pool = request.getfixturevalue("ahead")
    together = search(cov)
    agree(alone, together)
    ways = ([(step.node_count, step.lower, step.upper) for step in one.history] for one in (alone, together))
    assert next(ways) == next(ways)
    assert pool.done > 1
    assert name in TABLES or alone.status == "optimal"


def test_two_processes_find_the_table_that_one_finds(monkeypatch):
    """On a common support, where no patch of this process is needed for nodes to be many."""
    monkeypatch.setattr(engine, "PATIENCE", 0.0)
    cov = covariance(draw("correlation", np.random.default_rng(4), 7))
    agree(*(rs.components(cov, 4, 2, joint=True, common=True, n_jobs=jobs) for jobs in (1, 2)))


def test_what_was_found_ahead_for_a_worse_component_is_not_used(ahead, monkeypatch):
    """The search begins with the worst component, and finds better ones while others search ahead."""
    S = draw("wishart", np.random.default_rng(5), draws(9, 12))
    cov, size, values, lower = covariance(S), Cardinality(4), values_of(S, 4), []
    worst, found = rs.Candidate.from_support(cov, min(values, key=values.get)), []
    for pool in (None, ahead):
        monkeypatch.setattr(engine, "workers", lambda pool=pool: nullcontext(pool))
        search = Search(cov, size, worst, first_proof(cov, size))
        search.open(search.restrictions(FOREVER))
        assert search.run(SearchLimits(callback=lambda step: lower.append(step.lower))) is None
        found.append(
            (search.lower, search.upper, search.node_count, search.tree.pruned(search.upper, Points(cov)))
        )
    assert found[0] == found[1]
    assert len({*lower}) > 2
    assert ahead.done > 1


@pytest.mark.usefixtures("ahead")
def test_near_optimal_supports_are_all_listed():
    S = draw("indefinite", np.random.default_rng(2), 8)
    found = rs.near_optimal(covariance(S), 3, within=0.05)
    values = values_of(S, 3)
    expected = {T for T, value in values.items() if value > 0.95 * max(values.values())}
    assert {*map(tuple, map(sorted, (c.indices.tolist() for c in found.candidates)))} == expected


@pytest.mark.usefixtures("ahead")
@pytest.mark.parametrize("steps", range(1, 6))
def test_what_was_not_reached_stays_open(steps):
    """The callback stops in mid search: the bound of the nodes that wait still counts."""
    S = draw("indefinite", np.random.default_rng(1), 10)
    seen = []
    found = rs.solve(covariance(S), 5, callback=lambda progress: seen.append(progress) or len(seen) == steps)
    assert (found.status, len(seen)) == ("interrupted", steps)
    assert found.lower <= optimum(S, 5) * (1 + 1e-9) <= found.upper * (1 + 2e-9)
    assert seen[-1].upper >= optimum(S, 5)
    assert rs.verify(found.certificate)


def test_a_process_that_is_killed_in_mid_search_changes_nothing(monkeypatch):
    pytest.importorskip("joblib")
    monkeypatch.setattr(engine, "PATIENCE", 0.0)
    cov, killed = covariance(draw("wishart", np.random.default_rng(5), 10)), []

    def kill(progress):
        if progress.node_count > 8 and not killed:
            killed.append(_executor(1).submit(os.getpid).result())
            os.kill(killed[0], signal.SIGKILL)

    agree(SEARCHES["penalty"](cov, n_jobs=1), SEARCHES["penalty"](cov, n_jobs=2, callback=kill))
    assert killed[0] != os.getpid()
