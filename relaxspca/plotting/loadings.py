"""The figure of one vector: its loadings, or the coefficients of a fit, as bars."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from relaxspca.applications.subset_results import Fit
from relaxspca.certificate import Pencil
from relaxspca.errors import InputError
from relaxspca.numerics.decimals import interval
from relaxspca.plotting.style import check_kind, named_bars
from relaxspca.problem.candidate import Candidate
from relaxspca.results.generalized import Generalized
from relaxspca.results.loadings import Loadings


def plot_loadings(found: Any, *, ax: Any = None) -> Any:
    """Draw the loadings of the variables in use, or the coefficients of a fit, the largest first.

    Parameters
    ----------
    found : Candidate, Result, Certified, Generalized, SubsetSelection or SubsetCertified
        Each loading of a vector of large ratio is multiplied by the square root of its entry on the diagonal of
        B, so that variables of any unit are compared.
    ax : matplotlib axes, or None for those of a new figure

    Returns
    -------
    matplotlib.axes.Axes

    Examples
    --------
    >>> import relaxspca as rs
    >>> axes = plot_loadings(rs.candidate(rs.datasets.load_pitprops(), 3))
    >>> [label.get_text() for label in axes.get_yticklabels()]
    ['bowdist', 'topdiam', 'length']
    """
    if isinstance(found, Fit):
        if not found.by_name:
            raise InputError("no variable has a coefficient: there is nothing to draw")
        return named_bars(found.by_name, "coefficient (unit of y over that of the variable)", ax)
    if isinstance(found, Generalized):
        values, what = _in_one_unit(found)
        return named_bars(values, f"{what}\n{interval(found.lower, found.upper, 6).text(f'r_{found.k}')}", ax)
    shown: Any = getattr(found, "candidate", found)
    check_kind(shown, Candidate)
    if not shown.k:
        raise InputError("no variable is worth its penalty: there are no loadings to draw")
    loadings = Loadings(shown.names, shown.loadings)
    return named_bars(loadings, f"loading (unit vector; explains variance {shown.value:.4g})", ax)


def _in_one_unit(found: Generalized) -> tuple[Mapping[str, float], str]:
    """Return loadings in a unit that all variables share, where B is known, and what they are."""
    pencil = None if found.certificate is None else found.certificate.subject
    if not isinstance(pencil, Pencil):
        return found.loadings, "loading"
    own = found.loadings_array * np.sqrt(np.diagonal(pencil.denominator))
    return Loadings(found.names, own), "loading times the root of $B_{ii}$"
