"""--csv, --latex, --markdown and --plot in every command: written whole, or refused before any work."""

import pytest

from relaxspca.command.cli import main
from relaxspca.command.verbs import VERBS

WORDS = {
    "solve": ["solve", "pitprops", "-k", "3"],
    "near-optimal": ["near-optimal", "pitprops", "-k", "3"],
    "stability": ["stability", "pitprops", "-k", "2"],
    "generalized": ["generalized", "pitprops", "pitprops", "-k", "2"],
    "subset": ["subset", "OBSERVATIONS", "--response", "y", "-k", "1-2"],
    "certify": ["certify", "pitprops", "--loadings", "LOADINGS"],
    "bound": ["bound", "pitprops", "-k", "2"],
    "components": ["components", "pitprops", "-k", "2"],
    "path": ["path", "pitprops", "-k", "1-3"],
    "compare": ["compare", "pitprops", "-k", "2"],
    "bootstrap": ["bootstrap", "OBSERVATIONS", "-k", "2", "--resamples", "3"],
    "held-out": ["held-out", "OBSERVATIONS", "-k", "1-2", "--folds", "2"],
}
LOADINGS = "topdiam,0.7\nlength,0.7\n"
OBSERVATIONS = "a,b,c,y\n1,0,2,3.1\n0,1,1,1.2\n2,1,0,2.4\n1,3,1,0.5\n4,1,2,7.3\n"


def words_of(name, folder):
    (folder / "given.csv").write_text(LOADINGS)
    (folder / "observed.csv").write_text(OBSERVATIONS)
    files = {"LOADINGS": str(folder / "given.csv"), "OBSERVATIONS": str(folder / "observed.csv")}
    return [files.get(word, word) for word in (WORDS | MORE)[name]]


MORE = {
    "components on one support": ["components", "pitprops", "-k", "2,2", "--joint", "--common", "--gap", "9"],
    "components together": ["components", "pitprops", "-k", "2,1", "--joint", "--time-limit", "0"],
    "groups": ["solve", "pitprops", "-k", "2", "--groups", "a=topdiam,length"],
    "a path of penalties": ["path", "pitprops", "--rho", "0.3,0.5"],
    "a share": ["path", "pitprops", "--share-of-dense", "0.3"],
}


def test_every_command_with_a_result_is_here():
    assert set(WORDS) == set(VERBS) - {"read", "report", "verify"}


@pytest.mark.usefixtures("sketched")
@pytest.mark.parametrize("name", WORDS | MORE)
def test_every_form_is_written(name, tmp_path, printed):
    pytest.importorskip("matplotlib")
    words = words_of(name, tmp_path)
    for form, ending in (("csv", "csv"), ("latex", "tex"), ("markdown", "md"), ("plot", "svg")):
        words += [f"--{form}", str(tmp_path / f"out.{ending}")]
    printed(*words)
    assert len((tmp_path / "out.csv").read_text().splitlines()) > 1
    assert r"\toprule" in (tmp_path / "out.tex").read_text()
    assert "| --- |" in (tmp_path / "out.md").read_text().replace("---:", "---")
    assert "<svg" in (tmp_path / "out.svg").read_text()
    assert (tmp_path / "given.csv").read_text() == LOADINGS


@pytest.mark.parametrize("name", WORDS)
@pytest.mark.parametrize("bad", [["--csv", "no/such/folder.csv"], ["--plot", "figure.nothing"]])
def test_what_cannot_be_written_is_refused_before_the_work(name, bad, tmp_path, declined):
    pytest.importorskip("matplotlib")
    words = words_of(name, tmp_path)
    assert bad[1] in declined(*words, "--latex", tmp_path / "out.tex", *bad)
    assert not (tmp_path / "out.tex").exists()


@pytest.mark.parametrize(
    ("name", "option", "file"),
    [
        ("subset", "--latex", "observed.csv"),
        ("certify", "--csv", "given.csv"),
        ("certify", "--certificate", "given.csv"),
        ("bound", "--latex", "./out.csv"),  # what --csv writes
        ("solve", "--csv", ""),
    ],
)
def test_what_is_read_is_not_written_over_and_no_file_is_written_twice(name, option, file, tmp_path, declined):
    words = [*words_of(name, tmp_path), "--markdown", str(tmp_path / "out.md")]
    words += [] if option == "--csv" else ["--csv", str(tmp_path / "out.csv")]
    said = declined(*words, option, file and f"{tmp_path}/{file}")
    assert f"{option} are one file" in said or "is empty" in said
    assert (tmp_path / "given.csv").read_text() == LOADINGS
    assert sorted(path.name for path in tmp_path.iterdir()) == ["given.csv", "observed.csv"]


def test_a_certificate_is_not_written_over_by_its_verdict(tmp_path, declined):
    assert main([*WORDS["bound"], "--certificate", str(tmp_path / "c.json")]) == 0
    before = (tmp_path / "c.json").read_bytes()
    assert "one file" in declined("verify", str(tmp_path / "c.json"), "--csv", str(tmp_path / "c.json"))
    assert (tmp_path / "c.json").read_bytes() == before
