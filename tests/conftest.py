"""One thread for linear algebra: the matrices of the tests are small, and the workers share the cores."""

import gc
import importlib
import json
import os
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest

for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ.setdefault(name, "1")

# After the threads: numpy reads their number as it is loaded, and these load it with the package. Where that is
# not loaded yet, pytest loads a module with doctests and makes the folders above it a second time, empty ones.
from commands import run  # noqa: E402


def pytest_collection_finish():
    """Keep thousands of collected tests from being looked through whenever garbage is collected."""
    gc.collect()
    gc.freeze()


@pytest.fixture(scope="session")
def schema():
    """Return what validates certificates by their schema."""
    jsonschema = pytest.importorskip("jsonschema")
    found = json.loads((Path(__file__).parents[1] / "certificates/certificate.schema.json").read_text())
    jsonschema.Draft202012Validator.check_schema(found)
    return jsonschema.Draft202012Validator(found)


@pytest.fixture(scope="module")
def cov():
    """Return the correlations of the pit props."""
    return importlib.import_module("relaxspca").datasets.load_pitprops()


@pytest.fixture
def guarded():
    """Let the checker answer errors of its own, as it does outside of the tests."""


@pytest.fixture(autouse=True)
def unguarded(request, monkeypatch):
    """Let errors of the checker come out of it: no test passes because a defect is INCONCLUSIVE."""

    def raised(certificate, error):
        raise error

    if "guarded" not in request.fixturenames:
        monkeypatch.setattr("relaxspca.checker.claims.unfinished", raised)


@pytest.fixture
def splitting(monkeypatch):
    """Let a search only split nodes, so that even a small one has many: none is tightened or listed."""
    from relaxspca.search.branch_and_bound import Search
    from relaxspca.search.node import Effort

    monkeypatch.setattr(
        Search, "effort", lambda self, node: Effort(stages=0, most_entries=0, deadline=self.deadline)
    )


@pytest.fixture
def unlisted(monkeypatch):
    """Let no node of a joint search be bounded by all its choices of supports, as where these are too many."""
    monkeypatch.setattr("relaxspca.search.several.search.can_be_listed", lambda *_: False)


@pytest.fixture
def absent(monkeypatch):
    """Return a function that lets a package be as if it were not installed."""

    def leave_out(package):
        for name in {package, *(name for name in sys.modules if name.partition(".")[0] == package)}:
            monkeypatch.setitem(sys.modules, name, None)

    return leave_out


@pytest.fixture
def clock(monkeypatch):
    """Return a function that lets the clock of all deadlines show what another function says."""
    return lambda now: monkeypatch.setattr("relaxspca.runtime.deadline.time", SimpleNamespace(monotonic=now))


@pytest.fixture
def ten_seconds_each(clock, monkeypatch):
    """Return a function that lets each call of another take ten seconds, and returns what was left for each."""
    now = [0.0]
    clock(lambda: now[0])

    def slowed(module, name):
        given, begun = [], getattr(module, name)

        def taking_ten_seconds(*arguments, time_limit=None, deadline=None, **options):
            given.append(time_limit if deadline is None else deadline.left)
            found = begun(*arguments, **options)
            now[0] += 10.0
            return found

        monkeypatch.setattr(module, name, taking_ten_seconds)
        return given

    return slowed


@pytest.fixture
def sketched(monkeypatch):
    """Let figures be made and not drawn, where the text of a page is asked about."""
    monkeypatch.setattr("matplotlib.figure.Figure.savefig", lambda figure, file, **how: file.write(b"<svg/>"))


@pytest.fixture
def short_starts(monkeypatch):
    """Let the local search over tables be short, which takes most of the time: how good it is, is not asked."""
    monkeypatch.setattr("relaxspca.candidates.several.local_search.STALE", 0.5)


@pytest.fixture
def printed(capsys):
    """Return a function that runs a command, which has to end well, and returns what it prints."""

    def of(*words):
        code, out, err = run(capsys, *words)
        assert code == 0, err
        return out

    return of


@pytest.fixture
def answered(printed):
    """Return a function that runs a command, and returns its answer in JSON."""
    return lambda *words: json.loads(printed(*words, "--json"))


@pytest.fixture
def declined(capsys):
    """Return a function that runs a command, which has to end with code 2, and returns the one line it says."""

    def of(*words):
        code, _, err = run(capsys, *words)
        assert (code, err.count("\n")) == (2, 1), err
        return err

    return of
