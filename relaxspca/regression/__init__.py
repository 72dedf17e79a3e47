"""PCA-like regression on sparse features."""

from __future__ import annotations

from collections.abc import Callable

from relaxspca.regression.selection import dsf_select, rsf_select
from relaxspca.regression.sparse_features import (
    FeatureRegression,
    prediction_error,
    principal_regression,
    sparse_feature_regression,
)

# Each takes (data, Y, k, r); rsf also an rng.
METHODS: dict[str, Callable[..., FeatureRegression]] = {"dsf": dsf_select, "rsf": rsf_select}

__all__ = [
    "METHODS",
    "FeatureRegression",
    "dsf_select",
    "prediction_error",
    "principal_regression",
    "rsf_select",
    "sparse_feature_regression",
]


def __dir__() -> list[str]:
    return sorted(__all__)
