"""Assess the first component of scikit-learn's SparsePCA on the breast cancer data.

python examples/certify_scikit_learn.py
"""

import numpy as np
from sklearn.datasets import load_breast_cancer
from sklearn.decomposition import SparsePCA
from sklearn.preprocessing import StandardScaler

import relaxspca as rs

data = load_breast_cancer()
X = StandardScaler().fit_transform(data.data)
loadings = SparsePCA(1, alpha=20, random_state=0).fit(X).components_[0]
print(f"scikit-learn uses {np.count_nonzero(loadings)} of {len(loadings)} variables")

cov = rs.Covariance.from_data(data.data, correlation=True, names=data.feature_names)
judged = rs.certify(cov, loadings)
print(judged)

checked = rs.verify(judged.certificate)
more = f"no {judged.k} variables explain over {100 * judged.gap:.2f} % more"
print(f"verdict: {judged.status}, {more}; {checked.outcome.value}")
raise SystemExit(not checked)
