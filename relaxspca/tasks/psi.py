"""The relaxation psi at one penalty: a proved bound on the penalised problem and on every cardinality."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from relaxspca.certificate.evidence import PsiPoint
from relaxspca.numerics.decimals import decimal_above, exact_decimal, rounded_up
from relaxspca.numerics.linalg import Array
from relaxspca.problem.arguments import check_covariance
from relaxspca.problem.covariance import Covariance
from relaxspca.problem.limits import check_limits, checked_penalty
from relaxspca.problem.scaling import EXTREME, normalised, point_times, price_times, upper_times
from relaxspca.relaxations.psi.formula import price_line, psi_point, upper_bound
from relaxspca.results.claims import matrix_words, recorded
from relaxspca.results.shown import Shown, Table
from relaxspca.runtime.deadline import Deadline

__all__ = ["PsiBound", "psi"]


@dataclass(frozen=True, eq=False, repr=False)
class PsiBound(Shown):
    r"""A dual point of psi(rho) and what it proves.

    Attributes
    ----------
    rho : float
        Penalty of a variable (variance).
    upper : float
        Proved upper bound on :math:`\phi(\rho)`, and on psi(rho) of Sigma (variance).
    accuracy : float
        Relative accuracy to which `upper` is psi(rho), by weak duality, in floating point.
    dual : PsiPoint
        The dual vectors.
    X : (r, r) array
        The primal matrix, for `relaxspca.candidates.rounding`.
    n : int
        Number of variables.
    matrix : str
        Which matrix it speaks of.
    seconds : float
        Wall-clock time.
    """

    rho: float
    upper: float
    accuracy: float
    dual: PsiPoint
    X: Array
    n: int
    matrix: str
    seconds: float

    _figure = "plot_price_line"

    def bound(self, k: int) -> float:
        r"""Return the proved bound :math:`v_k\le` upper + rho k."""
        return price_line(self.upper, self.rho, k)

    def to_records(self) -> list[dict[str, Any]]:
        """Return one dict a cardinality: the bound that this point proves for it."""
        return [
            {"rho": self.rho, "k": k, "upper": decimal_above(self.bound(k)), "accuracy": self.accuracy}
            for k in range(1, self.n + 1)
        ]

    def _statement(self) -> list[str]:
        rho = exact_decimal(self.rho)
        upper = recorded(self.upper, self.upper, self.rho, self.n)["upper"]
        return [
            f"phi({rho}) <= {rounded_up(upper, 12)} for {self.matrix}",
            f"by a dual point of psi({rho}), which is about a relative {self.accuracy:.0e} from the best one",
            f"v_k <= {rounded_up(upper, 12)} + {rho} k for every cardinality k",
        ]

    def _paper_tables(self) -> list[Table]:
        rows = [[str(k), rounded_up(self.bound(k))] for k in range(1, self.n + 1)]
        return [Table(("k", "upper"), rows, (0, 1))]


def psi(cov: Covariance, rho: float, *, tol: float = 1e-6, time_limit: float | None = None) -> PsiBound:
    r"""Compute the relaxation psi(rho) of the penalised problem.

    .. math:: \psi(\rho)=\max_{X\succeq0,\,\mathrm{tr}X=1}\sum_i\mathrm{Tr}(X^{1/2}(a_ia_i'-\rho I)X^{1/2})_+
        \ \ge\ \max_{\|x\|\le1}\ x'\Sigma x-\rho\operatorname{Card}(x).

    Parameters
    ----------
    cov : Covariance of n variables.
    rho : float
        Penalty of a variable, at least 0 (variance).
    tol : float
        Relative accuracy asked of the solver; the bound is proved whatever it achieves.
    time_limit : float, optional
        Seconds.

    Returns
    -------
    PsiBound

    Raises
    ------
    InputError
        `rho` is negative or not a number, or variables were eliminated.

    References
    ----------
    .. [1] A. d'Aspremont, F. Bach and L. El Ghaoui, Optimal solutions for sparse principal component
       analysis, Journal of Machine Learning Research 9:1269-1294, 2008, section 3.

    Examples
    --------
    >>> import relaxspca as rs
    >>> cov = rs.datasets.load_pitprops()
    >>> at = psi(cov, 0.2)
    >>> round(at.upper, 4), round(at.bound(7), 4)
    (2.6011, 4.0011)
    """
    from relaxspca.relaxations.psi.minimise import minimise

    clock = Deadline.after(None)
    check_covariance(cov)
    rho = checked_penalty(rho)
    check_limits(tol=tol, time_limit=time_limit)
    cov.check_complete("psi")
    scaled, q = normalised(cov, beyond=EXTREME)
    price = price_times(rho, -q)
    solution = minimise(scaled.factor, price, tol=tol, time_limit=time_limit)
    point = psi_point(scaled, np.arange(cov.n), price, solution.vectors)
    accuracy = (solution.value - solution.lower) / solution.lower if solution.lower > 0 else 0.0
    upper = upper_times(max(upper_bound(scaled, point, 0), 0.0), q)
    spent = clock.elapsed
    return PsiBound(rho, upper, accuracy, point_times(point, q), solution.X, cov.n, matrix_words(cov), spent)
