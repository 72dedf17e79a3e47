"""Several components, one after another, each taken out of the covariance before the next."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal, overload

import numpy as np

from relaxspca.candidates import candidate
from relaxspca.candidates.deflation import DEFLATIONS, deflate
from relaxspca.certificate import Certificate
from relaxspca.errors import InputError, counted
from relaxspca.numerics.decimals import percent_up
from relaxspca.numerics.linalg import Array, as_array, leading_eigenpair, oriented
from relaxspca.problem.arguments import check_covariance
from relaxspca.problem.candidate import Candidate
from relaxspca.problem.covariance import Covariance
from relaxspca.problem.observations import whole_number
from relaxspca.problem.variance import adjusted_variance, raw_variance, regression_variance
from relaxspca.results.claims import matrix_words, recorded
from relaxspca.results.joint import JointComponents
from relaxspca.results.progress import Progress
from relaxspca.results.result import Result
from relaxspca.results.shown import Shown, Table
from relaxspca.results.status import Status
from relaxspca.runtime.deadline import Deadline
from relaxspca.runtime.interrupt import until_interrupted
from relaxspca.runtime.progress import followed, shows_progress
from relaxspca.tasks.joint import Limits, joint_components
from relaxspca.tasks.solve import solve

__all__ = ["Components", "components"]


HEADER = ("component", "k", "variables", "variance %", "adjusted %", "status", "gap %")
LEAST_GAP = 1e-5  # as small as a gap is shown beside loadings of three decimals
SIDE_BY_SIDE = 6  # components in one table on paper


@dataclass(frozen=True, eq=False, repr=False)
class Components(Shown):
    """Sparse components of one covariance.

    Attributes
    ----------
    loadings : (n, m) array, unit columns.
    candidates : m Candidate, each on its deflated covariance.
    results : m Result, each with its certificate on the deflated covariance; empty without proof.
    deflation : str
    raw : (m,) variance of each component in the given covariance.
    adjusted : (m,) variance of each score after the earlier ones are regressed out.
    regression : (m,) variance of the data projected on the first 1..m loadings.
    total : float, trace of the given covariance, eliminated variables included.
    names : names of the n variables.
    matrix : str, which matrix they are components of.
    seconds : float, wall-clock time.

    Examples
    --------
    >>> import relaxspca as rs
    >>> found = rs.components(rs.datasets.load_pitprops(), [2, 2])
    >>> [component.support for component in found.candidates]
    [('topdiam', 'length'), ('moist', 'testsg')]
    >>> [str(result.status) for result in found.results], round(100 * float(found.share), 3)
    (['optimal', 'optimal'], 27.878)
    """

    loadings: Array
    candidates: tuple[Candidate, ...]
    results: tuple[Result, ...]
    deflation: str
    raw: Array
    adjusted: Array
    regression: Array
    total: float
    names: tuple[str, ...]
    matrix: str
    seconds: float

    _figure = "plot_components"

    @property
    def support(self) -> tuple[tuple[str, ...], ...]:
        """Names of the variables that each component uses."""
        return tuple(found.support for found in self.candidates)

    @property
    def indices(self) -> tuple[tuple[int, ...], ...]:
        """The variables that each component uses, 0-based."""
        return tuple(tuple(int(i) for i in found.indices) for found in self.candidates)

    @property
    def share(self) -> float:
        """Adjusted variance of all components, as a part of the trace; nan where that is not above 0."""
        return self._share(float(self.adjusted.sum()))

    @property
    def statuses(self) -> tuple[Status, ...]:
        """What is proved of each component on what the earlier ones leave."""
        if not self.results:
            return (Status.UNPROVED,) * len(self.candidates)
        return tuple(result.status for result in self.results)

    @property
    def is_interrupted(self) -> bool:
        """Whether Ctrl-C came during the last component."""
        return Status.INTERRUPTED in self.statuses

    def to_records(self) -> list[dict[str, Any]]:
        """Return one dict a component: variables, variance in three senses, and bounds if proved.

        Shares are nan where the total, of an indefinite matrix, is not above 0; bounds are of the deflated
        covariance.
        """
        records = []
        for j, found in enumerate(self.candidates):
            record: dict[str, Any] = {
                "component": j + 1,
                "k": found.k,
                "support": "; ".join(found.support),
                "indices": " ".join(str(i) for i in found.indices),
                "variance": float(self.raw[j]),
                "share": self._share(self.raw[j]),
                "adjusted_share": self._share(self.adjusted[j]),
                "cumulative_adjusted": self._share(self.adjusted[: j + 1].sum()),
                "cumulative_regression": self._share(self.regression[j]),
                "status": str(self.statuses[j]),
            }
            if self.results:
                result = self.results[j]
                record |= recorded(result.lower, result.upper) | {"gap": result.gap}
            records.append(record)
        return records

    def to_frame(self) -> Any:
        """Return `to_records` as a pandas DataFrame, indexed by component.

        Raises
        ------
        MissingExtra
            pandas is not installed.
        """
        return super().to_frame().set_index("component")

    def _statement(self) -> list[str]:
        explained = f", {self._percent(self.adjusted.sum())} % of the variance (adjusted)"
        lines = [f"{counted(len(self.candidates), 'component')} of {self.matrix}{explained}"]
        if self.results:
            lines.append(
                f"each proved for what the earlier ones leave (deflation by {self.deflation}); "
                "of the table as a whole nothing is proved"
            )
        return lines

    def _tables(self) -> list[Table]:
        rows = [
            [
                str(j + 1),
                str(found.k),
                ", ".join(found.support),
                self._percent(self.raw[j]),
                self._percent(self.adjusted[j]),
                str(self.statuses[j]),
                percent_up(self.results[j].gap) if self.results else "",
            ]
            for j, found in enumerate(self.candidates)
        ]
        return [Table(HEADER, rows, (0, 1, 3, 4, 6), wrapped=2), self._loadings(0, len(self.candidates))]

    def _paper_tables(self) -> list[Table]:
        count = len(self.candidates)
        return [self._loadings(j, min(j + SIDE_BY_SIDE, count)) for j in range(0, count, SIDE_BY_SIDE)]

    def _loadings(self, first: int, last: int) -> Table:
        """Return loadings by variable and component, with what each component explains below them."""
        columns = range(first, last)
        used = [i for i, row in enumerate(self.loadings) if row.any()]
        rows = [
            [self.names[i], *(f"{self.loadings[i, j]:.3f}" if self.loadings[i, j] else "" for j in columns)]
            for i in used
        ]
        rows.append(["variables", *(str(self.candidates[j].k) for j in columns)])
        rows.append(["variance %", *(self._percent(self.raw[j]) for j in columns)])
        rows.append(["adjusted %", *(self._percent(self.adjusted[j]) for j in columns)])
        rows.append(["cumulative %", *(self._percent(self.adjusted[: j + 1].sum()) for j in columns)])
        if self.results:
            rows.append(["gap %", *(percent_up(max(self.results[j].gap, LEAST_GAP)) for j in columns)])
        header = ("variable", *(f"PC {j + 1}" for j in columns))
        return Table(header, rows, tuple(range(1, last - first + 1)), wrapped=0)

    def _certificates(self) -> Mapping[str, Certificate]:
        return {f"component{j + 1}": result.certificate for j, result in enumerate(self.results)}

    def _share(self, variance: float) -> float:
        return float(variance) / self.total if self.total > 0 else math.nan

    def _percent(self, variance: float) -> str:
        share = self._share(variance)
        return "" if math.isnan(share) else f"{100 * share:.2f}"


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
    rng: np.random.Generator | None = None,
    verbose: bool | None = None,
) -> Components: ...


@overload
def components(
    cov: Covariance,
    k: int | Sequence[int],
    n_components: int | None = None,
    *,
    joint: Literal[True],
    disjoint: bool = False,
    gap: float = 0.0,
    time_limit: float | None = None,
    node_limit: int | None = None,
    callback: Callable[[Progress], Any] | None = None,
    verbose: bool | None = None,
) -> JointComponents: ...


@shows_progress
def components(
    cov: Covariance,
    k: int | Sequence[int],
    n_components: int | None = None,
    *,
    joint: bool = False,
    disjoint: bool = False,
    deflation: str = "projection",
    method: str = "auto",
    prove: bool = True,
    gap: float = 0.0,
    time_limit: float | None = None,
    node_limit: int | None = None,
    callback: Callable[[Progress], Any] | None = None,
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
    disjoint : with `joint`, whether no variable may be used by two components.
    deflation : one of `relaxspca.candidates.deflation.DEFLATIONS`.
    method : candidate method, used without proof.
    prove : bool
        Solve each component with a certificate, which speaks of the *deflated* covariance, not of Sigma.
    gap : relative gap at which each proof may stop; 0 proves optimality.
    time_limit : seconds for each proof.
    node_limit, callback : with `joint`, as in `relaxspca.solve`.
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
    them jointly; with it the whole table is bounded (docs/theory/several.md), and there is no deflation and no
    certificate file yet.

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
    if joint:
        if deflation != "projection" or method != "auto" or not prove:
            raise InputError("with joint=True there is no deflation, no candidate method, and always a proof")
        limits = Limits(gap, time_limit, node_limit, callback)
        return joint_components(cov, _cardinalities(cov, k, n_components), disjoint=disjoint, limits=limits)
    if disjoint or node_limit is not None or callback is not None:
        raise InputError("disjoint, node_limit and callback go with joint=True")
    if not isinstance(deflation, str) or deflation not in DEFLATIONS:
        raise InputError(f"deflation must be one of {', '.join(DEFLATIONS)}, not {deflation!r}")
    sizes = _cardinalities(cov, k, n_components)
    if prove and len(sizes) > 1:
        cov.check_complete("the proof of a deflated component")

    def component(current: Covariance, size: int) -> tuple[Candidate, Result | None]:
        if not prove:
            return candidate(current, size, method, rng=rng), None
        result = solve(current, size, gap=gap, time_limit=time_limit)
        return result.candidate, result

    done, _ = until_interrupted(_one_by_one(cov, sizes, deflation, component))
    found = [best for best, _ in done]
    results = [result for _, result in done if result is not None]
    V, left_out = np.column_stack([best.loadings for best in found]), cov.eliminated
    return Components(
        loadings=as_array(V),
        candidates=tuple(found),
        results=tuple(results),
        deflation=deflation,
        raw=as_array(raw_variance(cov, V)),
        adjusted=as_array(adjusted_variance(cov, V)),
        regression=as_array(regression_variance(cov, V)),
        total=float(cov.diagonal.sum()) + (0.0 if left_out is None else float(left_out.variances.sum())),
        names=cov.names,
        matrix=matrix_words(cov),
        seconds=clock.elapsed,
    )


def _one_by_one(
    cov: Covariance,
    sizes: Sequence[int],
    deflation: str,
    component: Callable[[Covariance, int], tuple[Candidate, Result | None]],
) -> Iterator[tuple[Candidate, Result | None]]:
    """Yield a component of each size, taken out before the next; an interrupted search is the last."""
    current, basis = cov, np.empty((cov.n, 0))
    best: Candidate | None = None
    for size in followed(sizes, "component"):
        if best is not None:
            current, basis = deflate(current, best.loadings, deflation=deflation, basis=basis)
        is_first = best is None
        best, result = component(current, size)
        if deflation == "generalized" and not is_first:
            best = _generalized_refit(current, best, basis)
        yield best, result
        if result is not None and result.status is Status.INTERRUPTED:
            return


def _cardinalities(cov: Covariance, k: int | Sequence[int], n_components: int | None) -> list[int]:
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
