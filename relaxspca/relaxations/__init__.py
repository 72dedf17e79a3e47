"""Relaxations, one a file: formulas only, and an upper bound valid for every dual point."""
