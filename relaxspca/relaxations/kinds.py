"""The table of all relaxations, with the method, the cone program and the type of dual point of each."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from relaxspca.numerics.linalg import MANY
from relaxspca.problem.candidate import Candidate
from relaxspca.problem.covariance import Covariance
from relaxspca.problem.gap import RELATIVE_WIDTH
from relaxspca.relaxations import spectral
from relaxspca.relaxations.conic import solve_cone_program
from relaxspca.relaxations.model import Model
from relaxspca.relaxations.psi import formula as psi
from relaxspca.relaxations.psi import models as psi_models
from relaxspca.relaxations.psi.kkt import kkt_test, trivial_points
from relaxspca.relaxations.published import dspca, li_xie, perspective, spartrahedron
from relaxspca.results.bound import Bound
from relaxspca.runtime.deadline import Deadline

Method = Callable[[Covariance, int, Sequence[Candidate], float, float | None], Bound]
ConeProgram = Callable[[Covariance, int, dict[str, Any]], Bound | None]


@dataclass(frozen=True)
class Kind:
    """A relaxation: its method, its cone program, and whether a certificate can show its bound.

    Attributes
    ----------
    method : takes cov, k, candidates, tol and the seconds left; returns its bound. None if there is none.
    program : takes cov, k and the options of `relaxspca.relaxations.conic`; returns the bound at the point that
        a solver of cone programs proposes, None if the solver fails. None if there is none.
    """

    method: Method | None = None
    program: ConeProgram | None = None
    is_shown: bool = True


def _kkt(cov: Covariance, k: int, candidates: Sequence[Candidate], tol: float, left: float | None) -> Bound:
    deadline, pairs = Deadline.after(left), list(trivial_points(cov))
    for found in candidates:
        if deadline.is_over:
            break
        dual = kkt_test(cov, found, tol=RELATIVE_WIDTH, deadline=deadline)
        pairs += [] if dual is None else [dual]
    best = min(pairs, key=lambda pair: pair.upper(k))
    return Bound(k, best.upper(k), "kkt", best.point)


def _psi(cov: Covariance, k: int, candidates: Sequence[Candidate], tol: float, left: float | None) -> Bound:
    from relaxspca.relaxations.psi.minimise import NEWTON_STEP, bound

    best = max(candidates, key=lambda candidate: candidate.value)
    clock = Deadline.after(left)
    A = cov.factor  # the first access takes a decomposition, which counts towards the time limit
    if cov.n > MANY and not clock.allows(cov.n, times=NEWTON_STEP):
        return Bound(k, math.inf, "psi")
    solution = bound(A, k, lower=best.value + cov.shift, tol=tol, time_limit=clock.left)
    point = psi.psi_point(cov, range(cov.n), solution.rho, solution.vectors)
    return Bound(k, psi.upper_bound(cov, point, k), "psi", point)


def _perron(cov: Covariance, k: int, candidates: Sequence[Candidate], tol: float, left: float | None) -> Bound:
    from relaxspca.relaxations.perron.minimise import minimise

    best = max(candidate.value for candidate in candidates)
    point, upper = minimise(cov, k, lower=best, tol=tol, time_limit=left)
    return Bound(k, upper, "perron", point)


def _program(form: Callable[..., Model], forming: Callable[[int], float] = lambda n: 0.0) -> ConeProgram:
    """Return the bound at what a solver of cone programs proposes for the dual form.

    `forming` says how many seconds it takes to form the program of n variables, which cannot be stopped.
    """

    def bound(cov: Covariance, k: int, options: dict[str, Any]) -> Bound | None:
        limit = options.get("time_limit")
        if limit is not None and forming(cov.n) > max(limit, 1.0):
            return None
        model = form(cov, k, dual=True)
        if math.isnan(solve_cone_program(model.problem, **options)):
            return None
        found = model.bound()
        assert isinstance(found, Bound)
        return found

    return bound


# Relaxations with a method of our own come first, in order of cost.
KINDS: dict[str, Kind] = {
    "spectral": Kind(lambda cov, k, *_: Bound(k, *spectral.best_upper_bound(cov, k))),
    "kkt": Kind(_kkt),
    "psi": Kind(_psi, _program(psi_models.model)),
    "perron": Kind(_perron),
    "dspca": Kind(program=_program(dspca.model)),
    "perspective": Kind(program=_program(perspective.model)),
    "li_xie": Kind(program=_program(li_xie.model, lambda n: 1e-6 * n**3), is_shown=False),
    "spartrahedron": Kind(program=_program(spartrahedron.model)),
    "spartrahedron_l1": Kind(program=_program(partial(spartrahedron.model, l1=True))),
}

# Relaxations that certify tries in order, up to the largest allowed: those with a method.
STEPS = tuple(name for name, kind in KINDS.items() if kind.method is not None)
