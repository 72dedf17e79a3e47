"""Components that share one support."""

from __future__ import annotations

import numpy as np

from relaxspca.candidates.several.candidate_set import CandidateSet
from relaxspca.numerics.linalg import Indices
from relaxspca.problem.covariance import Covariance
from relaxspca.problem.gap import RELATIVE_WIDTH
from relaxspca.runtime.deadline import FOREVER, Deadline

DIGITS = 40  # binary ones of a loading: what is lost of a variance is below its own rounding error


def common_set(cov: Covariance, k: int, r: int, *, deadline: Deadline = FOREVER) -> CandidateSet | None:
    """Return r components on k variables: those of large entries in the leading eigenvectors, then swaps.

    Examples
    --------
    >>> import relaxspca as rs
    >>> round(common_set(rs.datasets.load_pitprops(), 5, 2).lower, 5)
    4.39105
    """
    values, vectors = cov.eigenpairs
    heights = np.maximum(values[-r:], 0.0)
    starts = [np.argsort(-((vectors[:, -r:] ** 2) @ heights), kind="stable")[:k]]
    starts.append(np.argsort(-cov.diagonal, kind="stable")[:k])
    best = max((_swapped(cov, np.sort(T), r, deadline) for T in starts), key=lambda T: _common_value(cov, T, r))
    return on_common(cov, best, r)


def on_common(cov: Covariance, support: Indices, r: int) -> CandidateSet | None:
    """Return the r leading eigenvectors of a block as components."""
    vectors = np.linalg.eigh(cov.submatrix(support))[1][:, ::-1][:, :r]
    # An error e in eigenvectors costs e^2 of their variance, and short numbers are soon made orthogonal.
    short = np.ldexp(np.rint(np.ldexp(vectors, DIGITS)), -DIGITS)
    return CandidateSet.of(cov, (support,) * r, support, short)


def _swapped(cov: Covariance, support: Indices, r: int, deadline: Deadline) -> Indices:
    """Exchange one variable for another while the sum of the r largest eigenvalues grows and there is time."""
    Sigma, value, found = cov.matrix, _common_value(cov, support, r), support
    while len(support) < cov.n and not deadline.is_over:
        outside, before = np.setdiff1d(np.arange(cov.n), support), value
        for leaving in range(len(support)):
            trials = np.tile(support, (len(outside), 1))
            trials[:, leaving] = outside
            worth = np.linalg.eigvalsh(Sigma[trials[:, :, None], trials[:, None, :]])[:, -r:].sum(axis=1)
            at = int(np.argmax(worth))
            if worth[at] > value:
                value, found = float(worth[at]), np.sort(trials[at])
            if deadline.is_over:
                break
        if value <= before + RELATIVE_WIDTH * abs(before):
            break
        support = found
    return support


def _common_value(cov: Covariance, support: Indices, r: int) -> float:
    return float(np.linalg.eigvalsh(cov.submatrix(support))[-r:].sum())
