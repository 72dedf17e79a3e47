"""What `generalized` returns: a sparse vector, its ratio and a proved bound on all others."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from relaxspca.certificate import Certificate
from relaxspca.certificate.wording import subject_to
from relaxspca.errors import counted, in_line
from relaxspca.numerics.decimals import exact_decimal
from relaxspca.numerics.linalg import Array
from relaxspca.results.claims import recorded, variables_used
from relaxspca.results.digits import between
from relaxspca.results.loadings import Loadings
from relaxspca.results.printable import Printable
from relaxspca.results.sentences import claim, verdict
from relaxspca.results.status import NARROW, Status
from relaxspca.results.tables import Table


@dataclass(frozen=True, eq=False, repr=False)
class Generalized(Printable):
    r"""A sparse vector of large ratio x'Ax / x'Bx, and how far from the largest it can be.

    Attributes
    ----------
    k : int
        The cardinality asked for.
    names : tuple of n str
    loadings_array : (n,) array
        The vector x, with x'Bx = 1 up to rounding and its largest entry positive.
    lower, upper : float
        Proved bounds on the largest ratio over at most k variables; x attains `lower`, in exact arithmetic.
    status : Status
        "optimal", "within the gap", "time limit", "node limit", "interrupted" or "open".
    ridge : float
        What was added to the diagonal of B (in its unit).
    method : str
        Name of the method that proposed the support.
    node_count : int
        Nodes of all searches.
    steps : int
        Searches made, one for each mu.
    seconds : float
    certificate : Certificate or None
        The claim with its evidence, to be saved and verified; None where no bound is finite.
    meant : str
        The conditions on the supports in words, if there are any.

    Examples
    --------
    >>> import relaxspca as rs
    >>> found = rs.generalized([[4.0, 1.0], [1.0, 1.0]], [[2.0, 0.0], [0.0, 1.0]], 1)
    >>> print(found.statement)
    Largest ratio x'Ax / x'Bx with at most 1 of 2 variables: 2.00000 (rounded).
    This vector is optimal (relative gap 1.1e-9). Uniqueness not checked.
    Uses x0. Searched 0 nodes.
    """

    k: int
    names: tuple[str, ...]
    loadings_array: Array
    lower: float
    upper: float
    status: Status
    ridge: float
    method: str
    node_count: int
    steps: int
    seconds: float
    certificate: Certificate | None = None
    meant: str = ""

    _figure, _file = "plot_loadings", "ratio_k{0.k}"

    @property
    def gap(self) -> float:
        r"""Proved relative width, (upper - lower)/\|lower\|; 0 where the optimum is 0 up to rounding."""
        if self.upper == self.lower:
            return 0.0
        width = (self.upper - self.lower) / abs(self.lower) * (1 + 1e-15) if self.lower else math.inf
        # Called optimal at such a width, it is 0 beside the entries: no width is a fraction of that.
        return 0.0 if self.is_optimal and width > NARROW else width

    @property
    def is_optimal(self) -> bool:
        """Whether no other support is proved to do better by more than a relative 1e-6."""
        return self.status is Status.OPTIMAL

    @property
    def indices(self) -> tuple[int, ...]:
        """The variables used, 0-based."""
        return tuple(int(i) for i in np.flatnonzero(self.loadings_array))

    @property
    def support(self) -> tuple[str, ...]:
        """Names of the variables used."""
        return tuple(self.names[i] for i in self.indices)

    @property
    def loadings(self) -> Loadings:
        """Loadings by name, the largest first."""
        return Loadings(self.names, self.loadings_array)

    def to_records(self) -> list[dict[str, Any]]:
        """Return the result as one flat dict, in full precision; bounds are true when read as decimals too."""
        claim = {"k": self.k, **recorded(self.lower, self.upper), "gap": self.gap, "meant": self.meant}
        used = {"ridge": self.ridge, "status": str(self.status), **variables_used(self.support, self.indices)}
        work = {"node_count": self.node_count, "steps": self.steps, "seconds": self.seconds}
        return [claim | used | {"method": self.method} | work]

    def _statement(self) -> list[str]:
        what = f"Largest ratio x'Ax / x'Bx with at most {self.k} of {counted(len(self.names), 'variable')}"
        what += subject_to(self.meant)
        return [
            claim(what, between(self.lower, self.upper), self._added if self.ridge else ""),
            verdict(self.status, self.lower, self.upper, self.gap, of="This vector is", unit="ratio"),
            f"Uses {in_line(self.support)}. Searched {counted(self.node_count, 'node')}.",
        ]

    @property
    def _added(self) -> str:
        """What was added to B, in words."""
        return f"{exact_decimal(self.ridge)} added to the diagonal of B"

    def _tables(self) -> list[Table]:
        return [Table(("variable", "loading"), self.loadings.cells(), (1,))]
