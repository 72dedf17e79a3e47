"""Choices of supports, one for each component: which sets there are, and which fit beside each other."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from relaxspca.problem.node import Indices
from relaxspca.relaxations.several.shape import Part, Shape
from relaxspca.relaxations.several.smooth import kinds_of
from relaxspca.relaxations.several.support_values import SupportTable

MOST_SETS = 1 << 15  # supports of one component, of all sizes, or partial choices, that are listed
Masks = npt.NDArray[np.int64]


class Choices:
    r"""Choices :math:`S_1,\dots,S_r` of the sets where loadings are not 0, at a node.

    S_t is not empty, within J_t + F_t, and has with J_t at most k_t variables. No two share exactly one
    variable: their inner product would be one product of loadings, not 0. Disjoint ones share none.

    Parameters
    ----------
    shape : Shape, separate supports.
    parts : of the node, together of at most 62 variables.
    """

    def __init__(self, shape: Shape, parts: Sequence[Part]) -> None:
        self.shape = shape
        self.order = sorted(range(len(parts)), key=kinds_of(parts)[1].__getitem__)
        self.parts = [parts[t] for t in self.order]
        self.variables = np.unique(np.concatenate([part.variables for part in parts]))
        self.catalogue = SupportTable(self.variables, self.parts)
        self.keys = [part.key for part in self.parts]
        self.equal_after = [self.keys[t + 1 :].count(key) for t, key in enumerate(self.keys)]

    def masks(self, sets: Indices) -> Masks:
        """Return sets of variables as bits."""
        return np.asarray(self.catalogue.masks[sets])

    def fit(self, ones: Indices, others: Indices) -> npt.NDArray[np.bool_]:
        """Say of each pair of sets of two parts whether they may stand beside each other."""
        both = self.masks(ones) & self.masks(others)
        return np.asarray((both == 0) if self.shape.is_disjoint else (both == 0) | (both & (both - 1) != 0))
