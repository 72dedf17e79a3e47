"""Groups and signs from the command line: as words, from files, and what is refused."""

import json

import pytest

import relaxspca as rs

GROUPS = {"size": ["topdiam", "length"], "ring": ["ringtop", "ringbut"], "knots": ["whorls", "knots"]}
WORDS = [word for name, members in GROUPS.items() for word in ("--groups", f"{name}={','.join(members)}")]


def test_at_most_one_of_each_group_is_proved_in_a_file(printed, tmp_path):
    proof = tmp_path / "c.json"
    out = printed("solve", "pitprops", "-k", "3", *WORDS, "--certificate", proof)
    assert "subject to at most one variable of each of the groups size, ring, knots" in out
    made = rs.Certificate.load(proof)
    members = [{made.names[i] for i in group} for group in made.claim.one_of_each]
    assert members == [set(group) for group in GROUPS.values()]
    out = printed("verify", proof, "--against", "pitprops")
    assert "at most one variable of each of the groups {" in out


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("g.csv", "variable,group\n" + "".join(f"{i},{g}\n" for g, members in GROUPS.items() for i in members)),
        ("g.csv", "".join(f'"{i}" , {g}\n' for g, members in GROUPS.items() for i in members)),
        ("g.tsv", "# of pits\n" + "".join(f"{i}\t{g}\n\n" for g, members in GROUPS.items() for i in members)),
        ("g.json", json.dumps(GROUPS)),
    ],
)
def test_groups_from_files_are_those_of_words(answered, tmp_path, name, text):
    (tmp_path / name).write_text(text)
    asked = (WORDS, ["--groups", tmp_path / name])
    answers = [answered("solve", "pitprops", "--most", "2", *words) for words in asked]
    for answer in answers:
        answer.pop("seconds")
    assert answers[0] == answers[1]
    assert answers[0]["used"] == ["size", "ring"]
    assert (answers[0]["most"], answers[0]["k"], answers[0]["groups"]) == (2, 4, GROUPS)
    assert answers[0]["restriction"] == "whole_groups"


def test_groups_in_any_order_and_of_one_variable_keep_their_names(answered):
    groups = {"ring": ["ringtop", "ringbut"], "alone": ["knots"], "size": ["topdiam", "length"]}
    words = [word for name, members in groups.items() for word in ("--groups", f"{name}={','.join(members)}")]
    found = answered("solve", "pitprops", "-k", "2", *words)
    assert (found["restriction"], found["groups"]) == ("one_of_each", groups)


def test_loadings_that_are_not_negative(answered, tmp_path):
    proof = tmp_path / "c.json"
    found = answered("solve", "pitprops", "-k", "10", "--nonnegative", "--certificate", proof)
    assert min(found["loadings"].values()) >= 0
    assert found["restriction"] == "nonnegative"
    assert found["upper"] == pytest.approx(rs.solve(rs.datasets.load_pitprops(), 10, nonnegative=True).upper)
    assert rs.verify(proof)
