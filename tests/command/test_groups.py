"""Groups and signs from the command line: as words, from files, and what is refused."""

import json
import re

import commands
import pytest

import relaxspca as rs
from relaxspca.command.cli import main

GROUPS = {"size": ["topdiam", "length"], "ring": ["ringtop", "ringbut"], "knots": ["whorls", "knots"]}
WORDS = [word for name, members in GROUPS.items() for word in ("--groups", f"{name}={','.join(members)}")]


def run(capsys, *words):
    return commands.run(capsys, "solve", "pitprops", *words)


def test_at_most_one_of_each_group_is_proved_in_a_file(capsys, tmp_path):
    proof = tmp_path / "c.json"
    code, out, _ = run(capsys, "-k", "3", *WORDS, "--certificate", str(proof))
    assert code == 0
    assert "subject to at most one variable of each of the groups size, ring, knots" in out
    made = rs.Certificate.load(proof)
    members = [{made.names[i] for i in group} for group in made.claim.one_of_each]
    assert members == [set(group) for group in GROUPS.values()]
    assert main(["verify", str(proof), "--against", "pitprops"]) == 0
    assert "at most one variable of each of the groups {" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("g.csv", "variable,group\n" + "".join(f"{i},{g}\n" for g, members in GROUPS.items() for i in members)),
        ("g.csv", "".join(f'"{i}" , {g}\n' for g, members in GROUPS.items() for i in members)),
        ("g.tsv", "# of pits\n" + "".join(f"{i}\t{g}\n\n" for g, members in GROUPS.items() for i in members)),
        ("g.json", json.dumps(GROUPS)),
    ],
)
def test_groups_from_files_are_those_of_words(capsys, tmp_path, name, text):
    (tmp_path / name).write_text(text)
    answers = []
    for words in (WORDS, ["--groups", str(tmp_path / name)]):
        code, out, _ = run(capsys, "--most", "2", "--json", *words)
        assert code == 0
        answers.append(json.loads(out))
    for answer in answers:
        answer.pop("seconds")
    assert answers[0] == answers[1]
    assert answers[0]["used"] == ["size", "ring"]
    assert (answers[0]["most"], answers[0]["k"], answers[0]["groups"]) == (2, 4, GROUPS)
    assert answers[0]["restriction"] == "whole_groups"


def test_loadings_that_are_not_negative(capsys, tmp_path):
    proof = str(tmp_path / "c.json")
    code, out, _ = run(capsys, "-k", "10", "--nonnegative", "--json", "--certificate", proof)
    assert code == 0
    found = json.loads(out)
    assert min(found["loadings"].values()) >= 0
    assert found["restriction"] == "nonnegative"
    assert found["upper"] == pytest.approx(rs.solve(rs.datasets.load_pitprops(), 10, nonnegative=True).upper)
    assert rs.verify(proof)


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("-k", "3", "--groups", "nofile"), "takes NAME=A,B with names of variables, or a file of groups"),
        (("-k", "3", "--groups", "a=nobody"), "the group 'a': there is no variable 'nobody'"),
        (("-k", "3", "--groups", "a="), "the group 'a': no variable is selected"),
        (("-k", "3", "--groups", "a=length,length"), "the group 'a': variable length is selected twice"),
        (("-k", "3", "--groups", "a=length", "--groups", "b=length"), "length is in two groups"),
        (("-k", "3", "--groups", "a=length", "--groups", "a=knots"), "the group 'a' is given twice"),
        (("--most", "2"), "give groups too"),
    ],
)
def test_what_is_refused(capsys, words, said):
    code, out, err = run(capsys, *words)
    assert code == 2
    assert said in err
    assert re.fullmatch(r"((Using|Read) .*\n)?", out)  # how the data were read, if that far


@pytest.mark.parametrize(
    ("name", "text", "said"),
    [
        ("g.csv", "topdiam\n", "each line is a variable and its group, not 'topdiam'"),
        ("g.csv", "topdiam,a,b\n", "each line is a variable and its group, not 'topdiam,a,b'"),
        ("g.csv", "topdiam,\n", "each line is a variable and its group"),
        ("g.csv", "\n", "holds no group"),
        ("g.csv", "variabel,group\ntopdiam,a\n", "there is no variable 'variabel'"),
        ("g.json", "{", "not JSON"),
        ("g.json", '{"a": "length"}', "give an object of lists of names"),
        ("g.json", "[]", "give an object of lists of names"),
    ],
)
def test_files_of_groups_that_are_none_are_refused(capsys, tmp_path, name, text, said):
    (tmp_path / name).write_text(text)
    code, _, err = run(capsys, "-k", "3", "--groups", str(tmp_path / name))
    assert code == 2
    assert said in err
