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


SEARCH = (branch_and_bound, "expand")  # the evaluation of a node, which `solve` takes for the end of the search
CONDITIONS = {"k": range(2, 9), "include": [0]}
PENALTIES = {"rho": [0.2, 0.3, 0.4]}


@pytest.mark.parametrize(
    ("asked", "where", "kept"),
    [
        *(({"k": range(2, 6)}, (paths, name, 3), [2, 3]) for name in ("Run", "candidate")),
        *((CONDITIONS, (paths, name, 3), [2, 3]) for name in ("solve", "candidate")),
        (CONDITIONS, (*SEARCH, 3), [2, 3, 4]),
        *((PENALTIES, where, [0.2]) for where in ((paths, "solve", 2), (*SEARCH, 1))),
    ],
)
def test_a_path_keeps_its_rows(asked, where, kept, monkeypatch):
    stop(monkeypatch, *where)
    found = rs.path(COV, **asked)
    assert found.is_interrupted
    assert [row.k if row.rho is None else row.rho for row in found.rows] == kept
    assert "interrupted" in repr(found)
    assert all(rs.verify(row.certificate) for row in found.rows)


@pytest.mark.parametrize("name", ["Run", "candidate"])
def test_a_path_without_a_row_is_none(name, monkeypatch):
    stop(monkeypatch, paths, name, 1)
    with pytest.raises(KeyboardInterrupt):
        rs.path(COV, k=range(2, 6))


def test_components_keep_those_found(monkeypatch):
    stop(monkeypatch, components, "solve", 3)
    found = rs.components(COV, [4, 3, 2])
    assert (found.loadings_array.shape, len(found.results)) == ((13, 2), 2)
    monkeypatch.undo()
    assert np.array_equal(found.loadings_array, rs.components(COV, [4, 3]).loadings_array)
    stop(monkeypatch, *SEARCH, 1)
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
    stop(monkeypatch, *SEARCH, 8)
    found = rs.bootstrap(X, 3, resamples=50)
    assert found.is_interrupted
    assert 2 <= len(found.supports) < 8


@pytest.mark.parametrize("where", [(*SEARCH, 1), (prove, "solve", 1), None])
def test_certify_says_so(where, monkeypatch):
    support = rs.candidate(COV, 8).indices  # k = 8 takes a search
    if where:
        stop(monkeypatch, *where)
    found = rs.certify(COV, support)
    assert found.is_interrupted == (where is not None)
    assert rs.verify(found.certificate)


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
    ("words", "where"),
    [
        (["path", "-k", "2-5", "--csv", "t.csv", "--certificates", "proofs"], (paths, "Run", 3)),
        (["report", "-k", "2-5", "--out", "page"], (paths, "Run", 3)),
        (["report", "-k", "6", "--out", "page"], (*SEARCH, 1)),
        (["compare", "-k", "6"], (comparing, "candidate", 3)),
        (["compare", "-k", "6"], (*SEARCH, 1)),
        (["bootstrap", "-k", "2", "--heuristic", "--csv", "t.csv"], (resampling, "candidate", 5)),
        (["bound", "-k", "6"], ()),
        (["certify", "--loadings", "names.txt"], (*SEARCH, 1)),
    ],
    ids=str,
)
def test_the_command_line_reports_and_exits_130(words, where, tmp_path, monkeypatch, capsys):
    if words[0] == "report":
        pytest.importorskip("matplotlib")
    monkeypatch.chdir(tmp_path)
    (tmp_path / "names.txt").write_text("\n".join(COV.names[i] for i in rs.candidate(COV, 8).indices))
    np.save("X.npy", np.random.default_rng(0).normal(size=(30, 5)))
    (stop if where else stop_psi)(monkeypatch, *where)
    data = "X.npy" if words[0] == "bootstrap" else "pitprops"
    assert main([words[0], data, *words[1:], *([] if words[0] == "report" else ["--json"])]) == 130
    out = capsys.readouterr().out
    if words[0] == "report":
        assert "verified" in (tmp_path / "page" / "index.html").read_text()
        return
    told = json.loads(out)
    if words[0] == "bootstrap":
        assert told["resamples"] == 3
        assert (tmp_path / "t.csv").exists()
    else:
        assert told["taken_as"] == "the built-in data set pitprops"
    if words[0] == "path":
        assert [row["k"] for row in told["rows"]] == [2, 3]
        assert (tmp_path / "t.csv").read_text().count("\n") == 3
        assert len(list((tmp_path / "proofs").glob("*.json"))) == 2


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
