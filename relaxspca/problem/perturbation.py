r"""Sufficient conditions for a support to stay optimal when the matrix is perturbed, valid with rounding.

Let x, a unit vector on T*, attain at least `lower`, let E be a symmetric change and T another support. For
every unit y on T

.. math:: y'(\Sigma+E)y-x'(\Sigma+E)x\ \le\ y'\Sigma y-\text{lower}+\langle E,\,yy'-xx'\rangle .

*Everything (Weyl).* :math:`\langle E,yy'\rangle\le e_T` and :math:`-\langle E,xx'\rangle\le e_x`: if
:math:`\lambda_{\max}(\Sigma_{TT})+e_T+e_x\le\text{lower}`, T does not overtake T*.

*A pair.* :math:`\langle E,yy'-xx'\rangle\le\kappa\sqrt{1-(x'y)^2}\le a(1-(x'y)^2)+\kappa^2/4a` for every a > 0,
so :math:`\lambda_{\max}(\Sigma_{TT}-a\,x_Tx_T')+a+\kappa^2/4a\le\text{lower}` is enough. It is sharper where
the two vectors are near each other, as they are for supports that differ in a variable of small loading.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING

import numpy as np

from relaxspca.numerics.linalg import (
    SMALLEST_DENORMAL,
    UNIT_ROUNDOFF,
    Array,
    eigenvalue_upper,
    leading_eigenpair,
    norm_upper,
    spread,
)

if TYPE_CHECKING:
    from relaxspca.problem.candidate import Candidate


@dataclass(frozen=True)
class Perturbations:
    r"""Symmetric perturbations E of size at most r in one of three norms.

    The measure "spectral" is :math:`\|E\|_2\le r`; "entries": all :math:`|E_{ij}|\le r`; "off-diagonal": the
    same, and the diagonal does not change.

    Examples
    --------
    >>> x = np.array([0.6, 0.8])
    >>> [float(Perturbations(m).on_vector(x)) for m in ("spectral", "entries", "off-diagonal")]
    [1.0, 1.96, 0.96]
    """

    measure: str

    def on_support(self, k: int) -> int:
        r"""Return e with :math:`\lambda_{\max}(E_{TT})\le er` for every support of k variables."""
        return {"spectral": 1, "entries": k, "off-diagonal": k - 1}[self.measure]

    def on_vector(self, x: Array) -> Fraction:
        r"""Return e with :math:`|x'Ex|\le er\,x'x`, exactly, for floats x that need not be of length one."""
        entries = [abs(Fraction(float(value))) for value in x]
        squares = sum((value * value for value in entries), Fraction(0))
        ratio = sum(entries, Fraction(0)) ** 2 / squares
        return {"spectral": Fraction(1), "entries": ratio, "off-diagonal": ratio - 1}[self.measure]

    def keeps_below(self, r: float, lower: float, upper: float, x: Array, k: int) -> bool:
        """Say whether every support of value at most `upper` stays below x (Weyl), in exact arithmetic."""
        if upper == -math.inf:
            return True
        change = Fraction(r) * (self.on_support(k) + self.on_vector(x))
        return Fraction(upper) + change <= Fraction(lower)

    def keeps_pair(
        self, r: float, lower: float, block: Array, rounding: float, x_there: Array, size: int
    ) -> bool:
        r"""Say whether one support is proved to stay below a unit vector x; a few values of a are tried.

        The changes are of size r, the variance of x is at least `lower`, its entries there are `x_there`;
        `block` is Sigma on the support up to `rounding`, and `size` counts the variables of both supports
        together.

        With :math:`Z=yy'-xx'`, of nuclear norm :math:`2\sqrt{1-(x'y)^2}` and Frobenius norm
        :math:`\sqrt2` times that root: :math:`\langle E,Z\rangle` is at most :math:`\|E\|_2\|Z\|_*`, and
        at most the largest entry of E times the sum of :math:`|Z_{ij}|` over so many entries: that is
        :math:`\kappa`, rounded upwards.
        """
        count = {"spectral": 2, "entries": size**2, "off-diagonal": size * (size - 1)}[self.measure]
        kappa = math.sqrt(2 * count) * (1 + 4 * UNIT_ROUNDOFF) * r * (1 + 4 * UNIT_ROUNDOFF)
        if kappa == 0:
            return eigenvalue_upper(block, rounding) <= lower
        outside = max(1 - float(x_there @ x_there), 0.0)
        for factor in (1.0, 2.0, 0.5, 8.0, 64.0):
            # The best a balances a (1 - |x_T|^2) with kappa^2 / 4a.
            a = factor * kappa / (2 * math.sqrt(outside + 1e-6))
            M = block - a * np.outer(x_there, x_there)
            error = 8 * (len(x_there) + 8) * UNIT_ROUNDOFF * (norm_upper(block) + a)
            # Not the square of kappa: that is 0 where kappa is tiny, and infinite where it is large.
            charge = (a + kappa / (4 * a) * kappa) * (1 + 8 * UNIT_ROUNDOFF) + 16 * SMALLEST_DENORMAL
            bound = eigenvalue_upper(M, rounding + error)
            if math.isfinite(bound) and Fraction(bound) + Fraction(charge) <= Fraction(lower):
                return True
        return False

    def worst(self, r: float, x: Array, y: Array) -> Array:
        """Return the perturbation E of size r that maximises y'Ey - x'Ex."""
        Z = np.outer(y, y) - np.outer(x, x)
        if self.measure == "spectral":
            values, V = np.linalg.eigh(Z)
            return np.asarray(r * (V * np.sign(np.where(np.abs(values) > 1e-12, values, 0.0))) @ V.T)
        E = r * np.sign(Z)
        if self.measure == "off-diagonal":
            np.fill_diagonal(E, 0.0)
        return np.asarray(E)


def overtaken(Sigma: Array, best: Candidate, other: Candidate, ball: Perturbations, r: float) -> Array | None:
    """Return a perturbation of size r after which `other` explains more than `best`; None if none is found."""
    x, mine, T = best.loadings, best.indices, other.indices
    y = spread(leading_eigenpair(Sigma[np.ix_(T, T)])[1], T, len(x))
    for _ in range(30):
        y = -y if y @ x < 0 else y
        E = ball.worst(r, x, y)
        value, vector = leading_eigenpair((Sigma + E)[np.ix_(T, T)])
        y = spread(vector, T, len(x))
        if value > leading_eigenpair((Sigma + E)[np.ix_(mine, mine)])[0] * (1 + 1e-9):
            return E
    return None
