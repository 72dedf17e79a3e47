"""Loadings by name."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from relaxspca.errors import Paragraph
from relaxspca.numerics.decimals import rounded
from relaxspca.numerics.linalg import Array


class Loadings(Paragraph, Mapping[str, float]):
    """The loadings that are not 0, by the name of their variable, the largest first; they cannot be changed.

    Parameters
    ----------
    names : names of all n variables.
    values : (n,) array.

    Examples
    --------
    >>> import numpy as np
    >>> loadings = Loadings(["height", "age", "weight"], np.array([0.6, 0.0, -0.8]))
    >>> loadings
    {weight: -0.8000, height: 0.6000}
    >>> loadings["height"], dict(loadings), len(loadings)
    (0.6, {'weight': -0.8, 'height': 0.6}, 2)
    """

    def __init__(self, names: Sequence[str], values: Array) -> None:
        used = sorted((i for i, value in enumerate(values) if value), key=lambda i: -abs(values[i]))
        self._values = {names[i]: float(values[i]) for i in used}

    def __getitem__(self, name: str) -> float:
        return self._values[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._values)

    def __len__(self) -> int:
        return len(self._values)

    def __repr__(self) -> str:
        return "{" + ", ".join(f"{name}: {rounded(value)}" for name, value in self._values.items()) + "}"

    def cells(self) -> list[list[str]]:
        """Return a row of name and loading for every variable: four decimals, or two digits of a small one."""
        return [[name, loading_text(x, 4)] for name, x in self._values.items()]


def loading_text(value: float, decimals: int) -> str:
    """Return a loading to so many decimals, with two digits if it is small; one that is not used is left out.

    Examples
    --------
    >>> loading_text(-0.25, 3), loading_text(0.0004, 3), loading_text(0.0, 3)
    ('-0.250', '0.00040', '')
    """
    if not value:
        return ""
    return f"{value:.{decimals}f}" if abs(value) >= 0.5 * 0.1**decimals else rounded(value, 2)
