"""The Perron relaxation: its formula, row sums with weights, and its minimiser."""
