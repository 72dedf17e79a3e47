"""The shape of the package: imports point one way, and importing it is cheap."""

import ast
import subprocess
import sys
from pathlib import Path

import pytest

import relaxspca

ROOT = Path(relaxspca.__file__).parent
FILES = sorted(ROOT.rglob("*.py"))

# A module may import from its own line and from those above it.
LAYERS = [
    {"errors"},
    {"linalg", "eliminated", "evidence", "progress", "distributed", "interrupt", "threads"},
    {
        "certificate",
        "certificate_file",
        "checkpoint",
        "tables",
        "observations",
        "gram",
        "semidefinite",
        "selected",
    },
    {
        "verify",
        "chunks",
        "moments",
        "covariance",
        "datasets",
        "candidate",
        "bound",
        "archive",
        "variance",
        "doors",
        "scaling",
    },
    {"columns", "candidates", "relaxations", "gap"},
    {"solvers"},
    {"certify"},
    {"path", "path_table", "compare", "components", "encoders", "regression", "applications"},
    {"report", "plotting", "estimators", "commands", "completion", "cli", "__main__"},
]
HEAVY = {"cvxpy", "scipy.optimize", "scipy.sparse", "matplotlib", "pandas", "sklearn", "networkx", "joblib"}


def layer(module):
    name = module.split(".")[1]
    return next(at for at, names in enumerate(LAYERS) if name in names)


def eager_imports(path):
    """Return the project's modules that a file imports when it is imported."""
    tree = ast.parse(path.read_text())
    blocks = [node for node in ast.walk(tree) if isinstance(node, ast.If | ast.FunctionDef)]
    inner = [child for block in blocks for child in ast.walk(block)]
    guarded = {child.lineno for child in inner if isinstance(child, ast.ImportFrom)}
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and node.lineno not in guarded and node.module:
            if node.module.startswith("relaxspca."):
                yield node.module
            elif node.module == "relaxspca":
                yield from (f"relaxspca.{alias.name}" for alias in node.names)


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(ROOT)))
def test_imports_point_one_way(path):
    if path.parent == ROOT and path.stem in {"__init__", "commands", "cli"}:
        return
    own = layer(".".join(("relaxspca", *path.relative_to(ROOT).with_suffix("").parts)))
    above = [module for module in eager_imports(path) if layer(module) > own]
    assert not above


def test_a_first_import_is_light():
    code = f"import sys, relaxspca; print(sorted(set(sys.modules) & {HEAVY!r}))"
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert ran.stdout.strip() == "[]"


def test_files_are_of_a_size_to_be_read():
    lengths = sorted(len(path.read_text().splitlines()) for path in FILES)
    assert lengths[-1] <= 400
    assert lengths[len(lengths) // 2] < 200
