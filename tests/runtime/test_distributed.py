"""Searches over the workers of dask end with the same certificate as alone."""

import json

import numpy as np
import pytest

import relaxspca as rs
from relaxspca.command.cli import main
from relaxspca.runtime.distributed import on_cluster
from relaxspca.search import branch_and_bound

distributed = pytest.importorskip("distributed")
joblib = pytest.importorskip("joblib")


@pytest.fixture(autouse=True)
def at_once(monkeypatch):
    """The first units go to the workers, however quick they are."""
    monkeypatch.setattr(branch_and_bound, "PATIENCE", 0.0)
    monkeypatch.setattr(branch_and_bound, "FEWEST", 1)


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


def agree(a, b):
    assert (a.lower, a.upper, a.node_count) == (b.lower, b.upper, b.node_count)
    assert a.certificate.tree == b.certificate.tree
    assert a.node_count > 8  # more than one round


@pytest.mark.usefixtures("splitting")
def test_two_workers_find_the_tree_that_one_process_finds(cluster, data):
    cov = rs.Covariance.from_data(np.load(data)[:, :14])  # about a hundred nodes
    alone = rs.solve(cov, 4)
    with distributed.Client(cluster):
        before = cluster.scheduler.transition_counter
        with joblib.parallel_config(backend="dask"):
            agree(rs.solve(cov, 4, n_jobs=2, time_limit=100.0), alone)
        with joblib.parallel_config(backend="dask", n_jobs=-1):
            agree(rs.solve(cov, 4), alone)
        assert cluster.scheduler.transition_counter > before + 2 * alone.node_count / branch_and_bound.BUDGET


def test_the_command_line_sends_its_searches_to_the_scheduler(cluster, data, capsys):
    answers, transitions = [], []
    for words in ([], ["--dask", cluster.scheduler_address]):
        assert main(["solve", str(data), "-k", "6", "--json", *words]) == 0
        answers.append(json.loads(capsys.readouterr().out))
        transitions.append(cluster.scheduler.transition_counter)
        assert main(["path", str(data), "--data", "-k", "5-6", "--relaxation", "search", "--json", *words]) == 0
        answers += json.loads(capsys.readouterr().out)["rows"]
        transitions.append(cluster.scheduler.transition_counter)
    assert transitions[0] == transitions[1] < transitions[2] < transitions[3]
    for alone, spread in zip(answers[:3], answers[3:], strict=True):
        assert (alone["lower"], alone["upper"], alone["support"]) == (
            spread["lower"],
            spread["upper"],
            spread["support"],
        )


def test_an_address_without_a_scheduler_is_said(monkeypatch):
    monkeypatch.setattr("relaxspca.runtime.distributed.SECONDS_TO_ANSWER", 0.5)
    for address in ("tcp://127.0.0.1:9", "nonsense://"):
        with pytest.raises(rs.InputError, match="no dask scheduler answers"), on_cluster(address):
            pass
