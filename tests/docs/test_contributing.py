"""What the pages for contributors say of files, names, targets and layers is so."""

import ast
import re
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
CONTRIBUTING = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
ARCHITECTURE = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
PATH = r"`((?:\.?[\w-]+/)+[\w.-]*|[\w-]+\.(?:md|toml))`"


def text_of(path):
    return (ROOT / path).read_text(encoding="utf-8")


def test_what_contributing_names_exists():
    assert [path for path in {*re.findall(PATH, CONTRIBUTING)} if not (ROOT / path).exists()] == []


def test_the_page_of_the_tests_lists_every_helper():
    listed = set(re.findall(r"`(\w+\.py)`", text_of("tests/README.md")))
    assert {path.name for path in (ROOT / "tests").glob("*.py")} <= listed


def test_what_is_to_be_looked_for_stands_in_the_file():
    """As `file` (`name`, `name`)."""
    pairs = re.findall(PATH + r" \(((?:`[^`]+`(?:, )?)+)\)", re.sub(r"\s+", " ", CONTRIBUTING))
    named = {(path, name) for path, names in pairs for name in re.findall(r"`([^`]+)`", names)}
    assert len(named) >= 30
    assert [(path, name) for path, name in named if name not in text_of(path)] == []


def test_every_target_named_is_in_the_makefile():
    targets = set(re.findall(r"^([\w-]+):", text_of("Makefile"), re.MULTILINE))
    pages = CONTRIBUTING + text_of("README.md") + text_of(".github/pull_request_template.md")
    named = set(re.findall(r"^make ([\w-]+)", pages, re.MULTILINE)) | set(re.findall(r"`make ([\w-]+)`", pages))
    assert {"demo", "test", "lint", "docs"} <= named <= targets


def test_one_version_of_the_formatter():
    development = tomllib.loads(text_of("pyproject.toml"))["project"]["optional-dependencies"]["dev"]
    [pinned] = [entry.removeprefix("ruff==") for entry in development if entry.startswith("ruff")]
    hooks = text_of(".pre-commit-config.yaml")
    assert re.findall(r"ruff-pre-commit\s+rev: v(\S+)", hooks) == [pinned]


def layers():
    tree = ast.parse(text_of("tests/test_package.py"))
    [value] = [n.value for n in tree.body if isinstance(n, ast.Assign) and n.targets[0].id == "LAYERS"]
    return ast.literal_eval(value)


def test_the_table_of_folders_lists_the_layers_in_their_order():
    rows = re.findall(r"^\| (`.*?) \|", ARCHITECTURE, re.MULTILINE)
    listed = [re.findall(r"`(\w+)(?:/|\.py)`", row) for row in rows]
    order = {name: at for at, names in enumerate(layers()) for name in names}
    assert {name for row in listed for name in row} == set(order) - {"__main__"}
    assert [[order[name] for name in row] for row in listed] == [
        [at] * len(row) for at, row in enumerate(listed)
    ]


def test_what_the_architecture_names_exists():
    places = (ROOT / "relaxspca", ROOT / "relaxspca" / "relaxations", ROOT)
    named = {*re.findall(r"`([\w/]+(?:\.py|/))`", ARCHITECTURE)}
    assert [path for path in named if not any((place / path).exists() for place in places)] == []


@pytest.mark.parametrize("page", sorted((ROOT / "docs" / "decisions").glob("*.md")), ids=lambda page: page.stem)
def test_a_decision_fits_on_a_screen_and_what_it_names_exists(page):
    text = page.read_text(encoding="utf-8")
    assert len(text.splitlines()) <= 45
    known = [path for base in ("relaxspca", "benchmarks", "tests") for path in (ROOT / base).rglob("*.py")]
    for named in re.findall(r"`([\w./]+\.py)`", text):
        assert any(f"/{path.as_posix()}".endswith(f"/{named}") for path in known), named


def test_the_list_of_benchmarks_is_that_of_the_scripts():
    listed = set(re.findall(r"`(\w+\.py)`", text_of("benchmarks/README.md")))
    assert listed | {"tables.py", "matrices.py", "encoder_data.py"} == {
        path.name for path in (ROOT / "benchmarks").glob("*.py")
    }


def test_every_table_that_a_page_includes_is_there():
    pages = [page.read_text(encoding="utf-8") for page in (ROOT / "docs").rglob("*.md")]
    included = {name for text in pages for name in re.findall(r"<!-- table (\w+) -->", text)}
    kept = {path.stem for path in (ROOT / "benchmarks" / "results").glob("*.md")}
    assert {"exact", "frontier", "ratios_subset"} <= included <= kept


@pytest.mark.parametrize("folder", ["checker", "certificate"])
def test_the_length_of_the_trusted_code_is_stated_as_it_is(folder):
    lines = sum(
        len(file.read_text(encoding="utf-8").splitlines())
        for file in (ROOT / "relaxspca" / folder).glob("*.py")
    )
    [stated] = re.findall(rf"`{folder}/` \(about (\d+) lines\)", text_of("docs/trust.md"))
    assert int(stated) == pytest.approx(lines, rel=0.2)
    assert re.search(rf"\b{stated} (?:lines|more)", text_of("README.md"))
