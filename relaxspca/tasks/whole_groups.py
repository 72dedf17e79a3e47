"""The best component on the union of a few whole groups of variables."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from relaxspca.candidates import candidate
from relaxspca.candidates.rows import EVALUATED
from relaxspca.certificate import Leaf
from relaxspca.numerics.linalg import Array, eigenvalue_upper, eigenvalues_upper
from relaxspca.problem.candidate import Candidate
from relaxspca.problem.certificates import claimed
from relaxspca.problem.checks import warn_of_data, without_data_warnings
from relaxspca.problem.conditions import group_members
from relaxspca.problem.covariance import Covariance
from relaxspca.problem.gap import relative_gap, scale_of
from relaxspca.problem.observations import whole_number
from relaxspca.problem.size import Cardinality
from relaxspca.problem.slack import slack
from relaxspca.results.result import Result
from relaxspca.results.status import Status, settle, vanishing
from relaxspca.runtime.deadline import Deadline
from relaxspca.search.limits import SearchLimits
from relaxspca.search.listing import list_supports


def whole_groups(
    cov: Covariance, groups: Mapping[str, Iterable[Any]], most: int, *, deadline: Deadline
) -> Result:
    r"""Check the groups, and search: the work of `relaxspca.solve` with `groups` and `most`, which is g here.

    .. math:: \max\{\lambda_{\max}(\Sigma_{TT}) : T=\textstyle\bigcup_{G\in\mathcal G}G,\ |\mathcal G|\le g\}

    Let B have the entries :math:`B_{GG}\ge\lambda_{\max}(\Sigma_{GG})` and :math:`B_{GH}\ge\|\Sigma_{GH}\|_2`,
    and :math:`y_G=\|x_G\|_2`. Then :math:`x'\Sigma x\le y'By`, and y is a unit vector with at most g entries
    that are not 0. So every choice of g groups with more than what is attained is listed by the search for B
    (`relaxspca.search.listing`) and bounded by its own eigenvalue. Groups that correlate with each other along
    many directions make that list long; after a thousand a gap is left.
    """
    cov.check_complete("a component on whole groups")
    members = [np.array(sorted(group)) for group in group_members(cov.names, groups)]
    most = whole_number(most, "most", most=math.inf)
    g = min(most, len(members))
    if g < most:
        warn_of_data(f"there are no more groups: most = {most} becomes {g}")
    compressed = _compressed(cov, members, list(groups))
    start = candidate(compressed, g, deadline=deadline.part(2))
    chosen = _exchanged(cov, members, start.indices.tolist(), deadline)
    # So that the target is what is attained; `within` is a part of what the compressed matrix attains.
    top, attained = start.proved_value(compressed), _on(cov, members, chosen).proved_value(cov)
    within, limits = max((top - attained) / abs(top), 0.0) if top else 0.0, SearchLimits(deadline)
    options: dict[str, Any] = {"longest": EVALUATED, "limits": limits, "first": "rowsum"}
    listed = list_supports(compressed, g, start, within=within, **options)
    others = [_on(cov, members, found.indices.tolist()) for found in listed.candidates]
    uppers = [eigenvalue_upper(cov.submatrix(T), cov.rounding(T)) for T in (found.indices for found in others)]
    best = max([_on(cov, members, chosen), *others], key=lambda found: found.proved_value(cov))
    lower = best.proved_value(cov)
    # The checker forms the compressed matrix anew, with other roundings.
    largest, widest = float(np.abs(compressed.matrix).max()), 2 * max(map(len, members))
    added = g * slack(largest, n=cov.n, points=listed.certificate.points, block=widest)
    upper = max(listed.upper, *uppers, lower) + added
    stopped = None if listed.status is Status.COMPLETE else listed.status
    # Its tree is that of the compressed matrix, where a choice listed is a support.
    tree = [Leaf("rows") if node == Leaf("listed") else node for node in listed.certificate.tree]
    own = tuple(group.astype(np.int64) for group in members)
    points, made_by = listed.certificate.points, "relaxspca solve"
    certificate = claimed(cov, Cardinality(g), best, upper, points, tree, whole_groups=own, made_by=made_by)
    scale, width = vanishing(lower, scale_of(certificate)), relative_gap(lower, upper, certificate)
    return Result(
        candidate=best,
        lower=lower,
        upper=upper,
        status=settle(stopped, lower, upper, scale=scale, slack=added, width=width),
        certificate=certificate,
        group_names=tuple(map(str, groups)),
        node_count=listed.node_count,
        seconds=deadline.elapsed,
    )


def _compressed(cov: Covariance, members: Sequence[Array], names: Sequence[str]) -> Covariance:
    """Return B: proved bounds on the largest eigenvalues of the blocks, and on the norms between them."""
    m = len(members)
    B = np.zeros((m, m))
    for a, group in enumerate(members):
        B[a, a] = eigenvalue_upper(cov.submatrix(group), cov.rounding(group))
        size, sizes = len(group), np.array([len(other) for other in members[:a]], dtype=int)
        for others in (np.flatnonzero(sizes == length) for length in np.unique(sizes)):
            pairs = np.array([np.concatenate([group, members[b]]) for b in others.tolist()])
            blocks = np.array([cov.submatrix(both) for both in pairs])
            blocks[:, :size, :size] = 0.0  # what is left has the eigenvalues +-sigma of the block between them
            blocks[:, size:, size:] = 0.0
            radius = max(cov.rounding(both) for both in pairs)
            B[a, others] = B[others, a] = np.maximum(eigenvalues_upper(blocks, radius), 0.0)
    with without_data_warnings():
        return Covariance._of_entries(B, names)  # it may be smaller than what a user's matrix may be


def _on(cov: Covariance, members: Sequence[Array], chosen: Iterable[int]) -> Candidate:
    T = np.concatenate([members[i] for i in chosen])
    return Candidate.from_support(cov, T, method="whole groups")


def _exchanged(cov: Covariance, members: Sequence[Array], chosen: list[int], deadline: Deadline) -> list[int]:
    """Return what exchanges of one group for another reach, each time the best of them."""
    value = -math.inf
    while not deadline.is_over:
        others = [i for i in range(len(members)) if i not in chosen]
        near = [chosen, *([*(j for j in chosen if j != i), new] for i in chosen for new in others)]
        values = [-math.inf if deadline.is_over else _on(cov, members, choice).value for choice in near]
        best = int(np.argmax(values))
        if values[best] <= value:
            break
        chosen, value = near[best], values[best]
    return chosen
