"""A report says what the result says, carries its figures, and links certificates that verify."""

import base64
import datetime
import platform
import re
from html import escape
from xml.etree import ElementTree

import numpy as np
import pytest

pytest.importorskip("matplotlib")

from building import changed
from command.test_answers import ANSWERS

import relaxspca as rs
from relaxspca.command.cli import main
from relaxspca.report import write_report


@pytest.fixture(scope="module")
def path(cov):
    return rs.path(cov, k=[2, 5])


def images(page):
    found = re.findall(r'src="data:image/svg\+xml;base64,([^"]+)"', page)
    return [ElementTree.fromstring(base64.b64decode(data)) for data in found]


def is_self_contained(page):
    outside = re.findall(r'(?:src|href)="([^"]+)"', page)
    return all(link.startswith(("data:", "certificates/", "table.")) for link in outside)


REPORTED = ["solve", "penalty", "path", "path of penalties", "compare", "components", "certify a table"]


@pytest.mark.usefixtures("sketched")
@pytest.mark.parametrize("name", [*REPORTED, "no variable", "components, disjoint"])
def test_every_result_has_a_page_with_its_words_tables_figures_and_proofs(name, tmp_path, clock):
    clock(lambda: 0.0)
    found = ANSWERS[name][1]()
    page = write_report(found, tmp_path).read_text()
    assert is_self_contained(page)
    assert images(page)
    said = [line for line in found.statement.splitlines() if not line.startswith("Searched")]
    assert [line for line in (*said, *found._notes()) if escape(line) not in page] == []
    assert (tmp_path / "table.csv").read_text() == found.to_csv()
    assert (tmp_path / "table.tex").read_text().strip() == found.to_latex().strip()
    files = sorted((tmp_path / "certificates").glob("*.json"))
    assert page.count("<td>verified</td>") == len(files) == len(found._certificates())
    assert all(f'<a href="certificates/{file.name}">' in page and rs.verify(file) for file in files)


def test_path(path, tmp_path):
    page = write_report(path, tmp_path, title="A & B", command="relaxspca x").read_text()
    assert "<h1>A &amp; B</h1>" in page
    assert "<pre>relaxspca x</pre>" in page
    assert path.rows[0].certificate.digest in page
    # Values by enumeration: 1.954 and 3.4061549468.
    assert re.findall(r'<td class="number">(\d\.\d{5})</td>', page) == ["1.95400", "3.40615"]
    assert [file.name for file in sorted((tmp_path / "certificates").glob("*.json"))] == ["k2.json", "k5.json"]


@pytest.mark.usefixtures("sketched")
def test_a_claim_that_does_not_verify_is_shown_as_such(cov, tmp_path):
    result = rs.solve(cov, 5)
    false = changed(result, certificate=changed(result.certificate, upper=result.lower))
    page = write_report(false, tmp_path).read_text()
    assert '<span class="failed">' in page
    assert "<td>verified</td>" not in page


def test_the_same_result_gives_the_same_page(cov, tmp_path):
    date, table = datetime.date(2030, 1, 2), rs.components(cov, [1], time_limit=0)
    first, second = (write_report(table, tmp_path / name, date=date).read_bytes() for name in ("a", "b"))
    assert first == second
    assert len(images(first.decode())) == 1


@pytest.mark.usefixtures("sketched")
def test_the_page_says_of_which_matrix_when_and_with_what(path, tmp_path):
    page = write_report(path, tmp_path, data="the <set>", date=datetime.date(2030, 1, 2)).read_text()
    assert "<p>Data: the &lt;set&gt;.</p>" in page
    assert "the 13 &times; 13 correlation matrix, with digest" in page
    assert f"Made on 2030-01-02 by relaxspca {rs.__version__} with Python {platform.python_version()}" in page
    assert f"numpy {np.__version__}" in page
    plain = rs.Covariance([[2.0, 1.0], [1.0, 2.0]], names=["<b>", "a&b"])
    page = write_report(rs.solve(plain, 2), tmp_path / "plain").read_text()
    assert "the 2 &times; 2 covariance matrix, with digest" in page
    assert "<td>&lt;b&gt;</td>" in page
    assert "<b>, " not in page
    X = np.random.default_rng(0).normal(size=(30, 4))
    second = rs.components(rs.Covariance.from_data(X), [2, 2]).results[1]
    page = write_report(second, tmp_path / "second").read_text()
    assert (
        "4 &times; 4 covariance matrix of 30 observations after 1 component was taken out, with digest" in page
    )


@pytest.mark.usefixtures("sketched")
def test_what_a_claim_presupposes_is_said(tmp_path):
    X = np.random.default_rng(0).normal(size=(40, 6)) * [9, 8, 7, 1, 1, 1]
    page = write_report(rs.solve(rs.Covariance.from_chunks([X], limit=4), 2), tmp_path).read_text()
    assert "2 further variables of which only the variances are known, with digest" in page
    assert "Note: the claim is about every symmetric matrix over all 6 variables" in page


@pytest.mark.usefixtures("sketched")
def test_the_page_fits_a_phone_and_paper(path, tmp_path):
    page = write_report(path, tmp_path, command="relaxspca " + 99 * "x").read_text()
    assert '<meta name="viewport" content="width=device-width, initial-scale=1">' in page
    assert page.count('<div class="wide"><table>') == page.count("<table>") == 2
    assert re.search(r"^pre {.*white-space: pre-wrap; overflow-wrap: anywhere", page, re.MULTILINE)
    assert re.search(r"^td\.number { white-space: nowrap", page, re.MULTILINE)


def contents(folder):
    return {file.relative_to(folder): file.read_bytes() for file in folder.rglob("*") if file.is_file()}


@pytest.mark.usefixtures("sketched")
def test_certificates_of_an_earlier_report_are_never_mixed_with_new_ones(
    cov, path, tmp_path, monkeypatch, declined
):
    write_report(path, tmp_path / "page")
    before = contents(tmp_path)
    other = rs.solve(rs.Covariance([[2.0, 1.0], [1.0, 2.0]]), 1)
    with pytest.raises(rs.InputError, match=r"certificates of an earlier report \(certificates/k2.json\)"):
        write_report(other, tmp_path / "page")
    monkeypatch.setattr(rs, "path", None)  # nothing is computed before the folder is looked at
    assert "name a new folder" in declined("report", "pitprops", "-k", "2-3", "--out", str(tmp_path / "page"))
    assert contents(tmp_path) == before
    (tmp_path / "page" / "certificates").rename(tmp_path / "away")
    write_report(other, tmp_path / "page")
    assert [file.name for file in (tmp_path / "page" / "certificates").iterdir()] == ["component.json"]


def test_without_matplotlib_there_is_a_page_without_figures(path, tmp_path, absent, capsys):
    absent("matplotlib")
    with pytest.warns(UserWarning, match="the report has no figures"):
        page = write_report(path, tmp_path / "a").read_text()
    assert images(page) == []
    assert "There are no figures here: figures need matplotlib" in page
    assert page.count("<td>verified</td>") == 2
    assert main(["report", "pitprops", "-k", "3", "--out", str(tmp_path / "b")]) == 0
    assert "pip install 'relaxspca[plot]'" in capsys.readouterr().err
    assert rs.verify(tmp_path / "b" / "certificates" / "component.json")


@pytest.mark.usefixtures("sketched")
def test_command_line(tmp_path, printed):
    out = tmp_path / "page"
    told = printed("report", "pitprops", "-k", "2-3", "--out", str(out), "--quiet")
    assert f"Report written to {out / 'index.html'}" in told
    assert "| variable" not in told
    assert f"relaxspca report pitprops -k 2-3 --out {out} --quiet" in (out / "index.html").read_text()
    assert "2 of 2 verified" in printed("verify", str(out / "certificates"), "--against", "pitprops")


@pytest.mark.usefixtures("short_starts", "sketched")
def test_what_is_said_of_several_components_is_said_in_sentences(cov, tmp_path):
    several = (
        rs.components(cov, [2, 1]),
        rs.components(cov, [2, 1], joint=True),
        rs.certify(cov, rs.components(cov, [2, 1]), node_limit=0),
    )
    for at, found in enumerate(several):
        page = write_report(found, tmp_path / str(at)).read_text(encoding="utf-8")
        statement = re.search(r"<b>Certified bounds.</b> (.*?)</p>", page)[1]
        assert [line for line in statement.split("<br>") if not re.fullmatch(r"[A-Z0-9].*\.", line)] == []
        assert page.count('<tr class="rule">') == 1
        for word in ("verdict given earlier PCs", "component2_given_earlier.json", "table_joint.json"):
            assert (word in page) == (at == 2)
    assert '<td class="number">optimal</td>' in page


@pytest.mark.usefixtures("sketched")
def test_a_bound_of_0_up_to_rounding_has_no_gap_of_0(tmp_path):
    result = rs.solve(rs.Covariance([[-1.0, 1e-17, 1e-17], [1e-17, 0.0, 1e-17], [1e-17, 1e-17, 0.0]]), 2)
    assert result.gap == 0 < result.upper - result.lower
    page = write_report(result, tmp_path / "one").read_text(encoding="utf-8")
    assert "both bounds count as 0 beside the largest entry)." in page
