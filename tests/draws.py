"""How many random instances a test takes: few in `make test`, many in `make test-deep`."""

import os
from typing import TypeVar

IS_DEEP = os.environ.get("RELAXSPCA_TESTS") == "deep"
T = TypeVar("T")


def draws(few: T, many: T) -> T:
    """Return the number of instances, their sizes or the instances: the law that is tested is the same."""
    return many if IS_DEEP else few
