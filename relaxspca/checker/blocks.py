"""Bound the largest eigenvalue of a symmetric matrix block by block, where it falls apart.

Any cut into blocks is valid, since what lies between them is charged (``certificates/SPEC.md``, section 5): a
cut that follows the links of the matrix is only what makes the charge nothing.

Links are compared with the largest entry of the matrix. Among variables whose entries are all far smaller
nothing is linked, and the charge may be as large as their bound. Where it would be felt they are bounded in
one piece too; the smaller bound is valid.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Any

import numpy as np

from relaxspca.checker.family import Parts, charges_of

LINK = 2**200  # what is smaller than the largest entry by this factor links nothing
FELT = 2**100  # a charge this factor below the bound is below all roundings


class Blocks:
    """A symmetric matrix M, with row charges N >= 0 if given, cut into blocks; every bound is kept.

    With `labels`, a support has no two variables of one label.
    """

    def __init__(self, arithmetic: Any, M: Any, N: Any = None, labels: Any = None) -> None:
        self.arithmetic, self.M, self.N, self.labels = arithmetic, M, N, labels
        sizes, self.between = arithmetic.magnitude(M), arithmetic.zero
        # With charges a matrix is bounded in one piece only as a last resort: then roundings do not link.
        links = sizes if N is None else -np.minimum(arithmetic.upper(M), arithmetic.upper(-M))
        self.label = _labels(links * LINK >= sizes.max(initial=0))
        if self.label.any():
            apart = np.where(self.label[:, None] == self.label[None, :], arithmetic.zero, sizes)
            self.between = arithmetic.total(apart, axis=1).max()
        for method in (self.eigenvalue, self.uncharged):
            setattr(self, method.__name__, cache(method))

    def eigenvalue(self, J: Sequence[int], parts: Parts = (), is_cut: bool = False) -> Any:
        """Bound lambda_max(M + Diag c) on J and what is free, c the charges; with `is_cut` not in one piece."""
        members = np.array([*J, *(i for free, _ in parts for i in free)], dtype=int)
        if not len(members):
            return self.arithmetic.zero  # a Gram matrix may be of no rows
        charges = None if self.N is None else charges_of(self.arithmetic, self.N, J, parts, self.labels)
        return self.charged(members, charges, is_cut)

    def charged(self, members: Any, charges: Any, is_cut: bool = False) -> Any:
        """Bound lambda_max(M + Diag charges) on the members; charges do not link what M leaves apart."""
        _, where, counts = np.unique(self.label[members], return_inverse=True, return_counts=True)
        is_alone = (counts == 1) & (charges is not None)  # a row by itself, which needs no decomposition
        cut = (np.flatnonzero(where == at) for at in np.flatnonzero(~is_alone))
        bounds = [self._in_one_piece(members, charges, here) for here in cut]
        if is_alone.any():
            rows, paid = members[is_alone[where]], charges[is_alone[where]]
            own = self.M[rows, rows] + self.arithmetic.array(paid)
            bounds.append(self.arithmetic.upper(own).max())
        bound = self.arithmetic.total([max(bounds), self.between]) if self.between else max(bounds)
        if is_cut or self.between <= abs(max(bounds)) / FELT:
            return bound
        return min(bound, self._in_one_piece(members, charges, slice(None)))

    def _in_one_piece(self, members: Any, charges: Any, here: Any) -> Any:
        """Bound lambda_max(M + Diag charges) on some of the members."""
        some = members[here]
        if charges is None:
            return self.uncharged(tuple(some.tolist()))
        charged = self.M[np.ix_(some, some)] + self.arithmetic.array(np.diag(charges[here]))
        return self.arithmetic.eigenvalue_upper(charged)

    def uncharged(self, members: tuple[int, ...]) -> Any:
        """Bound lambda_max(M) on the members, in one piece."""
        return self.arithmetic.eigenvalue_upper(self.M[np.ix_(members, members)])


def norm(arithmetic: Any, M: Any) -> Any:
    """Bound the norm of symmetric M by its absolute row sums."""
    return arithmetic.total(arithmetic.magnitude(M), axis=1).max(initial=arithmetic.zero)


def largest_eigenvalue(arithmetic: Any, M: Any) -> Any:
    """Bound lambda_max of a symmetric matrix."""
    return Blocks(arithmetic, M).eigenvalue(range(M.shape[0]))


def _labels(linked: Any) -> Any:
    """Return for each row the first one of its block, found by following links: all 0 if there is one block."""
    label = np.full(len(linked), -1)
    for start in range(len(linked)):
        front = np.array([start] if label[start] < 0 else [], dtype=int)
        while len(front):
            label[front] = start
            front = np.flatnonzero(linked[front].any(axis=0) & (label < 0))
    return label
