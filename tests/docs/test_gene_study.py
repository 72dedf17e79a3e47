"""What the study of genes says is so; it is run where scanpy is, whose data it is about."""

import re
from pathlib import Path

import pytest

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
