"""Scripts of docs/ and tools/ as modules."""

import importlib.util
from pathlib import Path

ROOT = Path(__file__).parents[1]


def script(path):
    """Load a script by its path from the root of the repository."""
    spec = importlib.util.spec_from_file_location(Path(path).stem, ROOT / path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module
