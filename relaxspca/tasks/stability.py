"""How much a matrix may change before another support is better: radii that are proved, and rounding."""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np

from relaxspca.certificate import Certificate
from relaxspca.errors import InputError, in_line
from relaxspca.numerics.linalg import Array, Indices, eigenvalue_upper
from relaxspca.problem.arguments import check_limits
from relaxspca.problem.candidate import Candidate
from relaxspca.problem.checks import without_data_warnings
from relaxspca.problem.conditions import Conditions
from relaxspca.problem.covariance import Covariance
from relaxspca.problem.observations import whole_number
from relaxspca.problem.perturbation import Perturbations, overtaken
from relaxspca.results.near_optimal import NearOptimal
from relaxspca.results.result import Result
from relaxspca.results.stability import MEASURES, Stability
from relaxspca.results.status import Status
from relaxspca.runtime.deadline import Deadline
from relaxspca.runtime.progress import shows_progress
from relaxspca.search.limits import SearchLimits
from relaxspca.search.listing import list_supports

NEAR = 4.0  # times the distance to the second best: supports nearer than that are compared one by one
MOST = 200  # supports compared one by one


@shows_progress
def stability(
    source: Result | NearOptimal,
    *,
    decimals: int | None = None,
    fixed_diagonal: bool | None = None,
    time_limit: float | None = 300.0,
    verbose: bool | None = None,
) -> Stability:
    r"""Say how much the matrix may change before another support of k variables is better.

    .. math:: \lambda_{\max}((\Sigma+E)_{T^*T^*})\ \ge\ \lambda_{\max}((\Sigma+E)_{TT})
        \quad\text{for all } T\ne T^*,\ |T|=k,\ \|E\|\le r

    Parameters
    ----------
    source : Result of `solve` or NearOptimal
        A result without a list of others is searched again, for a sharp bound on the second best support.
    decimals : int, optional
        The fewest decimals that an entry was printed with: is the support optimal for *every* symmetric matrix
        whose entries differ by at most half a unit of that decimal? R prints some columns with more.
    fixed_diagonal : bool, optional
        Whether the diagonal is exact, as it is in a correlation matrix. By default it is if every entry
        of it is 1.
    time_limit : float, optional
        Seconds for the search. None is no limit.
    verbose : as in `relaxspca.solve`.

    Returns
    -------
    Stability
        Every radius is rounded down; 0 where nothing is proved.

    Raises
    ------
    InputError
        The result is of a penalty, of groups or signs, or of a matrix with eliminated variables.

    Notes
    -----
    With :math:`g=\text{lower}-\tau`, where every other support is at most :math:`\tau`, Weyl's inequality gives
    the radii g/2 for the spectral norm and :math:`g/(k+\|x\|_1^2)` for the entries. Supports near the best are
    compared one by one, which is sharper (`relaxspca.problem.perturbation`).

    Examples
    --------
    >>> import relaxspca as rs
    >>> found = stability(rs.solve(rs.datasets.load_pitprops(), 5), decimals=3)
    >>> found.is_optimal_as_printed, 0.047 < found.radius < 0.1
    (True, True)
    """
    if not isinstance(source, Result | NearOptimal):
        raise InputError(f"stability is of a Result or a NearOptimal, not of a {type(source).__name__}")
    check_limits(time_limit=time_limit)
    cov = _covariance(source.certificate)
    claim = source.certificate.claim
    k = None if claim.nonnegative or claim.one_of_each or claim.whole_groups else claim.k
    if k is None:
        raise InputError("stability is of any k variables, not of a penalty, groups or signs: solve with k")
    compared = _Compared.of(cov, k, source, Deadline.after(time_limit))
    radii = {measure: compared.radius(Perturbations(measure)) for measure in MEASURES}
    is_exact = bool((cov.diagonal == 1.0).all()) if fixed_diagonal is None else fixed_diagonal
    printed: dict[str, Any] = {}
    if decimals is not None:
        decimals = whole_number(decimals, "decimals", least=0, most=15)
        # The float differs from the decimal by a rounding, and the exact entry of A'A from the float.
        off = 8e-16 * max(float(np.abs(cov.matrix).max()), 1.0) + cov.rounding()
        half = (0.5 * 10.0**-decimals + off) * (1 + 1e-15)
        ball = Perturbations("off-diagonal" if is_exact else "entries")
        answer, reason, changed = _answer(compared, half, decimals, ball)
        printed = {"is_optimal_as_printed": answer, "reason": reason, "counterexample": changed}
        printed["bounds"] = _bounds(compared, half, ball)
    return Stability(
        support=compared.best.support,
        k=k,
        lower=compared.listed.lower,
        runner_up=compared.listed.runner_up,
        radii=radii,
        certificate=compared.listed.certificate,
        status=compared.status,
        decimals=decimals,
        **printed,
    )


def _covariance(certificate: Certificate) -> Covariance:
    """Return the covariance that a certificate speaks of."""
    if certificate.eliminated is not None:
        raise InputError(
            "variables were eliminated, and the certificate lacks their entries: near_optimal(cov, k) takes "
            "the covariance, and stability what that returns"
        )
    with without_data_warnings():  # it was given when the covariance was made
        if certificate.matrix is not None:
            cov = Covariance(np.array(certificate.matrix), names=certificate.names)
        else:
            cov = Covariance.from_factor(np.array(certificate.factor), names=certificate.names)
    return cov._with(description=certificate.description)  # the same matrix has the same digest


@dataclass(frozen=True, eq=False)
class _Compared:
    """A component, the supports listed with it, and what all others are proved not to exceed."""

    cov: Covariance
    listed: NearOptimal
    status: Status

    @classmethod
    def of(cls, cov: Covariance, k: int, source: Result | NearOptimal, deadline: Deadline) -> _Compared:
        if isinstance(source, NearOptimal):
            return cls(cov, source, source.status)
        certificate = source.certificate
        conditions = Conditions(tuple(certificate.include.tolist()), tuple(certificate.exclude.tolist()))
        options: dict[str, Any] = {"conditions": conditions, "limits": SearchLimits(deadline)}
        found = list_supports(cov, k, source.candidate, within=None, **options)
        gap, lower, status = found.lower - found.upper, abs(found.lower), found.status
        if gap > 0 and math.isfinite(gap) and lower > 0 and not deadline.is_over:
            within = NEAR * gap / lower
            more = list_supports(cov, k, found.candidates[0], within=within, longest=MOST, **options)
            status = more.status
            if more.upper < found.upper:
                found = more
        return cls(cov, found, status)

    @property
    def best(self) -> Candidate:
        return self.listed.candidates[0]

    def holds(self, ball: Perturbations, r: float) -> bool:
        """Say whether the best support is proved to stay best for every change of size r."""
        if self.is_untouched(ball):
            return True
        lower, k, x = self.listed.lower, self.listed.k, self.best.loadings[self.best.indices]
        if not (math.isfinite(r) and ball.keeps_below(r, lower, self.listed.upper, x, k)):
            return False
        pairs = zip(self.listed.candidates[1:], self.listed.values[1:], strict=True)
        return all(
            ball.keeps_below(r, lower, high, x, k) or self._pair_holds(ball, r, other.indices)
            for other, (_, high) in pairs
        )

    def is_untouched(self, ball: Perturbations) -> bool:
        """Say whether no such change touches what any support explains: one variable, and its variance kept."""
        if self.listed.k != 1 or ball.measure != "off-diagonal" or self.cov.is_factored:
            return False
        allowed = np.setdiff1d(np.arange(self.cov.n), self.listed.certificate.exclude)
        return bool(self.cov.diagonal[self.best.indices[0]] >= self.cov.diagonal[allowed].max())

    def _pair_holds(self, ball: Perturbations, r: float, T: Indices) -> bool:
        size, x = len(np.union1d(T, self.best.indices)), self.best.loadings[T]
        return ball.keeps_pair(r, self.listed.lower, self.cov.submatrix(T), self.cov.rounding(T), x, size)

    def radius(self, ball: Perturbations) -> float:
        """Return a size that is proved, as large as bisection finds it; it holds for every smaller size too."""
        if self.listed.runner_up == -math.inf or self.is_untouched(ball):
            return math.inf
        gap = Fraction(self.listed.lower) - Fraction(self.listed.runner_up)
        change = ball.on_support(self.listed.k) + ball.on_vector(self.best.loadings[self.best.indices])
        if gap <= 0:
            return 0.0
        if change == 0:
            return math.inf
        low = float(gap / change) * (1 - 1e-12)
        if low == 0 or not self.holds(ball, low):  # twice 0 is no larger
            return 0.0
        while self.holds(ball, 2 * low):
            low *= 2
        high = 2 * low
        for _ in range(12):
            middle = (low + high) / 2
            low, high = (middle, high) if self.holds(ball, middle) else (low, middle)
        return low


def _bounds(compared: _Compared, half: float, ball: Perturbations) -> tuple[float, float]:
    """Return bounds on the optimum of every matrix whose entries differ by at most half a unit."""
    x, upper = compared.best.loadings[compared.best.indices], compared.listed.certificate.upper
    low = float(Fraction(compared.listed.lower) - Fraction(half) * ball.on_vector(x))
    high = float(Fraction(upper) + Fraction(half) * ball.on_support(compared.listed.k))
    return math.nextafter(low, -math.inf), math.nextafter(high, math.inf)


def _answer(
    compared: _Compared, half: float, decimals: int, ball: Perturbations
) -> tuple[bool | None, str, Array | None]:
    """Prove that rounding changes nothing, or find a matrix for which it does; return which, why and that."""
    what = "no entry" if ball.measure == "entries" else "no off-diagonal entry"
    if compared.holds(ball, half):
        return True, f"proved: {what} differs by more than {half:.3g}", None
    if compared.listed.lower <= compared.listed.runner_up:
        if compared.status in (Status.TIME_LIMIT, Status.INTERRUPTED):
            return None, "the search was stopped before it excluded all other sets of variables", None
        return None, "another set of variables explains as much, to a relative 1e-9", None
    for other in compared.listed.candidates[1:]:
        # As much less than half a unit as `half` is more; that the matrix rounds back is checked.
        E = overtaken(compared.cov.matrix, compared.best, other, ball, (10.0**-decimals - half) * (1 - 1e-6))
        changed = None if E is None else compared.cov.matrix + E
        if changed is not None and _rounds_to(changed, compared.cov.matrix, decimals):
            with without_data_warnings():
                rounded = Covariance(changed, compared.cov.names)
            beaten = Candidate.from_support(rounded, other.indices)
            if beaten.proved_value(rounded) > eigenvalue_upper(rounded.submatrix(compared.best.indices)):
                return False, f"there is one for which {in_line(other.support)} explains more", changed
    return None, "the second best is too near for a proof, and no such matrix was found", None


def _rounds_to(changed: Array, printed: Array, decimals: int) -> bool:
    """Say whether every entry is nearer than half a unit to the decimal that was read, exactly."""
    half = Fraction(1, 2 * 10**decimals)
    pairs = zip(changed.ravel().tolist(), printed.ravel().tolist(), strict=True)
    return all(abs(Fraction(new) - Fraction(str(old))) < half for new, old in pairs)
