"""Bound the largest eigenvalue of a symmetric matrix block by block, where it falls apart into blocks.

Any cut into blocks is valid, since what lies between them is charged (``certificates/SPEC.md``, section 5): a
cut that follows the links of the matrix is only what makes the charge nothing.

Links are judged beside the largest entry of the matrix. Among variables whose entries are all far smaller
nothing is linked, and the charge may be as large as their bound. Where it would be felt they are bounded in
one piece too, a cut into one block without a charge; the smaller of two valid bounds is valid.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from typing import Any

import numpy as np

from relaxspca.checker.family import Parts
from relaxspca.checker.rows import RowCharges

LINK = 2**200  # what is smaller than the largest entry by this factor links nothing
FELT = 2**100  # a charge smaller than the bound by this factor is below all roundings


class Blocks:
    """A symmetric matrix M, with row charges N >= 0 if given, cut into blocks; every bound is kept.

    With `labels`, a support has no two variables of one label.
    """

    def __init__(self, arithmetic: Any, M: Any, N: Any = None, labels: Any = None) -> None:
        self.arithmetic, self.M, self.N = arithmetic, M, N
        sizes = arithmetic.magnitude(M)
        self.part, self.between_parts = self._cut(sizes)
        if N is not None:
            self.charges = RowCharges(arithmetic, N, labels)
            sizes = arithmetic.upper(arithmetic.array(sizes) + arithmetic.array(N))
        label, self.between = self._cut(sizes)
        self.label = label.tolist()
        for method in (self.eigenvalue, self.block_eigenvalue):
            setattr(self, method.__name__, cache(method))

    def _cut(self, sizes: Any) -> tuple[Any, Any]:
        """Return the block of each row by the links of these sizes, and the charge for what lies between."""
        arithmetic = self.arithmetic
        label = _labels(sizes * LINK >= sizes.max(initial=0))
        if not label.any():
            return label, arithmetic.zero
        between = np.where(label[:, None] == label[None, :], arithmetic.zero, sizes)
        return label, arithmetic.total(between, axis=1).max()

    def eigenvalue(self, J: Sequence[int], parts: Parts = ()) -> Any:
        """Bound lambda_max(M + Diag c) on J and what is free, c what N charges the rows of a support."""
        blocks: dict[int, tuple[list[int], list[list[int]]]] = {}
        for group, indices in enumerate((J, *(free for free, _ in parts))):
            for i in indices:
                own = blocks.setdefault(self.label[i], ([], [[] for _ in parts]))
                (own[1][group - 1] if group else own[0]).append(i)
        counts = [count for _, count in parts]
        bounds = [self.block_eigenvalue(tuple(j), _taken(free, counts)) for j, free in blocks.values()]
        if not bounds:
            return self.arithmetic.zero  # a Gram matrix may be of no rows
        every = tuple(J), _taken([free for free, _ in parts], counts)
        return self._with_between(max(bounds), self.between, lambda: self.block_eigenvalue(*every))

    def block_eigenvalue(self, J: tuple[int, ...], parts: tuple[tuple[tuple[int, ...], int], ...]) -> Any:
        """Bound the same as if these were one block; charges do not link what M leaves apart."""
        members, arithmetic = (
            np.array([*J, *(i for free, _ in parts for i in free)], dtype=int),
            self.arithmetic,
        )
        if self.N is None:
            return arithmetic.eigenvalue_upper(self.M[np.ix_(members, members)])
        charges = np.concatenate(self.charges.of(J, parts))
        part, bounds = self.part[members], []
        names, where, counts = np.unique(part, return_inverse=True, return_counts=True)
        alone = counts[where] == 1
        if alone.any():
            rows = members[alone]
            bounds.append(arithmetic.upper(self.M[rows, rows] + arithmetic.array(charges[alone])).max())
        for name in names[counts > 1]:
            here = part == name
            bounds.append(self._with(members[here], charges[here]))
        return self._with_between(max(bounds), self.between_parts, lambda: self._with(members, charges))

    def _with(self, members: Any, charges: Any) -> Any:
        """Bound lambda_max(M + Diag charges) on the members, in one piece."""
        arithmetic = self.arithmetic
        return arithmetic.eigenvalue_upper(
            self.M[np.ix_(members, members)] + arithmetic.array(np.diag(charges))
        )

    def _with_between(self, worst: Any, between: Any, whole: Callable[[], Any]) -> Any:
        """Return the largest block's bound and what lies between, or that in one piece where it is less."""
        bound = self.arithmetic.total([worst, between]) if between else worst
        return bound if between <= abs(worst) / FELT else min(bound, whole())


def _taken(free: Sequence[Sequence[int]], counts: Sequence[int]) -> tuple[tuple[tuple[int, ...], int], ...]:
    """Return the parts of a block: of what is free in it no more can be taken than there is."""
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
