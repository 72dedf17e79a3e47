"""Several components, one after another, each taken out of the covariance before the next."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Any, Literal, overload

import numpy as np

from relaxspca.candidates import candidate
from relaxspca.candidates.deflation import DEFLATIONS, deflate
from relaxspca.candidates.spectrum import leading_eigenpairs
from relaxspca.errors import InputError
from relaxspca.numerics.linalg import Array, as_array, leading_eigenpair, oriented
from relaxspca.problem.arguments import check_covariance
from relaxspca.problem.candidate import Candidate
from relaxspca.problem.conditions import Conditions
from relaxspca.problem.covariance import Covariance
from relaxspca.problem.limits import check_limits
from relaxspca.problem.observations import whole_number
from relaxspca.problem.variance import adjusted_variance, raw_variance, regression_variance
from relaxspca.results.claims import matrix_words, total_variance
from relaxspca.results.components import Components
from relaxspca.results.copies import copies
from relaxspca.results.joint import JointComponents
from relaxspca.results.progress import Progress
from relaxspca.results.result import Result
from relaxspca.results.status import Status
from relaxspca.runtime.deadline import Deadline
from relaxspca.runtime.interrupt import until_interrupted
from relaxspca.runtime.progress import followed, shows_progress
from relaxspca.tasks.joint import Limits, joint_components, quick_bound
from relaxspca.tasks.solve import solve
from relaxspca.tasks.total import total_components
from relaxspca.tasks.uncorrelated import uncorrelated_components

__all__ = ["components"]


@overload
def components(
    cov: Covariance,
    k: int | Sequence[int],
    n_components: int | None = None,
    *,
    joint: Literal[False] = False,
    deflation: str = "projection",
    method: str = "auto",
    prove: bool = True,
    gap: float = 0.0,
    time_limit: float | None = None,
    include: Any = (),
    exclude: Any = (),
    rng: np.random.Generator | None = None,
    verbose: bool | None = None,
) -> Components: ...


@overload
def components(
    cov: Covariance,
    k: int | Sequence[int] | None = None,
    n_components: int | None = None,
    *,
    joint: Literal[True],
    total: int | None = None,
    disjoint: bool = False,
    uncorrelated: bool = False,
    gap: float = 0.0,
    time_limit: float | None = None,
    node_limit: int | None = None,
    callback: Callable[[Progress], Any] | None = None,
    verbose: bool | None = None,
) -> JointComponents: ...


@shows_progress
def components(
    cov: Covariance,
    k: int | Sequence[int] | None = None,
    n_components: int | None = None,
    *,
    joint: bool = False,
    total: int | None = None,
    disjoint: bool = False,
    uncorrelated: bool = False,
    deflation: str = "projection",
    method: str = "auto",
    prove: bool = True,
    gap: float = 0.0,
    time_limit: float | None = None,
    node_limit: int | None = None,
    callback: Callable[[Progress], Any] | None = None,
    include: Any = (),
    exclude: Any = (),
    rng: np.random.Generator | None = None,
    verbose: bool | None = None,
) -> Components | JointComponents:
    r"""Find several sparse components, deflating the covariance after each.

    .. math:: x_j \in \arg\max \{ x^T \Sigma_j x : \|x\| = 1,\ \operatorname{Card}(x) \le k_j \}, \qquad
              \Sigma_{j+1} = \text{deflate}(\Sigma_j, x_j)

    Parameters
    ----------
    cov : Covariance of n variables.
    k : cardinality of each component, or one for all.
    n_components : number of components; may be left out when `k` is a sequence.
    joint : bool
        Find and prove all components together instead: the orthonormal :math:`x_t`,
        :math:`\operatorname{Card}(x_t)\le k_t`, whose variances have the largest sum.
    total : int, optional
        With `joint` and in place of `k`: what the cardinalities of `n_components` components add up to. All
        splits are bounded, and the best is sought. `k` itself is never a total: one number is that of each.
    disjoint : with `joint`, whether no variable may be used by two components.
    uncorrelated : bool
        With `joint`: ask for uncorrelated scores, :math:`x_t^T\Sigma x_s=0`, in place of orthogonal loadings.
        Their bound is the smaller of the sum of the single optima and, for a semidefinite matrix, the sum of
        the largest eigenvalues: no search makes it sharper, and mostly a gap is left.
    deflation : one of `relaxspca.candidates.deflation.DEFLATIONS`.
    method : candidate method, used without proof.
    prove : bool
        Solve each component with a certificate, which speaks of the *deflated* covariance, not of Sigma.
    gap : relative gap at which each proof may stop; 0 proves optimality.
    time_limit : seconds for all components; one after another each has an equal part of what is left.
    node_limit, callback : with `joint`, as in `relaxspca.solve`.
    include, exclude : names or positions, optional
        Variables that every component must hold, and that none may, as in `relaxspca.solve`; not with `joint`:
        to leave variables out there, use ``cov.restrict``.
    rng : source of randomness of the candidate method; None is a fixed seed.
    verbose : bool, optional
        Show progress on stderr; by default in a notebook and at Python's prompt.

    Returns
    -------
    Components, or JointComponents with `joint`
        Ctrl-C ends the work: the components found by then, the last perhaps with status "interrupted".

    Raises
    ------
    InputError
        A cardinality is out of range, their number does not match, the name of the deflation is not known, no
        variance is left, or a second component is to be proved where variables were eliminated.

    Notes
    -----
    Without `joint` each component is proved best for what the earlier ones leave, and nothing is claimed about
    them jointly; with it the whole table is bounded (docs/theory/several.md), by one certificate, and there is
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
    >>> round(float(100 * found.adjusted.sum() / found.total), 3), {r.status for r in found.results}
    (75.639, {'optimal'})
    >>> components(load_pitprops(), [3, 3], joint=True).status
    'optimal'
    """
    clock = Deadline.after(None)
    check_covariance(cov)
    conditions = Conditions.read(include, exclude, cov.names)
    if joint and conditions.include:
        raise InputError(
            "include does not go with joint=True, where components share the variables between them: a "
            "variable that every component has to hold leaves them little to share"
        )
    if joint and conditions.exclude:
        raise InputError(
            "exclude does not go with joint=True: take the variables out of the matrix, whose best table is "
            "the same: cov.restrict(those that may be used), on the command line --exclude"
        )
    scope: dict[str, Any] = {"include": list(conditions.include), "exclude": list(conditions.exclude)}
    if joint:
        if deflation != "projection" or method != "auto" or not prove:
            raise InputError("with joint=True there is no deflation, no candidate method, and always a proof")
        limits = Limits(gap, time_limit, node_limit, callback)
        if uncorrelated:
            if disjoint or total is not None:
                raise InputError("uncorrelated=True goes with cardinalities k: not with disjoint or total")
            return uncorrelated_components(cov, _cardinalities(cov, k, n_components), limits=limits)
        if total is not None:
            if k is not None or n_components is None:
                raise InputError("give either k, the cardinality of each component, or total with n_components")
            count = whole_number(n_components, "n_components")
            return total_components(cov, total, count, disjoint=disjoint, limits=limits)
        return joint_components(cov, _cardinalities(cov, k, n_components), disjoint=disjoint, limits=limits)
    if total is not None:
        raise InputError("total goes with joint=True; one after another each component has a cardinality k")
    if disjoint or uncorrelated or node_limit is not None or callback is not None:
        raise InputError("disjoint, uncorrelated, node_limit and callback go with joint=True")
    if not isinstance(deflation, str) or deflation not in DEFLATIONS:
        raise InputError(f"deflation must be one of {', '.join(DEFLATIONS)}, not {deflation!r}")
    sizes = _cardinalities(cov, k, n_components)
    if prove and len(sizes) > 1:
        cov.check_complete("the proof of a deflated component")

    check_limits(time_limit=time_limit)
    deadline = Deadline.after(time_limit)

    def component(current: Covariance, size: int, left: int) -> tuple[Candidate, Result | None]:
        if not prove:
            return candidate(current, size, method=method, rng=rng, **scope), None
        result = solve(current, size, gap=gap, time_limit=deadline.share(left), **scope)
        return result.candidate, result

    done, _ = until_interrupted(_one_by_one(cov, sizes, deflation, component))
    found = [best for best, _ in done]
    results = [result for _, result in done if result is not None]
    V = np.column_stack([best.loadings for best in found])
    adjusted = as_array(adjusted_variance(cov, V))
    return Components(
        loadings_array=as_array(V),
        candidates=tuple(found),
        results=tuple(results),
        deflation=deflation,
        raw=as_array(raw_variance(cov, V)),
        adjusted=adjusted,
        regression=as_array(regression_variance(cov, V)),
        total=total_variance(cov),
        eigenvalues=_eigenvalues(cov, len(found)),
        names=cov.names,
        matrix=matrix_words(cov),
        seconds=clock.elapsed,
        joint_upper=quick_bound(cov, [best.k for best in found], float(adjusted.sum())) if results else None,
        copies=copies(cov, V),
    )


def _eigenvalues(cov: Covariance, r: int) -> Array:
    if cov.eliminated is not None:
        return as_array(np.full(r, np.nan))
    return as_array(leading_eigenpairs(cov, r)[0])


def _one_by_one(
    cov: Covariance,
    sizes: Sequence[int],
    deflation: str,
    component: Callable[[Covariance, int, int], tuple[Candidate, Result | None]],
) -> Iterator[tuple[Candidate, Result | None]]:
    """Yield a component of each size, taken out before the next; an interrupted search is the last.

    `component` is given a covariance, a size, and how many components are still to be found.
    """
    current, basis = cov, np.empty((cov.n, 0))
    best: Candidate | None = None
    for at, size in enumerate(followed(sizes, "component")):
        if best is not None:
            current, basis = deflate(current, best.loadings, deflation=deflation, basis=basis)
        is_first = best is None
        best, result = component(current, size, len(sizes) - at)
        if deflation == "generalized" and not is_first:
            best = _generalized_refit(current, best, basis)
        yield best, result
        if result is not None and result.status is Status.INTERRUPTED:
            return


def _cardinalities(cov: Covariance, k: int | Sequence[int] | None, n_components: int | None) -> list[int]:
    if k is None:
        raise InputError("give k, the cardinality of each component; with joint=True a total may stand for it")
    count = None if n_components is None else whole_number(n_components, "n_components")
    if not isinstance(k, Iterable):
        sizes = [whole_number(k, "cardinality k")] * (1 if count is None else count)
    else:
        sizes = list(k)
        if count is not None and count != len(sizes):
            raise InputError(f"{len(sizes)} cardinalities are given for {count} components")
    if not 1 <= len(sizes) <= cov.n:
        raise InputError(f"the number of components must lie in 1..{cov.n}, not {len(sizes)}")
    return [cov.check_cardinality(size) for size in sizes]


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
