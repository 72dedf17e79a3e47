"""Write a leaf that goes through the supports of all components together in the words of the verified checker.

Nothing here is trusted. At each point a set T has a number b and a vector w with x'Mx <= b x'x + (w'x)^2 on it:
b is the second eigenvalue of M_TT, w the first eigenvector, |w|^2 the distance of the first two eigenvalues.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import combinations
from math import comb

import numpy as np
from integers import NotCovered, words

from relaxspca.certificate.values import Floats

EARLY = 8  # points that bound partial choices, at most
MOST_PEAKS = 1 << 19  # sets of one component at a leaf, times points


def sets_of(k: int, J: list[int], F: list[int], points: int) -> list[list[int]]:
    """Return the sets where a component may be not 0, in the order of the checker."""
    count = 2 ** len(J) * sum(comb(len(F), m) for m in range(k - len(J) + 1))
    if count * points > MOST_PEAKS:
        raise NotCovered(f"more than {MOST_PEAKS} sets of one component at a leaf, times points")
    return [[*A, *B] for A in _few(len(J), J) for B in _few(k - len(J), F) if A or B]


def peaks(M: Floats, sets: list[list[int]], unit: int, margin: int) -> list[str]:
    """Return b and w of each set, in units of 1/unit^2 and 1/unit; b is raised by a margin."""
    found = [""] * len(sets)
    for m in sorted({len(T) for T in sets}):
        some = [at for at, T in enumerate(sets) if len(T) == m]
        T = np.array([sets[at] for at in some])
        values, vectors = np.linalg.eigh(M[T[:, :, None], T[:, None, :]])
        second = values[:, max(m - 2, 0)]
        own = vectors[:, :, -1] * np.sqrt(values[:, -1] - second)[:, None]
        for at, b, w in zip(some, second, own, strict=True):
            w_whole = [int(Fraction(x) * unit) for x in w] if m > 1 else []
            found[at] = words([int(Fraction(b) * unit**2) + margin, len(w_whole), *w_whole])
    return found


def _few(m: int, F: list[int]) -> Iterator[tuple[int, ...]]:
    """Yield every set of at most m members of F."""
    return (chosen for size in range(m + 1) for chosen in combinations(F, size))
