"""What the estimators that take sparse observations tell scikit-learn."""

from __future__ import annotations

from typing import Any

__all__ = ["SparseInput"]


class SparseInput:
    """Tell scikit-learn that sparse observations are welcome; stands before `BaseEstimator`."""

    def __sklearn_tags__(self) -> Any:
        """Return the tags of the estimator."""
        tags = super().__sklearn_tags__()  # type: ignore[misc]
        tags.input_tags.sparse = True
        return tags
