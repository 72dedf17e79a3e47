"""The generalized power method: maximise a convex function of a unit vector."""

from __future__ import annotations

from functools import partial

import numpy as np

from relaxspca.candidates.thresholding import of_cardinality, soft, unit
from relaxspca.numerics.linalg import Array
from relaxspca.problem.arguments import checked_cardinality
from relaxspca.problem.candidate import Candidate
from relaxspca.problem.checks import check_one_of
from relaxspca.problem.covariance import Covariance

PENALTIES = ("l0", "l1")


def generalized_power(cov: Covariance, k: int, *, penalty: str = "l0") -> Candidate:
    r"""Reach cardinality k by a search over the penalty of the single-unit method.

    .. math:: \max_{\|x\| = 1} \sum_i \big( (a_i^T x)^2 - \gamma \big)_+ \quad (\ell_0), \qquad
              \max_{\|x\| = 1} \sum_i \big( |a_i^T x| - \gamma \big)_+^2 \quad (\ell_1)

    Parameters
    ----------
    cov : Covariance of n variables.
    k : int, the cardinality.
    penalty : {"l0", "l1"}.

    Returns
    -------
    Candidate, loadings re-fitted on the pattern; its `method` says so where no penalty gives cardinality k.

    Raises
    ------
    InputError
        `penalty` is not known.

    References
    ----------
    Journée, Nesterov, Richtárik and Sepulchre, "Generalized power method for sparse PCA", JMLR 11, 2010,
    algorithms 2 and 3.

    Examples
    --------
    >>> from relaxspca.datasets import load_pitprops
    >>> generalized_power(load_pitprops(), 7, penalty="l1").indices.tolist()
    [0, 1, 5, 6, 7, 8, 9]
    """
    k = checked_cardinality(cov, k)
    check_one_of("penalty", penalty, PENALTIES)
    solve = partial(single_unit, cov, penalty=penalty)
    return of_cardinality(cov, k, solve, 1.0, f"generalized_power_{penalty}")


def single_unit(cov: Covariance, gamma: float, *, penalty: str = "l0", tol: float = 1e-6) -> Array:
    r"""Return the unit loadings of the single-unit method before pattern filling.

    .. math:: w = h(c), \qquad c \leftarrow A^T u = \frac{\Sigma w}{\sqrt{w^T \Sigma w}},
              \quad u = A w / \|A w\|

    The penalty says what h is. Its weight gamma, in [0, 1), is relative to the least one whose solution is
    zero, which is max |a_i| (l1) or max |a_i|^2 (l0). The loadings are zero when it leaves nothing.
    """
    check_one_of("penalty", penalty, PENALTIES)
    first = int(np.argmax(cov.diagonal))
    largest = cov.diagonal[first] + cov.shift
    level = gamma * (largest if penalty == "l0" else np.sqrt(largest))
    w = np.zeros(cov.n)
    w[first] = 1.0
    for _ in range(1001):
        image = cov.product(w) + cov.shift * w
        size = float(w @ image)
        if size <= 0.0:
            break
        before, w = w, _gradient(image / np.sqrt(size), level, penalty)
        if np.linalg.norm(w - before) <= tol * np.linalg.norm(w):
            break
    return unit(w)


def _gradient(c: Array, level: float, penalty: str) -> Array:
    """Keep the entries above a threshold in modulus (l0), or shrink them by it (l1)."""
    return np.where(np.abs(c) > np.sqrt(level), c, 0.0) if penalty == "l0" else soft(c, level)
