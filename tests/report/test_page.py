"""A report says what the result says, carries its figures, and links certificates that verify."""

import base64
import csv
import io
import re
from dataclasses import replace
from xml.etree import ElementTree

import pytest

pytest.importorskip("matplotlib")

import relaxspca as rs
from relaxspca.command.cli import main
from relaxspca.report import write_report


@pytest.fixture(scope="module")
def cov():
    return rs.datasets.load_pitprops()


@pytest.fixture(scope="module")
def path(cov):
    return rs.path(cov, k=[2, 5])


def images(page):
    found = re.findall(r'src="data:image/svg\+xml;base64,([^"]+)"', page)
    return [ElementTree.fromstring(base64.b64decode(data)) for data in found]


def is_self_contained(page):
    outside = re.findall(r'(?:src|href)="([^"]+)"', page)
    return all(link.startswith(("data:", "certificates/", "table.")) for link in outside)


def test_path(path, tmp_path):
    page = write_report(path, tmp_path, title="A & B", command="relaxspca x").read_text()
    assert "<h1>A &amp; B</h1>" in page
    assert "<pre>relaxspca x</pre>" in page
    assert path.rows[0].certificate.digest in page
    assert len(images(page)) == 3
    assert is_self_contained(page)
    # Values by enumeration: 1.954 and 3.4061549468.
    assert "<td>1.953999</td><td>1.95400" in page
    assert "<td>3.406154</td><td>3.40615" in page
    assert page.count("<td>verified</td>") == 2
    files = sorted((tmp_path / "certificates").glob("*.json"))
    assert [file.name for file in files] == ["k2.json", "k5.json"]
    assert all(rs.verify(file, against=path.rows[0].certificate.digest) for file in files)
    rows = list(csv.DictReader(io.StringIO((tmp_path / "table.csv").read_text())))
    assert [float(row["lower"]) for row in rows] == [row.lower for row in path.rows]
    assert "\\toprule" in (tmp_path / "table.tex").read_text()


def test_result(cov, tmp_path):
    result = rs.solve(cov, 5)
    page = write_report(result, tmp_path).read_text()
    assert "topdiam, length, ringbut, bowdist, whorls" in page
    assert len(images(page)) == 3
    assert is_self_contained(page)
    assert rs.verify(tmp_path / "certificates" / "component.json")
    [row] = csv.DictReader(io.StringIO((tmp_path / "table.csv").read_text()))
    assert (int(row["k"]), float(row["upper"]), row["status"]) == (5, result.upper, "optimal")
    frame = result.to_frame()
    assert frame.loc[0, "lower"] == result.lower
    assert result.to_markdown().count("|\n") == 7
    assert result.to_latex().count(r"\\") == 6


def test_penalised_result(cov, tmp_path):
    for rho in (0.3, 2.0):  # 2.0: no variable is worth its price
        result = rs.solve(cov, rho=rho)
        page = write_report(result, tmp_path / str(rho)).read_text()
        assert f"({rho:g}) &le;" in page
        assert "<td>verified</td>" in page


def test_comparison(cov, tmp_path):
    comparison = rs.compare(cov, 5, methods=["greedy", "columns_leverage"])
    page = write_report(comparison, tmp_path).read_text()
    assert page.index("<td>greedy</td>") < page.index("<td>columns_leverage</td>")
    assert len(images(page)) == 1
    assert rs.verify(tmp_path / "certificates" / "bound.json")


def test_a_claim_that_does_not_verify_is_shown_as_such(cov, tmp_path):
    result = rs.solve(cov, 5)
    false = replace(result, certificate=replace(result.certificate, upper=result.lower))
    page = write_report(false, tmp_path).read_text()
    assert '<span class="failed">' in page
    assert "<td>verified</td>" not in page


def test_the_same_result_gives_the_same_page(path, tmp_path):
    first, second = (write_report(path, tmp_path / name).read_bytes() for name in ("a", "b"))
    assert first == second


def test_names_are_escaped(tmp_path):
    cov = rs.Covariance([[2.0, 1.0], [1.0, 2.0]], names=["<b>", "a&b"])
    page = write_report(rs.solve(cov, 2), tmp_path).read_text()
    assert "<td>&lt;b&gt;</td>" in page
    assert "<b>, " not in page


def test_command_line(tmp_path, capsys):
    out = tmp_path / "page"
    assert main(["report", "pitprops", "-k", "2-3", "--out", str(out), "--quiet"]) == 0
    assert f"report written to {out / 'index.html'}" in capsys.readouterr().out
    assert f"relaxspca report pitprops -k 2-3 --out {out} --quiet" in (out / "index.html").read_text()
    assert main(["verify", str(out / "certificates"), "--against", "pitprops"]) == 0
    assert "2 of 2 verified" in capsys.readouterr().out


def test_verify_reads_the_data_as_solve_does(tmp_path, capsys):
    data = tmp_path / "data.csv"
    data.write_text("a,b,c\n1,2,9\n2,1,4\n4,7,1\n8,3,3\n")
    proof = str(tmp_path / "c.json")
    assert main(["solve", str(data), "-k", "2", "--correlation", "--certificate", proof, "--quiet"]) == 0
    assert main(["verify", proof, "--against", str(data), "--correlation"]) == 0
    assert main(["verify", proof, "--against", str(data)]) == 1
    assert "0 of 1 verified" in capsys.readouterr().out
