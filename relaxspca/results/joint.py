"""Several components proved together: the table, and two bounds on what any such table explains."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

from relaxspca.errors import counted
from relaxspca.numerics.decimals import interval, rounded
from relaxspca.numerics.linalg import Array
from relaxspca.problem.gap import relative_gap
from relaxspca.results.claims import recorded
from relaxspca.results.loadings import Loadings
from relaxspca.results.progress import Progress
from relaxspca.results.shown import Shown, Table
from relaxspca.results.status import Status, verdict

__all__ = ["JointComponents"]


@dataclass(frozen=True, eq=False, repr=False)
class JointComponents(Shown):
    r"""Orthonormal sparse components, with bounds on the largest sum of variances of any such table.

    .. math:: \max\Big\{\sum_t x_t'\Sigma x_t : x_t'x_s=\delta_{ts},\ \mathrm{Card}(x_t)\le k_t\Big\}

    Attributes
    ----------
    loadings : (n, r) array, unit columns, zero off their supports.
    supports : names of the variables of each component; a loading may be 0 on its support.
    sizes : cardinality asked of each component.
    kind : "orthogonal", "disjoint" or "common", what the supports have to be.
    values : (r,) variance of each component.
    adjusted : (r,) variance of each score after the earlier ones are regressed out.
    lower, upper : float
        Proved bounds on the best sum of variances; `lower` is attained by exactly orthonormal vectors, which
        differ from the loadings by rounding alone.
    status : Status
    total : trace of Sigma.
    dense : sum of the r largest eigenvalues: what dense components explain.
    root : proved bound without any branching.
    node_count : nodes of the search.
    seconds : float
    names : names of the n variables.
    matrix : which matrix the bounds speak of, in words.
    history : Progress after every node.

    Examples
    --------
    >>> import relaxspca as rs
    >>> found = rs.components(rs.datasets.load_pitprops(), [3, 3], joint=True)
    >>> found.status, found.supports
    ('optimal', (('topdiam', 'length', 'bowdist'), ('ringtop', 'ringbut', 'whorls')))
    """

    loadings: Array
    supports: tuple[tuple[str, ...], ...]
    sizes: tuple[int, ...]
    kind: str
    values: Array
    adjusted: Array
    lower: float
    upper: float
    status: Status
    total: float
    dense: float
    root: float
    node_count: int
    seconds: float
    names: tuple[str, ...]
    matrix: str
    history: tuple[Progress, ...] = ()

    _figure = "plot_progress"

    @property
    def gap(self) -> float:
        r"""Proved relative width, (upper - lower)/\|lower\|."""
        return relative_gap(self.lower, self.upper)

    @property
    def share(self) -> float:
        """The part of the trace that the components explain; nan where the trace is not above 0."""
        return self._of_total(float(self.values.sum()))

    @property
    def share_of_dense(self) -> float:
        """The part of what as many dense components explain."""
        return float(self.values.sum()) / self.dense if self.dense > 0 else math.nan

    def to_records(self) -> list[dict[str, Any]]:
        """Return one dict a component, and the bounds of the whole table in each."""
        return [
            {
                "component": t + 1,
                "k": len(self.supports[t]),
                "variables": ", ".join(self.supports[t]),
                "variance": float(self.values[t]),
                "share": self._of_total(float(self.values[t])),
                "adjusted_share": self._of_total(float(self.adjusted[t])),
                "cumulative_share": self._of_total(float(self.values[: t + 1].sum())),
            }
            | {f"table_{name}": value for name, value in recorded(self.lower, self.upper).items()}
            for t in range(len(self.values))
        ]

    def _of_total(self, variance: float) -> float:
        return variance / self.total if self.total > 0 else math.nan

    def _statement(self) -> list[str]:
        r = len(self.values)
        sizes = f"{self.sizes[0]} variables in common" if self.kind == "common" else _sizes(self.sizes)
        apart = ", no variable used twice" if self.kind == "disjoint" else ""
        claim = interval(self.lower, self.upper, 12).text("the best sum of variances")
        said = verdict(self.status, self.lower, self.upper, self.gap).replace("component", "table")
        lines = [
            f"{claim} of {r} orthogonal components of {sizes}{apart}, for {self.matrix}",
            said,
            f"{counted(self.node_count, 'node')}; the bounds have no certificate file",
        ]
        if self.total > 0:
            lines.insert(
                2,
                f"{rounded(100 * self.share)} % of the variance, "
                f"{rounded(100 * self.share_of_dense)} % of what {r} dense components explain",
            )
        return lines

    def _tables(self) -> list[Table]:
        rows = [
            [
                str(record["component"]),
                str(record["k"]),
                record["variables"],
                rounded(100 * record["share"]),
                rounded(100 * record["adjusted_share"]),
                rounded(100 * record["cumulative_share"]),
            ]
            for record in self.to_records()
        ]
        header = ("component", "k", "variables", "variance, %", "adjusted, %", "cumulative, %")
        return [Table(header, rows, (0, 1, 3, 4, 5), 2)]

    def loadings_of(self, component: int) -> Loadings:
        """Return the loadings of a component, counted from 0, by name."""
        return Loadings(self.names, self.loadings[:, component])


def _sizes(sizes: tuple[int, ...]) -> str:
    if len(set(sizes)) == 1:
        return f"{counted(sizes[0], 'variable')} each"
    return ", ".join(map(str, sizes[:-1])) + f" and {counted(sizes[-1], 'variable')}"
