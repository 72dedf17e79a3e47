"""Hold dual points of other rules than *rows*, as plain checked data."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, ClassVar

from relaxspca.certificate.fields import INDICES, Declared, array, many, number, or_null, whole
from relaxspca.certificate.values import Floats, Ints


@dataclass(frozen=True, eq=False)
class FactorPoint(Declared):
    """Hold a dual point on a factor: vectors with v_i v_i' >= a_i a_i' - rho I.

    Parameters
    ----------
    variables : (m,) ints
        The variables that the columns stand for.
    rho : float
        Penalty of a variable, at least 0 (variance).
    vectors : (r, m)
        Columns v_i.
    factor : (r, m) or None
        Columns a_i with A'A = M + shift I on `variables`, up to a residual that is charged.
        None: the columns of the factor that the claim's matrix is given by.
    shift : float
        The shift of `factor`, at least 0 (variance).
    """

    variables: Annotated[Ints, INDICES]
    rho: Annotated[float, number(least=0.0)]
    vectors: Annotated[Floats, array(None, "variables")]
    factor: Annotated[Floats | None, or_null(array("vectors", "variables"))] = None
    shift: Annotated[float, number(least=0.0)] = 0.0
    kind: ClassVar[str] = "factor"


@dataclass(frozen=True, eq=False)
class MultiplierPoint(Declared):
    """Hold the multipliers of several components: Z = Sigma - M between them, y for the use of a variable.

    Parameters
    ----------
    variables : (m,) ints
        The variables that rows and columns stand for.
    M : (m, m)
        Symmetric (variance); it defines Z exactly.
    y : (m,)
        Multipliers of the uses of variables (variance).
    rows : sequence of int or None
        For each part the `RowsPoint`, by its number in the certificate, whose row charges bound it; None where
        all its supports are tried.
    """

    variables: Annotated[Ints, INDICES]
    M: Annotated[Floats, array("variables", "variables", is_symmetric=True)]
    y: Annotated[Floats, array("variables")]
    rows: Annotated[tuple[int | None, ...], many(or_null(whole()))]
    kind: ClassVar[str] = "multipliers"
