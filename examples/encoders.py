"""Compress 30 measurements to one number computed from two, losing provably little more than any other.

python examples/encoders.py
"""

from sklearn.datasets import load_breast_cancer

import relaxspca as rs
from relaxspca.encoders import optimal_encoder

data = load_breast_cancer()
cov = rs.Covariance.from_data(data.data, correlation=True, names=data.feature_names)
encoder = optimal_encoder(cov, 2, gap=1e-3, time_limit=20)
print(f"variables: {', '.join(cov.names[i] for i in encoder.indices)}")
print(f"loss {encoder.loss:.6f}; one dense principal component loses {encoder.optimum:.6f}")
print(f"no encoder on two variables loses less than {encoder.loss_lower:.6f}")

verdict = rs.verify(encoder.certificate)
print(f"verdict: within {100 * encoder.gap:.2g} % of the best encoder; {verdict.outcome.value}")
raise SystemExit(not verdict)
