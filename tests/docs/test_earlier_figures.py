"""What docs/earlier_figures.md and docs/theory/encoders.md count in tables of benchmarks is what these say."""

import csv
from pathlib import Path

ROOT = Path(__file__).parents[2]
TEXT = " ".join((ROOT / "docs" / "earlier_figures.md").read_text(encoding="utf-8").split())
THEORY = " ".join((ROOT / "docs" / "theory" / "encoders.md").read_text(encoding="utf-8").split())
VARIANCE = ("tpower", "gpower-l0", "gpower-l1")


def rows(name):
    with (ROOT / "benchmarks" / "results" / f"{name}.csv").open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def test_regression_on_sparse_features():
    cells = {}
    for row in rows("regression"):
        cells.setdefault((row["data"], row["r"]), {})[row["method"]] = row

    def count(column, method, rival, sparsities=("6", "10")):
        """Return in how many cells a method errs less, and of how many."""
        chosen = [cell for (_, r), cell in cells.items() if r in sparsities]
        less = sum(float(cell[method][column]) < float(cell[rival][column]) for cell in chosen)
        return less, len(chosen)

    assert count("out of sample", "DSF", "RSF") == (10, 10)
    assert "better than leverage, out of sample, in all 10 rows" in TEXT
    assert count("in sample", "DSF", "PCA", ("10",)) == (4, 5)
    assert "fits the sample better than PCA in 4 of 5 sets" in TEXT
    assert count("in sample", "PCA", "DSF", ("6",)) == (5, 5)
    assert "it fits worse here in 5 of 5" in TEXT
    assert count("out of sample", "random", "DSF") == (3, 10)
    assert "predict better than the deterministic ones in 3 of our 10 rows" in TEXT


def test_encoders():
    table = rows("encoders_ordering")
    of = {row["data"]: {key: int(value) for key, value in row.items() if key != "data"} for row in table}
    total = {key: sum(each[key] for each in of.values()) for key in of["digits"]}
    below = "batch <= every variance method"
    assert {
        total[key] for key in ("cells", "iterative <= batch", f"batch of as many variables{below[5:]}")
    } == {46}
    assert of["colon500"][below] == of["colon500"]["cells"]
    assert of["breast_cancer"][below] == of["breast_cancer"]["cells"]
    assert of["pitprops"][below] > of["pitprops"]["cells"] / 2
    assert of["digits"][below] == 1
    assert "on pitprops at most values and on digits at one" in TEXT
    assert f"at {total[below]} of the 46 values of r" in THEORY
    assert f"every method of variance at {total['iterative <= every variance method']}." in THEORY
    assert "(at 1 of 12 on digits)" in THEORY
    kept = {}
    for row in rows("encoders_curves"):
        kept.setdefault((row["data"], row["r"]), {})[row["method"]] = float(row["symmetric variance"])
    assert len(kept) == 46
    for cell in kept.values():
        assert max(cell["batch"], cell["iterative"]) <= min(cell[m] for m in VARIANCE) + 1e-9


def test_ranks():
    first = {(row["matrix"], row["k"]): row for row in rows("low_rank")}
    alone = [float(first["generated, uncentred", k]["rank 1"]) for k in ("4", "10")]
    assert f"it gives {alone[0]:.0f} and {alone[1]:.0f} % of the optimum" in TEXT
    assert all(float(row["rank 3"]) <= float(row["FullPath"]) for row in first.values())
    for row in rows("low_rank_five"):
        share = {method: float(row[method]) for method in ("rank 1", "TPower", "rank 2", "rank 3", "FullPath")}
        if not row["matrix"].startswith("generated"):
            assert share["FullPath"] == max(share.values())
        if (row["matrix"], row["k"]) == ("generated, centred", "4"):
            assert share["rank 1"] == max(share.values())


def test_how_loss_and_error_of_a_classifier_go_together():
    sets = {}
    for row in rows("encoders_classification"):
        sets.setdefault(row["data"], {})[row["features"]] = (float(row["normalised loss"]), float(row["error"]))
    errs_less, least_of_both = [], []
    for name, methods in sets.items():
        error = {method: error for method, (_, error) in methods.items()}
        if min(error["batch"], error["iterative"]) < min(error[method] for method in VARIANCE):
            errs_less.append(name)
        sevens = ("iterative", *VARIANCE)
        best = min(sevens, key=lambda method: methods[method][0])
        if error[best] == min(error[method] for method in sevens):
            least_of_both.append(name)
    assert (len(sets), errs_less, least_of_both) == (5, ["madelon-like"], [])
    assert "variance in 1 of 5 data sets (madelon-like)" in THEORY
    assert "the one of least loss has the least error in none of the five" in THEORY
