"""Say what holds for all loadings that round to printed ones."""

from __future__ import annotations

from itertools import combinations
from typing import Any

from relaxspca.problem.covariance import Covariance
from relaxspca.problem.printed import cosine_at_least, variance_range
from relaxspca.results.printed import PrintedLoadings
from relaxspca.tasks.read_table import read_printed

__all__ = ["printed_loadings"]


def printed_loadings(cov: Covariance, table: Any, decimals: int) -> PrintedLoadings:
    """Return what holds for all loadings that round to those of a table, printed with so many decimals.

    Examples
    --------
    >>> import relaxspca as rs
    >>> cov = rs.datasets.load_pitprops()
    >>> found = printed_loadings(cov, {"A": {"topdiam": 0.71, "length": 0.71}, "B": {"length": 1}}, 2)
    >>> found.orthogonal, found.apart[:2], found.least[1] == found.most[1] == 1.0
    (False, (0, 1), True)
    """
    places = read_printed(cov, table, decimals)
    ranges = [variance_range(cov, component) for component in places]
    pairs = {(i, j): cosine_at_least(places[i], places[j]) for i, j in combinations(range(len(places)), 2)}
    overlapping = {pair: cosine for pair, cosine in pairs.items() if cosine is not None}
    i, j = max(overlapping, key=overlapping.__getitem__, default=(0, 0))
    apart = (i, j, overlapping[i, j]) if overlapping and overlapping[i, j] > 0 else None
    return PrintedLoadings(
        decimals,
        tuple(low for low, _ in ranges),
        tuple(high for _, high in ranges),
        False if apart else None if overlapping else True,
        apart,
    )
