"""The problem: a covariance, a size, a candidate, and the gap between two bounds."""
