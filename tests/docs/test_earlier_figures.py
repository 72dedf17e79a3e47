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


def test_how_loss_and_error_of_a_classifier_go_together():
    sets = {}
    for row in rows("encoders_classification"):
        sets.setdefault(row["data"], {})[row["features"]] = (float(row["normalised loss"]), float(row["error"]))
    errs_less, least_of_both = [], []
    for name, methods in sets.items():
        error = {method: error for method, (_, error) in methods.items()}
        if min(error["batch"], error["iterative"]) < min(error[method] for method in VARIANCE):
            errs_less.append(name)
        sevens = [methods[method] for method in ("iterative", *VARIANCE)]
        if min(sevens)[1] == min(error for _, error in sevens):
            least_of_both.append(name)
    assert (len(sets), errs_less, least_of_both) == (5, ["madelon-like"], [])
    assert "variance in 1 of 5 data sets (madelon-like)" in THEORY
    assert "the one of least loss has the least error in none of the five" in THEORY
