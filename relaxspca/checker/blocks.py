"""Bound the largest eigenvalue of a symmetric matrix block by block, where it falls apart.

Any cut into blocks is valid, since what lies between them is charged (``certificates/SPEC.md``, section 5): a
cut that follows the links of the matrix is only what makes the charge nothing.

Links are compared with the largest entry of the matrix. Among variables whose entries are all far smaller
nothing is linked, and the charge may be as large as their bound. Where it would be felt they are bounded in
one piece too; the smaller bound is valid.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from typing import Any

import numpy as np

from relaxspca.checker.family import Parts
from relaxspca.checker.rows import charges_of

LINK = 2**200  # what is smaller than the largest entry by this factor links nothing
FELT = 2**100  # a charge this factor below the bound is below all roundings


class Blocks:
    """A symmetric matrix M, with row charges N >= 0 if given, cut into blocks; every bound is kept.

    With `labels`, a support has no two variables of one label.
    """

    def __init__(self, arithmetic: Any, M: Any, N: Any = None, labels: Any = None) -> None:
        self.arithmetic, self.M, self.N, self.labels = arithmetic, M, N, labels
        sizes = arithmetic.magnitude(M)
        surely = -np.minimum(arithmetic.upper(M), arithmetic.upper(-M))  # roundings do not link
        self.part, self.between_parts = self._cut(surely, sizes)
        if N is not None:
            sizes = arithmetic.upper(arithmetic.array(sizes) + arithmetic.array(N))
        label, self.between = self._cut(sizes, sizes)
        self.label = label.tolist()
        for method in (self.eigenvalue, self.block_eigenvalue):
            setattr(self, method.__name__, cache(method))

    def _cut(self, links: Any, sizes: Any) -> tuple[Any, Any]:
        """Return the block of each row by its links, and the charge for the entries between blocks."""
        label, zero = _labels(links * LINK >= sizes.max(initial=0)), self.arithmetic.zero
        if not label.any():
            return label, zero
        between = np.where(label[:, None] == label[None, :], zero, sizes)
        return label, self.arithmetic.total(between, axis=1).max()

    def eigenvalue(self, J: Sequence[int], parts: Parts = (), is_cut: bool = False) -> Any:
        """Bound lambda_max(M + Diag c) on J and what is free, c the charges; with `is_cut` not in one piece."""
        blocks: dict[int, tuple[list[int], list[list[int]]]] = {}
        for group, indices in enumerate((J, *(free for free, _ in parts))):
            for i in indices:
                own = blocks.setdefault(self.label[i], ([], [[] for _ in parts]))
                (own[1][group - 1] if group else own[0]).append(i)
        counts = [count for _, count in parts]
        bounds = [self.block_eigenvalue(tuple(j), _taken(free, counts), is_cut) for j, free in blocks.values()]
        if not bounds:
            return self.arithmetic.zero  # a Gram matrix may be of no rows
        every = tuple(J), _taken([free for free, _ in parts], counts), is_cut
        return self._with_between(max(bounds), self.between, is_cut, lambda: self.block_eigenvalue(*every))

    def block_eigenvalue(self, J: tuple[int, ...], parts: Parts, is_cut: bool) -> Any:
        """Bound the same as if these were one block."""
        members = np.array([*J, *(i for free, _ in parts for i in free)], dtype=int)
        if self.N is None:
            return self.arithmetic.eigenvalue_upper(self.M[np.ix_(members, members)])
        return self.charged(members, charges_of(self.arithmetic, self.N, J, parts, self.labels), is_cut)

    def charged(self, members: Any, charges: Any, is_cut: bool = False) -> Any:
        """Bound lambda_max(M + Diag charges) on the members; charges do not link what M leaves apart."""
        part, bounds = self.part[members], []
        names, where, counts = np.unique(part, return_inverse=True, return_counts=True)
        alone = counts[where] == 1
        if alone.any():
            rows = members[alone]
            own = self.M[rows, rows] + self.arithmetic.array(charges[alone])
            bounds.append(self.arithmetic.upper(own).max())
        for name in names[counts > 1]:
            here = part == name
            bounds.append(self._with(members[here], charges[here]))
        return self._with_between(max(bounds), self.between_parts, is_cut, lambda: self._with(members, charges))

    def _with(self, members: Any, charges: Any) -> Any:
        """Bound lambda_max(M + Diag charges) on the members, in one piece."""
        charged = self.M[np.ix_(members, members)] + self.arithmetic.array(np.diag(charges))
        return self.arithmetic.eigenvalue_upper(charged)

    def _with_between(self, worst: Any, between: Any, is_cut: bool, whole: Callable[[], Any]) -> Any:
        """Return the largest bound of a block plus the charge between, or that in one piece if it is less."""
        bound = self.arithmetic.total([worst, between]) if between else worst
        return bound if is_cut or between <= abs(worst) / FELT else min(bound, whole())


def norm(arithmetic: Any, M: Any) -> Any:
    """Bound the norm of symmetric M by its absolute row sums."""
    return arithmetic.total(arithmetic.magnitude(M), axis=1).max(initial=arithmetic.zero)


def largest_eigenvalue(arithmetic: Any, M: Any) -> Any:
    """Bound lambda_max of a symmetric matrix."""
    return Blocks(arithmetic, M).eigenvalue(range(M.shape[0]))


def _taken(free: Sequence[Sequence[int]], counts: Sequence[int]) -> Parts:
    """Return the parts of a block, the number of variables of each at most the number that are free."""
    return tuple((tuple(own), min(count, len(own))) for own, count in zip(free, counts, strict=True))


def _labels(linked: Any) -> Any:
    """Return for each row the first one of its block, found by following links: all 0 if there is one block."""
    label = np.full(len(linked), -1)
    for start in range(len(linked)):
        front = np.array([start] if label[start] < 0 else [], dtype=int)
        while len(front):
            label[front] = start
            front = np.flatnonzero(linked[front].any(axis=0) & (label < 0))
    return label
