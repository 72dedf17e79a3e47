"""The command of the verified checker: every file has a verdict, which says of which matrix and what else."""

import dataclasses
import re
import sys
from pathlib import Path

import covered
import numpy as np
import prove
import pytest
import tables
import translate
from draws import draws
from restricted_certificates import restricted_certificates
from true_certificates import covariance, true_certificates
from true_ratios import true_ratios
from true_tables import table, true_tables

import relaxspca as rs
from relaxspca.certificate import (
    Certificate,
    ComponentSplit,
    RatioCertificate,
    TableCertificate,
    TableLeaf,
    load_certificate,
)

ROOT = Path(__file__).parents[2]
ARCHIVE = ROOT / "certificates"
PITPROPS = ARCHIVE / "pitprops" / "k05.json"
FILES = sorted(
    path
    for path in ARCHIVE.rglob("*.json")
    if not path.name.endswith(".schema.json") and path.stat().st_size < draws(60_000, np.inf)
)
TABLES = {name: made for name, (_, made) in true_tables().items()}


@pytest.fixture
def said(checker, capsys):
    """Return a function that runs the command, and returns its status and its lines."""

    def run(*words):
        status = prove.main([str(word) for word in words])
        return status, capsys.readouterr().out.splitlines()

    return run


@pytest.mark.parametrize("path", FILES, ids=lambda path: f"{path.parent.name}-{path.stem}")
def test_the_archive_is_proved(path, checker):
    """All of it is said to be covered: `make prove` fails where a file is not."""
    prove.prove(load_certificate(path), checker)


def cyclic(made):
    """Return a table whose tree comes back to its root."""
    return dataclasses.replace(made, tree=[ComponentSplit(0, 0, 0, 1), TableLeaf("prices")])


def test_every_file_has_a_verdict_whatever_is_in_it(said, tmp_path, monkeypatch):
    monkeypatch.setattr(tables, "MOST_STEPS", 5)
    made = TABLES["orthogonal enumeration 3"]
    cyclic(made).save(tmp_path / "1_cyclic.json")
    TABLES["disjoint enumeration 3"].save(tmp_path / "2_steps.json")
    (tmp_path / "3_bytes.json").write_bytes(b"\xff\x00{")
    (tmp_path / "4_deep.json").write_text("[" * 100_000)
    (tmp_path / "5_folder.json").mkdir()
    (tmp_path / "6_gone.json").symlink_to(tmp_path / "nowhere")
    for name in ("7_memory", "8_recursion", "9_overflow"):
        (tmp_path / f"{name}.json").write_bytes(PITPROPS.read_bytes())
    (tmp_path / "good.json").write_bytes((PITPROPS.parent / "k04.json").read_bytes())
    waiting = [MemoryError(), RecursionError("too deep"), OverflowError("too\nlarge")]

    def translated(certificate):
        if isinstance(certificate, Certificate) and certificate.k == 5:
            raise waiting.pop(0)
        return translate.translate(certificate)

    monkeypatch.setattr(prove, "translate", translated)
    status, lines = said(tmp_path)
    verdicts = {Path(line[12:].split()[0]).name[0]: line for line in lines if ".json" in line}
    assert [*verdicts] == [*"123456789g"]
    assert verdicts.pop("g").startswith("proved")
    assert verdicts.pop("2").startswith("not covered")
    refusals = list(verdicts.values())
    assert all(line.startswith("REFUSED") for line in refusals)
    for line, reason in zip(
        refusals[-3:], ("MemoryError", "RecursionError: too deep", "too large"), strict=True
    ):
        assert reason in line
    assert status == 1
    assert lines[-1].startswith("10 certificates: 1 proved")


def test_what_happens_in_the_translation_is_a_refusal(checker, monkeypatch):
    def broken(certificate):
        raise ZeroDivisionError("by nothing")

    monkeypatch.setattr(prove, "translate", broken)
    with pytest.raises(prove.Refused, match="ZeroDivisionError: by nothing"):
        prove.prove(load_certificate(PITPROPS), checker)


def test_a_deep_tree_needs_no_deep_recursion(checker, monkeypatch):
    """Every split decides one variable of one component, no two of them equal: 66 nodes below each other."""
    S, nodes = covariance(12, seed=1), []
    for t in range(6):
        for i in range(11):
            nodes += [ComponentSplit(t, i, len(nodes) + 1, len(nodes) + 2), TableLeaf("prices")]
    nodes.append(TableLeaf("prices"))
    made = table(S, "orthogonal", (6, 5, 4, 3, 2, 1), 6 * np.linalg.eigvalsh(S)[-1], tree=nodes)
    assert rs.verify(made)
    depth, frame = 0, sys._getframe()
    while frame is not None:
        depth, frame = depth + 1, frame.f_back
    prove.prove(made, checker)
    usual = sys.getrecursionlimit()
    sys.setrecursionlimit(depth + 60)
    try:
        translate.translate(made)
    finally:
        sys.setrecursionlimit(usual)


def test_a_claim_of_many_components_is_too_large_and_not_too_deep():
    n = 1200
    made = TableCertificate(
        names=[f"x{i}" for i in range(n)],
        matrix=np.eye(n),
        supports="orthogonal",
        sizes=(1,) * n,
        lower=n,
        upper=n,
        indices=[[i] for i in range(n)],
        loadings=np.eye(n),
        tree=[TableLeaf("prices")],
    )
    assert covered.why_not(made) == "1200 variables, more than 100"


def test_all_makes_what_is_not_covered_a_failure(said, tmp_path):
    true_ratios()["budgets"].save(tmp_path / "budgets.json")
    for flags, expected in (((), 0), (("--all",), 1)):
        status, lines = said(*flags, PITPROPS, tmp_path / "budgets.json")
        assert status == expected
        assert "not covered" in lines[-2]
    assert said("--all", PITPROPS)[0] == 0


def test_the_matrix_is_told_by_its_digest_and_its_words(said):
    status, lines = said(PITPROPS)
    made = load_certificate(PITPROPS)
    assert status == 0
    assert lines[0].endswith(made.claim)
    assert lines[2].strip() == f"S is the 13 x 13 correlation matrix, {made.digest}"


def test_the_list_and_the_conditions_are_told(said, tmp_path):
    cov = rs.Covariance(covariance(12, seed=2), names=[f"v{i}" for i in range(12)])
    made = rs.near_optimal(cov, 2, within=0.2, exclude=[f"v{i}" for i in range(9)]).certificate
    made.save(tmp_path / "list.json")
    lines = "\n".join(said(tmp_path / "list.json")[1])
    assert "never among the variables of a support: v0, v1, v2, v3, v4, v5, v6, v7, v8" in lines
    for support in made.others.indices:
        assert f"listed: {', '.join(made.names[i] for i in support)}, which explain at least " in lines
    bounds = re.findall(r"at least (\S+) and at most (\S+)\n", lines)
    for (lower, upper), least, most in zip(bounds, made.others.lower, made.others.upper, strict=True):
        assert float(lower) <= least <= most <= float(upper)
    assert "listed explains more than " in lines


def test_the_condition_on_eliminated_variables_is_told(said, tmp_path):
    made = true_certificates()["two eliminated"][1]
    made.save(tmp_path / "eliminated.json")
    lines = "\n".join(said(tmp_path / "eliminated.json")[1])
    assert f"every symmetric matrix over all {made.n + 2} variables" in lines
    found = re.search(
        r"no variance of an eliminated variable exceeds (\S+); the digest is of all of them", lines
    )
    assert 0 <= float(found[1]) - made.eliminated.variances.max() <= 1e-9


def test_a_group_is_told_by_its_members(said, tmp_path):
    """No theorem and no digest is about its name: a file may call it the whole forest."""
    made = next(x for _, x in restricted_certificates().values() if x.restriction.names)
    names = ("the whole forest", *made.restriction.names[1:])
    changed = dataclasses.replace(made, restriction=dataclasses.replace(made.restriction, names=names))
    changed.save(tmp_path / "forest.json")
    status, lines = said(tmp_path / "forest.json")
    members = ", ".join(made.names[i] for i in made.restriction.groups[0])
    assert status == 0
    assert f"the group that the maker calls the whole forest is {members}" in map(str.strip, lines)


def test_another_matrix_is_refused_and_the_next_file_checked(said, tmp_path):
    """The pit props with half the variance: proved, but not of the reader's matrix."""
    made = load_certificate(PITPROPS)
    halves = {name: getattr(made, name) / 2 for name in ("matrix", "lower", "upper")}
    points = tuple(
        dataclasses.replace(point, P=point.P / 2, N=point.N / 2) if hasattr(point, "P") else point
        for point in made.points
    )
    half = dataclasses.replace(made, **halves, points=points)
    half.save(tmp_path / "half.json")
    assert said(tmp_path / "half.json")[0] == 0
    for words in (("--digest", made.digest), ("--against", "pitprops")):
        status, lines = said(*words, tmp_path / "half.json", PITPROPS)
        assert status == 1
        assert lines[0].startswith("REFUSED")
        assert lines[0].endswith(f"it speaks of the matrix {half.digest}, not of {made.digest}")
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
    ],
)
def test_words_that_say_nothing_are_errors(words, reason, checker, capsys):
    with pytest.raises(SystemExit) as stopped:
        prove.main([*words, str(PITPROPS)])
    assert stopped.value.code == 2
    assert reason in capsys.readouterr().err


def test_a_folder_without_certificates_is_an_error(checker, tmp_path, capsys):
    """Otherwise `--all` would say that all is well."""
    with pytest.raises(SystemExit) as stopped:
        prove.main(["--all", str(tmp_path)])
    assert stopped.value.code == 2
    assert f"there is no certificate in {tmp_path}" in capsys.readouterr().err


def test_without_the_checker_nothing_is_refused(monkeypatch, tmp_path, capsys):
    monkeypatch.setattr(prove, "CHECKER", tmp_path / "checker")
    with pytest.raises(SystemExit) as stopped:
        prove.main([str(PITPROPS)])
    assert stopped.value.code == 2
    assert "build it with make -C formal" in capsys.readouterr().err


def with_later_field(part):
    """Return the same of a class that has one field more, as a later format may."""
    kind = dataclasses.make_dataclass(
        "Later", [("later", float, 0.5)], bases=(type(part),), frozen=True, eq=False, kw_only=True
    )
    return kind(**{field.name: getattr(part, field.name) for field in dataclasses.fields(part)})


@pytest.mark.parametrize(
    "made",
    [load_certificate(PITPROPS), TABLES["negative charge"], true_ratios()["dense"]],
    ids=["Certificate", "TableCertificate", "RatioCertificate"],
)
def test_a_field_of_later_times_is_not_covered(made):
    assert isinstance(made, Certificate | TableCertificate | RatioCertificate)
    assert covered.why_not(made) == ""
    assert covered.why_not(with_later_field(made)) == "a claim with later"


def test_a_later_field_of_a_part_of_a_claim_is_not_covered():
    every = [made for _, made in (true_certificates() | restricted_certificates()).values()]
    for name in ("others", "eliminated", "restriction"):
        made = next(x for x in every if getattr(x, name) is not None and not covered.why_not(x))
        changed = dataclasses.replace(made, **{name: with_later_field(getattr(made, name))})
        assert covered.why_not(changed) == "a claim with later", name


@pytest.mark.parametrize("page", ["formal/README.md", "docs/trust.md"])
def test_what_has_to_be_believed_is_counted(page):
    """Both pages count the Python that reads and compares, and the reader of the verified checker."""
    text = (ROOT / page).read_text()
    python = [path for path in (ROOT / "relaxspca" / "certificate").glob("*.py") if "writing" not in path.name]
    python += [ROOT / "formal" / name for name in ("prove.py", "said.py", "covered.py")]
    python += [ROOT / "relaxspca" / "numerics" / "decimals.py"]
    count = sum(len(path.read_text().splitlines()) for path in python)
    said = re.search(r"about (\d+) lines of Python", text)
    assert abs(int(said[1]) - count) <= 500
    reader = len((ROOT / "formal" / "checker" / "main.ml").read_text().splitlines())
    said = re.search(r"about (\d+) lines of OCaml", text)
    assert abs(int(said[1]) - reader) <= 100
