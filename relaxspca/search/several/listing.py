"""Bound a node by all the choices of supports that it has, where they can be listed."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial

import numpy as np

from relaxspca.certificate import MOST_VARIABLES
from relaxspca.numerics.linalg import Array
from relaxspca.problem.covariance import Covariance
from relaxspca.problem.node import Indices
from relaxspca.relaxations.several.dual_cover import cover_choices
from relaxspca.relaxations.several.formula import MultiplierMatrix, upper_bound
from relaxspca.relaxations.several.minimise import to_multiplier_matrix, union
from relaxspca.relaxations.several.shape import Part, Shape
from relaxspca.relaxations.several.support_values import MOST_SETS, Choices, count_sets
from relaxspca.runtime.deadline import Deadline
from relaxspca.search.proof_tree import Proof
from relaxspca.search.several.node import JointNode


def can_be_listed(parts: Sequence[Part], shape: Shape) -> bool:
    """Say whether the sets of each component of a node are few enough to be tried one by one."""
    if shape.is_common or len(parts) < 2 or len(union(parts)) > MOST_VARIABLES:
        return False
    return all(count_sets(part) <= MOST_SETS for part in parts)


def by_choices(
    cov: Covariance,
    shape: Shape,
    node: JointNode,
    proof: Proof,
    *,
    target: Callable[[], float],
    settle: Callable[[tuple[Indices, ...]], Proof],
    deadline: Deadline,
) -> Iterator[Proof]:
    """Yield proofs of a node by its choices of supports, those that are better than its proof by one point.

    The node can be listed. The target, at which it is closed, may rise while better components are found. A
    function, `settle`, bounds the components on one choice of supports.
    """
    variables = union(node.parts)
    first = to_multiplier_matrix(cov.submatrix(variables), variables, node.factors, node.parts)
    bound = upper_bound(cov, first, shape, node.parts)
    choices = Choices(shape, node.parts)
    is_root = node.depth <= 1  # what is left of a node after its decisions counts as one deeper
    until = deadline.part(2)  # lists may be in vain: half of the time is left for splits
    covers = cover_choices(
        cov,
        choices,
        first,
        bound,
        target=target,
        settle=partial(_alone, cov, settle),
        is_root=is_root,
        deadline=until,
    )
    next(covers)  # it is `first`, for which no choice was listed
    for found in covers:
        if found.bound < proof.bound:
            yield Proof("choices", found.points, found.bound)


def _alone(
    cov: Covariance, settle: Callable[[tuple[Indices, ...]], Proof], supports: tuple[Indices, ...]
) -> MultiplierMatrix:
    """Return a dual point of the components on one choice of supports: Z = 0 where these do not meet."""
    point = settle(supports).point
    if isinstance(point, MultiplierMatrix):
        return point
    variables = np.unique(np.concatenate(supports))
    rest: Array = cov.submatrix(variables)
    return MultiplierMatrix(variables, rest, np.zeros(len(variables)), (None,) * len(supports))
