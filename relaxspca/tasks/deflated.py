"""Several components, one after another, and a bound on what any of their sizes explain together."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

import numpy as np

from relaxspca.candidates.deflation import DEFLATIONS, deflate
from relaxspca.errors import InputError, counted
from relaxspca.numerics.linalg import MANY, Array, as_array, leading_eigenpair, oriented, spread, sum_upper
from relaxspca.problem.arguments import check_limits
from relaxspca.problem.candidate import Candidate
from relaxspca.problem.checks import check_one_of, without_data_warnings
from relaxspca.problem.conditions import Conditions
from relaxspca.problem.covariance import Covariance
from relaxspca.relaxations.several.formula import charged_diagonal
from relaxspca.relaxations.several.minimise import minimise
from relaxspca.relaxations.several.shape import Shape
from relaxspca.relaxations.spectral import upper_bound
from relaxspca.results.components import Components
from relaxspca.results.result import Result
from relaxspca.results.status import Status
from relaxspca.runtime.deadline import FOREVER, Deadline
from relaxspca.runtime.interrupt import until_interrupted
from relaxspca.runtime.progress import followed
from relaxspca.search.several.large import NEAR
from relaxspca.tasks.joint import LARGEST
from relaxspca.tasks.solve import solve
from relaxspca.tasks.table_fields import table_fields

# Variables up to which multipliers of all variables are fitted in the time of the components themselves.
SMALL = 40


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
    current, basis = cov, np.empty((cov.n, 0))
    best: Candidate | None = None
    for at, size in enumerate(followed(sizes, "component")):
        if best is not None:
            try:
                current, basis = deflate(current, best.loadings, deflation=deflation, basis=basis)
            except InputError:
                before = counted(at, "component")
                raise InputError(f"no variance is left after {before}: ask for {before}") from None
        result = solve(current, size, gap=gap, time_limit=deadline.share(len(sizes) - at), **conditions.options)
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
    loadings = spread(oriented(x / np.linalg.norm(x)), support, cov.n)
    return replace(best, loadings=as_array(loadings), value=float(loadings @ cov.product(loadings)))


def quick_bound(
    cov: Covariance,
    sizes: Sequence[int],
    lower: float,
    *,
    first: float | None = None,
    deadline: Deadline = FOREVER,
) -> float | None:
    r"""Return a bound on the sum of variances of orthogonal components, or None where it would cost much.

    Of more than 40 variables it is the least of

    .. math:: \sum_t u_t(\Sigma),\qquad
              \sum_t u_t(\Sigma-Z)+\text{the } \textstyle\sum_t k_t \text{ largest } Z_{jj},

    :math:`u_t\ge v_{k_t}` bounds on single components: of the largest size by a search of one node (or `first`,
    where that is given of `sizes[0]`), of smaller ones by row sums too. Z is what the r largest eigenvalues
    exceed the next one by. The second is (1) of docs/theory/several.md, at most the sum of these eigenvalues;
    of more than 800 variables the first is taken alone. `lower` is about what such a set explains: the bound is
    true for any number.
    """
    if len(sizes) < 2 or cov.eliminated is not None or lower <= 0:
        return None
    shape = Shape(tuple(sorted(map(int, sizes), reverse=True)))
    if cov.n <= SMALL:
        _, upper, _ = minimise(
            cov, shape, lower=lower, tol=1e-3, deadline=deadline, stages=8, iterations=100, may_list=False
        )
        return upper
    of_largest = first if sizes[0] == shape.sizes[0] else None
    uppers = [sum_upper(_singles(cov, shape.sizes, deadline, of_largest))]
    if cov.n <= MANY and not deadline.is_over:
        uppers.append(_by_multipliers(cov, shape.sizes, deadline))
    return min(uppers)


def _by_multipliers(cov: Covariance, sizes: Sequence[int], deadline: Deadline) -> float:
    """Return the bound by the multiplier matrix of the leading eigenvectors."""
    values, vectors = cov.eigenpairs
    r = min(len(sizes), cov.n - 1)
    L = vectors[:, -r:] * np.sqrt(np.maximum(values[-r:] - values[-r - 1], 0.0))
    rest = cov.matrix - L @ L.T
    rest = (rest + rest.T) / 2
    delta, own = charged_diagonal(cov, np.arange(cov.n), rest)
    paid = np.sort(np.maximum(own, 0.0))[::-1][: sum(sizes)]
    with without_data_warnings():  # the rest may be indefinite by a rounding error
        left = Covariance._of_entries(rest, None)
    singles = np.minimum(_singles(left, sizes, deadline), left.largest_upper)
    return sum_upper(np.concatenate([singles, paid, np.full(len(sizes), -delta)]))


def _singles(cov: Covariance, sizes: Sequence[int], deadline: Deadline, first: float | None = None) -> Array:
    """Return a proved bound on a single component of each size, the largest first; that one by a search."""
    if first is None:
        result = solve(cov, sizes[0], gap=NEAR, node_limit=1, time_limit=deadline.left, verbose=False)
        if result.status is Status.INTERRUPTED:  # a search keeps Ctrl-C to itself
            raise KeyboardInterrupt
        first = result.upper
    kinds = ("trace", "rowsum") if cov.n <= LARGEST else ("trace",)
    smaller = set(sizes) - {sizes[0]}
    known = {k: min(first, *(upper_bound(cov, kind, k) for kind in kinds)) for k in smaller}
    return np.array([known.get(k, first) for k in sizes])
