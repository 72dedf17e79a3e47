"""Warn if one variable, or a few, have so much of the variance that their unit decides the component."""

from __future__ import annotations

import numpy as np

from relaxspca.errors import in_line
from relaxspca.numerics.linalg import Array
from relaxspca.problem.checks import warn_of_data

MOST = 0.9  # of the trace
RATIO = 1e4  # of the largest variance to the median: a factor of 100 in standard deviation


def warn_of_scale(variances: Array, names: tuple[str, ...], *, what: str = "variance") -> None:
    """Warn if one variable, or a few dominating ones, have nine tenths of the total variance.

    A few is a tenth of the variables; dominating is a hundred times the median standard deviation.
    Variables of one unit rarely differ that much, and variables of a correlation matrix never do.

    Examples
    --------
    >>> warn_of_scale(np.array([3.0, 1.0, 2.0]), ("a", "b", "c"))
    """
    variances = np.maximum(variances, 0.0)  # an indefinite matrix may have negative ones
    total = float(variances.sum())
    if variances.size < 3 or not total > 0:
        return
    order = np.argsort(-variances, kind="stable")
    few = 1 + int(np.searchsorted(np.cumsum(variances[order]), MOST * total))
    dwarfs = variances[order[0]] >= RATIO * float(np.median(variances))
    if few == 1 or (few <= variances.size // 10 and dwarfs):
        shown = in_line([names[i] for i in order[:few]])
        share = np.floor(1000 * float(variances[order[:few]].sum()) / total) / 10
        who, they = ("has", "dominates") if few == 1 else ("have", "dominate")
        warn_of_data(
            f"{few} of {variances.size} variables {who} {share:g} % of all {what} ({shown}) and {they} the "
            "result: if units differ, use correlation=True (--correlation)",
        )
