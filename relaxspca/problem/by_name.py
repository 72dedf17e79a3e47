"""Match variables by name between two lists in different order or of different length."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np
import numpy.typing as npt

from relaxspca.numerics.linalg import as_array
from relaxspca.problem.candidate import Candidate

__all__ = ["embedded", "positions"]


def positions(names: Iterable[str], among: Sequence[str]) -> npt.NDArray[np.int64]:
    """Return the position of each name in `among`, which contains them all.

    Examples
    --------
    >>> positions(["b", "c"], ["c", "a", "b"]).tolist()
    [2, 0]
    """
    place = {name: i for i, name in enumerate(among)}
    return np.array([place[name] for name in names], dtype=np.int64)


def embedded(found: Candidate, names: Sequence[str], among: Sequence[str]) -> Candidate:
    """Return a component on the variables `names` as one on `among`, which contains its support."""
    indices = positions([names[i] for i in found.indices], among)
    loadings = np.zeros(len(among))
    loadings[indices] = found.loadings[found.indices]
    order = np.sort(indices)
    order.flags.writeable = False
    return Candidate(order, as_array(loadings), found.value, found.method, tuple(among))
