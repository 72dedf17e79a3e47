"""The command near-optimal, and conditions on the support from the command line."""

import itertools
import json

import numpy as np
import pytest
from commands import run

import relaxspca as rs
from relaxspca.candidates.deflation import DEFLATIONS


def test_conditions_of_solve(capsys, tmp_path):
    proof = str(tmp_path / "c.json")
    words = ["solve", "pitprops", "-k", "3", "--with", "knots"]
    code, out, _ = run(capsys, *words, "--without", "topdiam", "--certificate", proof)
    assert code == 0
    assert "moist, testsg, knots" in out
    code, out, _ = run(capsys, "verify", proof, "--against", "pitprops")
    assert code == 0
    assert rs.Certificate.load(proof).include.tolist() == [11]
    code, _, err = run(capsys, *words, "--without", "knots")
    assert code == 2
    assert (
        "knots is both included and excluded: take it out of include or of exclude (--with and --without" in err
    )


def test_near_optimal_prints_writes_and_proves(capsys, tmp_path):
    pytest.importorskip("matplotlib")
    proof, table, figure = (str(tmp_path / name) for name in ("c.json", "t.csv", "f.png"))
    code, out, _ = run(
        capsys, "near-optimal", "pitprops", "-k", "10", "--within", "0.02", "--costs", "--decimals", "3",
        "--certificate", proof, "--csv", table, "--plot", figure,
    )  # fmt: skip
    assert code == 0
    assert "Exactly 12 sets of 10 variables come within 2 % of the best (proved;" in out
    assert "Optimal for every matrix equal to this one up to rounding at 3 decimals: yes" in out
    assert (tmp_path / "t.csv").read_text().count("\n") == 13
    assert (tmp_path / "f.png").stat().st_size > 1000
    assert rs.verify(proof, against=rs.datasets.load_pitprops())


def test_near_optimal_as_json(capsys):
    code, out, _ = run(capsys, "near-optimal", "pitprops", "-k", "10", "--json", "--decimals", "3")
    found = json.loads(out)
    assert code == 0
    assert found["is_complete"] is True
    assert len(found["supports"]) == 5
    names = rs.datasets.load_pitprops().names
    for row in found["supports"]:
        assert row["support"] == [names[i] for i in row["indices"]]
    assert found["is_optimal_as_printed"] is True
    assert "topdiam" in found["core"]


def test_bad_arguments_leave_with_a_reason(capsys, tmp_path):
    np.savetxt(tmp_path / "S.csv", np.eye(3), delimiter=",")
    code, _, err = run(capsys, "near-optimal", str(tmp_path / "S.csv"), "-k", "2", "--within", "-1")
    assert code == 2
    assert "within must be a number of at least 0" in err


@pytest.mark.parametrize(
    "words",
    [
        ["certify", "pitprops", "--loadings", "LOADINGS", "-k", "4"],
        ["components", "pitprops", "-k", "4", "--components", "2"],
        ["path", "pitprops", "-k", "3-4"],
        ["path", "pitprops", "--share-of-dense", "0.5"],
        ["stability", "pitprops", "-k", "4"],
    ],
)
def test_every_command_with_conditions_states_them(capsys, tmp_path, words):
    """`certify` printed a bound on all supports where only some were meant."""
    file = tmp_path / "l.csv"
    file.write_text("moist,0.6\ntestsg,0.8\n")
    words = [str(file) if word == "LOADINGS" else word for word in words]
    code, out, _ = run(capsys, *words, "--with", "knots", "--without", "topdiam")
    assert code == 0
    assert "subject to knots included, topdiam excluded" in out
    code, out, _ = run(capsys, *words, "--with", "knots", "--without", "topdiam", "--json")
    assert code == 0
    assert json.loads(out)
    code, _, err = run(capsys, *words, "--without", "nobody")
    assert code == 2
    assert "nobody" in err


def test_what_is_certified_among_some_supports_is_below_the_optimum_of_all():
    cov = rs.datasets.load_pitprops()
    found = rs.certify(cov, {"moist": 0.6, "testsg": 0.8}, k=3, exclude=["topdiam"])
    assert found.upper < rs.solve(cov, 3).lower
    first, _, third = repr(found).splitlines()[:3]
    assert "subject to topdiam excluded" in first
    assert "upper bound for any 3 variables" in third


def test_the_smallest_k_of_a_share(capsys):
    code, out, _ = run(capsys, "path", "pitprops", "--share-of-dense", "0.9", "--json")
    found = json.loads(out)
    assert code == 0
    assert (found["smallest_k"], found["is_smallest_proved"], len(found["rows"])) == (7, True, 7)
    for words in (["--share-of-dense", "2"], ["--share", "0.9", "-k", "3"], ["--share", "0.9", "--rho", "0.1"]):
        assert run(capsys, "path", "pitprops", *words)[0] == 2


def test_stability_prints_writes_and_proves(capsys, tmp_path):
    pytest.importorskip("matplotlib")
    proof, figure = (str(tmp_path / name) for name in ("c.json", "f.png"))
    words = ["stability", "pitprops", "-k", "5", "--decimals", "3"]
    code, out, _ = run(capsys, *words, "--certificate", proof, "--plot", figure)
    assert code == 0
    assert "3 decimals: yes" in out
    assert rs.verify(proof, against=rs.datasets.load_pitprops())
    assert (tmp_path / "f.png").stat().st_size > 1000
    code, out, _ = run(capsys, *words, "--json")
    found = json.loads(out)
    assert code == 0
    assert found["is_optimal_as_printed"] is True
    assert 0 < found["radii"]["entries"] < found["radii"]["off-diagonal"] < found["radii"]["spectral"]
    assert run(capsys, *words, "--time-limit", "0")[0] == 0
    assert run(capsys, "stability", "pitprops", "-k", "5", "--decimals", "-1")[0] == 2


def test_help_names_every_deflation(capsys):
    shown = run(capsys, "components", "--help")[1]
    assert all(name in shown for name in DEFLATIONS)


def test_a_bound_says_of_which_matrix(capsys):
    code, out, _ = run(capsys, "bound", "pitprops", "-k", "3")
    assert code == 0
    assert "for the correlation matrix of 13 variables" in out


def test_a_bound_that_meets_its_component_is_not_called_open(capsys):
    met = json.loads(run(capsys, "bound", "pitprops", "-k", "3", "--json")[1])
    apart = json.loads(run(capsys, "bound", "pitprops", "-k", "8", "--relaxation", "spectral", "--json")[1])
    assert met["gap"] <= 1e-6 < apart["gap"]
    assert (met["status"], apart["status"]) == ("optimal", "open")


def test_conditions_of_compare_and_of_a_path_of_penalties(capsys):
    code, out, _ = run(
        capsys, "compare", "pitprops", "-k", "3", "--with", "knots", "--without", "topdiam", "--json"
    )
    assert code == 0
    found = json.loads(out)
    assert (found["include"], found["exclude"]) == (["knots"], ["topdiam"])
    assert all("knots" in row["support"] and "topdiam" not in row["support"] for row in found["rows"])
    code, out, _ = run(capsys, "path", "pitprops", "--rho", "0.2,0.6", "--without", "topdiam")
    assert code == 0
    assert "subject to topdiam excluded" in out
    code, out, _ = run(capsys, "path", "pitprops", "--rho", "0.6", "--with", "knots", "--json")
    assert code == 0
    (row,) = json.loads(out)["rows"]
    S, others = rs.datasets.load_pitprops().matrix, [i for i in range(13) if i != 11]
    supports = [[11, *T] for size in range(13) for T in itertools.combinations(others, size)]
    best = max(np.linalg.eigvalsh(S[np.ix_(T, T)])[-1] - 0.6 * len(T) for T in supports)
    assert row["lower"] - 1e-9 <= best <= row["upper"] + 1e-9  # every variable of a support is paid for
    assert "knots" in row["include"]
