"""PCA-like regression on sparse features."""

from relaxspca.regression.sparse_features import (
    FeatureRegression,
    dsf_select,
    principal_regression,
    sparse_feature_regression,
)

__all__ = ["FeatureRegression", "dsf_select", "principal_regression", "sparse_feature_regression"]
__dir__ = __all__.copy
