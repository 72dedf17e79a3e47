"""What a new user stumbles over is said in plain words, on one line."""

import json

import pytest

from relaxspca.command.cli import main


def said(capsys, *words):
    try:
        code = main(list(words))
    except SystemExit as stop:
        code = stop.code
    out, err = capsys.readouterr()
    return code, out, err


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["solve", "pitprops", "-k", "2.5"], "argument -k: '2.5' is not a whole number"),
        (["solve", "pitprops", "-k", "2", "--gap", "much"], "argument --gap: 'much' is not a number"),
        (["path", "pitprops", "--share", "x"], "argument --share: 'x' is not a number"),
    ],
)
def test_numbers_are_asked_for_in_plain_words(words, message, capsys):
    code, out, err = said(capsys, *words)
    assert (code, out) == (2, "")
    assert err.count("\n") == 1
    assert message in err


def test_a_certificate_given_for_loadings_is_called_one(tmp_path, capsys):
    file = str(tmp_path / "c.json")
    assert said(capsys, "solve", "pitprops", "-k", "2", "--certificate", file)[0] == 0
    code, out, err = said(capsys, "certify", "pitprops", "--loadings", file)
    assert (code, out) == (2, "")
    assert "the file of a certificate is none" in err


def test_a_ratio_says_as_what_both_matrices_were_taken(tmp_path, capsys):
    (tmp_path / "B.csv").write_text("a,b\n2,0\n0,1\n")
    (tmp_path / "A.csv").write_text("a,b\n4,1\n1,1\n")
    words = ["generalized", str(tmp_path / "A.csv"), str(tmp_path / "B.csv"), "-k", "1"]
    code, out, _ = said(capsys, *words)
    assert code == 0
    assert "; B as a " in out.splitlines()[0]
    assert "; B as a" in json.loads(said(capsys, *words, "--json")[1])["taken_as"]


def test_the_only_support_has_no_radius_without_end(capsys):
    code, out, _ = said(capsys, "near-optimal", "pitprops", "-k", "13")
    assert code == 0
    assert "and there is no other" in out
    assert "inf" not in out


def test_two_radii_say_how_they_differ(capsys):
    code, out, _ = said(capsys, "near-optimal", "pitprops", "-k", "5", "--within", "0.05", "--decimals", "3")
    assert code == 0
    first = [line for line in out.splitlines() if "spectral norm" in line]
    assert len(first) == 2
    assert "stays the only one" in first[0]
    assert "half its distance to the second best" in first[0]
    assert "perhaps not as the only one" in first[1]
    assert "one by one" in first[1]


@pytest.mark.parametrize("words", [["near-optimal", "-k", "8", "--within", "0.2"], ["bound", "-k", "5"]])
def test_quiet_speaks_of_no_table(words, capsys):
    _, out, _ = said(capsys, words[0], "pitprops", *words[1:], "-q")
    assert "are shown" not in out
    assert " s  " not in out
    _, loud, _ = said(capsys, words[0], "pitprops", *words[1:])
    assert "the first 20 are shown" in loud or " s  " in loud
