"""What `stability` returns: how much the matrix may change before another support is better."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from relaxspca.certificate import Certificate
from relaxspca.errors import counted, in_line
from relaxspca.numerics.decimals import rounded, rounded_down
from relaxspca.numerics.linalg import Array
from relaxspca.numerics.percent import brief_up, decimal_above, decimal_below
from relaxspca.results.claims import about_matrix, block_of
from relaxspca.results.digits import at_least, at_most
from relaxspca.results.printable import Printable
from relaxspca.results.status import Status
from relaxspca.results.tables import Table

MEASURES = {
    "spectral": "spectral norm (largest eigenvalue in modulus)",
    "entries": "largest entry in modulus",
    "off-diagonal": "largest entry in modulus, diagonal unchanged",
}
UNSAFE = "No perturbation is proved safe: another set of variables may attain as much."


def sampling_error(certificate: Certificate) -> float | None:
    r"""Return the median standard error of the entries between the variables of a component; None if unknown.

    For normal data it is :math:`\sqrt{(\sigma_{ii}\sigma_{jj}+\sigma_{ij}^2)/m}`, of a correlation
    :math:`(1-\rho_{ij}^2)/\sqrt m`.
    """
    description, block = certificate.description, block_of(certificate, certificate.indices)[0]
    if not description.observations or description.deflation is not None or len(block) < 2:
        return None
    pairs = np.triu_indices(len(block), 1)
    entries, variances = block[pairs], np.diag(block)
    if description.kind == "correlation":
        errors = 1 - entries**2
    else:
        errors = np.sqrt(variances[pairs[0]] * variances[pairs[1]] + entries**2)
    return float(np.median(errors)) / math.sqrt(description.observations)


@dataclass(frozen=True, eq=False, repr=False)
class Stability(Printable):
    """How much a matrix may change before another support of k variables is better, with proof.

    Attributes
    ----------
    support : tuple of str
        The variables of the component.
    k : int
    lower : float
        Proved variance of the support.
    runner_up : float
        Upper bound on all other supports of k variables (variance); minus infinity where there is none.
    radii : dict of float
        For each measure of a change E, a size up to which the support stays optimal, whatever E is: "spectral"
        (the spectral norm), "entries" (all entries), "off-diagonal" (all entries, with a zero diagonal). 0
        where no size is proved.
    decimals : int or None
        The fewest decimals of a printed entry, when they were asked about.
    is_optimal_as_printed : bool or None
        Whether the support is optimal for every matrix equal to this one up to rounding: proved, refuted by
        `counterexample`, or, None, neither (or not asked).
    reason : str
        Why, in words.
    bounds : (float, float) or None
        Bounds on the optimum of every such matrix (variance).
    counterexample : array or None
        Such a matrix, symmetric, for which another support is proved better.
    certificate : Certificate
        Of the bound on all other supports, which the radii follow from.
    status : Status
        "complete", or what stopped the search for other supports.
    """

    support: tuple[str, ...]
    k: int
    lower: float
    runner_up: float
    radii: dict[str, float]
    certificate: Certificate
    status: Status
    decimals: int | None = None
    is_optimal_as_printed: bool | None = None
    reason: str = ""
    bounds: tuple[float, float] | None = None
    counterexample: Array | None = None

    _figure, _file = "plot_radii", "others_k{0.k}"

    @property
    def radius(self) -> float:
        """Spectral norm of a change up to which the support stays optimal (variance)."""
        return self.radii["spectral"]

    def to_records(self) -> list[dict[str, Any]]:
        """Return a dict for each measure, in full precision; bounds are true when read as decimals too."""
        bounds = {"lower": decimal_below(self.lower), "runner_up": decimal_above(self.runner_up)}
        claim = {"k": self.k, "support": in_line(self.support, "; "), **bounds}
        return [
            claim | {"measure": name, "radius": decimal_below(radius)} for name, radius in self.radii.items()
        ]

    def _statement(self) -> list[str]:
        names, about = in_line(self.support), about_matrix(self.certificate)
        if self.runner_up == -math.inf:
            return [f"There is no other set of variables than {names}, whatever the entries are ({about})."]
        safe = (
            "The same variables remain optimal for any perturbation of the matrix with spectral norm up to "
            f"{rounded_down(self.radius, 3)} (possibly tied)."
        )
        lines = [
            f"{names}: variance at least {at_least(self.lower)}; any other set of "
            f"{counted(self.k, 'variable')} at most {at_most(self.runner_up)} ({about}).",
            safe if self.radius > 0 else UNSAFE,
        ]
        if self.status in (Status.TIME_LIMIT, Status.INTERRUPTED):
            lines.append(f"The search was {self.status.how}: a longer one may prove more.")
        if self.decimals is not None:
            answer = {True: "yes", False: "no", None: "not decided"}[self.is_optimal_as_printed]
            what = f"every matrix equal to this one up to rounding at {self.decimals} decimals"
            lines.append(f"Optimal for {what}: {answer}, {self.reason}.")
        if self.bounds is not None:
            low, high = self.bounds
            lines.append(f"The optimum of each of them is from {at_least(low)} to {at_most(high)}.")
        return lines + self._sampling()

    def _sampling(self) -> list[str]:
        """Say how large the sampling error of an entry is beside the change that is proved safe."""
        found, count = sampling_error(self.certificate), self.certificate.description.observations
        if found is None:
            return []
        is_correlation = self.certificate.description.kind == "correlation"  # these keep the diagonal
        what, safe = ("correlation", "off-diagonal") if is_correlation else ("covariance", "entries")
        ratio = found / self.radii[safe] if self.radii[safe] > 0 else 0.0
        times = f", {brief_up(ratio)} times the proved change of an entry" if ratio > 1 else ""
        return [
            f"Sampling error is another matter: with {count} observations, a {what} of these variables has "
            f"a standard error of about {rounded(found, 2)} (normal data){times}. See bootstrap."
        ]

    def _tables(self) -> list[Table]:
        rows = [[MEASURES[name], rounded_down(radius, 3)] for name, radius in self.radii.items()]
        return [Table(("size of a perturbation", "safe up to"), rows, (1,))]
