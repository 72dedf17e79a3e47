"""The pairwise relaxation: its formula, row prices, cone programs and minimiser."""
