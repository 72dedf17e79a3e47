"""The library: its lines say no more than its claims prove, and its page is what its index says."""

import csv
import importlib
import sys
from fractions import Fraction
from pathlib import Path
from unittest import mock

import pytest

import relaxspca as rs

LIBRARY = Path(__file__).parents[2] / "library"


@pytest.fixture(scope="module")
def library():
    """Return the scripts of the library as modules."""
    with mock.patch.object(sys, "path", [str(LIBRARY), *sys.path]):
        return importlib.import_module("make_library")


def table(name):
    with (LIBRARY / name).open(encoding="utf-8", newline="") as stream:
        return list(csv.DictReader(stream))


LINES = table("INDEX.csv")
QUICK = [line for line in LINES if line["claim"] == "kept" and int(line["n"]) <= 40]
OF_CASE = "{0[instance]}-{0[k]}".format
BUILT = [line for line in LINES if line["family"] == "random" and int(line["n"]) <= 200]


def test_it_is_of_a_size_to_be_called_a_library():
    assert len({line["instance"] for line in LINES}) >= 70
    assert {line["problem"] for line in QUICK} == {"component", "best subset", "canonical correlation"}
    assert {line["status"] for line in LINES} == {"optimal", "open"}


@pytest.mark.parametrize("line", LINES, ids=OF_CASE)
def test_bounds_are_in_their_order_and_every_case_is_one_of_an_instance(line, library):
    assert Fraction(line["lower"]) <= Fraction(line["upper"])
    assert len(line["support"].split()) <= int(line["k"]) * (1 + (line["problem"] == "canonical correlation"))
    (instance,) = [i for i in library.INSTANCES if i.name == line["instance"]]
    assert int(line["k"]) in instance.cardinalities
    assert (instance.kind, instance.family) == (line["problem"], line["family"])
    path = library.path_of(line["instance"], int(line["k"]))
    assert path.exists() == (line["claim"] != "made again")
    if path.exists():
        assert importlib.import_module("claims").document_of(path)["subject"]["digest"] == line["digest"]


@pytest.mark.parametrize("line", QUICK, ids=OF_CASE)
def test_claims_are_verified(line, library):
    assert library.checked(line, None) == "verified"


@pytest.mark.parametrize("line", BUILT, ids=OF_CASE)
def test_a_support_is_worth_what_the_index_says_of_the_instance_built_again(line, library):
    (problem,) = [i.build(None) for i in library.INSTANCES if i.name == line["instance"]]
    worth = problem.value([int(i) for i in line["support"].split()])
    assert worth == pytest.approx(float(line["lower"]), rel=1e-8)
    # The last bits of a design depend on the linear algebra beneath numpy, and the digest holds them.
    if line["claim"] == "kept without its matrix" and problem.digest == line["digest"]:
        assert library.checked(line, problem) == "verified"


def test_no_other_program_is_said_to_exceed_a_proved_bound():
    upper = {(line["instance"], line["k"]): float(line["upper"]) for line in LINES}
    for line in table("elsewhere.csv"):
        assert float(line["value"]) <= upper[line["instance"], line["k"]] * (1 + 1e-8)  # rounded values


def test_an_index_that_says_too_much_is_found_out(library):
    line = next(line for line in QUICK if line["status"] == "optimal")
    for wrong in ({"upper": str(float(line["upper"]) * 0.999)}, {"lower": str(float(line["lower"]) * 1.001)}):
        assert "more than the claim proves" in library.checked(line | wrong, None)
    assert "another matrix" in library.checked(line | {"digest": "sha256:0"}, None)


def test_a_claim_without_its_matrix_takes_the_right_one_only(library, tmp_path, cov):
    path = tmp_path / "claim.json.gz"
    path.write_bytes(library.packed_claim(rs.solve(cov, 4).certificate, with_matrix=False))
    assert library.read_claim(path, None) is None
    assert rs.verify(library.read_claim(path, library.Component(cov)))
    other = cov.matrix.copy()
    other[0, 1] = other[1, 0] = other[0, 1] + 1e-12
    with pytest.raises(rs.CertificateError, match="is not that of the matrix"):
        library.read_claim(path, library.Component(rs.Covariance(other, names=cov.names)))


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
