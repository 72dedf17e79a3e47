"""A relaxation as a cvxpy problem with named variables, which users can print, change and solve."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from html import escape
from typing import Any

import numpy as np

from relaxspca.errors import InputError
from relaxspca.problem.arguments import checked_cardinality, checked_penalty
from relaxspca.problem.covariance import Covariance
from relaxspca.problem.observations import LARGEST_ENTRY
from relaxspca.relaxations.conic import solve_cone_program
from relaxspca.results.bound import Bound
from relaxspca.results.claims import matrix_words

Proof = Callable[[Any], Bound]


@dataclass(frozen=True, eq=False, repr=False)
class Model:
    """A relaxation as a cvxpy problem, with the function that turns its solution into a proved bound.

    Attributes
    ----------
    name : str
        Its name, with its form (primal or dual).
    formula : str
        The displayed problem, in LaTeX.
    cov : Covariance
    problem : cvxpy.Problem
        Nothing in it is rounded: its value is that of the relaxation of Sigma, up to the solver's accuracy.
    variables : dict
        The cvxpy variables by the names of `formula`; a list where there is one for each column.
    parameters : dict
        The cvxpy parameters by name: give one a new ``value`` and solve again.

    Examples
    --------
    >>> import relaxspca as rs
    >>> model = rs.models.dspca(rs.datasets.load_pitprops(), k=5, dual=True)
    >>> round(model.solve(solver="CLARABEL"), 4)
    3.4581
    >>> model.bound()
    Largest variance with at most 5 variables: at most 3.458..., by the relaxation dspca, ...
    >>> model.parameters["k"].value = 6
    >>> round(model.solve(solver="SCS", eps_abs=1e-6, eps_rel=1e-6), 3)
    3.814
    """

    name: str
    formula: str
    cov: Covariance
    problem: Any
    variables: Mapping[str, Any]
    parameters: Mapping[str, Any] = field(default_factory=dict)
    reads: Callable[[], Any] = field(kw_only=True)
    proves: Proof = field(kw_only=True)

    def solve(self, *, solver: str = "auto", **options: Any) -> float:
        """Solve with any solver of cvxpy and return the value that the solver states.

        Parameters
        ----------
        solver : str
            "auto" (Clarabel where the problem is small, SCS else), or a name of `cvxpy.installed_solvers()`.
        **options
            Options of `cvxpy.Problem.solve` and of the solver, passed on unchanged.

        Returns
        -------
        float
            Not a bound: `bound` proves one. It is nan if the solver ended without values.

        Raises
        ------
        InputError
            No such solver is installed.
        """
        return solve_cone_program(self.problem, solver=solver, tol=None, options=options)

    def point(self) -> Any:
        """Return the dual point from the current values of the variables, or of a primal form's multipliers.

        Raises
        ------
        InputError
            There are no values yet, or some that no computation can use.
        """
        import cvxpy as cp

        values = [variable.value for variable in self.problem.variables()]
        if isinstance(self.problem.objective, cp.Maximize):  # a primal form is read by its multipliers
            for constraint in self.problem.constraints:
                value = constraint.dual_value
                values += value if isinstance(value, list) else [value]
        if any(value is None for value in values):
            raise InputError(f"{self.name} has no values yet: solve it first")
        if not all((np.abs(value) <= LARGEST_ENTRY).all() for value in values):
            raise InputError(f"{self.name} has values that are not finite or above 1e100: solve it otherwise")
        return self.reads()

    def bound(self) -> Bound:
        """Return the proved bound at `point`, whatever solver found it and however far it went.

        It bounds the best component of Sigma. Constraints added to the problem play no part in the proof: they
        only lead to another point.

        Raises
        ------
        InputError
            As `point`.
        """
        return replace(self.proves(self.point()), matrix=matrix_words(self.cov))

    def with_constraints(self, *constraints: Any) -> Model:
        """Return the model with further cvxpy constraints on its variables."""
        import cvxpy as cp

        problem = cp.Problem(self.problem.objective, [*self.problem.constraints, *constraints])
        return replace(self, problem=problem)

    def __repr__(self) -> str:
        size = self.problem.size_metrics
        shapes = [f"{name} {_shape(value)}" for name, value in self.variables.items()]
        given = [f"{name} = {value.value}" for name, value in self.parameters.items()]
        lines = [
            f"{self.name} of {matrix_words(self.cov)}",
            f"variables: {', '.join(shapes)}; {size.num_scalar_variables} numbers",
            *([f"parameters: {', '.join(given)}"] if given else []),
            self.formula,
            f"status: {self.problem.status or 'not solved yet'}",
        ]
        return "\n".join(lines)

    def _repr_html_(self) -> str:
        return f"<p>{escape(self.name)} of {escape(matrix_words(self.cov))}</p>"

    def _repr_latex_(self) -> str:
        return f"$\\displaystyle {self.formula}$"


def named_size(cov: Covariance, k: int | None, rho: float | None) -> tuple[Any, Any]:
    """Return cvxpy parameters k and rho, None for the one not given; `InputError` for both or neither."""
    import cvxpy as cp

    if (k is None) == (rho is None):
        raise InputError("give k, the number of variables, or rho, the penalty of one; not both, not neither")
    if k is not None:
        return cp.Parameter(name="k", nonneg=True, value=checked_cardinality(cov, k)), None
    return None, cp.Parameter(name="rho", nonneg=True, value=checked_penalty(rho))


def current_cardinality(cov: Covariance, parameter: Any) -> int:
    """Return the value of the parameter k as a cardinality; raise `InputError` if it is none."""
    value = float(parameter.value)
    return cov.check_cardinality(int(value) if value.is_integer() else value)  # type: ignore[arg-type]


def _shape(value: Any) -> str:
    if isinstance(value, list):
        return f"{len(value)} of {_shape(value[0])}" if value else "none"
    return " x ".join(map(str, value.shape)) or "number"
