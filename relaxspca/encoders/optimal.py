"""The one-factor encoder of least loss, with a proof of optimality."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np

from relaxspca.certificate import Description
from relaxspca.columns import as_data_matrix
from relaxspca.encoders.batch import batch_encoder, black_box_encoder
from relaxspca.encoders.encoder import Encoder
from relaxspca.errors import InputError
from relaxspca.numerics.linalg import (
    MANY,
    UNIT_ROUNDOFF,
    Array,
    eigenvalue_upper,
    least_eigenvalue,
    norm_upper,
    product_radius,
    round_up,
    sum_upper,
)
from relaxspca.problem.arguments import checked_cardinality
from relaxspca.problem.checks import without_data_warnings
from relaxspca.problem.covariance import Covariance
from relaxspca.problem.gram import DenseGram
from relaxspca.results.status import settle
from relaxspca.runtime.deadline import Deadline
from relaxspca.tasks.solve import solve


def optimal_encoder(cov: Covariance, r: int, *, gap: float = 1e-6, time_limit: float | None = None) -> Encoder:
    r"""Find the one-factor encoder on r variables of least loss, and prove that it is.

    .. math:: \min\Bigl\{\mathrm{tr}\,\Sigma - \frac{h'\Sigma^2h}{h'\Sigma h} : \mathrm{Card}(h) \le r\Bigr\}

    Parameters
    ----------
    cov : Covariance of n variables
        Positive semidefinite; where its floats are so only up to a rounding error :math:`\delta`, the bound is
        for :math:`\Sigma+\delta I`.
    r : int
        Number of variables.
    gap : float
        Relative accuracy of the loss at which to stop, above 0.
    time_limit : float, optional
        Seconds.

    Returns
    -------
    Encoder
        Its bound holds whatever the status; when some r variables are linearly dependent it may be the loss of
        dense PCA.

    Raises
    ------
    InputError
        r or gap is out of range, or the covariance is not semidefinite.

    Notes
    -----
    With ``g = tr Sigma - (1 - gap/2) loss`` for the best encoder known, ``v_r(Sigma^2 - g Sigma) <= 0`` proves
    it optimal to within the gap; otherwise the component that `solve` finds for that matrix has a support of
    smaller loss, and g grows (Dinkelbach's method on the fraction).

    References
    ----------
    W. Dinkelbach, On nonlinear fractional programming, Management Science 13, 1967; theorem and proof in
    docs/theory/encoders.md.

    Examples
    --------
    >>> from relaxspca.datasets import load_pitprops
    >>> best = optimal_encoder(load_pitprops(), 2)
    >>> best.status, best.indices.tolist(), round(best.normalised_loss, 6)
    ('optimal', [1, 6], 1.036157)
    """
    r = checked_cardinality(cov, r)
    cov.check_complete("a loss")
    if not gap > 0.0:
        raise InputError(f"the gap must be above 0; got {gap}")
    deadline, matrix = Deadline.after(time_limit), as_data_matrix(cov)
    kept = np.flatnonzero(np.abs(cov.matrix).max(axis=1) > 0.0)  # the others do not affect any loss
    part, size = cov if kept.size == cov.n else cov.restrict(kept), min(r, kept.size)
    encoder = batch_encoder(matrix, 1, r, selection="exchange" if deadline.allows(cov.n) else "pursuit")
    while True:
        shift = encoder.total - (1.0 - gap / 2.0) * encoder.loss
        shifted, radius = shifted_square(part, shift)
        result = solve(_indefinite(shifted, shift), size, time_limit=deadline.left)
        ratio = ratio_upper(part, size, shift, sum_upper(np.array([result.upper, radius])))
        better = black_box_encoder(matrix, kept[result.candidate.indices], 1)
        if ratio <= shift or deadline.is_over or not better.loss < encoder.loss:
            break
        encoder = better
    # The trace less the ratio, rounded down.
    missing = np.full(cov.n, _radius(cov))
    loss_lower = max(-sum_upper(np.concatenate([-np.diagonal(cov.matrix), missing, [ratio]])), 0.0)
    found = replace(encoder, loss_lower=loss_lower, certificate=result.certificate, shift=shift)
    return replace(found, status=settle(None, loss_lower, found.loss, width=found.gap, tol=gap))


def ratio_upper(cov: Covariance, r: int, g: float, excess: float) -> float:
    r"""Return a proved upper bound on the ratio over r-sparse encoders, from any upper bound on v_r.

    .. math:: \frac{h'\Sigma^2h}{h'\Sigma h} \le g + \frac{\max(0,\ v_r(\Sigma^2 - g\Sigma))}{\mu}

    The bound on ``v_r(Sigma^2 - g Sigma)`` is `excess`, and g any number: the closer to the optimum, the
    tighter the result. That is g when the bound is not positive, else g plus the bound over
    `sparse_eigenvalue_floor`; never more than the proved largest eigenvalue of Sigma.
    """
    largest = _largest(cov)
    if excess <= 0.0:
        return min(g, largest)
    floor = sparse_eigenvalue_floor(cov, r, needed=excess / (largest - g)) if g < largest else 0.0
    if floor <= 0.0:
        return largest
    return min(math.nextafter(g + math.nextafter(excess / floor, math.inf), math.inf), largest)


def sparse_eigenvalue_floor(cov: Covariance, r: int, *, needed: float = 0.0) -> float:
    r"""Return a proved :math:`\mu \ge 0` with :math:`h'\Sigma h \ge \mu|h|^2` for every r-sparse h.

    The better of the least eigenvalue of Sigma and of Gershgorin's discs with r - 1 neighbours,
    ``min_i (Sigma_ii - sum of the r - 1 largest |Sigma_ij|)``. Of many variables the eigenvalue, which takes
    long, is left out where it is below what is `needed`.

    Examples
    --------
    >>> cov = Covariance([[1.0, 0.5, 0.5], [0.5, 1.0, -0.5], [0.5, -0.5, 1.0]])
    >>> round(sparse_eigenvalue_floor(cov, 2), 12), round(sparse_eigenvalue_floor(cov, 3), 12)
    (0.5, 0.0)
    """
    Sigma, radius, highest = cov.matrix, _radius(cov), _largest(cov)
    neighbours = np.abs(Sigma - np.diag(np.diagonal(Sigma)))
    largest = np.sort(neighbours, axis=1)[:, cov.n - (r - 1) :]
    discs = [
        sum_upper(np.concatenate([row, [-variance, radius]]))
        for row, variance in zip(largest, np.diagonal(Sigma), strict=True)
    ]
    floor = max(-max(discs), 0.0)
    if cov.n > MANY and highest + least_eigenvalue(Sigma - highest * np.eye(cov.n), tol=1e-3) < needed:
        return floor
    return max(floor, -eigenvalue_upper(-Sigma, radius))


def _indefinite(matrix: Array, g: float) -> Covariance:
    """Return a matrix with the eigenvalues t^2 - gt, t >= 0, none of which is below -g^2/4."""
    n = len(matrix)
    if n > MANY:
        shift = max(g, 0.0) ** 2 / 4 + 16 * n * np.finfo(float).eps * float(np.abs(matrix).max())
        return Covariance._made(DenseGram(matrix), None, Description(), shift=shift)
    with without_data_warnings():
        # The warning is about a shift that is not used: the bounds take the indefinite matrix.
        return Covariance(matrix)


def _radius(cov: Covariance) -> float:
    """Return a proved bound on the error of Sigma's floats.

    A matrix given by its entries may be indefinite by rounding. Bounds are then for Sigma + delta I, with a
    proved delta >= 0 that makes it semidefinite; delta counts as an error of the floats.
    """
    radius = cov.rounding()
    return radius if cov.is_factored else round_up(radius + cov.negative_part)


def _largest(cov: Covariance) -> float:
    """Return a proved upper bound on the largest eigenvalue."""
    return round_up(cov.largest_upper + _radius(cov))


def shifted_square(cov: Covariance, g: float) -> tuple[Array, float]:
    """Return ``Sigma^2 - g Sigma`` as floats and a bound on the spectral norm of their error."""
    Sigma, radius = cov.matrix, _radius(cov)
    square = Sigma @ Sigma
    square = (square + square.T) / 2.0
    size = norm_upper(Sigma)
    rounding = norm_upper(4.0 * UNIT_ROUNDOFF * (np.abs(square) + abs(g) * np.abs(Sigma)))
    moved = radius * (2.0 * size + radius + abs(g))
    missed = product_radius(Sigma, Sigma) + rounding + moved
    return square - g * Sigma, missed * (1.0 + 16.0 * UNIT_ROUNDOFF)
