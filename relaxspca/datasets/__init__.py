"""Data sets: pitprops, and random matrices from a seed."""

from __future__ import annotations

from collections.abc import Callable

from relaxspca.datasets.generators import load_pitprops, make_planted_clique, make_spiked
from relaxspca.problem.covariance import Covariance

__all__ = [
    "BUILT_IN",
    "load_pitprops",
    "make_planted_clique",
    "make_spiked",
]

BUILT_IN: dict[str, Callable[[], Covariance]] = {"pitprops": load_pitprops}
__dir__ = __all__.copy
