"""Relaxations, one per file: their formulas, and an upper bound that holds at every dual point."""
