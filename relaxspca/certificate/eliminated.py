"""Variables that a covariance leaves out but a claim about it must still cover: plain data."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from relaxspca.certificate.values import checked_array, checked_names, checked_number, require, set_field

__all__ = ["Eliminated"]


@dataclass(frozen=True, eq=False)
class Eliminated:
    r"""Variables outside a covariance of which only the variances are known.

    A claim that carries them speaks of *every* symmetric matrix :math:`\Sigma\succeq-\text{shift}\,I` over all
    variables that has the given block on those kept and at most these variances on those left out.

    Parameters
    ----------
    names : tuple of e str
    variances : (e,)
        Upper bounds on their variances, at least 0.
    shift : float
        How far the smallest eigenvalue may lie below 0: a bound on the rounding of the block, at least 0.

    Raises
    ------
    CertificateError
        Lengths do not agree, or a number is negative or not finite.

    Examples
    --------
    >>> Eliminated(("of", "and"), np.array([0.3, 0.2])).largest(3)
    array([0.3, 0.2])
    """

    names: tuple[str, ...]
    variances: NDArray[np.float64]
    shift: float = 0.0

    def __post_init__(self) -> None:
        names = checked_names("names of eliminated variables", self.names)
        variances = checked_array("the variances of eliminated variables", self.variances, (len(names),))
        require(bool((variances >= 0).all()), "the variances of eliminated variables must be at least 0")
        set_field(self, "names", names)
        set_field(self, "variances", variances)
        set_field(self, "shift", checked_number("shift", self.shift, least=0.0))

    @property
    def count(self) -> int:
        """Number of eliminated variables."""
        return len(self.names)

    def largest(self, b: int) -> NDArray[np.float64]:
        """Return the b largest variances, decreasing; all of them when there are fewer."""
        return np.sort(self.variances)[::-1][:b]
