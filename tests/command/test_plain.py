"""What a user guesses is understood, or refused in words of the command line; nothing is dropped."""

import json
import re

import numpy as np
import pandas as pd
import pytest
from commands import run as said
from commands import write_csv

import relaxspca as rs
from relaxspca.command.output import _certificates_saved


def test_certificates_that_there_are_none_of_are_not_dropped_in_silence(tmp_path):
    found = rs.upper_bound(rs.datasets.load_pitprops(), 5)
    folder = tmp_path / "proofs"
    assert _certificates_saved(found, str(folder)) == [
        f"Nothing written to {folder}: these bounds have no certificate."
    ]
    assert not folder.exists()


@pytest.fixture
def forms(tmp_path):
    rng = np.random.default_rng(3)
    names = ["a", "b", "c", "d"]
    A, B = (factor.T @ factor for factor in rng.normal(size=(2, 9, 4)))
    A, B = A * np.outer([1, 1, 1, 1e4], [1, 1, 1, 1e4]), B + np.eye(4)

    def saved(name, matrix, order=range(4), called=names):
        labels = [called[i] for i in order]
        rows = ["," + ",".join(labels)]
        rows += [f"{called[i]}," + ",".join(repr(float(matrix[i, j])) for j in order) for i in order]
        (tmp_path / name).write_text("\n".join(rows) + "\n")
        return str(tmp_path / name)

    return A, B, saved


def test_a_ratio_finds_the_variables_of_B_by_name(forms, capsys, declined):
    A, B, saved = forms
    words = ["-k", "2", "--covariance", "--quiet"]
    code, out, err = said(capsys, "generalized", saved("A.csv", A), saved("B.csv", B), *words)
    assert (code, err) == (0, "")  # the unit of d cancels: nothing is said of its variance
    again = said(capsys, "generalized", saved("A.csv", A), saved("C.csv", B, order=(2, 0, 3, 1)), *words)
    assert again[:2] == (0, out)
    assert "put in the order of A" in again[2]
    other = saved("D.csv", B, called=["a", "b", "c", "e"])
    assert "B has no 'd'" in declined("generalized", saved("A.csv", A), other, *words)


@pytest.mark.parametrize(
    ("words", "sizes"),
    [
        (["-k", "13", "--groups", "g=topdiam,length"], ("k = 13 becomes 12", "at most 12 of 13 variables")),
        (
            ["--most", "3", "--groups", "g=topdiam,length"],
            ("most = 3 becomes 1", "with at most 1 of 1 group: "),
        ),
    ],
)
def test_a_size_that_groups_make_smaller_is_said(words, sizes, capsys):
    code, out, err = said(capsys, "solve", "pitprops", "--quiet", *words)
    assert code == 0
    warned, claimed = sizes
    assert warned in err
    assert claimed in out


def test_without_a_constant_r_squared_is_about_zero(tmp_path, capsys):
    rng = np.random.default_rng(0)
    X = rng.normal(size=(20, 3)) + 5
    y = X @ [1.0, 0.0, -2.0] + 30 + rng.normal(size=20)
    table = write_csv(tmp_path / "t.csv", "abcy", np.column_stack([X, y]))
    words = ["subset", table, "--response", "y", "-k", "3", "--quiet"]
    for more, Z, of in (([], X, " about 0"), (["--intercept"], np.column_stack([X, np.ones(20)]), "")):
        rest = y - Z @ np.linalg.lstsq(Z, y, rcond=None)[0]
        total = np.sum((y - y.mean()) ** 2) if more else np.sum(y**2)
        shown = re.search(rf"R squared{of}: ([\d.]+\d)", said(capsys, *words, *more)[1])
        assert float(shown[1]) == pytest.approx(1 - np.sum(rest**2) / total, abs=2e-6)


def test_data_are_read_as_the_certificate_says_that_they_were(tmp_path, capsys, printed):
    rows = np.random.default_rng(1).normal(size=(12, 3))
    data, proof = write_csv(tmp_path / "t.csv", "abc", rows), str(tmp_path / "c.json")
    said(capsys, "solve", data, "-k", "2", "--correlation", "--certificate", proof)
    out = printed("verify", proof, "--against", data)
    assert out.split("\n")[0].endswith("of 3 variables; scaled to correlations, as the certificate says")
    assert "your matrix is identical to the certified one" in out
    printed("verify", proof, "--against", data, "--correlation")
    fewer = write_csv(tmp_path / "fewer.csv", "abc", rows[:9])  # which are scaled, and other observations
    assert "--correlation" not in said(capsys, "verify", proof, "--against", fewer)[1]
    said(capsys, "solve", data, "-k", "2", "--uncentred", "--certificate", proof)
    assert "; not centred, as the certificate says" in printed("verify", proof, "--against", data)


def test_another_matrix_is_one_outcome(tmp_path, capsys):
    rows = np.random.default_rng(1).normal(size=(12, 4))

    def written(name, values, columns):
        pd.DataFrame(values, columns=[*columns]).to_csv(tmp_path / name, index=False)
        return str(tmp_path / name)

    proof = str(tmp_path / "c.json")
    data = written("t.csv", rows, "abcd")
    said(capsys, "solve", data, "-k", "2", "--certificate", proof, "--columns", "a,b,c")
    for other in (
        written("fewer.csv", rows[:, :2], "ab"),
        written("numbers.csv", rows[:, :3] + np.eye(12, 3), "abc"),
        written("names.csv", rows[:, :3] * 2, "xyz"),
        written("rows.csv", rows[:9], "abcd"),
    ):
        code, out, _ = said(capsys, "verify", proof, "--against", other)
        assert code == 1
        assert out.splitlines()[1].startswith("another matrix  ")
        assert "--exact" not in out
        assert "0 of 1 verified" in out
        found = json.loads(said(capsys, "verify", proof, "--against", other, "--json")[1])
        assert [row["outcome"] for row in found["rows"]] == ["another matrix"]
    # What is false is refuted, whatever it is held against.
    document = json.loads((tmp_path / "c.json").read_text())
    document["claim"]["upper"] = document["claim"]["lower"] = (0.001).hex()
    (tmp_path / "false.json").write_text(json.dumps(document))
    assert "\nrefuted  " in said(capsys, "verify", str(tmp_path / "false.json"), "--against", data)[1]


def test_a_file_with_much_else_in_it_is_held_against_by_the_names_of_the_certificate(tmp_path, capsys, printed):
    rng = np.random.default_rng(2)
    frame = pd.DataFrame(rng.normal(size=(20, 4)), columns=[*"abcd"])
    frame.insert(0, "respondent_id", range(20))
    frame["country"], frame["day"] = "DE", "2024-01-01"
    frame.to_csv(tmp_path / "t.csv", index=False)
    data, folder = str(tmp_path / "t.csv"), str(tmp_path / "proofs")
    words = f"components {data} -k 2,2 --exclude respondent_id,country,day --certificates {folder}".split()
    printed(*words)
    out = printed("verify", f"{folder}/component1.json", "--against", data)
    assert out.startswith("Read 20 observations of 4 variables; left out: respondent_id, country, day\n")
    # The second one is of a deflated matrix; both together have the variables of one.
    out = printed("verify", folder, "--against", data)
    assert "2 of 2 verified" in out
    # What the command says comes first.
    assert "country" in said(capsys, "verify", folder, "--against", data, "--exclude", "day")[2]
    assert said(capsys, "verify", folder, "--against", data, "--columns", "a,b,c")[0] == 1


def test_names_with_commas_are_told_apart(tmp_path, capsys, declined):
    names = ["length, mm", "b,c", "d; e", "f"]
    rows = np.random.default_rng(0).normal(size=(20, 1)) + np.random.default_rng(1).normal(size=(20, 4))
    pd.DataFrame(rows, columns=names).to_csv(tmp_path / "t.csv", index=False)
    data, table, proof = str(tmp_path / "t.csv"), str(tmp_path / "s.csv"), str(tmp_path / "c.json")
    whole = '"length, mm", "b,c", "d; e", f'
    out = said(capsys, "solve", data, "-k", "4", "--csv", table, "--certificate", proof)[1]
    assert f"using {whole}." in out
    assert pd.read_csv(table)["support"].tolist() == [
        whole.replace(", ", "; ").replace("length; mm", "length, mm")
    ]
    assert f"the component on {whole} attains" in said(capsys, "verify", proof)[1]
    out = said(
        capsys, "solve", data, "-k", "2", "--columns", '"length, mm","b,c", f', "--with", "b,c", "--json"
    )[1]
    assert "b,c" in json.loads(out)["support"]
    out = said(capsys, "subset", data, "--response", "f", "--subset", '"b,c","d; e"', "--json")[1]
    assert json.loads(out)["rows"][0]["support"] == ["b,c", "d; e"]
    wrong = declined("solve", data, "-k", "2", "--with", "f,d; e")
    assert "give each of these names by itself" in wrong


def test_the_smallest_k_under_conditions_is_said_to_be_under_them(cov):
    told = rs.path(cov, share_of_dense=0.6, include=["clear"])
    free = rs.path(cov, share_of_dense=0.6)
    assert free.smallest_k < told.smallest_k  # said without the condition, "no fewer do" would be false
    assert free.statement.startswith(f"{free.smallest_k} variables keep 60 % ")
    assert told.statement.startswith(f"{told.smallest_k} variables keep 60 % ")
    assert "subject to clear included (" in told.statement
