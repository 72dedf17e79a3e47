"""What pages and paper claim, count, cite and find is so."""

import csv
import re
import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
LIST = ROOT / "docs" / "claims.md"
WORDS = re.compile(
    r"to our knowledge|we (?:have )?found (?:no|none|nowhere)|have not found|found (?:no mach|nowhere)|"
    r"know of no|that we know\b|not been published|not found (?:elsewhere|published)|is ours,|"
    r"novel\b|\bis new\b",
    re.IGNORECASE,
)
FOLDERS = (
    *("", "docs", "docs/theory", "docs/decisions", "paper"),
    *("formal", "certificates", "library", "benchmarks"),
)
# It says that no DOI was found: no claim about others.
OTHERS = ("paper/README.md",)


def test_every_text_with_a_claim_of_novelty_is_in_the_list():
    listed = LIST.read_text(encoding="utf-8")
    texts = [path for folder in FOLDERS for end in ("md", "tex") for path in (ROOT / folder).glob(f"*.{end}")]
    claiming = {path for path in texts if WORDS.search(" ".join(path.read_text(encoding="utf-8").split()))}
    assert LIST in claiming
    for path in claiming - {LIST, *(ROOT / other for other in OTHERS)}:
        name = path.relative_to(ROOT).as_posix()
        assert f"`{name}`" in listed or f"({name.removeprefix('docs/')})" in listed, name


PAPER = Path(__file__).parents[2] / "paper"


def test_every_citation_has_an_entry_and_every_entry_is_cited():
    cited = set(re.findall(r"@(\w+)", (PAPER / "paper.md").read_text(encoding="utf-8")))
    entries = set(re.findall(r"^@\w+\{(\w+),", (PAPER / "paper.bib").read_text(encoding="utf-8"), re.MULTILINE))
    assert cited == entries
    assert len(entries) >= 6


@pytest.mark.skipif(shutil.which("pdflatex") is None, reason="pdflatex is not installed")
def test_the_note_compiles_within_the_width(tmp_path):
    command = ["pdflatex", "-interaction=nonstopmode", "-halt-on-error", "-output-directory", str(tmp_path)]
    for _ in range(2):
        done = subprocess.run(
            [*command, str(PAPER / "theorem.tex")], capture_output=True, text=True, check=False
        )
        assert done.returncode == 0, done.stdout[-2000:]
    assert "undefined" not in done.stdout
    assert "Overfull" not in done.stdout


PAGE = Path(__file__).parents[2] / "docs" / "studies.md"


def test_the_study_of_genes_finds_what_it_says(tmp_path, monkeypatch):
    pytest.importorskip("scanpy")
    monkeypatch.chdir(tmp_path)
    page = PAGE.read_text(encoding="utf-8")
    section = page.split("## Which genes")[1].split("\n## ")[0]
    held = {}
    for code in re.findall(r"^```text\n(.*?)^```", section, re.DOTALL | re.MULTILINE):
        exec(compile(code, str(PAGE), "exec"), held)
    rows = re.findall(r"^\| \d \| ([\d.]+) \| (.*?) \|$", section, re.MULTILINE)
    for (variance, genes), group in zip(rows, held["groups"], strict=True):
        signed = [("-" if x < 0 else "") + name for name, x in group.loadings.items()]
        assert ", ".join(signed) == genes
        assert group.gap < 1e-6
        assert group.lower == pytest.approx(float(variance), rel=1e-5)
    [digest] = re.findall(r"digest (sha256:\w+)…", section)
    assert held["cov"].digest.startswith(digest)
    assert held["best"].status == "optimal"
    assert held["best"].share == pytest.approx(0.0548, abs=1e-4)
    first, second = (set(support) for support in held["near"].supports)
    assert held["near"].is_complete
    assert (first - second, second - first) == ({"HLA-DQA2"}, {"HLA-DQB1"})


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
