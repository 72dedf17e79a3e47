"""Every example runs without further files, succeeds, and ends in its verdict."""

import runpy
import sys
import tempfile
from pathlib import Path

import pytest
from draws import draws

pytest.importorskip("sklearn")
pytest.importorskip("matplotlib")
pytest.importorskip("joblib")

ROOT = Path(__file__).parents[2]
EXAMPLES = sorted((ROOT / "examples").glob("*.py"))

# What only a working proof can print, by example; each must be the last line.
VERDICTS = {
    "archive": "verdict: 5 of 5 verified, and the forged one is not",
    "certify_scikit_learn": "the evidence proves the claim",
    "distributed_path": "verdict: 13 of 13 verified; the proof for k = 5 is the same as alone: True",
    "encoders": "the evidence proves the claim",
    "first_certificate": "verdict: the evidence proves the claim (exact arithmetic)",
    "gene_expression": "verdict: optimal; the evidence proves the claim",
    "near_optimal": "verdict: 12 supports, and no other: True; core: topdiam, length, ringtop, ringbut, bowmax",
    "path_figure": "verdict: 13 of 13 components are proved optimal",
    "pipeline": "both components are proved: True",
    "pitprops_demo": "Proved: for 13 of 13 cardinalities",
    "restricted_isometry": "verdict: recovery of all 2-sparse signals is proved for Fourier and deterministic",
    "several_components": "6 of 6 are proved best for what the earlier ones leave; together 80.1 %",
    "subset_selection": "verdict: 10 of 10 choices are proved optimal",
    "topics": "verdict: 5 of 5 topics are proved best to within 0.01 %",
}


def test_every_example_has_a_verdict():
    assert {example.stem for example in EXAMPLES} == set(VERDICTS)


SLOW = ("distributed_path", "pipeline", "pitprops_demo", "restricted_isometry", "several_components", "topics")


@pytest.mark.parametrize(
    "example", [path for path in EXAMPLES if path.stem not in draws(SLOW, ())], ids=lambda example: example.stem
)
def test_example(example, tmp_path, monkeypatch, capsys):
    """In this process: the package and its neighbours are imported once for all examples."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    monkeypatch.setattr(sys, "argv", [str(example)])
    code = 0
    try:
        runpy.run_path(str(example), run_name="__main__")
    except SystemExit as ended:
        code = ended.code
    assert not code
    assert VERDICTS[example.stem] in capsys.readouterr().out.strip().splitlines()[-1]
