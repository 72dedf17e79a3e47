"""What docs/theory/encoders.md counts in the tables of the benchmark is what the tables say."""

import csv
from pathlib import Path

ROOT = Path(__file__).parents[2]
TEXT = " ".join((ROOT / "docs" / "theory" / "encoders.md").read_text(encoding="utf-8").split())
VARIANCE = ("tpower", "gpower-l0", "gpower-l1")


def rows(name):
    with (ROOT / "benchmarks" / "results" / f"{name}.csv").open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


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
    assert "variance in 1 of 5 data sets (madelon-like)" in TEXT
    assert "the one of least loss has the least error in none of the five" in TEXT


def test_how_often_the_losses_are_ordered():
    table = rows("encoders_ordering")
    total = {key: sum(int(row[key]) for row in table) for key in table[0] if key != "data"}
    assert total["cells"] == 46
    assert f"at {total['batch <= every variance method']} of the 46 values of r" in TEXT
    assert f"every method of variance at {total['iterative <= every variance method']}." in TEXT
    assert total["batch of as many variables <= every variance method"] == total["iterative <= batch"] == 46
    [digits] = [row for row in table if row["data"] == "digits"]
    assert f"(at {digits['batch <= every variance method']} of 12 on digits)" in TEXT
