"""The largest ratio of two quadratic forms over few variables, with proof."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from relaxspca.candidates.pencils import best_support
from relaxspca.errors import InputError
from relaxspca.numerics.linalg import MANY, as_array, oriented, spread
from relaxspca.problem.arguments import check_limits
from relaxspca.problem.budgets import Budgets, OneOfEachSize
from relaxspca.problem.conditions import Conditions, selected
from relaxspca.problem.observations import whole_number
from relaxspca.problem.pencil import MatrixPencil
from relaxspca.problem.size import Cardinality, Size
from relaxspca.results.generalized import Generalized
from relaxspca.results.progress import Progress
from relaxspca.runtime.distributed import parallel
from relaxspca.runtime.progress import shows_progress
from relaxspca.search.limits import SearchLimits
from relaxspca.search.ratio import enclose, ratio_certificate


@shows_progress
@parallel
def generalized(
    A: Any,
    B: Any,
    k: int | None = None,
    *,
    budgets: Sequence[tuple[Any, int]] | None = None,
    ridge: float | None = None,
    gap: float = 0.0,
    time_limit: float | None = None,
    node_limit: int | None = None,
    names: Sequence[str] | None = None,
    include: Any = (),
    exclude: Any = (),
    groups: Mapping[str, Iterable[Any]] | None = None,
    callback: Callable[[Progress], Any] | None = None,
    n_jobs: int | None = None,
    client: Any = None,
    verbose: bool | None = None,
) -> Generalized:
    r"""Find the sparse vector of largest ratio of two quadratic forms, with a proof of how good it is.

    .. math:: r_k=\max\{x'Ax / x'Bx : x\ne 0,\ \mathrm{Card}(x)\le k\}

    Parameters
    ----------
    A : (n, n) symmetric array_like, DataFrame or Covariance
        The form to be made large, such as the covariance between groups; it may be indefinite.
    B : (n, n) symmetric array_like, DataFrame or Covariance
        The form to be kept small, such as the covariance within groups; it must be positive definite, which is
        proved.
    k : int
        Cardinality, 1 to n; or
    budgets : sequence of (names or positions, int)
        Parts of the variables, every variable in one, and how many of each part a support has at most.
    ridge : float, optional
        Added to every B_ii (in the unit of B); the B that the result speaks of has the sums as rounded.
    gap : float
        Relative gap at which to stop; 0 proves optimality, to a relative 1e-9 or what rounding allows.
    time_limit, node_limit : as in `relaxspca.solve`.
    names : sequence of n distinct str, optional
    include, exclude : as in `relaxspca.solve`.
    groups : mapping of a name to names or positions, optional
        Disjoint groups: use at most one variable of each. Variables in no group are not limited; not with
        `budgets`.
    callback : callable, optional
        Called with a `Progress` after every round, of the A - mu B that is searched; returning True stops.
    n_jobs, client, verbose : as in `relaxspca.solve`.

    Returns
    -------
    Generalized
        Bounds hold whatever the status; Ctrl-C ends the search with status "interrupted".

    Raises
    ------
    InputError
        A matrix is not symmetric, B is not proved positive definite, or a parameter is out of range.

    Notes
    -----
    :math:`r_k\le\mu` just where :math:`v_k(A-\mu B)\le 0`: the search of `relaxspca.solve`, its target fixed,
    proves that, for a mu just above the ratio of the best vector found, or finds a better vector, whose ratio
    is the next mu [1]_. The rounding of A - mu B is charged to the target (docs/theory/generalized.md).

    References
    ----------
    .. [1] W. Dinkelbach, On nonlinear fractional programming, Management Science 13:492-498, 1967.
    .. [2] B. Moghaddam, Y. Weiss and S. Avidan, Generalized spectral bounds for sparse LDA, ICML 2006.

    Examples
    --------
    >>> import relaxspca as rs
    >>> A = np.array([[4.0, 2.0, 0.0], [2.0, 3.0, 1.0], [0.0, 1.0, 5.0]])
    >>> B = np.diag([1.0, 1.0, 4.0])
    >>> found = rs.generalized(A, B, 2)
    >>> found.status, found.indices, round(found.upper, 6)
    ('optimal', (0, 1), 5.561553)
    >>> rs.generalized(A, B, budgets=[([0, 1], 1), ([2], 1)]).indices
    (0,)
    """
    limits = SearchLimits.checked(gap=gap, time_limit=time_limit, node_limit=node_limit, callback=callback)
    check_limits(ridge=0.0 if ridge is None else ridge)
    pencil = MatrixPencil(A, B, names, ridge)
    conditions = Conditions.read(include, exclude, pencil.names)
    size = size_asked(k, budgets, conditions, pencil.names)
    if groups is not None:
        if budgets is not None:
            raise InputError("give groups, of which one variable each may be used, or budgets, not both")
        size = OneOfEachSize.read(pencil.names, size.most(pencil.n), groups, conditions)
    k = size.most(pencil.n)
    # One call of LAPACK, which cannot be stopped; without it a bound follows from the first node.
    is_dense = groups is None and (pencil.n <= MANY or limits.deadline.allows(pencil.n))
    upper = pencil.dense_upper() if is_dense else math.inf
    support, method = best_support(pencil, size, conditions, deadline=limits.deadline.part(2))
    bounds: dict[str, Any] = {"gap": gap, "upper": upper, "least": pencil.least}
    found = enclose(pencil, size, support, **bounds, limits=limits, conditions=conditions)
    loadings = spread(found.loadings * pencil.scaling[found.indices], found.indices, pencil.n)
    parts = () if budgets is None else size.parts(pencil.n)
    return Generalized(
        k=k,
        names=pencil.names,
        loadings_array=as_array(oriented(loadings)),
        lower=found.lower,
        upper=found.upper,
        status=found.status,
        ridge=float(ridge or 0.0),
        method=method if found.steps <= 1 else "Dinkelbach",
        node_count=found.node_count,
        steps=found.steps,
        seconds=limits.deadline.elapsed,
        certificate=ratio_certificate(found),
        meant=conditions.words(pencil.names, groups=groups, parts=parts),
    )


def size_asked(k: Any, budgets: Any, conditions: Conditions, names: Sequence[str]) -> Size:
    """Return the size of supports of a ratio, or raise `InputError`."""
    n = len(names)
    if (k is None) == (budgets is None):
        raise InputError("give either the cardinality k or budgets for parts of the variables")
    if budgets is None:
        k = whole_number(k, "cardinality k", most=n, of=", the number of variables")
        return Cardinality(conditions.cardinality(k, n))
    parts = []
    for given in budgets:
        if not isinstance(given, Sequence) or len(given) != 2:
            raise InputError(f"a budget must be a pair of variables and their number, not {given!r}")
        members = selected(given[0], names)
        left = len(set(members) - set(conditions.exclude))
        most = min(whole_number(given[1], "the number of a budget"), left)
        if most < 0:
            raise InputError(f"a budget must be at least 0, not {given[1]}")
        needed = len(set(members) & set(conditions.include))
        if not needed <= most:
            raise InputError(f"{needed} variables to include have a budget of {given[1]}")
        parts.append((np.sort(np.array(members, dtype=np.int64)), most))
    every = sorted(int(i) for part, _ in parts for i in part)
    if every != list(range(n)):
        raise InputError("the budgets must hold every variable once")
    if sum(most for _, most in parts) < 1:
        raise InputError("the budgets allow no variable at all")
    return Budgets.of(parts)
