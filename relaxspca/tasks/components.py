"""`components`: several at once, one after another or proved together."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from relaxspca.errors import InputError, counted
from relaxspca.problem.arguments import as_covariance
from relaxspca.problem.checks import check_flags
from relaxspca.problem.conditions import Conditions
from relaxspca.problem.covariance import Covariance
from relaxspca.problem.observations import whole_number
from relaxspca.results.progress import Progress
from relaxspca.runtime.distributed import parallel
from relaxspca.runtime.progress import shows_progress
from relaxspca.search.limits import SearchLimits
from relaxspca.tasks.deflated import deflated_components
from relaxspca.tasks.joint import check_count, common_support, joint_components


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
    if joint:
        if deflation != "projection":
            raise InputError("with joint=True there is no deflation")
        limits = SearchLimits.checked(gap=gap, time_limit=time_limit, node_limit=node_limit, callback=callback)
        sizes = _cardinalities(cov, k, n_components)
        conditions = _conditions(include, exclude, cov.names, sizes, disjoint=disjoint)
        if common:
            size = _one_size(sizes, disjoint, conditions)
            return common_support(cov, size, len(sizes), gap=gap, limits=limits)
        return joint_components(cov, sizes, disjoint=disjoint, conditions=conditions, gap=gap, limits=limits)
    if disjoint or common or node_limit is not None or callback is not None or _is_list_each(include):
        what = "disjoint, common, node_limit, callback and an include for each component"
        raise InputError(f"{what} go with joint=True")
    return deflated_components(
        cov,
        _cardinalities(cov, k, n_components),
        Conditions.read(include, exclude, cov.names),
        deflation=deflation,
        gap=gap,
        time_limit=time_limit,
    )


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


def _one_size(sizes: list[int], disjoint: bool, conditions: Sequence[Conditions]) -> int:
    """Return the number of variables that all components have in common."""
    if any(conditions):
        raise InputError(
            "include and exclude do not go with common=True; "
            "cov.restrict(those that may be used) leaves variables out"
        )
    if disjoint or len(set(sizes)) > 1:
        raise InputError("components on one common support have one cardinality, and are not disjoint")
    return sizes[0]


def _cardinalities(cov: Covariance, k: int | Sequence[int], n_components: int | None) -> list[int]:
    if k is None:
        raise InputError("give k, the cardinality of each component, or of all")
    count = None if n_components is None else whole_number(n_components, "n_components")
    if isinstance(k, str | bytes | Mapping):
        raise InputError(f"k must be a whole number, or a list of them such as [4, 4], not {k!r}")
    if not isinstance(k, Iterable):
        sizes = [whole_number(k, "cardinality k")] * check_count(cov, 1 if count is None else count)
    else:
        sizes = list(k)
        if count is not None and count != len(sizes):
            raise InputError(f"{len(sizes)} cardinalities are given for {count} components")
    check_count(cov, len(sizes))
    return [cov.check_cardinality(size) for size in sizes]
