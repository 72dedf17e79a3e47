"""The Perron dual of a block-diagonal matrix: one small problem for each connected part."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from relaxspca.numerics.linalg import Array, Mask, leading_eigenpair
from relaxspca.problem.size import Size
from relaxspca.relaxations.perron.minimise import descend
from relaxspca.runtime.deadline import FOREVER, Deadline


def descend_parts(
    Sigma: Array,
    inside: Mask,
    size: Size,
    B: Array,
    *,
    target: float,
    scale: float,
    smoothing: float,
    iterations: int = 50,
    enough: float = 0.0,
    deadline: Deadline = FOREVER,
) -> Array:
    """Minimise the smoothed bound of every connected part of a block whose bound exceeds the target.

    Parts at most at the target, which closes the node, keep their B; the rest is as in `descend`.

    Notes
    -----
    When Sigma is zero between parts, P and N can be too: Sigma - P + Diag c is then block-diagonal, its
    largest eigenvalue is the largest over the parts, and each part is minimised alone. Variables forced in
    elsewhere lower the cardinality left to a row, at a charge of 0.
    """
    steps: Any = {"scale": scale, "smoothing": smoothing, "iterations": iterations}
    steps |= {"enough": enough, "deadline": deadline}
    parts = connected_parts(Sigma)
    if len(parts) == 1:
        return descend(Sigma, inside, size, B, **steps)
    result = np.zeros_like(B)
    for part in parts:
        here = np.ix_(part, part)
        own = size.of_part(part, inside)
        result[here] = B[here]
        if len(part) > 1 and _value(Sigma[here], inside[part], own, B[here]) > target:
            result[here] = descend(Sigma[here], inside[part], own, B[here], **steps)
    return result


def connected_parts(Sigma: Array) -> list[npt.NDArray[np.int64]]:
    """Return the connected components of the graph of nonzero entries.

    Examples
    --------
    >>> [part.tolist() for part in connected_parts(np.array([[1.0, 0, 2], [0, 1, 0], [2, 0, 1]]))]
    [[0, 2], [1]]
    """
    from scipy.sparse import csr_array
    from scipy.sparse.csgraph import connected_components

    count, label = connected_components(csr_array(Sigma != 0), directed=False)
    return [np.flatnonzero(label == c) for c in range(count)]


def _value(Sigma: Array, inside: Mask, size: Size, B: Array) -> float:
    """Return the bound of a part at B in floating point; penalties of variables in other parts are left out."""
    M = Sigma - B * B.T
    M[np.diag_indices_from(M)] += size.row_charges(B * B, inside).total
    return leading_eigenpair(M)[0]
