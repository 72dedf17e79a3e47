"""The shape of the package: imports point one way, no module is hidden, and importing it is cheap."""

import ast
import importlib
import pkgutil
import subprocess
import sys
from pathlib import Path

import networkx as nx
import pytest
from draws import IS_DEEP, draws

import relaxspca

ROOT = Path(relaxspca.__file__).parent
FILES = sorted(ROOT.rglob("*.py"))
MODULES = [
    found.name for found in pkgutil.walk_packages([str(ROOT)], "relaxspca.") if "__main__" not in found.name
]

# A folder may import from its own line and from those above it, inside functions too.
LAYERS = [
    {"errors", "numerics"},
    {"runtime"},
    {"certificate"},
    {"checker", "problem"},
    {"columns", "results"},
    {"reading", "candidates", "datasets"},
    {"relaxations"},
    {"search", "models"},
    {"tasks"},
    {"encoders", "regression", "applications", "estimators"},
    {"plotting"},
    {"report"},
    {"command", "public", "__main__"},
]
HEAVY = {"cvxpy", "scipy.optimize", "scipy.sparse", "matplotlib", "pandas", "sklearn", "networkx", "joblib"}


def layer(module):
    return next(at for at, names in enumerate(LAYERS) if module.split(".")[1] in names)


def imports(path):
    """Return the modules of the project that a file imports, in functions too; not those for types alone."""
    waiting: list[ast.AST] = [ast.parse(path.read_text())]
    for node in waiting:
        if not (isinstance(node, ast.If) and getattr(node.test, "id", None) == "TYPE_CHECKING"):
            waiting += [child for child in ast.iter_child_nodes(node) if not isinstance(child, ast.expr)]
        if isinstance(node, ast.ImportFrom) and node.module:
            for alias in node.names:
                name = f"{node.module}.{alias.name}"
                found = name if name in MODULES else node.module
                if found.startswith("relaxspca."):
                    yield found


def module_of(path):
    parts = ["relaxspca", *path.relative_to(ROOT).with_suffix("").parts]
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


@pytest.fixture(scope="module")
def arrows():
    return [(module_of(path), module) for path in FILES for module in imports(path)]


def test_imports_point_one_way(arrows):
    assert [(a, b) for a, b in arrows if a != "relaxspca" and layer(b) > layer(a)] == []


def test_no_imports_run_in_a_circle(arrows):
    graph = nx.DiGraph((a, b) for a, b in arrows if a != b and a != "relaxspca")
    assert [sorted(part) for part in nx.strongly_connected_components(graph) if len(part) > 1] == []


@pytest.mark.parametrize("folder", sorted({name.split(".")[1] for name in MODULES}))
def test_no_module_is_hidden_behind_a_name(folder):
    pytest.importorskip("sklearn")
    for name in (name for name in MODULES if name.split(".")[1] == folder):
        module = importlib.import_module(name)
        package, _, leaf = name.rpartition(".")
        assert getattr(importlib.import_module(package), leaf) is module, name


@pytest.mark.skipif(not IS_DEEP, reason="a run of pytest of its own")
def test_nor_by_pytest_which_loads_modules_with_doctests_by_itself():
    here = Path(__file__)
    tests = str(ROOT / "problem" / "gap.py"), f"{here}::test_no_module_is_hidden_behind_a_name[problem]"
    command = [sys.executable, "-m", "pytest", "-n", "0", "-p", "no:cacheprovider", *tests]
    ran = subprocess.run(command, cwd=here.parents[1], capture_output=True, text=True)
    assert ran.returncode == 0, ran.stdout


def said_in_a_process_of_its_own(code):
    return subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout


def test_the_package_imports_nothing_before_a_name_is_used_and_little_then():
    code = "import sys, relaxspca; print([name for name in sys.modules if name.startswith('relaxspca')])\n"
    code += f"relaxspca.solve; print(sorted(set(sys.modules) & {HEAVY!r}))"
    assert said_in_a_process_of_its_own(code) == "['relaxspca']\n[]\n"


def test_completion_shows_the_public_names_only():
    folders = {name for name in dir(relaxspca) if name not in relaxspca.__all__ and name != "__version__"}
    assert set(relaxspca.__all__) <= set(dir(relaxspca))
    assert folders == {
        "applications", "candidates", "encoders", "estimators", "models", "plotting", "regression",
        "relaxations", "report",
    }  # fmt: skip


def test_a_folder_needs_no_import_of_its_own():
    """Folders that others import come first, so that none is there already."""
    names = [*("applications", "encoders", "regression"), *draws([], ["estimators", "plotting"]), "report"]
    if "estimators" in names:
        pytest.importorskip("sklearn")
    code = f"import relaxspca as rs; print(*(getattr(rs, name).__name__ for name in {names!r}))"
    assert said_in_a_process_of_its_own(code).split() == [f"relaxspca.{name}" for name in names]


@pytest.mark.parametrize(
    "name",
    [
        *("applications", "candidates", "datasets", "encoders", "estimators", "plotting"),
        *("regression", "report", "results"),
    ],
)
def test_completion_of_a_folder_shows_what_is_called_or_returned(name):
    pytest.importorskip("sklearn")
    folder = getattr(relaxspca, name)
    assert set(dir(folder)) == set(folder.__all__)


def test_what_is_not_there_is_an_attribute_error():
    with pytest.raises(AttributeError, match="has no attribute 'nothing'"):
        _ = relaxspca.nothing


def test_files_are_of_a_size_to_be_read():
    lengths = sorted(len(path.read_text().splitlines()) for path in FILES)
    assert lengths[-1] <= 400
    assert lengths[len(lengths) // 2] < 200
