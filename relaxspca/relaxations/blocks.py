r"""Split a covariance into nearly uncorrelated blocks, and bound each block alone.

Let the graph of all pairs with :math:`|\Sigma_{ij}|>\epsilon` have the connected components
:math:`C_1,C_2,\ldots`, and let :math:`\epsilon'` be the largest :math:`|\Sigma_{ij}|` between two of
them. Then

.. math:: v_k(\Sigma)\ \le\ \max_b\ v_{\min(k,|C_b|)}(\Sigma_{C_bC_b})+(k-1)\,\epsilon'.

*Proof.* On a support T of k variables :math:`\Sigma_{TT}` is a block-diagonal matrix, whose largest
eigenvalue is that of one block, plus a matrix with entries of at most :math:`\epsilon'` in modulus and a zero
diagonal, whose spectral norm is at most its largest row sum :math:`(k-1)\epsilon'`. With :math:`\epsilon'=0`
the split is exact.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from relaxspca.errors import InputError
from relaxspca.numerics.linalg import round_up
from relaxspca.problem.covariance import Covariance
from relaxspca.relaxations import spectral

__all__ = ["BlockSplit", "split_blocks", "upper_bound"]


@dataclass(frozen=True, eq=False)
class BlockSplit:
    """Blocks of variables, and the largest covariance in modulus between two blocks (variance)."""

    blocks: tuple[npt.NDArray[np.int64], ...]
    between: float


def split_blocks(cov: Covariance, threshold: float = 0.0) -> BlockSplit:
    """Return the connected components of the graph of pairs with |covariance| above a threshold.

    Parameters
    ----------
    cov : Covariance of n variables.
    threshold : at least 0 (variance).

    Examples
    --------
    >>> cov = Covariance([[2.0, 1.0, 0.1], [1.0, 2.0, 0.0], [0.1, 0.0, 1.0]])
    >>> found = split_blocks(cov, 0.5)
    >>> [block.tolist() for block in found.blocks], found.between
    ([[0, 1], [2]], 0.1)
    """
    from scipy.sparse import csr_array
    from scipy.sparse.csgraph import connected_components

    if not threshold >= 0:
        raise InputError(f"threshold must be a number of at least 0, not {threshold!r}")
    sizes = np.abs(cov.matrix)
    count, label = connected_components(csr_array((sizes > threshold).astype(float)), directed=False)
    outside = sizes[label[:, None] != label[None, :]]
    between = float(outside.max(initial=0.0))
    if cov.is_factored:
        between = round_up(between + cov.rounding())
    return BlockSplit(tuple(np.flatnonzero(label == c) for c in range(count)), between)


def upper_bound(
    cov: Covariance,
    k: int,
    threshold: float = 0.0,
    *,
    bound: Callable[[Covariance, int], float] | None = None,
) -> float:
    r"""Bound v_k by the largest bound of a block of variables plus the covariances across blocks.

    .. math:: v_k(\Sigma)\le\max_b\ v_{\min(k,|C_b|)}(\Sigma_{C_bC_b})
        +(k-1)\max_{i,j\text{ of two blocks}}|\Sigma_{ij}|

    The blocks C_b are the connected components of the pairs with :math:`|\Sigma_{ij}|` above the threshold.

    Parameters
    ----------
    cov : Covariance of n variables.
    k : cardinality, 1 to n.
    threshold : of the split (variance).
    bound : proved bound for one block and a cardinality; None takes the best of eigenvalue, trace and row sums.
        ``lambda block, size: rs.solve(block, size).upper`` gives the best.

    Returns
    -------
    float, in the unit of Sigma.

    References
    ----------
    .. [1] A. Del Pia, D. Zhou and Y. Zhu, Efficient sparse PCA via block-diagonalization, ICLR 2025.

    Examples
    --------
    >>> import relaxspca as rs
    >>> cov = rs.datasets.make_blocks([3, 4])
    >>> exact = rs.solve(cov, 3).upper
    >>> found = upper_bound(cov, 3, bound=lambda block, size: rs.solve(block, size).upper)
    >>> abs(found - exact) < 1e-9
    True
    """
    cov.check_complete("a bound")
    k = cov.check_cardinality(k)
    found = split_blocks(cov, threshold)
    blocks = ((cov.restrict(block.tolist()), min(k, block.size)) for block in found.blocks)
    if bound is None:
        best = max(spectral.best_upper_bound(block, size)[0] for block, size in blocks)
    else:
        best = max(bound(block, size) for block, size in blocks)
    return round_up(best + round_up((k - 1) * found.between))
