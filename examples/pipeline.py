"""Classify wines from a few certified components in a scikit-learn pipeline.

python examples/pipeline.py
"""

from sklearn.datasets import load_wine
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GridSearchCV
from sklearn.pipeline import make_pipeline

import relaxspca as rs
from relaxspca.estimators import CertifiedSparsePCA

X, y = load_wine(return_X_y=True, as_frame=True)
model = make_pipeline(CertifiedSparsePCA(2, k=5, correlation=True), LogisticRegression())
search = GridSearchCV(model, {"certifiedsparsepca__k": [2, 4, 6]}, cv=5).fit(X, y)
components = search.best_estimator_[0]
for loadings, gap in zip(components.components_, components.gaps_, strict=True):
    print(f"{', '.join(X.columns[loadings != 0])} (gap {gap:.1e})")

verified = all(rs.verify(certificate) for certificate in components.certificates_)
score = search.best_score_
print(f"verdict: accuracy {score:.3f} in cross-validation; both components are proved: {verified}")
raise SystemExit(not verified)
