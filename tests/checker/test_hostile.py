"""Hostile certificates made in Python and on disk: nothing false is verified, nothing crashes."""

import itertools
import os
import re
import sys
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest
from building import changed, component, listed, ones
from true_certificates import certificate, covariance, optimum, psi_point, top, true_certificates
from two_checkers import NODE, second

from relaxspca.certificate import Certificate, Description, Leaf, RowsPoint, Split
from relaxspca.checker import Outcome
from relaxspca.checker.family import Defect
from relaxspca.checker.tree import leaves, members
from relaxspca.command.cli import main
from relaxspca.errors import CertificateError
from relaxspca.tasks.verify import verify_certificate as verify

WHOLE = [np.int8, np.int16, np.int32, np.int64, np.uint8, np.uint16, np.uint32, np.uint64, np.intc, np.longlong]
REAL = [np.float16, np.float32, np.float64, np.longdouble]
ODD = [np.bool_, np.complex128, np.datetime64, np.str_, np.bytes_, np.object_]
LARGEST = sys.float_info.max


def lying(**changes):
    """Return the claim v_1 <= 1.5 of Diag(1, ..., 1, 100), which is false, with the evidence of a liar."""
    fields = {
        "names": [f"x{i}" for i in range(9)],
        "matrix": np.diag([1.0] * 8 + [100.0]),
        "k": 1,
        "lower": 1.0,
        "upper": 1.5,
        "indices": [0],
        "loadings": np.eye(9)[0],
        "points": [ones(9)],
        "tree": [Leaf("rows", 0)],
    }
    return component(**fields | changes)


@pytest.mark.parametrize("kind", WHOLE)
def test_numpy_integers_of_every_size_are_whole_numbers(kind, tmp_path):
    made = lying(k=kind(1), indices=np.array([0], dtype=kind))
    assert type(made.k) is int
    for exact in (True, False):
        verdict = verify(made, exact=exact)
        assert not verdict
        assert verdict.proved_upper >= 100
    made.save(tmp_path / "c.json")
    assert Certificate.load(tmp_path / "c.json").n == 9
    tree = [Split(kind(0), kind(8), kind(1), kind(2)), Leaf("rows", kind(0)), Leaf("rows", 0)]
    assert [type(x) for x in vars(lying(tree=tree).tree[0]).values()] == [int] * 4
    assert not verify(lying(tree=tree))


@pytest.mark.parametrize("kind", REAL)
def test_numpy_reals_of_every_size_are_the_doubles_that_they_are(kind, tmp_path):
    made = lying(upper=kind(1.5), lower=kind(1), loadings=np.eye(9, dtype=kind)[0])
    assert (type(made.upper), type(made.lower)) == (float, float)
    assert not verify(made)
    made.save(tmp_path / "c.json")
    assert Certificate.load(tmp_path / "c.json").upper == 1.5
    for x in (kind("inf"), kind("nan"), -kind("inf")):
        for field in ("upper", "lower"):
            with pytest.raises(CertificateError):
                lying(**{field: x})


@pytest.mark.parametrize("kind", ODD)
def test_other_scalars_are_refused(kind):
    one = kind(1, "D") if kind is np.datetime64 else kind(1)
    one = object() if kind is np.object_ else one
    for field in ("k", "upper", "lower", "rho"):
        with pytest.raises(CertificateError):
            lying(**{"k": None} | {field: one} if field == "rho" else {field: one})


def everything(n):
    """Return the root of a tree in which all variables are free."""
    return ((0, (1 << n) - 1),)


def test_trees_beyond_a_small_integer_are_walked_whole():
    for n in (63, 64, 65, 200):
        tree = (Split(0, n - 1, 1, 2), Leaf("rows"), Leaf("rows"))
        assert [len(members(node.sides[0][1])) for node in leaves(tree, everything(n))] == [n - 1, n - 1]
        with pytest.raises(Defect, match="an earlier split decided"):
            list(leaves((Split(0, n, 1, 2), Leaf("rows"), Leaf("rows")), everything(n)))


@pytest.mark.parametrize("exact", [True, False])
def test_a_small_excess_over_the_claim_is_never_overlooked(exact):
    """Upper bounds one unit in the last place below what is attained."""
    for seed in range(30):
        rng = np.random.default_rng(seed)
        S = covariance(4, seed) * 2.0 ** float(rng.integers(-1000, 900))
        value, T, loadings = optimum(S / np.abs(S).max(), 2)
        fields = {"n": 4, "names": "abcd", "matrix": S, "k": 2, "lower": 0.0, "tree": [Leaf("rows")]}
        fields |= {"indices": T, "loadings": loadings}
        attained = verify(component(**fields, upper=LARGEST), exact=exact).proved_lower
        below = float(np.nextafter(attained, 0))
        assert verify(component(**fields, upper=below), exact=exact).outcome is Outcome.REFUTED
        assert Fraction(attained) > Fraction(below)


def test_names_that_would_change_a_terminal_or_a_page_are_shown_escaped():
    odd = ["a\x1b[31m", "b\nc", "d\u202e", "`e`", "$f_{g}%", "h" * 300, "", "\u00e9", "x" + "y" * 30]
    made = lying(names=odd, indices=list(range(9)), k=9, loadings=np.ones(9), lower=0, upper=200)
    text = str(verify(made))
    assert "\x1b" not in text + made.to_markdown() + made.to_latex()
    assert "\u202e" not in text + made.to_markdown() + made.to_latex()
    assert "b\nc" not in text
    assert "`` `e` ``" in made.to_markdown()


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="pipes with names")
def test_a_pipe_in_the_place_of_a_companion_is_refused_and_not_waited_for(tmp_path, monkeypatch):
    monkeypatch.setattr("relaxspca.certificate.writing.MAX_INLINE", 0)
    path = tmp_path / "c.json"
    true_certificates()["perron"][1].save(path)
    [companion] = tmp_path.glob("c.*.npz")
    companion.unlink()
    os.mkfifo(companion)
    with pytest.raises(CertificateError, match="not a regular file"):
        verify(path)
    companion.unlink()
    companion.symlink_to("/dev/zero")
    with pytest.raises(CertificateError, match="not a regular file"):
        verify(path)


@pytest.fixture
def special(tmp_path):
    """What is no regular file: a pipe that nobody writes to, devices, a folder."""
    os.mkfifo(tmp_path / "pipe")
    return [tmp_path / "pipe", Path("/dev/zero"), Path("/dev/null"), tmp_path]


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="pipes with names")
def test_only_regular_files_are_read_as_certificates(special, tmp_path, capsys):
    for path in special:
        with pytest.raises(CertificateError, match=r"not a regular file|a folder"):
            verify(path)
    true_certificates()["perron"][1].save(tmp_path / "c.json")
    assert main(["verify", *map(str, special[:3]), str(tmp_path / "c.json")]) == 2
    said = capsys.readouterr().out
    assert said.count("is not a regular file") == 3
    assert "1 of 4 verified" in said


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="pipes with names")
@pytest.mark.parametrize("word", ["--against", "--denominator"])
def test_only_regular_files_are_held_against_certificates(word, special, tmp_path, declined):
    true_certificates()["perron"][1].save(tmp_path / "c.json")
    for path in special:
        given = ["--against", "pitprops"] if word == "--denominator" else []
        assert f"{word} {path}: not a regular file" in declined(
            "verify", str(tmp_path / "c.json"), *given, word, str(path)
        )


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="pipes with names")
def test_a_folder_with_a_pipe_named_like_a_certificate_is_read(tmp_path):
    from relaxspca.report.archive import verify_many

    true_certificates()["perron"][1].save(tmp_path / "c.json")
    os.mkfifo(tmp_path / "d.json")
    assert [row.outcome for row in verify_many([tmp_path])] == ["verified"]


TRUE = {name: made for name, (_, made) in true_certificates().items()}


@pytest.mark.parametrize("name", ["nonnegative", "exclude", "include"])
def test_nothing_is_no_value_of_a_field_that_may_be_left_out(name):
    with pytest.raises(CertificateError, match=name):
        replace(TRUE["described"].claim, **{name: None})


def test_a_point_that_no_leaf_uses_must_fit_as_well():
    S = covariance(4, seed=1)
    with pytest.raises(CertificateError, match="point 0 has no factor of its own"):
        certificate(S, 2, [Leaf("rows")], points=[psi_point(S, 0.1, own_factor=False)], upper=top(S))


def test_as_many_observations_as_every_reader_keeps_whole(tmp_path):
    many = changed(TRUE["described"], description=Description("covariance", observations=2**53 - 1))
    many.save(tmp_path / "c.json")
    assert Certificate.load(tmp_path / "c.json").description.observations == 2**53 - 1
    with pytest.raises(CertificateError, match="at most 9007199254740991"):
        Description("covariance", observations=2**53)


def test_a_delete_character_in_a_name_is_ascii(tmp_path):
    changed(TRUE["perron"], names=["a\x7f", *"bcdef"]).save(tmp_path / "c.json")
    text = (tmp_path / "c.json").read_text()
    assert re.search('"a(\x7f|\\\\u007f)"', text)
    (tmp_path / "c.json").write_text(text.replace("\\u007f", "\x7f"))
    assert verify(tmp_path / "c.json")


def huge_charge():
    """A charge of 2^600 pays for its pair only because it is so large: its counterpart is 2^-600."""
    swap = np.array([[0.0, 1.0], [1.0, 0.0]])
    N = np.array([[0.0, 2.0**600], [2.0**-600, 0.0]])
    point = RowsPoint(np.array([0, 1]), swap, N)
    return certificate(np.eye(2), 2, [Leaf("rows", 0)], [point], upper=2.0**601)


def list_with_many_lies():
    """Eleven supports attain less than is claimed; that the last explains so little is false."""
    made = TRUE["near optimal"]
    S = made.matrix
    supports = sorted(itertools.combinations(range(len(S)), 3), key=lambda T: -top(S[np.ix_(T, T)]))
    values = np.array([top(S[np.ix_(T, T)]) for T in supports[:12]])
    vectors = [np.linalg.eigh(S[np.ix_(T, T)])[1][:, -1] for T in supports[:12]]
    lower, upper = [*(values[:11] + 0.25), 0.0], [*(values[:11] + 0.5), values[11] / 2]
    found = listed(supports[:12], lower, upper, made.claim.listed.others, vectors)
    return changed(made, **found, upper=made.upper + 1)


def test_no_charge_is_cut_in_rationals(tmp_path):
    assert verify(huge_charge(), exact=True).outcome is Outcome.VERIFIED
    assert verify(huge_charge(), exact=False).outcome is Outcome.INCONCLUSIVE
    assert NODE is None or second([huge_charge()], tmp_path) == ["VERIFIED"]


def test_what_is_false_is_refuted_after_any_number_of_reasons(tmp_path):
    verdict = verify(list_with_many_lies(), exact=True)
    assert verdict.outcome is Outcome.REFUTED
    assert verdict.reasons[0].startswith("listed support 11 attains")
    assert verdict.reasons[-1].endswith("more bounds of supports listed are not proved")
    assert NODE is None or second([list_with_many_lies()], tmp_path) == ["REFUTED"]
