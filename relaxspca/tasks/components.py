"""Several components at once: proved together, or one after another with a bound on all of them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from relaxspca.candidates.deflation import DEFLATIONS, deflate
from relaxspca.errors import InputError, counted
from relaxspca.numerics.linalg import MANY, Array, as_array, leading_eigenpair, oriented, spread, sum_upper
from relaxspca.problem.arguments import as_covariance
from relaxspca.problem.candidate import Candidate
from relaxspca.problem.checks import check_flags, check_one_of, without_data_warnings
from relaxspca.problem.conditions import Conditions
from relaxspca.problem.covariance import Covariance
from relaxspca.problem.observations import whole_number
from relaxspca.relaxations.several.formula import charged_diagonal
from relaxspca.relaxations.several.minimise import minimise
from relaxspca.relaxations.several.shape import Shape
from relaxspca.relaxations.spectral import upper_bound
from relaxspca.results.components import Components
from relaxspca.results.progress import Progress
from relaxspca.results.result import Result
from relaxspca.results.status import Status
from relaxspca.runtime.deadline import FOREVER, Deadline
from relaxspca.runtime.distributed import parallel
from relaxspca.runtime.interrupt import until_interrupted
from relaxspca.runtime.progress import followed, shows_progress
from relaxspca.search.limits import SearchLimits
from relaxspca.search.several.large import NEAR
from relaxspca.tasks.joint import LARGEST, common_support, joint_components
from relaxspca.tasks.solve import solve
from relaxspca.tasks.table_fields import table_fields

# Variables up to which multipliers of all variables are fitted in the time of the components themselves.
SMALL = 40


@shows_progress
@parallel
def components(
    cov: Covariance,
    k: int | Sequence[int],
    n_components: int | None = None,
    *,
    joint: bool = False,
    disjoint: bool = False,
    common: bool = False,
    deflation: str = "projection",
    gap: float = 0.0,
    time_limit: float | None = None,
    node_limit: int | None = None,
    callback: Callable[[Progress], Any] | None = None,
    include: Any = (),
    exclude: Any = (),
    n_jobs: int | None = None,
    client: Any = None,
    verbose: bool | None = None,
) -> Any:  # Components, or JointComponents with joint
    r"""Find several sparse components: one after another, deflating the covariance after each, or `joint`.

    .. math:: x_j \in \arg\max \{ x^T \Sigma_j x : \|x\| = 1,\ \operatorname{Card}(x) \le k_j \}, \qquad
              \Sigma_{j+1} = \text{deflate}(\Sigma_j, x_j)

    Parameters
    ----------
    cov : Covariance of n variables.
    k : int or sequence of int, the cardinality of all components or of each.
    n_components : number of components; may be left out when `k` is a sequence.
    joint : bool
        Find and prove all components together instead: the orthonormal :math:`x_t`,
        :math:`\operatorname{Card}(x_t)\le k_t`, whose variances have the largest sum.
    disjoint : bool, with `joint`: whether no variable may be used by two components.
    common : bool
        With `joint`, whether all components use the same k variables: the largest
        :math:`\sum_{t\le r}\lambda_t(\Sigma_{TT})` over supports T of k variables is found.
    deflation : str, one of `relaxspca.candidates.deflation.DEFLATIONS`.
    gap : float
        Relative gap at which each proof may stop; 0 proves optimality. The certificate of a component is about
        the *deflated* covariance, not of Sigma.
    time_limit : float, seconds for all components; one after another each has an equal part of what is left.
    node_limit, callback : with `joint`, as in `relaxspca.solve`.
    include, exclude : names or positions, optional
        Variables that every component must hold (their loadings may be 0), and that none may, as in
        `relaxspca.solve`. With `joint`, `include` may also be a list with a list for each component.
    n_jobs, client, verbose : as in `relaxspca.solve`.

    Returns
    -------
    Components, or JointComponents with `joint`
        Ctrl-C ends the work: the components found by then, the last perhaps with status "interrupted", and
        `is_interrupted`.

    Raises
    ------
    InputError
        A cardinality is out of range, their number does not match, the name of the deflation is not known, no
        variance is left, or a second component is asked for where variables were eliminated.

    Notes
    -----
    Without `joint` each component is proved best for what the earlier ones leave, and nothing is claimed about
    them jointly; with it the whole set is bounded (docs/theory/several.md), by one certificate, and there is
    no deflation.

    References
    ----------
    .. [1] L. Mackey, Deflation methods for sparse PCA, NIPS 2008.
    .. [2] H. Zou, T. Hastie and R. Tibshirani, Sparse principal component analysis, JCGS 15:265-286, 2006
       (adjusted variance).

    Examples
    --------
    >>> from relaxspca.datasets import load_pitprops
    >>> found = components(load_pitprops(), [7, 4, 4, 1, 1, 1])
    >>> round(100 * found.share, 3), {r.status for r in found.results}
    (80.108, {'optimal'})
    >>> components(load_pitprops(), [3, 3], joint=True).status
    'optimal'
    >>> together = components(load_pitprops(), 4, 2, joint=True, common=True)
    >>> together.status, round(together.lower, 5), together.supports[0] == together.supports[1]
    ('optimal', 3.8386, True)
    """
    cov = as_covariance(cov)
    check_flags(joint=joint, disjoint=disjoint, common=common)
    limits = SearchLimits.checked(gap=gap, time_limit=time_limit, node_limit=node_limit, callback=callback)
    if joint:
        if deflation != "projection":
            raise InputError("with joint=True there is no deflation")
        sizes = _cardinalities(cov, k, n_components)
        conditions = _conditions(include, exclude, cov.names, sizes, disjoint=disjoint)
        if common and any(conditions):
            raise InputError(
                "include and exclude do not go with common=True; "
                "cov.restrict(those that may be used) leaves variables out"
            )
        if common and (disjoint or len(set(sizes)) > 1):
            raise InputError("components on one common support have one cardinality, and are not disjoint")
        if common:
            return common_support(cov, sizes[0], len(sizes), gap=gap, limits=limits)
        return joint_components(cov, sizes, disjoint=disjoint, conditions=conditions, gap=gap, limits=limits)
    if disjoint or common or node_limit is not None or callback is not None or _is_list_each(include):
        what = "disjoint, common, node_limit, callback and an include for each component"
        raise InputError(f"{what} go with joint=True")
    sizes, same = _cardinalities(cov, k, n_components), Conditions.read(include, exclude, cov.names)
    return deflated_components(cov, sizes, same, deflation=deflation, gap=gap, deadline=limits.deadline)


def _conditions(
    include: Any, exclude: Any, names: Sequence[str], sizes: Sequence[int], *, disjoint: bool
) -> list[Conditions]:
    """Return the conditions on each of some components that are proved together."""
    given = list(include) if _is_list_each(include) else [include] * len(sizes)
    if len(given) != len(sizes):
        raise InputError(f"include has {counted(len(given), 'list')} for {counted(len(sizes), 'component')}")
    found = [Conditions.read(some, exclude, names) for some in given]
    for one, size in zip(found, sizes, strict=True):
        one.cardinality(size, len(names))
    every = [i for one in found for i in one.include]
    if disjoint and len({*every}) < len(every):
        raise InputError("with disjoint=True no variable is in two components: include a list for each")
    return found


def _is_list_each(include: Any) -> bool:
    """Say whether there is a list of variables for each component."""
    return isinstance(include, Sequence) and any(isinstance(some, list | tuple) for some in include)


def _cardinalities(cov: Covariance, k: int | Sequence[int], n_components: int | None) -> list[int]:
    if k is None:
        raise InputError("give k, the cardinality of each component, or of all")
    count = None if n_components is None else whole_number(n_components, "n_components", most=cov.n)
    if isinstance(k, str | bytes | Mapping):
        raise InputError(f"k must be a whole number, or a list of them such as [4, 4], not {k!r}")
    if not isinstance(k, Iterable):
        return [cov.check_cardinality(k)] * (1 if count is None else count)
    sizes = list(k)
    if count is not None and count != len(sizes):
        raise InputError(f"k holds {counted(len(sizes), 'number')} for {counted(count, 'component')}")
    whole_number(len(sizes), "the number of components", most=cov.n)
    return [cov.check_cardinality(size) for size in sizes]


def deflated_components(
    cov: Covariance,
    sizes: Sequence[int],
    conditions: Conditions,
    *,
    deflation: str,
    gap: float,
    deadline: Deadline,
) -> Components:
    """Find components of given sizes, each the best that is known for what the earlier ones leave.

    All of them meet the conditions; the rest is as in `relaxspca.components`.
    """
    check_one_of("deflation", deflation, DEFLATIONS)
    if len(sizes) > 1:
        cov.check_complete("the proof of a deflated component")

    def one_by_one() -> Iterator[tuple[Candidate, Result]]:
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
            seconds = deadline.share(len(sizes) - at)
            result = solve(current, size, gap=gap, time_limit=seconds, **conditions.options)
            best = result.candidate
            if deflation == "generalized" and at:
                best = _generalized_refit(current, best, basis)
            yield best, result
            if result.is_interrupted:
                return

    done, is_interrupted = until_interrupted(one_by_one())
    found, results = zip(*done, strict=True)
    fields = table_fields(cov, np.column_stack([best.loadings for best in found]))
    is_interrupted, joint_upper = is_interrupted or results[-1].is_interrupted, None
    if not is_interrupted:
        first, used = None if conditions else results[0].upper, [best.k for best in found]
        try:
            joint_upper = quick_bound(cov, used, float(fields["explained"][-1]), first=first, deadline=deadline)
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
