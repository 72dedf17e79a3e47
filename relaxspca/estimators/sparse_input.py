"""The scikit-learn tag of estimators that accept sparse observations."""

from __future__ import annotations

from typing import Any

__all__ = ["SparseInput"]


class SparseInput:
    """Mixin that declares sparse input to scikit-learn; it comes before `BaseEstimator`."""

    def __sklearn_tags__(self) -> Any:
        """Return the tags of the estimator."""
        tags = super().__sklearn_tags__()  # type: ignore[misc]
        tags.input_tags.sparse = True
        return tags
