"""The Perron relaxation: its formula, weighted row sums, and its minimisation."""
