"""Searches over the workers of dask end with the same certificate as alone."""

import functools
import os
import signal
import sys

import numpy as np
import pytest
from draws import draws
from pools import agree

import relaxspca as rs
from relaxspca.runtime import task_queue
from relaxspca.runtime.distributed import on_workers, workers
from relaxspca.search import engine

distributed = pytest.importorskip("distributed")
joblib = pytest.importorskip("joblib")
on_cluster = functools.partial(on_workers, None)


@pytest.fixture(autouse=True)
def at_once(monkeypatch):
    """The first nodes go to the workers, however quick they are."""
    for module in (engine, task_queue):
        monkeypatch.setattr(module, "PATIENCE", 0.0)


@pytest.fixture(scope="module")
def cluster():
    with distributed.LocalCluster(
        n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None
    ) as two:
        yield two


@pytest.fixture(scope="module")
def data(tmp_path_factory):
    file = tmp_path_factory.mktemp("data") / "x.npy"
    np.save(file, np.random.default_rng(3).standard_normal((40, 24)))
    return file


@pytest.fixture
def client(cluster):
    with distributed.Client(cluster, set_as_default=False) as one:
        yield one


@pytest.fixture
def splitting_there(cluster, splitting):
    """Let searches only split nodes, as `splitting` does, on the workers too."""

    def split():  # in here, so that it travels to workers that cannot import the tests
        from relaxspca.search.branch_and_bound import Search
        from relaxspca.search.node import Effort

        Search.usual = Search.effort
        Search.effort = lambda self, node: Effort(stages=0, most_entries=0, deadline=self.deadline)

    def again():
        from relaxspca.search.branch_and_bound import Search

        Search.effort = Search.usual

    with distributed.Client(cluster, set_as_default=False) as client:
        client.run(split)
        yield
        client.run(again)


@pytest.mark.usefixtures("splitting_there")
def test_two_workers_find_the_tree_that_one_process_finds(cluster, data):
    cov = rs.Covariance.from_data(np.load(data)[:, :12])  # dozens of nodes
    alone = rs.solve(cov, 4)
    with distributed.Client(cluster):
        before = cluster.scheduler.transition_counter
        with joblib.parallel_config(backend="dask"):
            agree(alone, rs.solve(cov, 4, n_jobs=2, time_limit=100.0))
        with joblib.parallel_config(backend="dask", n_jobs=-1):
            agree(alone, rs.solve(cov, 4))
        assert cluster.scheduler.transition_counter > before + alone.node_count


VERBS = {
    "solve": lambda cov, **where: rs.solve(cov, 4, **where),
    "path": lambda cov, **where: rs.path(cov, k=[4, 5], **where).rows[0],
    "components": lambda cov, **where: rs.components(cov, 4, 1, **where).results[0],
    "compare": lambda cov, **where: rs.compare(cov, 4, methods=["auto"], **where).result,
}


@pytest.mark.parametrize("name", draws(["path"], VERBS))
def test_a_client_or_its_address_takes_the_place_of_processes(client, cluster, data, name, request):
    if name != "path":
        request.getfixturevalue("splitting_there")
    cov = rs.Covariance.from_data(np.load(data)[:, : draws(8, 10)])
    alone = VERBS[name](cov).certificate
    for where in (client, cluster.scheduler_address):
        before = cluster.scheduler.transition_counter
        assert VERBS[name](cov, client=where).certificate.tree == alone.tree
        assert cluster.scheduler.transition_counter > before


@pytest.mark.usefixtures("splitting_there")
def test_the_matrix_travels_once_per_worker(client, data):
    cov, sent, scatter = rs.Covariance.from_data(np.load(data)[:, :12]), [], client.scatter
    client.scatter = lambda what, **how: sent.append(what) or scatter(what, **how)
    with on_cluster(client):
        found = rs.solve(cov, 4)
    assert found.node_count > 32
    assert [what.own is what.cov for what in sent] == [True]


@pytest.mark.usefixtures("splitting")
def test_a_cluster_that_goes_away_leaves_the_search_to_this_process(data, monkeypatch):
    cov = rs.Covariance.from_data(np.load(data)[:, :12])
    alone = rs.solve(cov, 4)
    with (
        distributed.LocalCluster(
            n_workers=1, threads_per_worker=1, processes=False, dashboard_address=None
        ) as one,
        distributed.Client(one, set_as_default=False, timeout=1) as client,
    ):
        seen = []

        def closing(progress):
            if not seen:
                one.close()
            seen.append(progress.upper)

        with pytest.warns(UserWarning, match="does not answer any more"):
            found = rs.solve(cov, 4, client=client, callback=closing)
    agree(alone, found)
    assert seen == sorted(seen, reverse=True)


def test_what_a_killed_worker_of_a_cluster_did_is_done_again(client, tmp_path):
    def killed_once(path, number):  # in here, so that it travels to workers that cannot import the tests
        if number == 2 and not path.exists():
            path.touch()
            os.kill(os.getpid(), signal.SIGKILL)
        return number**2

    with on_cluster(client), workers() as pool:
        futures = [pool.submit(pool.packed(killed_once, tmp_path / "killed", number)) for number in range(4)]
        assert [future.result() for future in futures] == [0, 1, 4, 9]
        assert (tmp_path / "killed").exists()


def test_two_places_to_work_at_or_one_that_is_closed_are_an_error(client):
    cov = rs.Covariance(np.eye(9) + 0.5)
    with pytest.raises(rs.InputError, match="not both"):
        rs.solve(cov, 4, n_jobs=2, client="tcp://127.0.0.1:9")
    with pytest.raises(rs.InputError, match="client must be"):
        rs.solve(cov, 4, client=3)
    client.close()
    with pytest.raises(rs.InputError, match="the client is closed"):
        rs.solve(cov, 4, client=client)


def test_the_command_line_sends_its_searches_to_the_scheduler(cluster, data, answered):
    told = []
    for words in ([], ["--dask", cluster.scheduler_address]):
        before = cluster.scheduler.transition_counter
        found = answered("solve", data, "-k", "10", *words)
        between = cluster.scheduler.transition_counter
        rows = [found, *answered("path", data, "--data", "-k", "9-10", *words)["rows"]]
        told.append([[row[name] for name in ("lower", "upper", "support")] for row in rows])
        assert (before < between < cluster.scheduler.transition_counter) == bool(words)
    assert told[0] == told[1]


def test_workers_with_another_version_or_none_are_refused(client, monkeypatch):
    monkeypatch.setattr(rs, "__version__", "9.9")
    with pytest.raises(rs.InputError, match=r"have relaxspca 0\..*, here it is 9\.9"), on_cluster(client):
        pass
    client.run(lambda: sys.modules.update(relaxspca=None))  # as if it were not installed
    with pytest.raises(rs.InputError, match="cannot import relaxspca .*: install it"), on_cluster(client):
        pass
    client.run(lambda: sys.modules.pop("relaxspca", None))


def test_an_address_without_a_scheduler_is_said(monkeypatch):
    monkeypatch.setattr("relaxspca.runtime.distributed.SECONDS_TO_ANSWER", 0.5)
    for address in ("tcp://127.0.0.1:9", "nonsense://"):
        with pytest.raises(rs.InputError, match="no dask scheduler answers"), on_cluster(address):
            pass
