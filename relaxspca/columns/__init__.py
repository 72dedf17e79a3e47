"""Column selection shared by candidates, encoders and regression."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from relaxspca.columns.data_matrix import DataMatrix, SpanApproximation, as_data_matrix, best_rank_k_in_span
from relaxspca.columns.dual_set import (
    dual_set_columns,
    dual_set_sparsification,
    exchange_columns,
    pursuit_columns,
)
from relaxspca.columns.near_optimal import leverage_columns, near_optimal_columns

# Each takes (data, k, r, *, rng) and returns sorted distinct column numbers.
SELECTIONS: dict[str, Callable[..., Any]] = {
    "dual_set": dual_set_columns,
    "near_optimal": near_optimal_columns,
    "leverage": leverage_columns,
    "pursuit": pursuit_columns,
    "exchange": exchange_columns,
}

__all__ = [
    "SELECTIONS",
    "DataMatrix",
    "SpanApproximation",
    "as_data_matrix",
    "best_rank_k_in_span",
    "dual_set_columns",
    "dual_set_sparsification",
    "exchange_columns",
    "leverage_columns",
    "near_optimal_columns",
    "pursuit_columns",
]
