"""The semidefinite relaxation psi: its formula, its minimisation and closed-form dual points."""
