"""Variables that a covariance leaves out but a claim about it must still cover: plain data."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from relaxspca.errors import CertificateError

__all__ = ["Eliminated"]


@dataclass(frozen=True, eq=False)
class Eliminated:
    r"""Variables outside a covariance of which only the variances are known.

    A claim that carries them speaks of *every* symmetric matrix :math:`\Sigma\succeq-\text{shift}\,I` over all
    variables that has the given block on those kept and these variances on those left out.

    Parameters
    ----------
    names : tuple of e str
    variances : (e,)
        At least 0.
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
        names = tuple(self.names)
        variances = np.array(self.variances, dtype=np.float64)
        if variances.shape != (len(names),) or not all(isinstance(name, str) for name in names):
            raise CertificateError(f"eliminated variables need as many variances as names, {len(names)}")
        if not (np.isfinite(variances).all() and (variances >= 0).all()):
            raise CertificateError("the variances of eliminated variables must be finite and at least 0")
        shift = float(self.shift)
        if not (math.isfinite(shift) and shift >= 0):
            raise CertificateError(f"shift is {shift!r}, but it must be finite and at least 0")
        variances.flags.writeable = False
        object.__setattr__(self, "names", names)
        object.__setattr__(self, "variances", variances)
        object.__setattr__(self, "shift", shift)

    @property
    def count(self) -> int:
        """Number of eliminated variables."""
        return len(self.names)

    def largest(self, b: int) -> NDArray[np.float64]:
        """Return the b largest variances, decreasing; all of them when there are fewer."""
        return np.sort(self.variances)[::-1][:b]
