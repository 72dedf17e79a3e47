"""Measure how a package is laid out, and compare it with another state of it.

    python tools/measure_house.py --reading relaxspca
    git worktree add /tmp/old v0.1.0; python tools/measure_house.py /tmp/old/relaxspca relaxspca

Prints one column a package: entries of its root, files and their lengths, circles of imports (those inside
functions count, those for types alone do not), modules hidden behind a name, names of classes and public
functions that two modules define (those that all relaxations give to one question apart), how many files a word
is spread over, tests for a class, and lines that match a pattern. With --reading it also prints how much there
is to read, in the package, in its checkers and in its tests.
Nothing of the package is imported or run.
"""

from __future__ import annotations

import argparse
import ast
import itertools
import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from statistics import median

import networkx as nx

WORDS = ("perspective", "dspca", "perron")
CLASSES = ("Penalty", "Cardinality")
# Relaxations answer the same questions, and give them the same names; docs/architecture.md says what each is.
RELAXATIONS, PUBLISHED = "relaxations", "published"
STANDARD = (
    "model",
    "proved_bound",
    "minimise",
    "upper_bound",
    "perron_point",
)
# So do the commands, a module each, and what is run by name.
FAMILIES = ((r"\.command\.\w+$", ("add_words", "run")), (r"__main__$|\.command\.cli$", ("main",)))
PATTERNS = {
    "lines that read the clock": r"\bmonotonic\(\)",
    "lines that ask whether a number is infinite": r"\bisinf\(",
    "lines that turn a time limit into a deadline or back": r"deadline\s*[-+]|[-+]\s*deadline|limit\s*[-+]",
}


class House:
    """The Python files of a package as text and as syntax trees.

    Parameters
    ----------
    root : folder of the package.
    """

    def __init__(self, root: Path) -> None:
        self.root = root.resolve()
        self.texts = {path: path.read_text(encoding="utf-8") for path in sorted(self.root.rglob("*.py"))}
        self.trees = {path: ast.parse(text) for path, text in self.texts.items()}
        self.modules = {self.module(path): path for path in self.texts}

    def module(self, path: Path) -> str:
        """Return the dotted name of a file."""
        parts = path.relative_to(self.root.parent).with_suffix("").parts
        return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)

    def imports(self, path: Path) -> Iterator[str]:
        """Yield the package's own modules that a file needs when it runs."""
        for node in _statements(self.trees[path]):
            if isinstance(node, ast.Import):
                yield from (alias.name for alias in node.names if alias.name in self.modules)
            elif isinstance(node, ast.ImportFrom):
                base = self._base(path, node)
                for alias in node.names:
                    name = f"{base}.{alias.name}"
                    found = name if name in self.modules else base
                    if found in self.modules:
                        yield found

    def _base(self, path: Path, node: ast.ImportFrom) -> str:
        if not node.level:
            return node.module or ""
        here = self.module(path).split(".")
        up = node.level - (path.name == "__init__.py")
        return ".".join([*here[: len(here) - up], *([node.module] if node.module else [])])


def _statements(tree: ast.Module) -> Iterator[ast.AST]:
    """Yield the statements of a file, those within others too, but for what is there for types alone."""
    waiting: list[ast.AST] = [tree]
    while waiting:
        node = waiting.pop()
        yield node
        if not (isinstance(node, ast.If) and "TYPE_CHECKING" in ast.unparse(node.test)):
            blocks = (getattr(node, name, []) for name in ("body", "orelse", "handlers", "finalbody", "cases"))
            waiting += itertools.chain.from_iterable(blocks)


def measures(house: House, words: list[str], classes: list[str], patterns: dict[str, str]) -> dict[str, str]:
    """Return what is measured, in words and numbers."""
    lengths = {path: len(text.splitlines()) for path, text in house.texts.items()}
    longest = max(lengths, key=lambda path: lengths[path])
    circles = import_circles(house)
    found = {
        "entries of the root": str(root_entries(house)),
        "files": str(len(lengths)),
        "lines": str(sum(lengths.values())),
        "median file": f"{median(lengths.values()):g}",
        "longest file": f"{lengths[longest]} ({longest.relative_to(house.root)})",
        "circles of imports": str(len(circles)),
        "modules in circles": str(sum(map(len, circles))),
        "modules hidden behind a name": str(len(hidden_modules(house))),
        "names with two meanings": str(len(names_of_two_meanings(house))),
        "standard names of relaxations": str(len(standard_names(house))),
    }
    for word in words:
        count = sum(
            word.lower() in (str(p.relative_to(house.root)) + t).lower() for p, t in house.texts.items()
        )
        found[f"files that mention {word}"] = str(count)
    for name in classes:
        found[f"isinstance tests of {name}"] = str(isinstance_tests(house, name))
    for what, pattern in patterns.items():
        count = sum(
            bool(re.search(pattern, line)) for text in house.texts.values() for line in text.splitlines()
        )
        found[what] = str(count)
    return found


def reading(house: House) -> dict[str, str]:
    """Return how much there is to read, and how many ideas of a kind; the repository is the folder above."""
    top, named = house.root.parent, f"{house.root.name}."
    lines = {name: len(house.texts[path].splitlines()) for name, path in house.modules.items()}
    base = imported(house, [f"{named}checker"])
    words = imported(house, [f"{named}certificate.wording"]) - base  # when a verdict is printed
    results = [tree for name, tree in house.trees.items() if name.parent.name == "results"]
    constants = {path: _numbers(tree) for path, tree in house.trees.items()}
    tests = _lines(top / "tests", "*.py")
    return {
        "lines (files)": f"{sum(lines.values())} ({len(lines)})",
        "lines that the checker imports (files)": f"{sum(lines[name] for name in base)} ({len(base)})",
        "lines that word its claims (files)": f"{sum(lines[name] for name in words)} ({len(words)})",
        "certificate classes": str(_defined(house, "certificate", r"class \w*Certificate\(")),
        "kinds of points": str(_defined(house, "certificate", r"class \w+Point[:(]")),
        "kinds of splits": str(_defined(house, "certificate", r"class \w*(Split|Division)[:(]")),
        "leaf rules": str(len(_leaf_rules(house))),
        "result classes": str(sum(isinstance(node, ast.ClassDef) for tree in results for node in tree.body)),
        "constants that are numbers": str(sum(map(len, constants.values()))),
        "of them for several components": str(
            sum(len(found) for path, found in constants.items() if path.parent.name == "several")
        ),
        "lines of JavaScript": str(_lines(house.root, "*.js")),
        "lines of formal/": str(sum(_lines(top / "formal", kind) for kind in ("*.py", "*.v", "*.ml"))),
        "bytes of SPEC.md": str(sum(path.stat().st_size for path in top.glob("certificates/SPEC.md"))),
        "lines of tests": str(tests),
    }


def imported(house: House, start: list[str]) -> set[str]:
    """Return the modules that some modules import, they themselves and what those import included."""
    found: set[str] = set()
    waiting = [name for name in start if name in house.modules]
    while waiting:
        name = waiting.pop()
        if name not in found:
            found.add(name)
            waiting += house.imports(house.modules[name])
    return found


def _lines(root: Path, kind: str) -> int:
    paths = (path for path in root.rglob(kind) if "build" not in path.parts)
    return sum(len(path.read_text(encoding="utf-8").splitlines()) for path in paths)


def _defined(house: House, folder: str, pattern: str) -> int:
    texts = (text for path, text in house.texts.items() if path.parent.name == folder)
    return sum(len(re.findall(rf"^{pattern}", text, re.MULTILINE)) for text in texts)


def _leaf_rules(house: House) -> set[str]:
    """Return the words in the tuples of the folder certificate that are called LEAVES, or something LEAVES."""
    trees = (tree for path, tree in house.trees.items() if path.parent.name == "certificate")
    values = (
        node.value
        for tree in trees
        for node in tree.body
        if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]).endswith("LEAVES")
    )
    tuples = (value for value in values if isinstance(value, ast.Tuple))
    return {part.value for value in tuples for part in value.elts if isinstance(part, ast.Constant)}


def _numbers(tree: ast.Module) -> list[str]:
    """Return the capital names of a module whose value has a number in it."""
    return [
        name.id
        for node in tree.body
        if isinstance(node, ast.Assign)
        and any(isinstance(c, ast.Constant) and type(c.value) in (int, float) for c in ast.walk(node.value))
        for target in node.targets
        for name in ast.walk(target)
        if isinstance(name, ast.Name) and name.id.isupper()
    ]


def root_entries(house: House) -> int:
    """Count the files and folders that the package's folder shows."""
    return sum(1 for entry in house.root.iterdir() if entry.name != "__pycache__")


def import_circles(house: House) -> list[list[str]]:
    """Return the groups of modules that import one another; the package's own front page is left out."""
    front = house.module(house.root / "__init__.py")
    arrows = ((house.module(path), name) for path in house.texts for name in house.imports(path))
    graph = nx.DiGraph((a, b) for a, b in arrows if a != b and front not in (a, b))
    return [sorted(part) for part in nx.strongly_connected_components(graph) if len(part) > 1]


def hidden_modules(house: House) -> list[str]:
    """Return the modules that are no attribute of their package: it has something else of that name."""
    hidden = []
    for path, tree in house.trees.items():
        if path.name != "__init__.py":
            continue
        for node in tree.body:
            if isinstance(node, ast.ImportFrom):
                base, package = house._base(path, node), house.module(path)
                for alias in node.names:
                    name = f"{package}.{alias.asname or alias.name}"
                    if name in house.modules and f"{base}.{alias.name}" != name:
                        hidden.append(name)
    return sorted(hidden)


def names_of_two_meanings(house: House) -> dict[str, list[str]]:
    """Return the names that two modules define, with those modules, but for the standard names of relaxations.

    Counted are the classes of a module, and its functions without an underscore. The trusted base shares no
    code with the rest, so functions that its two folders and the rest each define once may have one name.
    """
    return {name: homes for name, homes in _shared(house).items() if not _is_standard(house, name, homes)}


def standard_names(house: House) -> dict[str, list[str]]:
    """Return the names that all of a family give to the same question, with where they are defined."""
    return {name: homes for name, homes in _shared(house).items() if _is_standard(house, name, homes)}


def _shared(house: House) -> dict[str, list[str]]:
    homes: dict[str, list[str]] = {}
    regions: dict[str, list[str]] = {}
    for path, tree in house.trees.items():
        module = house.module(path)
        for node in tree.body:
            is_class = isinstance(node, ast.ClassDef)
            if is_class or (isinstance(node, ast.FunctionDef) and not node.name.startswith("_")):
                homes.setdefault(node.name, []).append(module)
                regions.setdefault(node.name, []).append("" if is_class else _region(module))
    return {name: homes[name] for name in sorted(homes) if len({*regions[name]}) < len(homes[name])}


def _region(module: str) -> str:
    """Return the folder of the trusted base that a module is in; nothing of any other module."""
    folder = module.split(".")[1:2]
    return folder[0] if folder in (["certificate"], ["checker"]) else ""


def _is_standard(house: House, name: str, homes: list[str]) -> bool:
    """Say whether a name is the same question asked of several relaxations, commands or claims.

    That is, functions and not classes: a name of FAMILIES, in modules of that family only; or a name of
    STANDARD, one for each wing (a folder or a file of RELAXATIONS),
    and besides them at most the task of that very name, which asks the wings.
    """
    package = house.root.name
    is_class = any(
        isinstance(node, ast.ClassDef) and node.name == name
        for home in homes
        for node in house.trees[house.modules[home]].body
    )
    if is_class:
        return False
    if any(name in names and all(re.search(family, home) for home in homes) for family, names in FAMILIES):
        return True
    room = f"{package}.{RELAXATIONS}."
    wings = [_wing(home.removeprefix(room)) for home in homes if home.startswith(room)]
    elsewhere = [home for home in homes if not home.startswith(room)]
    return (
        name in STANDARD
        and len(wings) > 1
        and len(set(wings)) == len(wings)
        and elsewhere in ([], [f"{package}.tasks.{name}"])
    )


def _wing(module: str) -> str:
    """Return the wing of a module: its folder, but the file among the published ones, each a relaxation."""
    first, _, rest = module.partition(".")
    return module if first == PUBLISHED and rest else first


def isinstance_tests(house: House, name: str) -> int:
    """Count the calls of isinstance that ask for a class of that name, alone or among others."""
    trees = (tree for path, tree in house.trees.items() if name in house.texts[path])
    calls = (node for tree in trees for node in ast.walk(tree) if isinstance(node, ast.Call))
    tests = (
        c for c in calls if isinstance(c.func, ast.Name) and c.func.id == "isinstance" and len(c.args) == 2
    )
    asked = (Counter(_last_names(call.args[1])) for call in tests)
    return sum(bool(names[name]) for names in asked)


def _last_names(node: ast.expr) -> Iterator[str]:
    for part in ast.walk(node):
        if isinstance(part, ast.Name):
            yield part.id
        elif isinstance(part, ast.Attribute):
            yield part.attr


def main() -> None:
    """Print a table, and with --list the circles, hidden modules and names."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("packages", nargs="+", type=Path, help="folders of packages, a column each")
    parser.add_argument(
        "--word", action="append", help=f"count files that mention it (default: {', '.join(WORDS)})"
    )
    parser.add_argument("--class", dest="classes", action="append", help=f"(default: {', '.join(CLASSES)})")
    parser.add_argument("--pattern", action="append", help="count lines that match this regular expression")
    parser.add_argument("--list", action="store_true", help="name what was counted")
    parser.add_argument("--reading", action="store_true", help="measure how much there is to read")
    given = parser.parse_args()
    patterns = {f"lines that match {p}": p for p in given.pattern} if given.pattern else PATTERNS
    houses = [House(root) for root in given.packages]
    columns = [
        measures(house, given.word or [*WORDS], given.classes or [*CLASSES], patterns)
        | (reading(house) if given.reading else {})
        for house in houses
    ]
    width = max(map(len, columns[0]))
    widths = [
        max(map(len, [str(root), *column.values()]))
        for root, column in zip(given.packages, columns, strict=True)
    ]
    header = zip(given.packages, widths, strict=True)
    print(" " * width, *(f"{root!s:>{size}}" for root, size in header), sep="  ")
    for name in columns[0]:
        cells = (f"{column[name]:>{size}}" for column, size in zip(columns, widths, strict=True))
        print(f"{name:<{width}}", *cells, sep="  ")
    for house in houses if given.list else []:
        print(f"\n{house.root}")
        for circle in import_circles(house):
            print("  circle:", ", ".join(circle))
        for module in hidden_modules(house):
            print("  hidden:", module)
        for name, modules in names_of_two_meanings(house).items():
            print(f"  {name}:", ", ".join(modules))


if __name__ == "__main__":
    main()
