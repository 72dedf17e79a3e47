"""The figure of a vector of large ratio."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from relaxspca.certificate import Pencil
from relaxspca.numerics.decimals import interval
from relaxspca.plotting.marks import named_bars

if TYPE_CHECKING:
    from relaxspca.results.generalized import Generalized

__all__ = ["plot_ratio"]


def plot_ratio(found: Generalized, *, ax: Any = None) -> Any:
    """Draw the loadings of a vector of large ratio, the largest first, with the bounds on the ratio.

    Each loading is multiplied by the square root of its entry on the diagonal of B, so that variables of any
    unit are compared.

    Parameters
    ----------
    found : Generalized
    ax : matplotlib axes, or None for those of a new figure

    Returns
    -------
    matplotlib.axes.Axes

    Examples
    --------
    >>> import relaxspca as rs
    >>> axes = plot_ratio(rs.generalized([[4.0, 1.0], [1.0, 1.0]], [[2.0, 0.0], [0.0, 1.0]], 1))
    >>> [label.get_text() for label in axes.get_yticklabels()]
    ['x0']
    """
    values, what = dict(found.loadings), "loading"
    pencil = None if found.certificate is None else found.certificate.subject
    if isinstance(pencil, Pencil):
        deviations = np.sqrt(np.diagonal(pencil.denominator))
        own = {found.names[i]: float(found.loadings_array[i] * deviations[i]) for i in found.indices}
        values = dict(sorted(own.items(), key=lambda pair: -abs(pair[1])))
        what = "loading times the root of $B_{ii}$"
    label = f"{what}\n{interval(found.lower, found.upper, 6).text(f'r_{found.k}')}"
    return named_bars(values, label, ax)
