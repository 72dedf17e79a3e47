"""Components taken out of a matrix again, in an arithmetic, by the formulas of Mackey (2008)."""

from collections.abc import Callable
from typing import Any

from relaxspca.certificate import Deflation


def deflated(arithmetic: Any, S: Any, deflation: Deflation) -> Any:
    """Return a matrix after a deflation; ZeroDivisionError where a component has no variance left."""
    orthogonalises, form = FORMS[deflation.method]
    basis: list[Any] = []
    for x in deflation.loadings.T:
        x = arithmetic.array(x[:, None])
        q = x
        for b in basis if orthogonalises else ():
            q = q - b * ((b.T @ x) * arithmetic.reciprocal(b.T @ b))
        basis.append(q)
        S = form(arithmetic, S, q if orthogonalises else x)
    return S


def _hotelling(arithmetic: Any, S: Any, q: Any) -> Any:
    weight = arithmetic.reciprocal(q.T @ q)
    return S - (q @ q.T) * ((q.T @ (S @ q)) * weight * weight)


def _projection(arithmetic: Any, S: Any, q: Any) -> Any:
    image, weight = S @ q, arithmetic.reciprocal(q.T @ q)
    return S - (image @ q.T + q @ image.T) * weight + (q @ q.T) * ((q.T @ image) * weight * weight)


def _schur(arithmetic: Any, S: Any, x: Any) -> Any:
    image = S @ x
    return S - (image @ image.T) * arithmetic.reciprocal(x.T @ image)


# Name: whether each component is made orthogonal to the earlier ones first, and the formula.
FORMS: dict[str, tuple[bool, Callable[[Any, Any, Any], Any]]] = {
    "hotelling": (False, _hotelling),
    "projection": (False, _projection),
    "schur": (False, _schur),
    "orthogonalized_hotelling": (True, _hotelling),
    "orthogonalized_projection": (True, _projection),
    "generalized": (True, _projection),
}
