"""Hold the evidence of a certificate: dual points, and the nodes of a proof tree, as plain checked data."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from relaxspca.certificate.values import (
    Floats,
    Ints,
    checked_array,
    checked_index,
    checked_indices,
    checked_number,
    require,
    set_field,
)

POINT_LEAVES = ("psi", "perron", "collatz")
CHEAP_LEAVES = ("spectral", "trace", "rowsum", "support", "void", "listed")


@dataclass(frozen=True, eq=False)
class PsiPoint:
    """Hold a dual point of psi(rho): vectors with y_i y_i' >= a_i a_i' - rho I.

    Parameters
    ----------
    variables : (m,) ints
        The variables that the columns stand for.
    rho : float
        Penalty of a variable, at least 0 (variance).
    vectors : (r, m)
        Columns y_i.
    factor : (r, m) or None
        Columns a_i with A'A = Sigma + shift I on `variables`, up to a residual that is charged.
        None: the columns of the factor that defines the claim's covariance.
    shift : float
        The shift of `factor` (variance).
    """

    variables: Ints
    rho: float
    vectors: Floats
    factor: Floats | None = None
    shift: float = 0.0

    def __post_init__(self) -> None:
        variables = checked_indices("psi variables", self.variables)
        vectors = checked_array("psi vectors", self.vectors, (None, len(variables)))
        set_field(self, "variables", variables)
        set_field(self, "vectors", vectors)
        set_field(self, "rho", checked_number("psi rho", self.rho, least=0.0))
        set_field(self, "shift", checked_number("psi shift", self.shift))
        if self.factor is not None:
            set_field(self, "factor", checked_array("psi factor", self.factor, vectors.shape))


@dataclass(frozen=True, eq=False)
class WeightsPoint:
    """Hold weights: the largest row sum of abs(Sigma_ij) w_j / w_i bounds lambda_max(Sigma_TT).

    Parameters
    ----------
    variables : (m,) ints
        The variables that the weights belong to.
    weights : (m,)
        Positive numbers (no unit).
    """

    variables: Ints
    weights: Floats

    def __post_init__(self) -> None:
        variables = checked_indices("weights variables", self.variables)
        weights = checked_array("weights", self.weights, (len(variables),))
        require(bool((weights > 0).all()), "weights must all be positive")
        set_field(self, "variables", variables)
        set_field(self, "weights", weights)


@dataclass(frozen=True, eq=False)
class PerronPoint:
    """Hold a dual point of the Perron relaxation: P is paid by rows, Sigma - P by its eigenvalue.

    Parameters
    ----------
    variables : (m,) ints
        The variables that rows and columns stand for.
    P : (m, m)
        Symmetric, zero on the diagonal (variance).
    N : (m, m)
        Row charges, at least 0 and zero on the diagonal, with N_ij N_ji >= P_ij^2 (variance).
    """

    variables: Ints
    P: Floats
    N: Floats

    def __post_init__(self) -> None:
        variables = checked_indices("perron variables", self.variables)
        m = len(variables)
        P, N = checked_array("perron P", self.P, (m, m)), checked_array("perron N", self.N, (m, m))
        require(np.array_equal(P, P.T), "perron P is not symmetric")
        require(bool((N >= 0).all()), f"perron N has the negative entry {float(N.min(initial=0))!r}")
        require(not P.diagonal().any() and not N.diagonal().any(), "perron P or N is not 0 on the diagonal")
        set_field(self, "variables", variables)
        set_field(self, "P", P)
        set_field(self, "N", N)


@dataclass(frozen=True)
class Split:
    """Branch on one free variable: forced in at node `inside`, excluded at node `outside`."""

    variable: int
    inside: int
    outside: int

    def __post_init__(self) -> None:
        for name in ("variable", "inside", "outside"):
            set_field(self, name, checked_index(f"split {name}", getattr(self, name)))


@dataclass(frozen=True)
class Leaf:
    """Bound every support of a node by one rule; `point` indexes the certificate's points.

    A rowsum leaf may have one, of weights; psi, perron and collatz leaves must.
    """

    kind: str
    point: int | None = None

    def __post_init__(self) -> None:
        require(self.kind in POINT_LEAVES + CHEAP_LEAVES, f"unknown leaf kind {self.kind!r}")
        if self.kind in POINT_LEAVES or (self.kind == "rowsum" and self.point is not None):
            set_field(self, "point", checked_index(f"point of a {self.kind} leaf", self.point))
        else:
            require(self.point is None, f"a {self.kind} leaf takes no point")


Point = PsiPoint | WeightsPoint | PerronPoint

POINT_OF_LEAF: dict[str, type[Point]] = {
    "psi": PsiPoint,
    "rowsum": WeightsPoint,
    "perron": PerronPoint,
    "collatz": WeightsPoint,
}
