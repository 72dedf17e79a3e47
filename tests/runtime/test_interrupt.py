"""Ctrl-C, raised at a chosen call: what was done by then is kept, true and said to be unfinished."""

import json
from dataclasses import replace

import numpy as np
import pytest
from cvxpy.reductions.solvers.solving_chain import SolvingChain
from interrupts import interrupt as stop
from interrupts import interrupted

import relaxspca as rs
from relaxspca.command.cli import main
from relaxspca.search import branch_and_bound
from relaxspca.tasks import compare as comparing
from relaxspca.tasks import components, prove, resampling, upper_bound
from relaxspca.tasks import path as paths

COV = rs.datasets.load_pitprops()


def stop_psi(monkeypatch):
    """Interrupt the first minimisation of psi."""
    kind = upper_bound.KINDS["psi"]
    monkeypatch.setitem(upper_bound.KINDS, "psi", replace(kind, method=interrupted(kind.method, 1)))


def stop_search(monkeypatch, call):
    """Interrupt the evaluation of a node inside `solve`, which takes it for the end of the search."""
    stop(monkeypatch, branch_and_bound, "expand", call)


def check_rows(found, keys):
    assert found.is_interrupted
    assert [row.k if row.rho is None else row.rho for row in found.rows] == keys
    assert "interrupted" in repr(found)
    for row in found.rows:
        assert rs.verify(row.certificate)


@pytest.mark.parametrize("name", ["Run", "candidate"])
def test_path_keeps_its_rows(name, monkeypatch):
    with monkeypatch.context() as patch:
        stop(patch, paths, name, 3)
        check_rows(rs.path(COV, k=range(2, 6)), [2, 3])
    stop(monkeypatch, paths, name, 1)
    with pytest.raises(KeyboardInterrupt):
        rs.path(COV, k=range(2, 6))


def test_path_with_conditions_stops(monkeypatch):
    stop_search(monkeypatch, 3)
    found = rs.path(COV, k=range(2, 9), include=[0])
    check_rows(found, list(range(2, 2 + len(found.rows))))
    assert 1 <= len(found.rows) <= 3


@pytest.mark.parametrize("name", ["candidate", "solve"])
def test_path_with_conditions_keeps_what_was_solved(name, monkeypatch):
    stop(monkeypatch, paths, name, 3)
    check_rows(rs.path(COV, k=range(2, 9), include=[0]), [2, 3])


@pytest.mark.parametrize(("module", "name", "call"), [(paths, "solve", 2), (branch_and_bound, "expand", 1)])
def test_path_of_penalties_keeps_its_rows_and_stops_with_the_search(module, name, call, monkeypatch):
    stop(monkeypatch, module, name, call)
    check_rows(rs.path(COV, rho=[0.2, 0.3, 0.4]), [0.2])


def test_components_keep_those_found(monkeypatch):
    stop(monkeypatch, components, "solve", 3)
    found = rs.components(COV, [4, 3, 2])
    assert (found.loadings_array.shape, len(found.results)) == ((13, 2), 2)
    monkeypatch.undo()
    assert np.array_equal(found.loadings_array, rs.components(COV, [4, 3]).loadings_array)
    stop_search(monkeypatch, 1)
    assert [result.status for result in rs.components(COV, [6, 3, 2]).results] == ["interrupted"]


@pytest.mark.parametrize(
    ("name", "estimate", "count"),
    [
        ("solve", lambda X, most: rs.bootstrap(X, 3, resamples=most), lambda found: len(found.supports)),
        ("_shares", lambda X, most: rs.held_out(X, [2, 3], folds=most), lambda found: found.folds),
    ],
)
def test_resampling_keeps_what_was_done_from_two_on(name, estimate, count, monkeypatch):
    X = np.random.default_rng(0).normal(size=(20, 9))
    whole, first = estimate(X, 6), 2 if name == "solve" else 1  # the data as they are come before the resamples
    for done in (0, 1, 2, 5):
        with monkeypatch.context() as patch:
            stop(patch, resampling, name, first + done)
            if done < 2:
                with pytest.raises(KeyboardInterrupt):
                    estimate(X, 6)
                continue
            found = estimate(X, 6)
        assert (found.is_interrupted, whole.is_interrupted, count(found)) == (True, False, done)
        assert "Interrupted" in repr(found)
    kept = (found.supports, whole.supports[:5]) if name == "solve" else (found.k, whole.k)
    assert kept[0] == kept[1]


def test_a_bootstrap_ends_with_the_search_that_was_stopped(monkeypatch):
    X = np.random.default_rng(0).normal(size=(20, 9))
    stop_search(monkeypatch, 8)
    found = rs.bootstrap(X, 3, resamples=50)
    assert found.is_interrupted
    assert 2 <= len(found.supports) < 8


def test_certify_says_so(monkeypatch):
    support = rs.candidate(COV, 8).indices  # k = 8 takes a search
    stop_search(monkeypatch, 1)
    found = rs.certify(COV, support)
    assert found.is_interrupted
    assert rs.verify(found.certificate)
    monkeypatch.undo()
    stop(monkeypatch, prove, "solve", 1)
    assert rs.certify(COV, support).is_interrupted
    monkeypatch.undo()
    assert not rs.certify(COV, support).is_interrupted


def test_bound_keeps_the_best_before(monkeypatch):
    stop_psi(monkeypatch)
    found = rs.upper_bound(COV, 6)
    assert found.is_interrupted
    assert found.relaxation in ("spectral", "trace", "rowsum", "kkt")
    assert found.upper >= rs.candidate(COV, 6).value
    monkeypatch.undo()
    assert not rs.upper_bound(COV, 6).is_interrupted


@pytest.mark.parametrize("relaxation", ["dspca", "psi"])
def test_bound_by_one_relaxation_is_the_one_without_it(relaxation, monkeypatch):
    """SCS takes Ctrl-C for itself, and says so in its status."""
    interrupted = {"info": {"status": "interrupted"}}
    monkeypatch.setattr(SolvingChain, "solve_via_data", lambda *_, **__: interrupted)
    stop_psi(monkeypatch)
    cov = rs.Covariance.from_data(np.random.default_rng(0).normal(size=(60, 40)))
    found = rs.upper_bound(cov, 12, relaxation=relaxation, solver="scs" if relaxation == "dspca" else "auto")
    assert found.is_interrupted
    assert "interrupted" in repr(found)
    assert (found.upper, found.relaxation) == rs.relaxations.spectral.best_upper_bound(cov, 12)


def test_comparison_keeps_the_methods_done(monkeypatch):
    stop(monkeypatch, comparing, "candidate", 3)
    found = rs.compare(COV, 5)
    assert found.is_interrupted
    assert len(found.methods) == 2
    assert all(found.upper >= row.candidate.value for row in found.methods.values())


@pytest.mark.parametrize(
    ("words", "module", "name", "call"),
    [
        (["path", "-k", "2-5", "--csv", "t.csv", "--certificates", "proofs"], paths, "Run", 3),
        (["report", "-k", "2-5", "--out", "page"], paths, "Run", 3),
        (["report", "-k", "6", "--out", "page"], None, "", 1),
        (["compare", "-k", "6"], comparing, "candidate", 3),
        (["compare", "-k", "6"], None, "", 1),
        (["bootstrap", "-k", "2", "--heuristic", "--csv", "t.csv"], resampling, "candidate", 5),
        (["bound", "-k", "6"], upper_bound, "pairs", 1),
        (["certify", "--loadings", "names.txt"], None, "", 1),
    ],
    ids=str,
)  # fmt: skip
def test_the_command_line_reports_and_exits_130(words, module, name, call, tmp_path, monkeypatch, capsys):
    if words[0] == "report":
        pytest.importorskip("matplotlib")
    monkeypatch.chdir(tmp_path)
    (tmp_path / "names.txt").write_text("\n".join(COV.names[i] for i in rs.candidate(COV, 8).indices))
    if module is None:
        stop_search(monkeypatch, call)
    elif module is upper_bound:
        stop_psi(monkeypatch)
    else:
        stop(monkeypatch, module, name, call)
    as_json = [] if words[0] == "report" else ["--json"]
    np.save("X.npy", np.random.default_rng(0).normal(size=(30, 5)))
    data = "X.npy" if words[0] == "bootstrap" else "pitprops"
    assert main([words[0], data, *words[1:], *as_json]) == 130
    out = capsys.readouterr().out
    if words[0] == "bootstrap":
        assert json.loads(out)["resamples"] == 3
        assert (tmp_path / "t.csv").exists()
    elif as_json:
        assert json.loads(out)["taken_as"] == "the built-in data set pitprops"
    if words[0] == "path":
        assert [row["k"] for row in json.loads(out)["rows"]] == [2, 3]
        assert (tmp_path / "t.csv").read_text().count("\n") == 3
        assert len(list((tmp_path / "proofs").glob("*.json"))) == 2
    if words[0] == "report":
        assert "verified" in (tmp_path / "page" / "index.html").read_text()


def test_without_any_result_the_command_line_says_so(tmp_path, monkeypatch, capsys):
    stop(monkeypatch, rs, "upper_bound", 1)
    file = tmp_path / "c.json"
    assert main(["bound", "pitprops", "-k", "6", "--certificate", str(file)]) == 130
    out, err = capsys.readouterr()
    assert out == "Using the built-in data set pitprops\n"
    assert err == (
        "relaxspca: interrupted before there was a result to show; files to be written may be missing\n"
    )
    assert not file.exists()
