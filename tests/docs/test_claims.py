"""Every text that calls something ours, or says that nobody else has it, is named in the list of claims."""

import re
from pathlib import Path

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
