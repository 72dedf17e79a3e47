"""Variables that a covariance leaves out but a claim about it must still cover: plain data."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

import numpy as np

from relaxspca.certificate.fields import NAMES, Declared, array, number
from relaxspca.certificate.values import Floats


@dataclass(frozen=True, eq=False)
class Eliminated(Declared):
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

    names: Annotated[tuple[str, ...], NAMES]
    variances: Annotated[Floats, array("names", least=0.0)]
    shift: Annotated[float, number(least=0.0)] = 0.0

    @property
    def count(self) -> int:
        """Number of eliminated variables."""
        return len(self.names)

    def largest(self, b: int) -> Floats:
        """Return the b largest variances, decreasing; all of them when there are fewer."""
        return np.sort(self.variances)[::-1][:b]
