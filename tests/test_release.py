"""What says the version or the dependencies says the same in every place."""

import re
import tomllib
from pathlib import Path

import relaxspca

ROOT = Path(__file__).parents[1]


def test_one_version_everywhere():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    recipe = (ROOT / "recipe" / "recipe.yaml").read_text(encoding="utf-8")
    citation = (ROOT / "CITATION.cff").read_text(encoding="utf-8")
    changes = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    assert project["version"] == relaxspca.__version__
    assert re.findall(r'^  version: "(.*)"', recipe, re.MULTILINE) == [relaxspca.__version__]
    assert set(re.findall(r"version: ([\d.]+)$", citation, re.MULTILINE)) - {"1.2.0"} == {relaxspca.__version__}
    assert re.findall(r"^## ([\d.]+)", changes, re.MULTILINE)[0] == relaxspca.__version__


def test_the_recipe_runs_with_what_the_package_needs():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    run = (ROOT / "recipe" / "recipe.yaml").read_text(encoding="utf-8").split("  run:")[1].split("tests:")[0]
    conda = {
        line.strip("- ").replace("cvxpy-base", "cvxpy").replace(" ", "") for line in run.strip().splitlines()
    }
    assert conda == {*project["dependencies"], f"python{project['requires-python']}"}
