"""The candidate generators by name, and the function that calls one of them."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from inspect import signature
from typing import Any

import numpy as np

from relaxspca.candidates.column_subset import column_subset
from relaxspca.candidates.conditional import conditional
from relaxspca.candidates.elastic_net import elastic_net
from relaxspca.candidates.generalized_power import generalized_power
from relaxspca.candidates.greedy import greedy
from relaxspca.candidates.local_search import local_search
from relaxspca.candidates.penalized_matrix import penalized_matrix
from relaxspca.candidates.portfolio import auto
from relaxspca.candidates.spannogram import spannogram
from relaxspca.candidates.thresholding import thresholding
from relaxspca.candidates.truncated_power import truncated_power
from relaxspca.columns import SELECTIONS
from relaxspca.errors import InputError
from relaxspca.problem.arguments import as_covariance, check_rng
from relaxspca.problem.candidate import Candidate
from relaxspca.problem.checks import check_one_of
from relaxspca.problem.conditions import Conditions
from relaxspca.problem.covariance import Covariance
from relaxspca.problem.scaling import EXTREME, candidate_times, normalised

_POWER, _COLUMNS = "Journée, Nesterov, Richtárik and Sepulchre 2010", "Magdon-Ismail and Boutsidis 2016"
_TABLE: dict[str, tuple[Callable[..., Candidate], str]] = {  # the method, and who published it
    "auto": (auto, "this package: the best of several of these"),
    "greedy": (greedy, "d'Aspremont, Bach and El Ghaoui 2008"),
    "local_search": (local_search, "Li and Xie 2025 (swaps of one variable)"),
    "thresholding": (thresholding, "Chan, Papailiopoulos and Rubinstein 2016"),
    "truncated_power": (truncated_power, "Yuan and Zhang 2013"),
    "generalized_power_l0": (partial(generalized_power, penalty="l0"), _POWER),
    "generalized_power_l1": (partial(generalized_power, penalty="l1"), _POWER),
    "penalized_matrix": (penalized_matrix, "Witten, Tibshirani and Hastie 2009"),
    "elastic_net": (elastic_net, "Zou, Hastie and Tibshirani 2006"),
    "spannogram": (spannogram, "Papailiopoulos, Dimakis and Korokythakis 2013"),
    **{f"columns_{name}": (partial(column_subset, selection=name), _COLUMNS) for name in SELECTIONS},
}
METHODS = {name: method for name, (method, _) in _TABLE.items()}
SOURCES = {name: source for name, (_, source) in _TABLE.items()}


def candidate(
    cov: Covariance,
    k: int,
    *,
    method: str = "auto",
    rng: np.random.Generator | None = None,
    include: Any = (),
    exclude: Any = (),
    **options: Any,
) -> Candidate:
    r"""Compute a component of cardinality k by a heuristic: a feasible point, hence a lower bound.

    .. math:: \max \{ x^T \Sigma x : \|x\| = 1,\ \operatorname{Card}(x) \le k \}

    Parameters
    ----------
    cov : Covariance of n variables.
    k : int, the cardinality, 1 to n.
    method : "auto" or another name in `relaxspca.candidates.METHODS`.
    rng : Generator or None, the source of randomness for the methods that draw; None is a fixed seed.
    include, exclude : names or positions, optional
        Variables that the support must hold, and variables that it must not. A method sees those that are not
        excluded; variables to include that it left out replace those of smallest loadings, and the others
        are exchanged while that explains more.
    options : Any, further arguments of the method, such as `d` or `accuracy` of "spannogram".

    Returns
    -------
    Candidate
        A support of k variables, unit loadings whose largest entry is positive, and the variance they explain.

    Raises
    ------
    InputError
        `k` is not an integer in 1..n, `method` or one of its options is not known, or the conditions
        contradict each other.

    Notes
    -----
    The value is that of a feasible vector, so a lower bound for every method. Every method is a function
    of its own that names its source; `relaxspca.compare` runs them all.

    Examples
    --------
    >>> from relaxspca.datasets import load_pitprops
    >>> best = candidate(load_pitprops(), 5)
    >>> round(best.value, 8), best.indices.tolist()
    (3.40615495, [0, 1, 6, 8, 9])
    >>> candidate(load_pitprops(), 5, method="spannogram", d=3).k
    5
    """
    cov = as_covariance(cov)
    check_rng(rng)
    check_one_of("method", method, METHODS)
    _check_options(method, options)
    k = cov.check_cardinality(k)
    scaled, q = normalised(cov, beyond=EXTREME)
    conditions = Conditions.read(include, exclude, cov.names)
    k = conditions.cardinality(k, cov.n)
    drawn = {"rng": rng} if "rng" in signature(METHODS[method]).parameters else {}
    of_method = partial(METHODS[method], **options, **drawn)
    return candidate_times(conditional(scaled, k, conditions, of_method), q)


def _check_options(method: str, options: dict[str, Any]) -> None:
    known = [name for name in signature(METHODS[method]).parameters if name not in ("cov", "k", "rng")]
    for name in options:
        if name not in known:
            takes = f"takes {', '.join(known)}" if known else "takes no options"
            raise InputError(f"method {method!r} has no option {name!r}: it {takes}")
