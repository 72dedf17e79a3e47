"""What users call: options go by name, so that a call says what it asks for."""

import inspect
from dataclasses import is_dataclass
from enum import Enum
from importlib import import_module

import pytest

FOLDERS = (
    "applications", "candidates", "certificate", "checker", "datasets", "datasets.text", "encoders",
    "estimators", "models", "plotting", "regression", "report",
)  # fmt: skip
# Data, how many, and what scikit-learn hands over; each may be left out.
DATA = {"X", "held_out", "indices", "k", "n_components", "n_topics", "names", "vocabulary", "y"}


def callables(name):
    """Yield the public functions of a module, and the constructors and methods of its classes."""
    module = import_module(name)
    for public in module.__all__:
        found = getattr(module, public)
        if inspect.isfunction(found):
            yield public, found
        elif inspect.isclass(found):
            if not (is_dataclass(found) or issubclass(found, Enum)):  # made by functions, not by users
                yield public, found
            for method, _ in inspect.getmembers(found, callable):
                if not method.startswith("_") and method in vars(found):
                    yield f"{public}.{method}", getattr(found, method)


def by_position(called):
    """Return the options that a call may give by position."""
    try:
        parameters = inspect.signature(called).parameters.values()
    except ValueError:  # in C
        return []
    placed = [p for p in parameters if p.kind is p.POSITIONAL_OR_KEYWORD]
    return [p.name for p in placed if p.name == "rng" or (p.default is not p.empty and p.name not in DATA)]


@pytest.mark.parametrize("name", ["relaxspca", *(f"relaxspca.{folder}" for folder in FOLDERS)])
def test_options_go_by_name(name):
    found = {public: by_position(called) for public, called in callables(name)}
    assert found
    assert not {public: options for public, options in found.items() if options}


def test_options_by_position_are_seen():
    assert by_position(lambda cov, k, method="auto", *, gap=0.0: None) == ["method"]
    assert by_position(lambda documents, rng: None) == ["rng"]
