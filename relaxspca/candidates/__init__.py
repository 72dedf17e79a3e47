"""Candidate generators: sparse components by heuristics, each a function of (covariance, k)."""

from relaxspca.candidates.methods import METHODS, candidate

__all__ = ["METHODS", "candidate"]
