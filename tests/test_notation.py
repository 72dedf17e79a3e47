"""Words that were given up for those of the field do not come back as names."""

import ast
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
GONE = {
    "price": "penalty (rho), charge (of a row) or Lagrange multiplier (y, Z)",
    "dearest": "largest",
    "upstairs": "attribute of a module that is imported late",
    "bends": "curvature",
    "foretold": "estimated",
    "swings": "floating search",
    "leap": "screening by the largest eigenvalue",
    "mate": "conflicting variable",
    "touched": "largest entry that the checker reads",
}


def words_of(name):
    """Return the words of a name, in lower case and without the s of a plural."""
    parts = re.findall(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])", name)
    return {form for part in parts for form in (part.lower(), part.lower().removesuffix("s"))}


def names_in(tree):
    """Yield every name that a module defines: of functions, classes, parameters and variables."""
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef | ast.ClassDef):
            yield node.name
        elif isinstance(node, ast.arg):
            yield node.arg
        elif isinstance(node, ast.Name | ast.Attribute) and isinstance(node.ctx, ast.Store):
            yield node.id if isinstance(node, ast.Name) else node.attr


@pytest.mark.parametrize("folder", ["relaxspca", "tools", "benchmarks"])
def test_words_that_went_are_no_names(folder):
    found = {}
    for path in sorted((ROOT / folder).rglob("*.py")):
        text = path.read_text()
        has_any = any(word in text.lower() for word in GONE)  # a file without them need not be parsed
        for name in {path.stem, *(names_in(ast.parse(text)) if has_any else ())}:
            for word in words_of(name) & GONE.keys():
                found[f"{path.relative_to(ROOT)}: {name}"] = GONE[word]
    assert found == {}


def test_the_words_of_a_name_are_found():
    tree = ast.parse("class PriceMatrix:\n    def row_prices(self, upstairs): self.dearest_sums = leap = 1\n")
    met = set().union(*map(words_of, names_in(tree)))
    assert {"price", "upstairs", "dearest", "leap"} <= met
