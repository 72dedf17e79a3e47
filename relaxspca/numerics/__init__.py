"""Numerics: proved eigenvalue bounds, and decimals rounded so that printed bounds hold."""
