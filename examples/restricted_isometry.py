"""Enclose the restricted isometry constants of Gaussian, Bernoulli, Fourier and deterministic designs.

python examples/restricted_isometry.py
"""

import numpy as np

from relaxspca.applications import isometry_bounds

rng = np.random.default_rng(1)
rows, columns = 16, 20
frequencies = rng.choice(np.arange(1, columns), rows, replace=False)
signs = np.ones((1, 1))
while len(signs) < rows:
    signs = np.block([[signs, signs], [signs, -signs]])
designs = {
    "Gaussian": rng.standard_normal((rows, columns)),
    "Bernoulli": rng.choice([-1.0, 1.0], (rows, columns)),
    "Fourier": np.cos(np.pi * np.outer(frequencies, np.arange(columns) + 0.5) / columns),
    "deterministic": np.hstack([np.eye(rows), signs[:, 1 : 1 + columns - rows]]),
}

proved = []
for name, F in designs.items():
    F = F / np.linalg.norm(F, axis=0)
    bounds = isometry_bounds(F, 4, gap=1e-3, time_limit=20.0)
    coherence = np.abs(F.T @ F - np.eye(columns)).max()
    print(f"{name}: {bounds.lower:.4f} <= delta_4 <= {bounds.upper:.4f}, by coherence {3 * coherence:.4f}")
    # Cai and Zhang: delta_2S < 1/sqrt(2) lets l1 minimisation recover every S-sparse signal.
    if bounds.upper < 0.5**0.5:
        proved.append(name)
print(f"verdict: recovery of all 2-sparse signals is proved for {' and '.join(proved)}")
