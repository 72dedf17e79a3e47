"""The library: its lines say no more than its claims prove, and its page is what its index says."""

import csv
import importlib
import sys
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest

import relaxspca as rs

LIBRARY = Path(__file__).parents[2] / "library"


@pytest.fixture(scope="module")
def library():
    """Return the scripts of the library as modules."""
    sys.path.insert(0, str(LIBRARY))
    try:
        return importlib.import_module("make_library")
    finally:
        sys.path.remove(str(LIBRARY))


def lines():
    with (LIBRARY / "INDEX.csv").open(encoding="utf-8", newline="") as stream:
        return list(csv.DictReader(stream))


LINES = lines()
QUICK = [
    line
    for line in LINES
    if line["claim"] == "kept" and line["family"] != "literature" and int(line["n"]) <= 40
]


def test_it_is_of_a_size_to_be_called_a_library():
    assert len({line["instance"] for line in LINES}) >= 25
    assert {line["status"] for line in LINES} == {"optimal", "open"}
    assert len(QUICK) >= 20


@pytest.mark.parametrize("line", LINES, ids=lambda line: f"{line['instance']}-{line['k']}")
def test_bounds_are_in_their_order_and_every_case_is_one_of_an_instance(line, library):
    assert Fraction(line["lower"]) <= Fraction(line["upper"])
    assert len(line["support"].split()) <= int(line["k"])
    (instance,) = [i for i in library.INSTANCES if i.name == line["instance"]]
    assert int(line["k"]) in instance.cardinalities
    assert (library.path_of(line["instance"], int(line["k"])).exists()) == (line["claim"] == "kept")


@pytest.mark.parametrize("line", QUICK, ids=lambda line: f"{line['instance']}-{line['k']}")
def test_claims_are_verified_and_the_component_is_where_the_index_says(line, library):
    assert library.checked(line, None) == "verified"
    certificate = library.read_claim(library.path_of(line["instance"], int(line["k"])), None)
    block = certificate.matrix[np.ix_(*[[int(i) for i in line["support"].split()]] * 2)]
    assert np.linalg.eigvalsh(block)[-1] == pytest.approx(float(line["lower"]), rel=1e-9)


def test_an_index_that_says_too_much_is_found_out(library):
    line = next(line for line in QUICK if line["status"] == "optimal")
    assert "more than the claim proves" in library.checked(
        line | {"upper": str(float(line["upper"]) * 0.999)}, None
    )
    assert "more than the claim proves" in library.checked(
        line | {"lower": str(float(line["lower"]) * 1.001)}, None
    )
    assert "another matrix" in library.checked(line | {"digest": "sha256:0"}, None)


def test_a_claim_without_its_matrix_takes_the_right_one_only(library, tmp_path):
    cov = rs.datasets.load_pitprops()
    path = tmp_path / "claim.json.gz"
    assert library.write_claim(rs.solve(cov, 4).certificate, path, with_matrix=False)
    assert library.read_claim(path, None) is None
    assert rs.verify(library.read_claim(path, cov))
    other = cov.matrix.copy()
    other[0, 1] = other[1, 0] = other[0, 1] + 1e-12
    with pytest.raises(rs.CertificateError, match="is not that of the matrix"):
        library.read_claim(path, rs.Covariance(other, names=cov.names))


def test_the_page_is_what_the_index_says(library, tmp_path, monkeypatch):
    page = library.PAGE.read_text(encoding="utf-8")
    monkeypatch.setattr(library, "PAGE", tmp_path / "library.md")
    (tmp_path / "library.md").write_text(page, encoding="utf-8")
    library.write_page(library.read_index())
    assert (tmp_path / "library.md").read_text(encoding="utf-8") == page


def test_cases_are_written_for_other_solvers(library, tmp_path):
    (pitprops,) = [i for i in library.INSTANCES if i.name == "pitprops"]
    assert library.write_cbf([pitprops], None, tmp_path / "out") == 0
    assert len(list((tmp_path / "out").glob("pitprops_k*.cbf"))) == 13
