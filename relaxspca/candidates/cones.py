"""Cones that cover all directions up to sign: boxes on the faces of a cube, which can be split."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import product

import numpy as np

from relaxspca.numerics.linalg import Array


@dataclass(frozen=True, eq=False)
class Cone:
    """The directions c with c[face] = 1 and the other entries in a box.

    Attributes
    ----------
    face : int
    low, high : (d - 1,) arrays, corners of the box.
    """

    face: int
    low: Array
    high: Array

    @property
    def corners(self) -> Array:
        """(2^(d-1), d) generators of the cone, not of unit length."""
        ends = np.array(list(product((0.0, 1.0), repeat=len(self.low)))).reshape(-1, len(self.low))
        return np.insert(self.low + ends * (self.high - self.low), self.face, 1.0, axis=1)

    @property
    def centre(self) -> Array:
        """(d,) unit direction of the middle of the box."""
        middle = np.insert(0.5 * (self.low + self.high), self.face, 1.0)
        return np.asarray(middle / np.linalg.norm(middle))

    @property
    def cosine(self) -> float:
        """Cosine of the largest angle between the centre and a direction of the cone; a corner attains it."""
        corners = self.corners
        return float((corners @ self.centre / np.linalg.norm(corners, axis=1)).min())

    def split(self) -> list[Cone]:
        """Halve the box along its longest side."""
        side = int(np.argmax(self.high - self.low))
        middle = 0.5 * (self.low[side] + self.high[side])
        below, above = self.high.copy(), self.low.copy()
        below[side] = above[side] = middle
        return [Cone(self.face, self.low, below), Cone(self.face, above, self.high)]


def all_directions(d: int) -> list[Cone]:
    """Return d cones whose union contains c or -c for every direction c in dimension d."""
    return [Cone(face, -np.ones(d - 1), np.ones(d - 1)) for face in range(d)]
