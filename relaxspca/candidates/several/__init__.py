"""Heuristics for several components, and what their proposals are proved to explain."""
