"""Candidate generators, one method a file."""
