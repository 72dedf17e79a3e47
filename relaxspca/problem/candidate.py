"""A candidate: a sparse unit vector with its support, its variance and the method that proposed it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from relaxspca.errors import InputError, Paragraph, counted
from relaxspca.numerics.decimals import rounded
from relaxspca.numerics.linalg import (
    SMALLEST_DENORMAL,
    UNIT_ROUNDOFF,
    Array,
    as_array,
    leading_eigenpair,
    oriented,
    spread,
)
from relaxspca.problem.conditions import positions, selected

if TYPE_CHECKING:
    from relaxspca.problem.covariance import Covariance


@dataclass(frozen=True, eq=False, repr=False)
class Candidate(Paragraph):
    r"""A feasible point of :math:`\max\{x'\Sigma x : \|x\|=1,\ \mathrm{Card}(x)\le k\}`.

    Attributes
    ----------
    indices : (k,) sorted int array
        The variables used, 0-based.
    loadings : (n,) array
        Unit vector, zero off the support; its largest entry in modulus is positive.
    value : float
        Explained variance :math:`x'\Sigma x`, in the unit of Sigma; a lower bound on the optimum.
    method : str
        Name of the method that proposed it.
    names : tuple of n str
        The names of all variables.

    Examples
    --------
    >>> import relaxspca as rs
    >>> c = rs.Candidate.from_support(rs.datasets.load_pitprops(), [0, 1])
    >>> round(c.value, 12), c.indices.tolist(), c.support
    (1.954, [0, 1], ('topdiam', 'length'))
    """

    indices: npt.NDArray[np.int64]
    loadings: Array
    value: float
    method: str
    names: tuple[str, ...]

    @classmethod
    def from_support(cls, cov: Covariance, support: Iterable[Any], *, method: str = "support") -> Candidate:
        """Return the best loadings on a support: the leading eigenvector of its block of Sigma.

        Parameters
        ----------
        cov : Covariance of n variables.
        support : distinct variables, by position, by name or as n booleans.
        method : str, recorded in the result.

        Returns
        -------
        Candidate

        Raises
        ------
        InputError
            The support is empty, repeats a variable or has one that there is not.
        """
        indices = np.sort(selected(support, cov.names))
        value, vector = leading_eigenpair(cov.submatrix(indices))
        indices.flags.writeable = False
        return cls(indices, as_array(spread(vector, indices, cov.n)), value, method, cov.names)

    @classmethod
    def from_loadings(cls, cov: Covariance, loadings: Array, *, method: str = "loadings") -> Candidate:
        """Return loadings scaled to unit length, with the sign convention; the support is their nonzeros.

        Parameters
        ----------
        cov : Covariance of n variables.
        loadings : (n,) array, of any length.
        method : str, recorded in the result.

        Returns
        -------
        Candidate

        Raises
        ------
        InputError
            The loadings have the wrong length, are not finite or are all zero.
        """
        vector = np.asarray(loadings, dtype=np.float64).ravel()
        if vector.shape != (cov.n,):
            raise InputError(f"{counted(vector.size, 'loading')} given for {counted(cov.n, 'variable')}")
        if not np.isfinite(vector).all():
            raise InputError(f"loadings contain {vector[~np.isfinite(vector)][0]}: every entry must be finite")
        size = np.abs(vector).max()
        if size == 0:
            raise InputError(
                "loadings are all zero: give at least one nonzero entry, or leave the component out"
            )
        vector = vector / size
        vector = oriented(vector / np.linalg.norm(vector))
        indices = np.flatnonzero(vector)
        block = vector[indices]
        value = float(block @ cov.submatrix(indices) @ block)
        indices.flags.writeable = False
        return cls(indices, as_array(vector), value, method, cov.names)

    @classmethod
    def empty(cls, cov: Covariance) -> Candidate:
        """Return the empty component, of value 0: the optimum if no variable is worth its penalty."""
        return cls(np.zeros(0, dtype=np.int64), as_array(np.zeros(cov.n)), 0.0, "no variable", cov.names)

    def proved_value(self, cov: Covariance) -> float:
        """Return a proved lower bound on the variance of the loadings: x'Sigma x / x'x rounded downwards."""
        if self.indices.size == 0:
            return 0.0
        value, error = quotient(self.loadings[self.indices], cov.submatrix(self.indices))
        return value - error - cov.rounding(self.indices)

    def __repr__(self) -> str:
        pairs = ", ".join(f"{self.names[i]}: {self.loadings[i]:.4g}" for i in self.indices)
        return f"Candidate: variance {rounded(self.value, 10)} by {self.method}, loadings {{{pairs}}}"

    @property
    def k(self) -> int:
        """Number of variables used."""
        return int(self.indices.size)

    @property
    def support(self) -> tuple[str, ...]:
        """Names of the variables used, in the order of `indices`."""
        return tuple(self.names[i] for i in self.indices)


def quotient(x: Array, block: Array) -> tuple[float, float]:
    """Return x'Bx / x'x in floats, and a bound on its rounding error, for k loadings and a block B of Sigma."""
    length = float(x @ x)
    # Two inner products of length k on either side of the quotient.
    error = 16 * (x.size + 8) * UNIT_ROUNDOFF * float(np.abs(x) @ np.abs(block) @ np.abs(x)) / length
    if block.any():  # every product, sum and quotient of tiny numbers is off by the least one at most
        error += 8 * (x.size + 1) ** 2 * SMALLEST_DENORMAL
    return float(x @ block @ x) / length, error


def embedded(found: Candidate, names: Sequence[str], among: Sequence[str]) -> Candidate:
    """Return a component on the variables `names` as one on `among`, which contains its support."""
    indices = positions([names[i] for i in found.indices], among)
    loadings = spread(found.loadings[found.indices], indices, len(among))
    order = np.sort(indices)
    order.flags.writeable = False
    return Candidate(order, as_array(loadings), found.value, found.method, tuple(among))
