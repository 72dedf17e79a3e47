"""Enclose the restricted isometry constants of a random design.

python examples/restricted_isometry.py
"""

import numpy as np

from relaxspca.applications import isometry_bounds

F = np.random.default_rng(0).standard_normal((150, 20))
F /= np.linalg.norm(F, axis=0)
for sparsity in (1, 2, 3, 4):
    bounds = isometry_bounds(F, sparsity, time_limit=10)
    print(f"{bounds.lower:.6f} <= delta_{sparsity} <= {bounds.upper:.6f}")

# Cai and Zhang: delta_2S < 1/sqrt(2) lets l1 minimisation recover every S-sparse signal.
recovers = bounds.upper < 0.5**0.5
print(f"verdict: recovery of all 2-sparse signals is {'proved' if recovers else 'not proved'} for this design")
