"""The commands about several components."""

import json
import re

import pytest

import relaxspca as rs


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


def test_a_component_is_judged_after_others(tmp_path, answered):
    found = rs.components(rs.datasets.load_pitprops(), [3, 2])
    for j, name in enumerate(("first", "second")):
        lines = [f"{variable},{value!r}" for variable, value in found.loadings[j].items()]
        (tmp_path / f"{name}.csv").write_text("\n".join(lines))
    words = ["certify", "pitprops", "--loadings", str(tmp_path / "second.csv")]
    assert answered(*words, "--after", tmp_path / "first.csv")["status"] == "optimal"
    assert answered(*words)["status"] == "improvable"


@pytest.mark.parametrize("words", [["components", "-k", "3,2"], ["solve", "-k", "3"]])
def test_a_file_of_results_is_told_from_one_of_loadings(words, tmp_path, printed, declined):
    printed(words[0], "pitprops", *words[1:], "--csv", tmp_path / "t.csv")
    assert "--loadings FILE" in declined("certify", "pitprops", "--loadings", tmp_path / "t.csv")


def test_certificates_of_other_runs_in_the_folder_are_told(tmp_path, printed):
    words = ["components", "pitprops", "--quiet", "--certificates", str(tmp_path / "proofs"), "-k"]
    printed(*words, "2,1")
    again = printed(*words, "2,1")
    assert again.splitlines()[-1].startswith(f"2 certificates written to {tmp_path / 'proofs'} (")
    said = printed(*words, "3")
    assert "also has 1 file of other runs, which are checked with them: component2.json" in said


@pytest.mark.usefixtures("sketched")
@pytest.mark.parametrize(
    ("words", "sentence", "proof"),
    [
        (["-k", "3,2", "--components", "2"], "The set as a whole is not claimed to be optimal.", "component1"),
        (["-k", "2,2", "--joint", "--disjoint"], "2 variables each, no variable used twice: ", "joint"),
    ],
)
def test_a_report_has_the_table_of_components(words, sentence, proof, tmp_path, cov, printed):
    printed("report", "pitprops", *words, "--out", tmp_path)
    page = (tmp_path / "index.html").read_text(encoding="utf-8")
    assert sentence in page
    assert f'<a href="certificates/{proof}.json">{proof}.json</a>' in page
    assert f"<code>{cov.digest}</code>" in page
    later = ["", " after 1 component was taken out"] if proof == "component1" else []
    assert re.findall(r"\(n = 13\)([^<]*)</td>", page) == later
    assert (tmp_path / "table.tex").read_text().startswith("\\par\\medskip\n{")
    assert rs.verify(tmp_path / "certificates" / f"{proof}.json", against=cov)
