"""The commands about several components."""

import csv
import json
import re
from pathlib import Path

import pytest

import relaxspca as rs
from relaxspca.command.cli import main


def test_components_one_after_another_in_every_form(tmp_path, printed):
    files = {name: tmp_path / f"t.{name}" for name in ("csv", "latex", "markdown", "html", "loadings")}
    words = ["components", "pitprops", "-k", "3,2"]
    for name, file in files.items():
        words += [f"--{name}", str(file)]
    words += ["--certificates", str(tmp_path / "proofs"), "--caption", "Ours"]
    said = printed(*words)
    found = rs.components(rs.datasets.load_pitprops(), [3, 2])
    assert repr(found) in said
    assert files["csv"].read_text() == found.to_csv()
    assert files["latex"].read_text() == found.to_latex(caption="Ours")
    assert files["markdown"].read_text() == found.to_markdown()
    assert files["loadings"].read_text() == found.loadings_csv()
    assert "2 of 2 verified" in printed("verify", str(tmp_path / "proofs"))


def test_components_together_and_what_is_printed_is_read_back(tmp_path, answered, printed):
    text = printed("components", "pitprops", "-k", "2", "--components", "2", "--joint", "--json")
    found = json.loads(text)
    assert found["status"] == "optimal"
    (tmp_path / "joint.json").write_text(text)
    judged = answered("certify", "pitprops", "--loadings", tmp_path / "joint.json", "--node-limit", "3")
    assert judged["status"] == "optimal"
    for row in judged["components"]:
        assert row["support"] == [rs.datasets.load_pitprops().names[i] for i in row["indices"]]
    for name, loadings in found["loadings"].items():
        assert judged["loadings"][name] == pytest.approx(loadings, rel=1e-14)


@pytest.mark.parametrize(
    ("words", "claimed"),
    [
        (["components", "-k", "3,2", "--joint", "--disjoint", "--certificates", "proofs"], "w_disjoint(3,2)"),
        (
            ["components", "-k", "3,2", "--joint", "--certificate", "c.json", "--without", "topdiam"]
            + ["--without", "length", "--component-with", "1=moist", "--component-with", "2=knots"],
            "w(3,2)",
        ),
    ],
)
def test_tables_write_one_certificate_that_verify_reads(
    words, claimed, tmp_path, answered, printed, monkeypatch
):
    monkeypatch.chdir(tmp_path)
    command, *rest = words
    told = answered(command, "pitprops", *rest)
    assert told["status"] == "optimal"
    [file] = tmp_path.rglob("*.json")
    said = printed("verify", str(file), "--against", "pitprops", "--csv", "rows.csv")
    assert f"{claimed} is the largest sum of the variances" in said
    assert "your matrix is identical to the certified one" in said
    assert "1 of 1 verified" in said
    made = rs.Certificate.load(file)
    if "--component-with" in rest:
        assert "moist included in component 1, knots included in component 2, topdiam, length excluded" in said
    # What is printed in decimals is rounded outwards.
    assert told["lower"] <= made.lower <= made.upper <= told["upper"]
    assert told["upper"] - told["lower"] == pytest.approx(made.upper - made.lower, abs=1e-14)
    header, row = (tmp_path / "rows.csv").read_text().splitlines()
    told_by_column = dict(zip(header.split(","), next(csv.reader([row])), strict=True))
    assert told_by_column["sizes"] == " ".join(map(str, made.sizes))
    assert told_by_column["supports"] == made.supports
    assert told_by_column["k"] == ""


def test_a_component_is_judged_after_others(tmp_path, answered):
    found = rs.components(rs.datasets.load_pitprops(), [3, 2])
    for j, name in enumerate(("first", "second")):
        lines = [f"{variable},{value!r}" for variable, value in found.loadings[j].items()]
        (tmp_path / f"{name}.csv").write_text("\n".join(lines))
    words = ["certify", "pitprops", "--loadings", str(tmp_path / "second.csv")]
    assert answered(*words, "--after", tmp_path / "first.csv")["status"] == "optimal"
    assert answered(*words)["status"] == "improvable"


@pytest.mark.usefixtures("sketched")
def test_a_report_has_the_table_of_components(tmp_path):
    words = ["report", "pitprops", "-k", "3,2", "--components", "2", "--out", str(tmp_path / "page")]
    assert main(words) == 0
    page = (tmp_path / "page" / "index.html").read_text(encoding="utf-8")
    assert "The set as a whole is not claimed to be optimal." in page
    assert "component1.json" in page
    assert re.findall(r"\(n = 13\)([^<]*)</td>", page) == ["", " after 1 component was taken out"]
    assert (tmp_path / "page" / "table.tex").read_text().startswith("\\par\\medskip\n{")


def test_a_certificate_that_cannot_be_one_file_is_refused_before_the_work(tmp_path, declined, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(rs, "components", None)
    monkeypatch.setattr(rs, "certify", None)
    Path("table.csv").write_text("variable,a,b\ntopdiam,1,0\nlength,0,1\n")
    for words, said in (
        (["components", "-k", "3,2", "--certificate", "c.json"], "have a certificate each"),
        (["components", "-k", "3,2", "--joint", "--certificates", "c.json"], "c.json is named as a file is"),
        (["certify", "--loadings", "table.csv", "--certificate", "c.json"], "have a certificate each"),
    ):
        command, *rest = words
        assert said in declined(command, "pitprops", *rest)
        assert not Path("c.json").exists()


@pytest.mark.parametrize("words", [["components", "-k", "3,2"], ["solve", "-k", "3"]])
def test_a_file_of_results_is_told_from_one_of_loadings(words, tmp_path, printed, declined):
    printed(words[0], "pitprops", *words[1:], "--csv", tmp_path / "t.csv")
    assert "--loadings FILE" in declined("certify", "pitprops", "--loadings", tmp_path / "t.csv")


@pytest.mark.usefixtures("sketched")
def test_a_report_of_a_joint_table(tmp_path, cov):
    words = ["report", "pitprops", "--out", str(tmp_path), "--disjoint", "-k", "2,2", "--joint"]
    assert main(words) == 0
    page = (tmp_path / "index.html").read_text(encoding="utf-8")
    total = "Largest total variance of 2 orthogonal components of 2 variables each, no variable used twice"
    assert total in page
    assert '<a href="certificates/joint.json">joint.json</a>' in page
    assert f"<code>{cov.digest}</code>" in page
    assert rs.verify(tmp_path / "certificates" / "joint.json", against=cov)


def test_certificates_of_other_runs_in_the_folder_are_told(tmp_path, printed):
    words = ["components", "pitprops", "--quiet", "--certificates", str(tmp_path / "proofs"), "-k"]
    printed(*words, "2,1")
    again = printed(*words, "2,1")
    assert again.splitlines()[-1].startswith(f"2 certificates written to {tmp_path / 'proofs'} (")
    said = printed(*words, "3")
    assert "also has 1 file of other runs, which are checked with them: component2.json" in said
