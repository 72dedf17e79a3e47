"""Small false claims at any scale: no checker verifies one, and a checker with a defect is found out."""

import itertools
import json
import random
import sys
from importlib import import_module

import pytest
from draws import draws
from sabotaged import sabotaged
from scripts import ROOT
from two_checkers import checked, python

sys.path.append(str(ROOT / "tools"))
false, near = import_module("false_certificates"), import_module("nearly_attained")


def written(kinds, count, folder, seed=1):
    """Yield the paths of some false certificates."""
    source = near.nearly_attained if {*kinds} <= {*near.KINDS} else false.false_certificates
    made_up = itertools.islice(source(random.Random(seed), kinds), count)
    for at, (_, made) in enumerate(made_up):
        (folder / f"{at}.json").write_text(json.dumps(made))
        yield folder / f"{at}.json"


@pytest.mark.parametrize("kinds", [false.KINDS, [*near.KINDS]])
def test_no_checker_verifies_a_false_claim(kinds, tmp_path):
    paths = list(written(kinds, draws(40, 5000), tmp_path))
    met = [
        {python(path, True)[0], python(path, False)[0], said["outcome"]}
        for path, said in zip(paths, checked(paths), strict=True)
    ]
    assert all(found <= {"INCONCLUSIVE", "REFUTED"} for found in met)
    assert sum(found == {"INCONCLUSIVE"} for found in met) > len(met) / 3


# A text of a file of the checker, what a defective one has instead, the kind of files that find it, and a
# seed with which one of the first does.
DEFECTS = {row["defect"]: row for row in json.loads((ROOT / "tests/tools/defects.json").read_text())}


def test_the_texts_of_defects_are_those_of_today():
    for row in DEFECTS.values():
        source = ROOT / "relaxspca" / "checker" / f"{row['file']}.py"
        assert source.read_text().count(row["text"]) == 1, row


@pytest.mark.parametrize("name", DEFECTS)
def test_a_defect_of_the_checker_is_found(name, tmp_path, monkeypatch):
    row = DEFECTS[name]
    sabotaged(monkeypatch, row["file"], row["text"], row["instead"])
    files = written([row["found_by"]], 1000, tmp_path, row["seed"])
    assert any(python(path, row["exact"])[0] == "VERIFIED" for path in files)
