"""No defect of the checker passes for a verdict, or for a file that cannot be read."""

import json

import checker.test_ratio as ratios
import numpy as np
import pytest
from true_certificates import true_certificates
from true_tables import true_tables

import relaxspca as rs
from relaxspca.checker import Outcome
from relaxspca.command.cli import main
from relaxspca.errors import CertificateError
from relaxspca.report.archive import verify_many
from relaxspca.tasks.verify import verify_certificate as verify

ERRORS = [
    ValueError("zero-size array"),
    OverflowError("cannot convert Infinity"),
    IndexError("list index"),
    KeyError("a"),
    RecursionError("maximum depth"),
    ZeroDivisionError("division by zero"),
    FloatingPointError("invalid value"),
    AssertionError(),
    CertificateError("not of the reader"),
    MemoryError("8 TiB"),
]
ONE = {
    "component": true_certificates()["perron"][1],
    "table": next(iter(true_tables().values()))[1],
    "ratio": next(iter(ratios.TRUE.values())),
}
# What each kind of claim meets first, and last.
PLACES = ["claims.arithmetic_for", "verdict.floating_environment"]


def broken(monkeypatch, place, error):
    """Let one function of the checker raise."""

    def raised(*_, **__):
        raise error

    monkeypatch.setattr(f"relaxspca.checker.{place}", raised)


EACH = [*((kind, ERRORS[0]) for kind in ONE), *(("table", error) for error in ERRORS[1:])]


@pytest.mark.parametrize(("kind", "error"), EACH, ids=repr)
def test_an_error_of_the_checker_is_inconclusive_and_named(kind, error, monkeypatch, guarded):
    for place in PLACES:
        with monkeypatch.context() as context:
            broken(context, place, error)
            for told in ({}, {"exact": True}, {"exact": False}, {"against": ONE[kind].digest}):
                verdict = verify(ONE[kind], **told)
                assert verdict.outcome is Outcome.INCONCLUSIVE
                [reason] = verdict.reasons
                assert reason == f"the check was stopped by {error!r}"
                assert (verdict.proved_lower, verdict.proved_upper) == (-np.inf, np.inf)
                assert verdict.certificate.statement == ONE[kind].statement
                assert "attains as much" not in str(verdict)


@pytest.mark.parametrize("error", [KeyboardInterrupt(), SystemExit(3)], ids=repr)
def test_whoever_stops_the_check_stops_it(error, monkeypatch, guarded):
    broken(monkeypatch, PLACES[0], error)
    with pytest.raises(type(error)):
        verify(ONE["component"])


def test_the_next_file_of_a_folder_is_checked(tmp_path, monkeypatch, capsys, guarded):
    for at, made in enumerate(ONE.values()):
        made.save(tmp_path / f"{at}.json")
    monkeypatch.setattr("relaxspca.checker.components.SeveralEvidence", lambda *_: 1 / 0)
    assert [row.outcome for row in verify_many([tmp_path])] == ["verified", "inconclusive", "verified"]
    for flags in ([], ["--json"], ["--exact"]):
        assert main(["verify", str(tmp_path), *flags]) == 1
        said = capsys.readouterr().out
        assert "the check was stopped by ZeroDivisionError('division by zero')" in said
        assert "2 of 3 verified" in said or json.loads(said)["verified"] == 2


def test_without_the_guard_errors_come_out(monkeypatch):
    """So that no other test passes because a defect is INCONCLUSIVE."""
    broken(monkeypatch, PLACES[0], IndexError("list index"))
    with pytest.raises(IndexError):
        verify(ONE["component"])


@pytest.mark.parametrize("exact", [True, False])
@pytest.mark.parametrize(
    ("S", "k"),
    [([[2, 1], [1, 2]], 2), ([[2, 0.5], [0.5, 1.9]], 1), ([[1, 0.5, 0.1], [0.5, 1, 0.3], [0.1, 0.3, 1]], 2)],
)
def test_a_list_of_every_support_is_held_against_other_last_bits(S, k, exact):
    found = rs.near_optimal(rs.Covariance(S), k, within=0.9)
    assert found.upper == -np.inf
    verdict = verify(found.certificate, exact=exact, against=np.array(S, dtype=float) * (1 + 2.0**-50))
    assert verdict
    assert verdict.proved_others == -np.inf
    assert "not listed" not in verdict.comparison.note
    assert verify(found.certificate, exact=exact, against=9 * np.array(S)).outcome is not Outcome.VERIFIED
