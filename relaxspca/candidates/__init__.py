"""Heuristics that generate sparse components, each a function of (covariance, k)."""

from relaxspca.candidates.methods import METHODS, candidate

__all__ = ["METHODS", "candidate"]
__dir__ = __all__.copy
