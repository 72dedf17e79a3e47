"""The command of the verified checker: every file has a verdict, which says of which matrix and what else."""

import itertools
import re
from pathlib import Path

import numpy as np
import prove
import pytest
import translate
from building import changed
from restricted_certificates import restricted_certificates
from true_certificates import certificate, covariance, true_certificates
from true_tables import table

import relaxspca as rs
from relaxspca.certificate import Leaf, Split, load_certificate

ROOT = Path(__file__).parents[2]
PITPROPS = ROOT / "certificates" / "pitprops" / "k05.json"


@pytest.fixture
def said(checker, capsys):
    """Return a function that runs the command, and returns its status and its lines."""

    def run(*words):
        status = prove.main([str(word) for word in words])
        return status, capsys.readouterr().out.splitlines()

    return run


def test_every_file_has_a_verdict_whatever_is_in_it(said, tmp_path, monkeypatch):
    made = true_certificates()["tree"][1]
    changed(made, tree=(Split(0, 0, 0, 1), Leaf("rows"))).save(tmp_path / "1_cyclic.json")
    (tmp_path / "3_bytes.json").write_bytes(b"\xff\x00{")
    (tmp_path / "4_deep.json").write_text("[" * 100_000)
    (tmp_path / "5_folder.json").mkdir()
    (tmp_path / "6_gone.json").symlink_to(tmp_path / "nowhere")
    for name in ("7_memory", "8_recursion", "9_overflow"):
        (tmp_path / f"{name}.json").write_bytes(PITPROPS.read_bytes())
    (tmp_path / "good.json").write_bytes((PITPROPS.parent / "k04.json").read_bytes())
    waiting = [MemoryError(), RecursionError("too deep"), OverflowError("too\nlarge")]

    def translated(certificate):
        if certificate.k == 5:
            raise waiting.pop(0)
        return translate.translate(certificate)

    monkeypatch.setattr(prove, "translate", translated)
    status, lines = said(tmp_path)
    verdicts = {Path(line[12:].split()[0]).name[0]: line for line in lines if ".json" in line}
    assert [*verdicts] == [*"13456789g"]
    assert verdicts.pop("g").startswith("proved")
    refusals, reasons = [*verdicts.values()], ("MemoryError", "RecursionError: too deep", "too large")
    assert all(line.startswith("REFUSED") for line in refusals)
    for line, reason in zip(refusals[-3:], reasons, strict=True):
        assert reason in line
    assert status == 1
    assert lines[-1].startswith("9 certificates: 1 proved")


def test_all_makes_what_is_not_covered_a_failure(said, tmp_path):
    true_certificates()["penalised eliminated"][1].save(tmp_path / "c.json")
    for flags, expected in (((), 0), (("--all",), 1)):
        status, lines = said(*flags, PITPROPS, tmp_path / "c.json")
        assert status == expected
        assert lines[-2].startswith("not covered")
    assert said("--all", PITPROPS)[0] == 0


def test_what_is_too_large_is_not_covered(said, tmp_path):
    """A penalty takes a tree for each number of variables; disjoint supports that do not fit take one."""
    penalised = {"k": None, "rho": 0.5, "lower": 0.5, "upper": 0.5}
    certificate(np.eye(101), 1, [Leaf("rows")], **penalised).save(tmp_path / "a.json")
    several = {"indices": [[t] for t in range(9)], "loadings": np.eye(16)[:, :9], "lower": 9.0}
    made = table(np.eye(16), "disjoint", [4] * 9, 9.0, tree=[Leaf("multipliers")], **several)
    made.save(tmp_path / "b.json")
    status, lines = said(tmp_path)
    assert status == 0
    assert "101 variables, more than 100" in lines[0]
    assert lines[1].startswith("proved")


def test_the_matrix_is_told_by_its_digest_and_its_words(said):
    status, lines = said(PITPROPS)
    assert status == 0
    assert lines[1].strip() == f"a correlation matrix, of {load_certificate(PITPROPS).digest}"


def test_the_list_and_the_conditions_are_told(said, tmp_path):
    cov = rs.Covariance(covariance(12, seed=2), names=[f"v{i}" for i in range(12)])
    made = rs.near_optimal(cov, 2, within=0.2, exclude=[f"v{i}" for i in range(9)]).certificate
    made.save(tmp_path / "list.json")
    lines = "\n".join(said(tmp_path / "list.json")[1])
    assert "without v0, v1, v2, v3, v4, v5, v6, v7, v8\n" in lines
    listed = made.claim.listed
    found = re.findall(r"listed: (\S+) <= (.*) <= (\S+)\n", lines)
    for (lower, names, upper), T, least, most in zip(
        found, listed.supports, listed.lower, listed.upper, strict=True
    ):
        assert names == ", ".join(made.names[i] for i in T)
        assert float(lower) <= least <= most <= float(upper)
    assert float(re.search(r"every other support: at most (\S+)\n", lines)[1]) >= listed.others


def test_the_condition_on_eliminated_variables_is_told(said, tmp_path):
    made = true_certificates()["two eliminated"][1]
    made.save(tmp_path / "eliminated.json")
    lines = "\n".join(said(tmp_path / "eliminated.json")[1])
    assert "of every matrix that has this block, no eigenvalue below -0x0p+0" in lines
    assert "at most the variances y 0x1p-4, z 0x1p-3" in lines


def test_groups_and_budgets_are_told(said, tmp_path):
    titles = {"one_of_each": "at most one of each group: ", "whole_groups": "whole groups: "}
    for (*_, made), (field, title) in itertools.product(restricted_certificates().values(), titles.items()):
        if groups := getattr(made.claim, field):
            made.save(tmp_path / "c.json")
            told = title + "; ".join(", ".join(made.names[i] for i in group) for group in groups)
            assert told in map(str.strip, said(tmp_path / "c.json")[1])


def test_another_matrix_is_refused_and_the_next_file_checked(said, tmp_path):
    """The pit props with half the variance: proved, but not of the reader's matrix."""
    made = load_certificate(PITPROPS)
    half = changed(made, matrix=made.matrix / 2, lower=made.lower / 2, upper=made.upper / 2)
    half.save(tmp_path / "half.json")
    assert said(tmp_path / "half.json")[0] == 0
    for words in (("--digest", made.digest), ("--against", "pitprops")):
        status, lines = said(*words, tmp_path / "half.json", PITPROPS)
        assert status == 1
        assert lines[0].startswith("REFUSED")
        assert lines[0].endswith(f"it speaks of {half.digest}, not of {made.digest}")
        assert lines[1].startswith("proved")


@pytest.mark.parametrize("change", ["nothing", "an entry by its last digit", "the order", "a name"])
def test_against_compares_names_and_every_bit(change, said, tmp_path):
    rng = np.random.default_rng(4)
    X, names = rng.normal(size=(20, 5)), list("abcde")
    path = tmp_path / "data.csv"

    def write():
        rows = [",".join(names), *(",".join(map(repr, row)) for row in X.tolist())]
        path.write_text("\n".join(rows) + "\n")

    write()
    rs.solve(rs.Covariance.from_data(X, names=names), 2).certificate.save(tmp_path / "c.json")
    if change == "an entry by its last digit":
        X[0, 0] = np.nextafter(X[0, 0], np.inf) + 2.0**-40
    if change == "the order":
        X, names = X[:, ::-1], names[::-1]
    if change == "a name":
        names[0] = "z"
    write()
    status, lines = said(tmp_path / "c.json", "--against", path)
    assert status == (change != "nothing")
    assert lines[0].startswith("proved" if change == "nothing" else "REFUSED")
    assert said(tmp_path / "c.json", "--against", path, "--correlation")[0] == 1


@pytest.mark.parametrize(
    ("words", "reason"),
    [
        (["--digest", "sha256:0"], "a digest is sha256: and 64 hexadecimal digits"),
        (["--against", "nowhere.csv"], "there is no file nowhere.csv"),
        (["--correlation"], "give it too"),
        (["--digest", "sha256:" + "0" * 64, "--against", "pitprops"], "not allowed with"),
        (["--all", str(ROOT / "formal" / "theories")], "there is no certificate"),  # else all is well
    ],
)
def test_words_that_say_nothing_are_errors(words, reason, checker, capsys):
    with pytest.raises(SystemExit) as stopped:
        prove.main([*words, str(PITPROPS)])
    assert stopped.value.code == 2
    assert reason in capsys.readouterr().err


@pytest.mark.parametrize("page", ["formal/README.md", "docs/trust.md"])
def test_what_has_to_be_believed_is_counted(page):
    """Both pages count the reader of the verified checker."""
    reader = sum(len(path.read_text().splitlines()) for path in (ROOT / "formal" / "checker").glob("*.ml"))
    said = re.search(r"about (\d+) lines of OCaml", (ROOT / page).read_text())
    assert abs(int(said[1]) - reader) <= 50
