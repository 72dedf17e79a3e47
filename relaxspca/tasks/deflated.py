"""Several components, one after another, each taken out of the covariance before the next."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from relaxspca.candidates.deflation import DEFLATIONS, deflate
from relaxspca.errors import InputError, counted
from relaxspca.numerics.linalg import Array, as_array, leading_eigenpair, oriented
from relaxspca.problem.arguments import check_limits
from relaxspca.problem.candidate import Candidate
from relaxspca.problem.checks import check_one_of
from relaxspca.problem.conditions import Conditions
from relaxspca.problem.covariance import Covariance
from relaxspca.results.components import Components
from relaxspca.results.result import Result
from relaxspca.runtime.deadline import Deadline
from relaxspca.runtime.interrupt import until_interrupted
from relaxspca.runtime.progress import followed
from relaxspca.tasks.joint_bound import quick_bound
from relaxspca.tasks.solve import solve
from relaxspca.tasks.table_fields import table_fields


def deflated_components(
    cov: Covariance,
    sizes: Sequence[int],
    conditions: Conditions,
    *,
    deflation: str,
    gap: float,
    time_limit: float | None,
) -> Components:
    """Find components of given sizes, each the best that is known for what the earlier ones leave.

    All of them meet the conditions; the rest is as in `relaxspca.components`.
    """
    check_limits(time_limit=time_limit)
    check_one_of("deflation", deflation, DEFLATIONS)
    if len(sizes) > 1:
        cov.check_complete("the proof of a deflated component")
    deadline = Deadline.after(time_limit)
    done, is_interrupted = until_interrupted(_one_by_one(cov, sizes, conditions, deflation, gap, deadline))
    found, results = zip(*done, strict=True)
    fields = table_fields(cov, np.column_stack([best.loadings for best in found]))
    is_interrupted = is_interrupted or results[-1].is_interrupted
    joint_upper = None
    if not is_interrupted:
        first = None if conditions else results[0].upper
        explained = float(fields["explained"][-1])
        try:
            joint_upper = quick_bound(
                cov, [best.k for best in found], explained, first=first, deadline=deadline
            )
        except KeyboardInterrupt:
            is_interrupted = True
    return Components(
        **fields,
        candidates=found,
        results=results,
        deflation=deflation,
        seconds=deadline.elapsed,
        joint_upper=joint_upper,
        is_interrupted=is_interrupted,
    )


def _one_by_one(
    cov: Covariance,
    sizes: Sequence[int],
    conditions: Conditions,
    deflation: str,
    gap: float,
    deadline: Deadline,
) -> Iterator[tuple[Candidate, Result]]:
    """Yield a component of each size, taken out before the next; an interrupted search is the last."""
    scope: dict[str, Any] = {"include": list(conditions.include), "exclude": list(conditions.exclude)}
    current, basis = cov, np.empty((cov.n, 0))
    best: Candidate | None = None
    for at, size in enumerate(followed(sizes, "component")):
        if best is not None:
            try:
                current, basis = deflate(current, best.loadings, deflation=deflation, basis=basis)
            except InputError:
                before = counted(at, "component")
                raise InputError(f"no variance is left after {before}: ask for {before}") from None
        result = solve(current, size, gap=gap, time_limit=deadline.share(len(sizes) - at), **scope)
        best = result.candidate
        if deflation == "generalized" and at:
            best = _generalized_refit(current, best, basis)
        yield best, result
        if result.is_interrupted:
            return


def _generalized_refit(cov: Covariance, best: Candidate, basis: Array) -> Candidate:
    """Maximise x'Sigma x / x'(I - QQ')x on the support, in the range of that block of I - QQ'."""
    support = best.indices
    values, U = np.linalg.eigh(np.eye(len(support)) - basis[support] @ basis[support].T)
    kept = values > 1e-10
    if not kept.any():
        return best
    W = U[:, kept] / np.sqrt(values[kept])
    x = W @ leading_eigenpair(W.T @ cov.submatrix(support) @ W)[1]
    loadings = np.zeros(cov.n)
    loadings[support] = oriented(x / np.linalg.norm(x))
    return replace(best, loadings=as_array(loadings), value=float(loadings @ cov.product(loadings)))
