"""The semidefinite relaxation psi: its formula, its minimisers and the closed form of a rank-one dual."""
