"""Numbers: eigenvalues with a proof, and decimals that are true as printed."""
