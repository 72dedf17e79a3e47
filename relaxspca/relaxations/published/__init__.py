"""Relaxations of the literature, each with a bound that holds at every dual point."""
