"""How many random instances a test takes: few in `make test`, many in `make test-deep`."""

import os
from typing import TypeVar

from hypothesis import settings

IS_DEEP = os.environ.get("RELAXSPCA_TESTS") == "deep"
T = TypeVar("T")


def draws(few: T, many: T) -> T:
    """Return the number of instances, their sizes or the instances: the law that is tested is the same."""
    return many if IS_DEEP else few


def examples(many: int) -> settings:
    """Decorate a test of `hypothesis`: so many examples in `make test-deep`, an eighth in `make test`."""
    few = min(many, max(many // 8, 10))
    return settings(deadline=None, max_examples=draws(few, many))
