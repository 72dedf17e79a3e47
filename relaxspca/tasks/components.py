"""Several components, one after another, each taken out of the covariance before the next."""

from __future__ import annotations

import math
import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from html import escape
from typing import Any

import numpy as np

from relaxspca.candidates import candidate
from relaxspca.candidates.deflation import DEFLATIONS, deflate
from relaxspca.errors import InputError, counted
from relaxspca.numerics.linalg import Array, as_array, leading_eigenpair, oriented
from relaxspca.problem.arguments import check_covariance
from relaxspca.problem.candidate import Candidate
from relaxspca.problem.covariance import Covariance
from relaxspca.problem.observations import whole_number
from relaxspca.problem.variance import adjusted_variance, raw_variance, regression_variance
from relaxspca.results.result import Result
from relaxspca.results.tables import csv_table, data_frame, html_table, latex_table, markdown_table, saved
from relaxspca.runtime.interrupt import until_interrupted
from relaxspca.tasks.solve import solve

__all__ = ["Components", "components"]


HEADER = ("component", "k", "variables", "variance, %", "adjusted, %", "status")


@dataclass(frozen=True, eq=False, repr=False)
class Components:
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

    Examples
    --------
    >>> import relaxspca as rs
    >>> rs.components(rs.datasets.load_pitprops(), [2, 2])
    2 components of 13 variables, 27.878 % of the variance (adjusted), deflation by projection
    | component | k | variables | variance, % | adjusted, % | status |
    | ---: | ---: | --- | ---: | ---: | --- |
    | 1 | 2 | topdiam, length | 15.031 | 15.031 | optimal |
    | 2 | 2 | moist, testsg | 14.477 | 12.847 | optimal |
    <BLANKLINE>
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

    def to_records(self) -> list[dict[str, Any]]:
        """Return one dict a component: variables, variance in three senses, and bounds if proved.

        Shares are nan where the total, of an indefinite matrix, is not above 0.
        """
        records = []
        for j, found in enumerate(self.candidates):
            record: dict[str, Any] = {
                "component": j + 1,
                "k": found.k,
                "variables": ", ".join(self.names[i] for i in found.indices),
                "variance": float(self.raw[j]),
                "share": self._share(self.raw[j]),
                "adjusted_share": self._share(self.adjusted[j]),
                "cumulative_adjusted": self._share(self.adjusted[: j + 1].sum()),
                "cumulative_regression": self._share(self.regression[j]),
            }
            if self.results:
                record |= {"lower": self.results[j].lower, "upper": self.results[j].upper}
            records.append(record)
        return records

    def to_frame(self) -> Any:
        """Return `to_records` as a pandas DataFrame."""
        return data_frame(self.to_records()).set_index("component")

    def to_csv(self, path: str | os.PathLike[str] | None = None) -> str:
        """Return comma-separated values in full precision, and write them when a path is given."""
        records = self.to_records()
        text = csv_table(list(records[0]), [[str(value) for value in record.values()] for record in records])
        return saved(text, path)

    def to_markdown(self) -> str:
        """Return a Markdown table; shares of the total variance are in percent."""
        return markdown_table(HEADER, self._cells(), right=(0, 1, 3, 4))

    def to_latex(self) -> str:
        """Return a LaTeX tabular (booktabs); shares of the total variance are in percent."""
        header = [cell.replace("%", r"\%") for cell in HEADER]
        return latex_table(header, self._cells(), right=(0, 1, 3, 4))

    def _cells(self) -> list[list[str]]:
        return [
            [
                str(record["component"]),
                str(record["k"]),
                record["variables"],
                f"{100 * record['share']:.3f}",
                f"{100 * record['adjusted_share']:.3f}",
                self.results[j].status if self.results else "not proved",
            ]
            for j, record in enumerate(self.to_records())
        ]

    def _summary(self) -> str:
        count, explained = len(self.candidates), 100 * self._share(self.adjusted.sum())
        return (
            f"{counted(count, 'component')} of {counted(len(self.names), 'variable')}, "
            f"{explained:.3f} % of the variance (adjusted), deflation by {self.deflation}"
        )

    def _share(self, variance: float) -> float:
        return float(variance) / self.total if self.total > 0 else math.nan

    def __repr__(self) -> str:
        return f"{self._summary()}\n{self.to_markdown()}"

    def _repr_html_(self) -> str:
        return f"<p>{escape(self._summary())}</p>{html_table(HEADER, self._cells())}"


def components(
    cov: Covariance,
    k: int | Sequence[int],
    n_components: int | None = None,
    *,
    deflation: str = "projection",
    method: str = "auto",
    prove: bool = True,
    gap: float = 0.0,
    time_limit: float | None = None,
    rng: np.random.Generator | None = None,
) -> Components:
    r"""Find several sparse components, deflating the covariance after each.

    .. math:: x_j \in \arg\max \{ x^T \Sigma_j x : \|x\| = 1,\ \operatorname{Card}(x) \le k_j \}, \qquad
              \Sigma_{j+1} = \text{deflate}(\Sigma_j, x_j)

    Parameters
    ----------
    cov : Covariance of n variables.
    k : cardinality of each component, or one for all.
    n_components : number of components; may be left out when `k` is a sequence.
    deflation : one of `relaxspca.candidates.deflation.DEFLATIONS`.
    method : candidate method, used without proof.
    prove : bool
        Solve each component with a certificate, which speaks of the *deflated* covariance, not of Sigma.
    gap : relative gap at which each proof may stop; 0 proves optimality.
    time_limit : seconds for each proof.
    rng : source of randomness of the candidate method; None is a fixed seed.

    Returns
    -------
    Components
        Ctrl-C ends the work: the components found by then, the last perhaps with status "interrupted".

    Raises
    ------
    InputError
        A cardinality is out of range, their number does not match, the name of the deflation is not known, no
        variance is left, or a second component is to be proved where variables were eliminated.

    Notes
    -----
    Each component is proved best for what the earlier ones leave; nothing is claimed about them jointly.

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
    """
    check_covariance(cov)
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
    for size in sizes:
        if best is not None:
            current, basis = deflate(current, best.loadings, deflation=deflation, basis=basis)
        is_first = best is None
        best, result = component(current, size)
        if deflation == "generalized" and not is_first:
            best = _generalized_refit(current, best, basis)
        yield best, result
        if result is not None and result.status == "interrupted":
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
