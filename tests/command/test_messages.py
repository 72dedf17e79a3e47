"""What a new user stumbles over is said in plain words, on one line."""

import json
import re

import numpy as np
import pandas as pd
import pytest
from commands import as_text, write_csv
from commands import run as said

import relaxspca as rs
from relaxspca.command.output import _certificates_saved


def test_options_stand_in_a_file_as_they_do_on_the_line(tmp_path, capsys, printed, declined):
    X = np.random.default_rng(0).normal(size=(20, 4)).round(2)
    rows = [f"{i}q;" + ";".join(f"{x:.2f}".replace(".", ",") for x in row) for i, row in enumerate(X)]
    rows[3] = rows[3].rsplit(";", 1)[0] + ";99"
    (tmp_path / "my data.csv").write_text("\n".join(["id;a;b;c, mm;d", *rows]) + "\n")
    (tmp_path / "how.txt").write_text(
        "# how the file is read\n--decimal , --sep ';' --na 99  # refused\n\n--drop-missing\n"
    )
    (tmp_path / "which.txt").write_text("--columns 'a,\"c, mm\",d'\n")
    data, how, which = (str(tmp_path / name) for name in ("my data.csv", "how.txt", "which.txt"))
    words = ["--decimal", ",", "--sep", ";", "--na", "99", "--drop-missing", "--columns", 'a,"c, mm",d']
    plain = said(capsys, "solve", data, "-k", "2", *words, "-q")
    assert plain[0] == 0
    assert plain == said(capsys, "solve", data, "-k", "2", f"@{how}", f"@{which}", "-q")
    proof = str(tmp_path / "c.json")
    printed("solve", data, "-k", "2", f"@{how}", f"@{which}", "--certificate", proof)
    printed("verify", proof, "--against", data, f"@{how}")
    for content, message in ((None, "No such file"), ("it's", "quote that does not end"), ("--nay 9", "--nay")):
        if content is not None:
            (tmp_path / "bad.txt").write_text(content)
        assert message in declined("solve", data, "-k", "2", f"@{tmp_path / 'bad.txt'}")


@pytest.mark.parametrize("verb", ["bootstrap", "held-out"])
def test_a_note_is_printed_once_and_calls_columns_by_their_names(verb, tmp_path, capsys):
    X = np.random.default_rng(1).integers(0, 6, size=(30, 3))
    X[[2, 5, 7], 1] = 99
    data = write_csv(tmp_path / "x.csv", ["age", "rent", "size"], X)
    few = {"bootstrap": ["--resamples", "3"], "held-out": ["--folds", "2"]}[verb]
    code, _, err = said(capsys, verb, data, "-k", "2", "--correlation", *few)
    assert code == 0
    assert re.findall("99 stands in 3 cells [(](\\w+) ", err) == ["rent"]


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (
            "solve pitprops -k 3 --decimals 2",
            "--decimals (near-optimal, stability have it); did you mean --decimal?",
        ),
        (
            "stability pitprops -k 3 --decimal 2",
            "invalid choice: '2' (choose from '.', ','); did you mean --decimals?",
        ),
        ("stability pitprops -k 3 --decimals ,", "',' is not a whole number; did you mean --decimal?"),
        ("solve pitprops -k 3 --within 0.1", "--within (near-optimal, generalized, subset have it) (--help"),
        ("solve pitprops -k 3 --resamples 2", "--resamples (bootstrap has it) (--help"),
        ("solve pitprops -k 3 --digits x", "'x' is not a whole number (--help"),
    ],
)
def test_an_option_of_another_command_or_of_almost_that_name(words, message, declined):
    assert message in declined(*words.split())


def test_what_may_be_repeated_is_repeated(capsys):
    words = ["--with", "topdiam", "--with", "length", "-q", "-q"]
    assert said(capsys, "solve", "pitprops", "-k", "3", *words)[0] == 0
    assert said(capsys, "solve", "pitprops", "-k", "3", *words)[0] == 0  # nothing is kept from line to line


@pytest.mark.parametrize(
    ("verb", "refused"),
    [("subset", ["covariance", "correlation", "uncentred", "symmetrise"]), ("generalized", ["correlation"])],
)
def test_the_help_is_silent_on_options_that_are_refused(verb, refused, tmp_path, capsys):
    assert "--correlation" in said(capsys, "solve", "--help")[1]
    shown = said(capsys, verb, "--help")[1]
    file = tmp_path / "A.csv"
    file.write_text("a,b\n2,1\n1,2\n")
    rest = {"subset": ["--response", "a"], "generalized": [str(file)]}[verb]
    for option in refused:
        assert f"--{option}" not in shown
        told = said(capsys, verb, str(file), *rest, "-k", "1", f"--{option}")
        assert told[0] == 2
        assert f"--{option}" in told[2] or "least squares needs observations" in told[2]


def test_a_file_that_is_no_json_is_called_so(tmp_path, capsys):
    (tmp_path / "c.json").write_text("id,age\n1,2\n")
    (tmp_path / "d.json").write_text('"\u00e9"', encoding="latin-1")
    out = said(capsys, "verify", str(tmp_path))[1]
    assert "c.json: not readable as a certificate: not JSON in ASCII: Expecting value: line 1 column 1" in out
    assert "d.json: not readable as a certificate: not JSON in ASCII: 'ascii' codec can't decode byte" in out


def test_the_claims_of_several_certificates_keep_their_conditions_and_matrices(tmp_path, printed):
    """The best three variables, and the best three without one of them, are of one matrix and differ."""
    proofs = tmp_path / "proofs"
    proofs.mkdir()
    printed("solve", "pitprops", "-k", "3", "--certificate", str(proofs / "a.json"))
    printed("solve", "pitprops", "-k", "3", "--without", "topdiam", "--certificate", str(proofs / "b.json"))
    told = printed("verify", str(proofs))
    assert len(re.findall(r"v_3 is the largest .* at most 3 variables\n", told)) == 1
    assert "at most 3 variables, subject to topdiam excluded\n" in told
    assert len(re.findall("sha256:", told)) == 1
    rs.solve(rs.Covariance([[2.0, 1.0], [1.0, 2.0]]), 1).certificate.save(proofs / "c.json")
    told = printed("verify", str(proofs))
    assert len(re.findall("S is the 13 x 13", told)) == 2
    assert len(re.findall("S is the 2 x 2", told)) == 1


def test_a_certificate_given_for_loadings_is_called_one(tmp_path, declined, printed):
    file = str(tmp_path / "c.json")
    printed("solve", "pitprops", "-k", "2", "--certificate", file)
    assert "it may be a certificate" in declined("certify", "pitprops", "--loadings", file)


def test_a_ratio_says_as_what_both_matrices_were_taken(tmp_path, capsys, printed):
    (tmp_path / "B.csv").write_text("a,b\n2,0\n0,1\n")
    (tmp_path / "A.csv").write_text("a,b\n4,1\n1,1\n")
    words = ["generalized", str(tmp_path / "A.csv"), str(tmp_path / "B.csv"), "-k", "1"]
    out = printed(*words)
    assert out.startswith(
        "Read A as a covariance matrix of 2 variables\nRead B as a covariance matrix of 2 variables\n"
    )
    assert "; B as a" in json.loads(said(capsys, *words, "--json")[1])["taken_as"]


def test_a_proof_that_roundings_hide_is_said_to_be_one_for_exact_arithmetic(tmp_path, capsys, printed):
    """Two columns are one but for a millionth: more observations than are checked exactly unless asked for."""
    rng = np.random.default_rng(1)
    X = rng.standard_normal((2100, 3))
    X[:, 1] = X[:, 0] * (1 + 1e-6 * rng.standard_normal(2100))
    table = np.column_stack([X, rng.standard_normal(2100) + X[:, 0]])
    np.savetxt(tmp_path / "t.csv", table, delimiter=",", header="a,b,c,y", comments="", fmt="%.17g")
    proof = str(tmp_path / "c.json")
    words = ["subset", str(tmp_path / "t.csv"), "--response", "y", "-k", "2", "-q", "--certificate", proof]
    printed(*words)
    code, out, _ = said(capsys, "verify", proof)
    assert (code, "--exact avoids it and takes longer" in out) == (1, True)
    assert "--exact" not in printed("verify", proof, "--exact")


def test_a_sound_file_held_against_another_kind_of_thing_is_not_called_unreadable(tmp_path, capsys, printed):
    rows = np.random.default_rng(2).normal(size=(20, 4)).round(3)
    rows[:, 0] = np.arange(101, 121)
    data, proof = write_csv(tmp_path / "t.csv", ["id", "a", "b", "y"], rows), str(tmp_path / "s.json")
    printed("subset", data, "--response", "y", "-k", "1", "--exclude", "id", "--certificate", proof)
    code, out, _ = said(capsys, "verify", proof, "--against", data)
    assert (code, "unreadable" in out or "not read" in out) == (2, False)
    assert "the certificate can be read, but not compared" in out
    assert "--against DATA --response NAME" in out
    # What the claim does not name is left out, as for a component.
    assert "is identical" in printed("verify", proof, "--against", data, "--response", "y")
    assert said(capsys, "verify", proof, "--against", data, "--response", "a")[0] == 1


def test_a_pair_of_another_kind_than_the_claim_is_said_to_be_one(tmp_path, capsys, printed):
    rows = np.random.default_rng(3).normal(size=(20, 3))
    data = write_csv(tmp_path / "t.csv", ["a", "b", "y"], rows)
    S = write_csv(tmp_path / "s.csv", ["a", "b", "y"], np.cov(rows, rowvar=False))
    made = {name: str(tmp_path / f"{name}.json") for name in ("one", "fit", "ratio")}
    printed("solve", data, "-k", "2", "--correlation", "--certificate", made["one"])
    printed("subset", data, "--response", "y", "-k", "1", "--certificate", made["fit"])
    printed("generalized", S, S, "--covariance", "-k", "1", "--certificate", made["ratio"])
    pairs = {"--response": (data, "y"), "--denominator": (S, S)}
    for name, option, said_of in [
        ("one", "--response", "this claim is about one matrix"),
        ("one", "--denominator", "this claim is about one matrix"),
        ("fit", "--denominator", "or the pair (X, y)"),
        ("ratio", "--response", "or the pair (A, B)"),
    ]:
        against, second = pairs[option]
        how = [] if option == "--response" else ["--covariance"]
        code, out, err = said(capsys, "verify", made[name], "--against", against, option, second, *how)
        assert (code, err) == (2, "")
        assert "but not compared with what was given: this claim is" in out
        assert said_of in out


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
        (tmp_path / name).write_text(as_text(matrix[np.ix_(order, order)].tolist(), ["", *labels], labels))
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


ROWS, PART = np.random.default_rng(1).normal(size=(12, 4)), "--columns a,b,c"
FRAMES = {  # more than there is to claim, and other data
    "t": pd.DataFrame(ROWS, columns=[*"abcd"]).assign(id=range(12), country="DE", day="2024-01-01"),
    "fewer": pd.DataFrame(ROWS[:, :2], columns=[*"ab"]),
    "numbers": pd.DataFrame(ROWS[:, :3] + np.eye(12, 3), columns=[*"abc"]),
    "names": pd.DataFrame(ROWS[:, :3] * 2, columns=[*"xyz"]),
    "rows": pd.DataFrame(ROWS[:9], columns=[*"abcd"]),
}
HELD = [  # how a claim about t.csv was made, what it is held against, the exit code and what is said
    (
        "--correlation",
        "t.csv",
        0,
        "day; scaled to correlations, as the certificate says\n",
    ),
    ("--correlation", "t.csv --correlation", 0, "your matrix is identical to the certified one"),
    ("--uncentred", "t.csv", 0, "; not centred, as the certificate says"),
    ("", "t.csv", 0, "Read 12 observations of 4 variables; left out: id, country, day\n"),
    ("", "t.csv --exclude day", 2, "country"),  # what the command says comes first
    ("", "t.csv --columns a,b,c", 1, "another matrix  "),
    *((PART, f"{name}.csv", 1, "another matrix  ") for name in FRAMES if name != "t"),
    ("--correlation", "rows.csv", 1, "another matrix  "),
]


@pytest.mark.parametrize(("made", "given", "code", "words"), HELD)
def test_a_claim_is_held_against_a_file_by_its_names_and_as_it_says(
    made, given, code, words, tmp_path, monkeypatch, capsys, printed
):
    monkeypatch.chdir(tmp_path)
    for name, frame in FRAMES.items():
        frame.to_csv(f"{name}.csv", index=False)
    others = "id,country,day" if made != PART else "d"
    printed("solve", "t.csv", "-k", "2", "--certificate", "c.json", *made.split(), "--exclude", others)
    found = said(capsys, "verify", "c.json", "--against", *given.split())
    assert found[0] == code
    assert words in found[1] + found[2]
    if words == "another matrix  ":
        assert "0 of 1 verified" in found[1]
        assert "--" not in found[1]  # no option would change that
        told = json.loads(said(capsys, "verify", "c.json", "--against", *given.split(), "--json")[1])
        assert [row["outcome"] for row in told["rows"]] == ["another matrix"]


OF_TABLES = ("are shown", "shortfall", "Shortfall", "|")
SAID = [  # what is typed, what is said, and what is not
    ("solve pitprops --rho 0", ["Largest variance of 13 variables: 4.21863"], ["less"]),
    ("near-optimal pitprops -k 13", ["and there is no other"], ["inf"]),
    (
        "near-optimal pitprops -k 5 --within 0.05 --decimals 3",
        ["is the only optimum, and remains so", "remain optimal", "(possibly tied)"], [],
    ),
    ("near-optimal pitprops -k 2 --within 0.5", ["The first 20 are shown"], []),
    ("bound pitprops -k 3", ["| perron |"], []),
    ("compare pitprops -k 3", ["\nShortfalls are relative to the optimum"], []),
    ("near-optimal pitprops -k 2 --within 0.5 -q", [], OF_TABLES),
    ("bound pitprops -k 3 -q", [], OF_TABLES),
    ("compare pitprops -k 3 -q", [], OF_TABLES),
    (
        "solve pitprops -q -k 13 --groups g=topdiam,length",
        ["k = 13 becomes 12", "at most 12 of 13 variables"], [],
    ),
    (
        "solve pitprops -q --most 3 --groups g=topdiam,length",
        ["most = 3 becomes 1", "with at most 1 of 1 group: "], [],
    ),
]  # fmt: skip


@pytest.mark.parametrize(("typed", "words", "absent"), SAID)
def test_what_is_said(typed, words, absent, capsys):
    code, out, err = said(capsys, *typed.split())
    assert code == 0
    assert [word for word in words if word not in out + err] == []
    assert [word for word in absent if word in out] == []
