"""Small certificates written by hand: the examples of SPEC.md, and claims that no search of the package makes.

`make_archive.py` puts them into examples/.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from relaxspca.certificate import (
    Certificate,
    Claim,
    Evidence,
    FactorPoint,
    Leaf,
    ListedSupports,
    Matrix,
    MultiplierPoint,
    Pencil,
    Restrict,
    RowsPoint,
    Split,
    Vector,
    Witness,
)

__all__ = ["examples"]

ROOM = 2.0**-40
ROWS = Leaf("rows")
DIAGONAL = np.diag([3.0, 2.0, 1.0])
ONE = [([0], [1.0])]
TWO = [([0], [1.0]), ([1], [1.0])]


def examples() -> dict[str, Certificate]:
    """Return a certificate for each rule and for claims that no search makes, by name."""
    return {
        "factor": _of(
            Matrix(names=_names(2), storage="factor", entries=np.ones((1, 2))), _claim(1, 1.0), ONE,
            [Leaf("factor", 0)], [FactorPoint(np.arange(2), 1.0, np.zeros((1, 2)), None, 0.0)],
        ),
        "collatz": _of(
            _matrix([[1.0, -1.0], [-1.0, 2.0]]), _claim(2, 2.0, nonnegative=True), [([1], [1.0])],
            [Split(0, 1, 1, 2), Leaf("collatz", 0), ROWS], [RowsPoint(np.array([1]), weights=np.ones(1))],
        ),
        "listed": _of(
            _matrix(DIAGONAL), _claim(1, 3.0, listed=_first()), ONE,
            [Split(0, 0, 1, 2), Leaf("listed"), ROWS], listed=np.ones((1, 1)),
        ),
        "restrict": _of(
            _matrix([[2.0, 1.0, 0, 0], [1.0, 2.0, 0, 0], [0, 0, 1.0, 0], [0, 0, 0, 1.0]]), _claim(2, 3.0),
            [([0, 1], [1.0, 1.0])], [Restrict(0, None, 2.5, np.array([0, 1]), 1), ROWS],
        ),
        "multipliers": _of(
            _matrix(DIAGONAL), _together("disjoint"), TWO, [Leaf("multipliers", 0)],
            [_multipliers(DIAGONAL, [-1.0, 0.0, 0.0])],
        ),
        "choices": _of(
            _matrix(DIAGONAL), _together("orthogonal"), TWO, [Leaf("choices", (0,))],
            [_multipliers(np.diag([2.0, 2.0, 1.0]), np.zeros(3))],
        ),
        "components_with_conditions": _of(
            _matrix(DIAGONAL), _together("disjoint", include=([], [2]), exclude=[1]),
            [([0], [1.0]), ([2], [1.0])], [Leaf("multipliers")],
        ),
        "ratio_one_of_each": _of(
            _pencil([[4.0, 2.0, 0, 0], [2.0, 3.0, 0, 0], [0, 0, 2.0, 1.0], [0, 0, 1.0, 1.0]]),
            _claim(2, 4.0, kind="ratio", one_of_each=([0, 1],)), ONE, [ROWS],
            mu=4 + ROOM, exponents=(0, 0, 0, 0),
        ),
        "ratio_list": _of(
            _pencil(DIAGONAL), _claim(1, 3.0, kind="ratio", listed=_first()), ONE,
            [Split(0, 0, 1, 2), Leaf("listed"), ROWS], listed=np.ones((1, 1)), mu=2 + ROOM, exponents=(0, 0, 0),
        ),
    }  # fmt: skip


def _of(
    subject: Any, claim: Claim, vectors: Sequence[tuple[Any, Any]], tree: Any, points: Any = (), **more: Any
) -> Certificate:
    """Return a certificate; `vectors` are pairs of a support and loadings."""
    witness = Witness(tuple(Vector(np.array(T), np.array(z)) for T, z in vectors), more.pop("listed", None))
    evidence = Evidence(tree=tuple(tree), points=tuple(points), **more)
    return Certificate(subject=subject, claim=claim, witness=witness, evidence=evidence, made_by="by hand")


def _claim(k: int, value: float, kind: str = "component", **more: Any) -> Claim:
    return Claim(kind=kind, k=k, lower=value, upper=value + 2 * ROOM, **more)


def _together(supports: str, **more: Any) -> Claim:
    """Return a claim about two components of one variable each."""
    value = 4.0 if "include" in more else 5.0
    return Claim(
        kind="components", sizes=(1, 1), supports=supports, lower=value, upper=value + 2 * ROOM, **more
    )


def _first() -> ListedSupports:
    """Return the list of one support, the first variable, beside which none exceeds 2."""
    return ListedSupports((np.array([0]),), np.array([3.0]), np.array([3.0 + ROOM]), 2.0 + 2 * ROOM)


def _multipliers(M: Any, y: Any) -> MultiplierPoint:
    return MultiplierPoint(np.arange(3), np.array(M), np.array(y), (None, None))


def _matrix(entries: Any) -> Matrix:
    return Matrix(names=_names(len(entries)), storage="dense", entries=np.array(entries))


def _pencil(entries: Any) -> Pencil:
    """Return a matrix against the identity."""
    return Pencil(names=_names(len(entries)), numerator=np.array(entries), denominator=np.eye(len(entries)))


def _names(n: int) -> tuple[str, ...]:
    return tuple(f"x{i}" for i in range(n))
