"""From candidates and dual points to proofs: KKT tests, variable fixing, branch and bound."""
