"""What a node is split on, where supports are not listed."""

import numpy as np
import pytest

import relaxspca as rs
from relaxspca.certificate import RowsPoint
from relaxspca.relaxations.several.formula import Evaluated, MultiplierMatrix, evaluated
from relaxspca.relaxations.several.minimise import minimise, to_multiplier_matrix
from relaxspca.relaxations.several.parts import SoftPart
from relaxspca.relaxations.several.shape import Part, Shape, everything
from relaxspca.search.several import branching
from relaxspca.search.several.branching import _shares, branch

SHAPE = Shape((3, 3))


def blocks(count: int, side: int = 5) -> rs.Covariance:
    """Return equal blocks without a covariance between them."""
    block = np.full((side, side), 0.6) + 0.4 * np.eye(side)
    return rs.Covariance(np.kron(np.eye(count), block))


def by_rows(cov: rs.Covariance, parts: tuple[Part, ...], lower: float) -> tuple[Evaluated, np.ndarray]:
    """Return what a dual point with rows proves, and its B."""
    *_, factors = minimise(cov, SHAPE, lower=lower, may_list=False, stages=4, iterations=60)
    B = factors.rows[0]
    assert B is not None
    return evaluated(cov, to_multiplier_matrix(cov.matrix, np.arange(cov.n), factors, parts), SHAPE, parts), B


def test_equal_blocks_have_equal_shares() -> None:
    """The largest eigenvalue belongs to all blocks; where all multipliers are equal no partner is preferred."""
    cov = blocks(2)
    parts = everything(SHAPE, cov.n)
    free = RowsPoint(np.arange(cov.n), np.zeros((cov.n, cov.n)), np.zeros((cov.n, cov.n)))
    point = MultiplierMatrix(np.arange(cov.n), cov.matrix, np.zeros(cov.n), (free, free))
    found = evaluated(cov, point, SHAPE, parts)
    np.testing.assert_allclose(_shares(found.parts[0], parts[0]), np.full(cov.n, 3 / cov.n), rtol=1e-6)
    chosen = branch(found, parts, shape=SHAPE, cap=found.upper)
    assert (chosen.part, chosen.is_inside) == (0, True)


def test_shares_are_the_slopes_of_a_parts_value_in_the_multipliers(monkeypatch: pytest.MonkeyPatch) -> None:
    """What a small multiplier of one variable adds to the smooth value of a part is the share that uses it.

    The row charges of shares are not smooth, so that this is a law of small widths.
    """
    monkeypatch.setattr(branching, "SHARP", 3e-4)
    cov = rs.Covariance(rs.datasets.load_pitprops().matrix[:9, :9])
    parts = everything(SHAPE, cov.n)
    found, B = by_rows(cov, parts, 4.0)
    width, step = branching.SHARP * found.values[0], 1e-6
    part = SoftPart(parts[0], np.arange(cov.n), width, count=1, supports=None)

    def value(y: np.ndarray) -> float:
        return part(found.rest, y, B).value

    slopes = [
        (value(found.multipliers + step * e) - value(found.multipliers - step * e)) / (2 * step)
        for e in np.eye(cov.n)
    ]
    np.testing.assert_allclose(_shares(found.parts[0], parts[0]), np.clip(slopes, 0, 1), atol=1e-3)
