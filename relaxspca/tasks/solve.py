"""Find the best sparse component and prove it."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import Any

import numpy as np
import numpy.typing as npt

from relaxspca.candidates.portfolio import auto
from relaxspca.certificate import Certificate, PerronPoint, Point
from relaxspca.errors import InputError, counted
from relaxspca.numerics.linalg import UNIT_ROUNDOFF, Array
from relaxspca.problem.arguments import check_covariance
from relaxspca.problem.candidate import Candidate
from relaxspca.problem.covariance import Covariance
from relaxspca.problem.limits import check_jobs, check_limits, check_node_limit, checked_penalty
from relaxspca.problem.scaling import EXTREME, candidate_times, normalised
from relaxspca.relaxations import spectral
from relaxspca.relaxations.perron.formula import Penalty, Size
from relaxspca.results.result import Result
from relaxspca.runtime.distributed import joblib_map
from relaxspca.search.branch_and_bound import RELATIVE_WIDTH, Progress, Search
from relaxspca.search.evaluate import Effort, evaluate
from relaxspca.search.node import Node
from relaxspca.search.proof_tree import Proof
from relaxspca.tasks.penalised import best_at_price

__all__ = ["solve"]

LARGEST_BLOCK = 4000  # variables searched at once; more are first eliminated by their variances
QUICK = 1500  # rows and columns of a matrix whose largest eigenvalue takes a second at most


def solve(
    cov: Covariance,
    k: int | None = None,
    *,
    rho: float | None = None,
    gap: float = 0.0,
    time_limit: float | None = None,
    node_limit: int | None = None,
    callback: Callable[[Progress], Any] | None = None,
    n_jobs: int | None = None,
    start: Candidate | None = None,
    weights: npt.ArrayLike | None = None,
    rng: np.random.Generator | None = None,
) -> Result:
    r"""Find the sparse component of largest variance, with a proof of how good it is.

    .. math:: v_k=\max\{x'\Sigma x : \|x\|_2=1,\ \mathrm{Card}(x)\le k\}
        \quad\text{or}\quad \phi(\rho)=\max_{\|x\|_2\le1}\ x'\Sigma x-\rho\,\mathrm{Card}(x)

    Parameters
    ----------
    cov : Covariance of n variables.
    k : int
        Cardinality, 1 to n; or
    rho : float
        Penalty of a variable, at least 0 (variance).
    gap : float
        Relative gap at which to stop; 0 proves optimality (to a relative 1e-9).
    time_limit : float, optional
        Seconds.
    node_limit : int, optional
        Most nodes of the search; 0 returns what the cheapest bounds prove.
    callback : callable, optional
        Called with a `Progress` after every round; returning True stops the search.
    n_jobs : int, optional
        Processes for a round of nodes, through joblib and whatever backend it is set to; by default what
        ``joblib.parallel_config`` says, else 1. The result does not depend on it.
    start : Candidate, optional
        A component to start from; otherwise ``candidate(cov, k)``.
    weights : (n,) positive array_like, optional
        Weights of the first row sums, such as those of a neighbouring cardinality.
    rng : numpy.random.Generator, optional
        Handed to the candidate methods.

    Returns
    -------
    Result
        Bounds hold whatever the status; Ctrl-C ends the search with status "interrupted".

    Raises
    ------
    InputError
        Not just one of `k` and `rho` is given, or a parameter is out of range.

    Notes
    -----
    Every upper bound comes from a dual point by a formula that holds for all dual points
    (`relaxations.perron.formula`, `relaxations.spectral`) with its rounding errors added. Variables are fixed, and
    nodes closed, only by such bounds; the tree of these decisions is the certificate.

    References
    ----------
    .. [1] L. Berk and D. Bertsimas, Certifiably optimal sparse principal component analysis, Math. Prog.
       Comp. 11:381-420, 2019 (the search).
    .. [2] docs/theory/perron.md, Theorem 1 and Corollary 2 (the bounds).

    Examples
    --------
    >>> import relaxspca as rs
    >>> r = rs.solve(rs.datasets.load_pitprops(), 5)
    >>> r.status, r.support
    ('optimal', ('topdiam', 'length', 'ringbut', 'bowdist', 'whorls'))
    >>> bool(rs.verify(r.certificate))
    True
    """
    began = time.monotonic()
    check_covariance(cov)
    size = _size(cov, k, rho)
    check_limits(gap=gap, time_limit=time_limit)
    check_node_limit(node_limit)
    check_jobs(n_jobs)
    if callback is not None and not callable(callback):
        raise InputError(f"callback must be a function of a Progress, not {callback!r}")
    weights = None if weights is None else _checked_weights(weights, cov.n)
    deadline = began + time_limit if time_limit is not None else np.inf
    try:
        incumbent = _incumbent(cov, size, start, rng, deadline)
    except KeyboardInterrupt:
        if cov.eliminated is not None:
            raise
        first = Search(cov, size, _largest_variable(cov, size), _first_proof(cov, size), gap=gap)
        return _result(first, "interrupted", [], time.monotonic() - began)
    if not isinstance(size, Penalty) and (cov.n > LARGEST_BLOCK or cov.eliminated is not None):
        from relaxspca.search.reduced import solve_reduced

        options: dict[str, Any] = {"node_limit": node_limit, "callback": callback, "n_jobs": n_jobs}
        found = solve_reduced(cov, size, incumbent, gap=gap, deadline=deadline, **options)
        if found is None:
            raise InputError(
                f"more than {LARGEST_BLOCK} of {cov.n} variables cannot be eliminated by their variances: "
                "restrict them, or bound them with upper_bound(cov, k, relaxation='psi')"
            )
        return replace(found, seconds=time.monotonic() - began)
    cov.check_complete("a penalised claim")
    search = Search(cov, size, incumbent, _first_proof(cov, size), gap=gap)
    history: list[Progress] = []

    def report(progress: Progress) -> bool:
        history.append(progress)
        return bool(callback is not None and callback(progress))

    try:
        _open_root(search, weights)
        with _workers(n_jobs) as parallel:
            status = search.run(
                lambda node: _effort(node, deadline),
                deadline=deadline,
                node_limit=np.inf if node_limit is None else node_limit,
                callback=report,
                parallel=parallel,
            )
    except KeyboardInterrupt:
        status = "interrupted"
    if status != "closed":
        _improve_root(search)
    return _result(search, status, history, time.monotonic() - began)


def _size(cov: Covariance, k: int | None, rho: float | None) -> Size:
    if k is not None and rho is None:
        return cov.check_cardinality(k)
    if rho is not None and k is None:
        return Penalty(checked_penalty(rho))
    raise InputError("give either the cardinality k or the penalty rho")


def _incumbent(
    cov: Covariance, size: Size, start: Candidate | None, rng: np.random.Generator | None, deadline: float
) -> Candidate:
    if start is not None:
        return _checked_start(cov, size, start)
    if isinstance(size, Penalty):
        return best_at_price(cov, size.rho, rng=rng) or Candidate.empty(cov)
    if cov.n <= LARGEST_BLOCK and cov.eliminated is None:
        _ = cov.matrix  # the search forms it anyway, and once it is there rows are read from it
    scaled, q = normalised(cov, beyond=EXTREME)
    return candidate_times(auto(scaled, size, deadline=deadline), q)


def _checked_start(cov: Covariance, size: Size, start: Any) -> Candidate:
    """Return a start with its value on this covariance: it may come from another."""
    if not isinstance(start, Candidate):
        raise InputError(f"start must be a Candidate, such as candidate(cov, k), not {start!r}")
    most = cov.n if isinstance(size, Penalty) else size
    if start.loadings.size != cov.n or start.cardinality > most:
        raise InputError(
            f"the start uses {start.cardinality} of {counted(start.loadings.size, 'variable')}; "
            f"at most {most} of {cov.n} may be used"
        )
    if start.cardinality == 0:
        if not isinstance(size, Penalty):
            raise InputError("the start uses no variable: that is a component only at a penalty")
        return Candidate.empty(cov)
    again = Candidate.from_loadings(cov, start.loadings, method=start.method)
    return start if math.isclose(again.value, start.value, rel_tol=1e-12) else again


def _checked_weights(weights: npt.ArrayLike, n: int) -> Array:
    try:
        checked = np.asarray(weights, dtype=np.float64)
    except (TypeError, ValueError):
        checked = np.zeros(0)
    if checked.shape != (n,) or not (np.isfinite(checked) & (checked > 0)).all():
        raise InputError(f"weights must be {n} positive numbers, one a variable")
    return checked


def _largest_variable(cov: Covariance, size: Size) -> Candidate:
    """Return a component that is there at once, for a search that was stopped before it had one."""
    i = int(np.argmax(cov.diagonal))
    if isinstance(size, Penalty) and cov.diagonal[i] <= size.rho:
        return Candidate.empty(cov)
    return Candidate.from_support(cov, [i])


def _first_proof(cov: Covariance, size: Size) -> Proof:
    """Return a bound that costs next to nothing: the trace, all of it at a penalty."""
    if isinstance(size, Penalty):
        everything = spectral.upper_bound(cov, "trace", cov.n)
        return Proof("trace", None, max(0.0, everything))
    return Proof("trace", None, spectral.upper_bound(cov, "trace", size))


def _open_root(search: Search, weights: Array | None) -> None:
    """Open the root with the weights given, or with those that make no row dearer than the trace."""
    if weights is None:
        deviations = np.sqrt(np.abs(search.cov.diagonal))
        weights = np.maximum(deviations, 1e-9 * deviations.max())
    search.add(0, Node(np.zeros(0, dtype=np.int64), np.arange(search.cov.n), 0, weights))


def _improve_root(search: Search) -> None:
    """Give a search that was stopped, perhaps before its first node, the bounds without dual point."""
    cov, k = search.cov, search.k
    if isinstance(k, Penalty):
        return
    side = min(cov.n, cov.rank) if cov.is_factored else cov.n
    for kind in ("rowsum", "spectral") if side <= QUICK else ("rowsum",):
        search.tree.improve(0, Proof(kind, None, spectral.upper_bound(cov, kind, k)))


def _effort(node: Node, deadline: float) -> Effort:
    """Work hard at the root, where every variable fixed is fixed for good."""
    if node.depth == 0:
        return Effort(stages=14, iterations=50, deadline=deadline)
    return Effort(stages=2, iterations=25, deadline=deadline)


@contextmanager
def _workers(n_jobs: int | None) -> Iterator[Callable[[list[Any]], list[Any]] | None]:
    """Yield a function that evaluates nodes in parallel, or None for one process."""
    with joblib_map(n_jobs) as spread:
        if spread is None:
            yield None
        else:
            yield lambda batch: spread(_evaluate_within, [(_seconds(a), a) for a in batch])


def _seconds(arguments: tuple[Any, ...]) -> float:
    return float(arguments[-1].deadline - time.monotonic())


def _evaluate_within(seconds: float, arguments: tuple[Any, ...]) -> Any:
    """Evaluate a node on a machine whose monotonic clock is another one."""
    cov, k, node, proof, lower, target, effort = arguments
    here = replace(effort, deadline=time.monotonic() + seconds)
    return evaluate(cov, k, node, proof, lower, target, here)


def _room(cov: Covariance, points: tuple[Point, ...]) -> float:
    """Return what the checker's own roundings may add to a bound, relative to it."""
    largest = max((p.variables.size for p in points if isinstance(p, PerronPoint)), default=0)
    return UNIT_ROUNDOFF * (8 * largest**2 + 256 * cov.n)


def _result(search: Search, status: str, history: list[Progress], seconds: float) -> Result:
    """Put the certificate together and say what was reached."""
    cov, size = search.cov, search.k
    upper = max(min(search.tree.upper, search.tree.proof(0).bound), search.lower)
    nodes, points = search.tree.pruned(upper)
    upper += _room(cov, points) * max(abs(upper), search.scale)
    found = search.candidate
    certificate = Certificate(
        n=cov.n,
        names=cov.names,
        matrix=None if cov.is_factored else cov.matrix,
        factor=cov.factor if cov.is_factored else None,
        cardinality=None if isinstance(size, Penalty) else size,
        penalty=size.rho if isinstance(size, Penalty) else None,
        lower=search.lower,
        upper=upper,
        support=found.support,
        loadings=found.loadings,
        points=points,
        tree=nodes,
        made_by="relaxspca solve",
    )
    missing = upper - search.lower
    if missing <= 2 * RELATIVE_WIDTH * max(abs(search.lower), search.scale):
        status = "optimal"
    elif status == "closed" or missing <= search.gap * abs(search.lower):
        status = "gap"
    return Result(found, search.lower, upper, status, certificate, search.node_count, seconds, tuple(history))
