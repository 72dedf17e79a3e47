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
from relaxspca.numerics.linalg import Indices

# Each takes (data, k, r) and returns sorted distinct column numbers.
SELECTIONS: dict[str, Callable[..., Any]] = {
    "dual_set": dual_set_columns,
    "near_optimal": near_optimal_columns,
    "leverage": leverage_columns,
    "pursuit": pursuit_columns,
    "exchange": exchange_columns,
}
RANDOM_SELECTIONS = ("near_optimal", "leverage")  # these take `rng` too, and draw


def selected_columns(data: Any, k: int, r: int, *, selection: str, rng: Any) -> Indices:
    """Return r columns by the name of a selection; one that draws does so from a fixed seed without `rng`."""
    drawn = {"rng": rng} if selection in RANDOM_SELECTIONS else {}
    found: Indices = SELECTIONS[selection](data, k, r, **drawn)
    return found


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
