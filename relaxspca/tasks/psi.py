"""The relaxation psi at one penalty: a proved bound on the penalised problem and on every cardinality."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from relaxspca.problem.arguments import as_covariance, check_limits, checked_penalty
from relaxspca.problem.covariance import Covariance
from relaxspca.problem.scaling import EXTREME, normalised, penalty_times, point_times, upper_times
from relaxspca.relaxations.psi.formula import psi_point, upper_bound
from relaxspca.results.bound import Bound
from relaxspca.results.claims import matrix_words
from relaxspca.runtime.deadline import Deadline


def psi(cov: Covariance, rho: float, *, tol: float = 1e-6, time_limit: float | None = None) -> Bound:
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
        Seconds; the Newton step under way is given up, and the best point by then is proved: this and the first
        point take up to a second among thousands of variables.

    Returns
    -------
    Bound

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
    cov = as_covariance(cov)
    rho = checked_penalty(rho)
    check_limits(tol=tol, time_limit=time_limit)
    cov.check_complete("psi")
    scaled, q = normalised(cov, beyond=EXTREME)
    penalty = penalty_times(rho, -q)
    solution = minimise(scaled.factor, penalty, tol=tol, time_limit=time_limit)
    point = psi_point(scaled, np.arange(cov.n), penalty, solution.vectors)
    accuracy = (solution.value - solution.lower) / solution.lower if solution.lower > 0 else 0.0
    upper = upper_times(max(upper_bound(scaled, point, 0), 0.0), q)
    found = Bound(None, upper, "psi", point_times(point, q), rho=rho, seconds=clock.elapsed)
    return replace(found.after(), matrix=matrix_words(cov), accuracy=accuracy)
