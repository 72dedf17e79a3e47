"""PCA-like regression on sparse features."""

from relaxspca.regression.sparse_features import (
    FeatureRegression,
    dsf_select,
    principal_regression,
    sparse_feature_regression,
)

__all__ = ["FeatureRegression", "dsf_select", "principal_regression", "sparse_feature_regression"]


def __dir__() -> list[str]:
    return sorted(__all__)
