"""The command near-optimal, and conditions on the support from the command line."""

import pytest

import relaxspca as rs
from relaxspca.candidates.deflation import DEFLATIONS

CONDITIONS = ["--with", "knots", "--without", "topdiam"]
UNUSED = "length,ovensg,ringtop,ringbut,bowmax,bowdist,whorls"


def test_near_optimal_prints_writes_and_proves(answered, printed, tmp_path):
    proof = str(tmp_path / "c.json")
    words = ["near-optimal", "pitprops", "-k", "10", "--within", "0.02", "--costs", "--decimals", "3"]
    out = printed(*words, "--certificate", proof, "--csv", str(tmp_path / "t.csv"))
    assert "Exactly 12 sets of 10 variables come within 2 % of the best (proved;" in out
    assert "Optimal for every matrix equal to this one up to rounding at 3 decimals: yes" in out
    assert (tmp_path / "t.csv").read_text().count("\n") == 13
    assert rs.verify(proof, against=rs.datasets.load_pitprops())
    found = answered(*words)
    assert found["is_complete"] is True
    assert len(found["supports"]) == 12
    names = rs.datasets.load_pitprops().names
    for row in found["supports"]:
        assert row["support"] == [names[i] for i in row["indices"]]
    assert found["is_optimal_as_printed"] is True
    assert "topdiam" in found["core"]


@pytest.mark.parametrize(
    "words",
    [
        ["solve", "pitprops", "-k", "3"],
        ["certify", "pitprops", "--loadings", "LOADINGS", "-k", "3"],
        ["components", "pitprops", "-k", "3", "--components", "2", "--exclude", UNUSED],
        ["path", "pitprops", "-k", "2-3"],
        ["path", "pitprops", "--share-of-dense", "0.3"],
        ["stability", "pitprops", "-k", "2"],
    ],
)
def test_every_command_with_conditions_states_them(declined, printed, tmp_path, words):
    """`certify` printed a bound on all supports where only some were meant."""
    file = tmp_path / "l.csv"
    file.write_text("moist,0.6\ntestsg,0.8\n")
    words = [str(file) if word == "LOADINGS" else word for word in words]
    assert "subject to knots included, topdiam excluded" in printed(*words, *CONDITIONS)
    assert "nobody" in declined(*words, "--without", "nobody")


def test_the_smallest_k_of_a_share(answered):
    found = answered("path", "pitprops", "--share-of-dense", "0.9")
    assert (found["smallest_k"], found["is_smallest_proved"], len(found["rows"])) == (7, True, 7)


def test_stability_prints_writes_and_proves(answered, printed, tmp_path):
    proof = str(tmp_path / "c.json")
    words = ["stability", "pitprops", "-k", "3", "--decimals", "3"]
    out = printed(*words, "--certificate", proof)
    assert "3 decimals: yes" in out
    assert rs.verify(proof, against=rs.datasets.load_pitprops())
    found = answered(*words)
    assert found["is_optimal_as_printed"] is True
    assert 0 < found["radii"]["entries"] < found["radii"]["off-diagonal"] < found["radii"]["spectral"]
    printed(*words, "--time-limit", "0")


def test_help_names_every_deflation(printed):
    assert all(name in printed("components", "--help") for name in DEFLATIONS)


def test_a_bound_that_meets_its_component_is_not_called_open(answered):
    met = answered("bound", "pitprops", "-k", "3")
    apart = answered("bound", "pitprops", "-k", "8", "--relaxation", "spectral")
    assert met["gap"] <= 1e-6 < apart["gap"]
    assert (met["status"], apart["status"]) == ("optimal", "open")


def test_conditions_of_compare_and_of_a_path_of_penalties(answered, printed):
    found = answered("compare", "pitprops", "-k", "3", *CONDITIONS)
    assert (found["include"], found["exclude"]) == (["knots"], ["topdiam"])
    assert all("knots" in row["support"] and "topdiam" not in row["support"] for row in found["rows"])
    out = printed("path", "pitprops", "--rho", "0.2,0.6", "--without", "topdiam")
    assert "subject to topdiam excluded" in out
    (row,) = answered("path", "pitprops", "--rho", "0.6", "--with", "knots")["rows"]
    assert "knots" in row["include"]
