"""Nothing in a readable file raises out of the checker, and no defect of the checker passes for a verdict."""

import copy
import json
import random

import checker.test_ratio as ratios
import numpy as np
import pytest
from draws import draws
from random_changes import changed_number, fewer_variables
from telling_lies import loaded, numbers
from true_certificates import true_certificates
from true_tables import matrix_of, true_tables
from two_checkers import true_documents

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


def extremes(document, rng):
    """Put numbers of any size in the place of some of an array that no digest binds."""
    arrays = [
        value for point in document["evidence"]["points"] for value in point.values() if isinstance(value, dict)
    ]
    packed = rng.choice([*arrays, None])
    if packed is None or not packed["hex"]:
        return
    array = numbers(packed)
    for _ in range(rng.choice([1, 2, array.size])):
        at = tuple(rng.randrange(length) for length in array.shape)
        with np.errstate(over="ignore"):
            array[at] = np.nan_to_num(changed_number(array[at], rng), posinf=1e308, neginf=-1e308)
        if array.ndim == 2 and array.shape[0] == array.shape[1]:
            array[at[::-1]] = array[at]
    packed["hex"] = [float(x).hex() for x in array.ravel()]


def held_against(certificate, rng):
    """Return what a reader may hold a certificate against: nothing, a digest, or a matrix near it or not."""
    factor = rng.choice([1.0, 1 + 2.0**-50, 2.0, -1.0, 0.0, 1e300, 1e-300])
    kind = rng.randrange(4)
    if kind == 0:
        return rng.choice([None, certificate.digest, "sha256:0"])
    if certificate.claim.kind == "ratio":
        pencil = certificate.subject
        if hasattr(pencil, "numerator"):
            return pencil.numerator * factor, pencil.denominator * rng.choice([1.0, 1 + 2.0**-50, 1e-300])
        return pencil.variables * factor, pencil.response
    S = matrix_of(certificate)
    if kind == 1 and len({*certificate.names}) == len(S):
        pd = pytest.importorskip("pandas")
        return pd.DataFrame(S * factor, certificate.names, certificate.names).iloc[::-1, ::-1]
    return S[: max(1, len(S) - (kind == 2)), : max(1, len(S) - (kind == 2))] * factor


@pytest.mark.parametrize("seed", range(draws(1, 2)))
def test_whatever_is_read_gets_a_verdict_in_both_arithmetics(seed, tmp_path):
    """Points of fewer variables, numbers at the ends of the range, and matrices of readers."""
    rng, originals, met, read = random.Random(seed), true_documents(tmp_path), set(), 0
    for _ in range(draws(60, 200)):
        document = copy.deepcopy(rng.choice(originals))
        for step in rng.choices([fewer_variables, extremes], k=rng.choice([1, 1, 2])):
            step(document, rng)
        certificate = loaded(document, tmp_path)
        if certificate is None:
            continue
        read += 1
        given = held_against(certificate, rng)
        try:
            verdicts = [verify(certificate, exact=exact, against=given) for exact in (True, False)]
        except CertificateError:  # what is given is no matrix of finite numbers
            continue
        met |= {verdict.outcome for verdict in verdicts}
        assert all(map(str, verdicts))
    assert read > draws(24, 80)
    assert met == {*Outcome}
