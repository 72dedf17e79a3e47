"""The paper's folder: every citation has its entry, and the note compiles."""

import re
import shutil
import subprocess
from pathlib import Path

import pytest

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
