"""The one-factor encoder of least loss, with a proof of optimality."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from relaxspca.certificate import Certificate
from relaxspca.columns import as_data_matrix
from relaxspca.encoders.batch import batch_encoder
from relaxspca.encoders.black_box import black_box_encoder
from relaxspca.encoders.encoder import Encoder
from relaxspca.encoders.lower_bound import loss_from_ratio, ratio_upper, varying
from relaxspca.errors import InputError
from relaxspca.problem.arguments import checked_cardinality
from relaxspca.problem.covariance import Covariance
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
    deadline, matrix, kept = Deadline.after(time_limit), as_data_matrix(cov), varying(cov)
    part, size = cov if kept.size == cov.n else cov.restrict(kept), min(r, kept.size)
    encoder = batch_encoder(matrix, 1, r, selection="exchange" if deadline.allows(cov.n) else "pursuit")
    while True:
        shift = encoder.total - (1.0 - gap / 2.0) * encoder.loss
        ratio, certificate, support = _search(part, size, shift, deadline.left)
        better = black_box_encoder(matrix, kept[support], 1)
        if ratio <= shift or deadline.is_over or not better.loss < encoder.loss:
            break
        encoder = better
    loss_lower = loss_from_ratio(cov, ratio)
    most = max(encoder.loss, _loss_upper(cov, encoder))
    width = replace(encoder, loss=most, loss_lower=loss_lower).gap
    status = settle(None, loss_lower, most, width=width, tol=gap)
    return replace(encoder, loss_lower=loss_lower, certificate=certificate, shift=shift, status=status)


def _loss_upper(cov: Covariance, encoder: Encoder) -> float:
    """Return the loss computed from Sigma itself (a factor may have too few digits), rounded up."""
    h = encoder.loadings_array[:, 0]
    image = cov.product(h)
    terms = np.abs(h) * np.sqrt(np.maximum(cov.diagonal, 0.0))
    variance = float(h @ image) + 4 * cov.n * np.finfo(float).eps * float(terms.sum()) ** 2
    return encoder.total - float(image @ image) / variance if variance > 0.0 else encoder.total


def _search(
    cov: Covariance, r: int, shift: float, seconds: float | None
) -> tuple[float, Certificate, list[int]]:
    """Return the bound on the ratio at a shift, its certificate and the best support for that shift."""
    evidence: list[tuple[Certificate, list[int]]] = []

    def bound(matrix: Covariance, k: int) -> float:
        result = solve(matrix, k, time_limit=seconds)
        evidence.append((result.certificate, result.candidate.indices.tolist()))
        return result.upper

    ratio = ratio_upper(cov, r, shift, bound)
    return ratio, *evidence[0]
