"""The reference has every public name, and every public function an example."""

import importlib
import inspect
import re
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from relaxspca import InputError

PAGE = (Path(__file__).parents[2] / "docs" / "reference.md").read_text(encoding="utf-8")
LISTED = re.findall(r"^   (relaxspca\.\S+)$", PAGE, re.MULTILINE)
PACKAGES = (
    "relaxspca",
    "relaxspca.applications",
    "relaxspca.report.archive",
    "relaxspca.candidates",
    "relaxspca.columns",
    "relaxspca.datasets",
    "relaxspca.encoders",
    "relaxspca.errors",
    "relaxspca.estimators",
    "relaxspca.models",
    "relaxspca.plotting",
    "relaxspca.regression",
    "relaxspca.report",
    "relaxspca.checker",
)


def public(package):
    """Return the functions and classes that a package offers; tables and modules are described elsewhere."""
    module = importlib.import_module(package)
    found = {name: getattr(module, name) for name in module.__all__}
    return {name: value for name, value in found.items() if inspect.isfunction(value) or inspect.isclass(value)}


def pages():
    """Return what the reference has pages of."""
    parts = (name.rpartition(".") for name in LISTED)
    return [getattr(importlib.import_module(module), name) for module, _, name in parts]


def test_no_page_is_listed_twice():
    assert len(set(LISTED)) == len(LISTED)


@pytest.mark.parametrize("package", PACKAGES)
def test_every_public_name_has_a_page_and_a_function_an_example_and_what_it_takes_and_returns(package):
    pytest.importorskip("sklearn")
    offered, shown = public(package), pages()
    assert offered
    for name, value in offered.items():
        assert any(value is page for page in shown), name
        doc = inspect.getdoc(value) or ""
        assert doc, name
        if inspect.isfunction(value):
            signature = inspect.signature(value)
            returns_nothing = signature.return_annotation in (None, "None")
            assert ">>>" in doc or returns_nothing, name
            assert "Parameters\n---" in doc or not signature.parameters, name
            assert "Returns\n---" in doc or returns_nothing, name


@pytest.mark.parametrize("cov", [np.eye(3), "my.csv", None], ids=str)
def test_what_is_no_covariance_is_refused_by_every_function_that_takes_one(cov):
    taking = {f: list(inspect.signature(f).parameters.values()) for f in pages() if inspect.isfunction(f)}
    taking = {f: parameters for f, parameters in taking.items() if parameters and parameters[0].name == "cov"}
    assert len(taking) > 20
    for function, parameters in taking.items():
        needed = [parameter for parameter in parameters[1:] if parameter.default is parameter.empty]
        given = [2 for parameter in needed if parameter.kind is parameter.POSITIONAL_OR_KEYWORD]
        named = {parameter.name: 2 for parameter in needed if parameter.kind is parameter.KEYWORD_ONLY}
        with pytest.raises(InputError):
            function(cov, *given, **named)


def test_arrays_within_other_types_are_shown_as_arrays():
    """Of a tuple of arrays the page showed ``tuple[TypeAliasForwardRef('ndarray'), ...]``."""
    pytest.importorskip("sphinx")
    conf = Path(__file__).parents[2] / "docs" / "conf.py"
    code = (
        "import runpy, sys; from sphinx.util.inspect import TypeAliasForwardRef as Alias\n"
        "from sphinx.util.typing import stringify_annotation; runpy.run_path(sys.argv[1])\n"
        "print(stringify_annotation(tuple[Alias('ndarray'), ...], 'smart'))"
    )
    ran = subprocess.run([sys.executable, "-c", code, conf], capture_output=True, text=True, check=True)
    assert ran.stdout == "tuple[ndarray, ...]\n"
