"""Units: open nodes searched by themselves, merged in an order that no number of processes changes."""

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
from relaxspca.runtime.distributed import _executor
from relaxspca.search import engine
from relaxspca.search.several.search import JointSearch

pytestmark = [
    pytest.mark.usefixtures("splitting", "short_starts"),
    pytest.mark.filterwarnings("ignore::relaxspca.DataWarning"),
]


@pytest.fixture
def units(monkeypatch):
    """Units from the first node on, and so small that most of them are cut short."""
    for each in (engine.Engine, JointSearch):
        monkeypatch.setattr(each, "FEWEST", 1)
    for name, count in {"UNITS": (3, 6), "ROUND": 2}.items():
        monkeypatch.setattr(engine.Engine, name, count)
    monkeypatch.setattr(engine, "PATIENCE", 0.0)


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


@pytest.mark.usefixtures("units", "unlisted")
@pytest.mark.parametrize("name", SEARCHES | TABLES)
def test_copies_of_units_in_another_order_find_what_one_process_finds(name, monkeypatch):
    kind, seed, n = ("wishart", 5, draws(9, 15)) if name in SEARCHES else ("correlation", 4, 7)
    cov, search = covariance(draw(kind, np.random.default_rng(seed), n)), (SEARCHES | TABLES)[name]
    alone = search(cov, n_jobs=1)
    monkeypatch.setattr("relaxspca.search.engine.workers", lambda: nullcontext(Elsewhere()))
    agree(alone, search(cov))
    assert name in TABLES or alone.status == "optimal"


def test_two_processes_find_the_table_that_one_finds(monkeypatch):
    """On a common support, where no patch of this process is needed for nodes to be many."""
    monkeypatch.setattr(engine, "PATIENCE", 0.0)
    monkeypatch.setattr(JointSearch, "FEWEST", 1)
    cov = covariance(draw("correlation", np.random.default_rng(4), 7))
    agree(*(rs.components(cov, 4, 2, joint=True, common=True, n_jobs=jobs) for jobs in (1, 2)))


@pytest.mark.usefixtures("units")
def test_near_optimal_supports_are_all_listed():
    S = draw("indefinite", np.random.default_rng(2), 8)
    found = rs.near_optimal(covariance(S), 3, within=0.05)
    values = values_of(S, 3)
    expected = {T for T, value in values.items() if value > 0.95 * max(values.values())}
    assert {*map(tuple, map(sorted, (c.indices.tolist() for c in found.candidates)))} == expected


@pytest.mark.usefixtures("units")
@pytest.mark.parametrize("rounds", range(1, 6))
def test_what_was_not_reached_stays_open(rounds):
    """The callback stops in the middle of a round: the bound of the nodes that wait still counts."""
    S = draw("indefinite", np.random.default_rng(1), 10)
    seen = []
    found = rs.solve(covariance(S), 5, callback=lambda progress: seen.append(progress) or len(seen) == rounds)
    assert (found.status, len(seen)) == ("interrupted", rounds)
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
