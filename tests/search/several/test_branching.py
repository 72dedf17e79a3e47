"""What a node is split on."""

import numpy as np
import pytest
from enumeration import values_of

import relaxspca as rs
from relaxspca.relaxations.several.formula import MultiplierMatrix, evaluated
from relaxspca.relaxations.several.shape import Shape, everything
from relaxspca.search.several.screen import branch
from tests.small_covariances import draw


@pytest.mark.parametrize("kind", ["wishart", "correlation", "indefinite"])
def test_the_variable_whose_two_sides_lower_the_bound_most_is_split_on(kind: str) -> None:
    """With Z = 0 a part is bounded by its best support: with each variable and without it, by enumeration."""
    S = draw(kind, np.random.default_rng(3), 6)
    shape, cov = Shape((3, 2)), rs.Covariance(S)
    parts = everything(shape, 6)
    nothing = MultiplierMatrix(np.arange(6), cov.matrix, np.zeros(6), (None, None))
    found = evaluated(cov, nothing, shape, parts)
    chosen, merit = branch(found, parts, cap=found.upper), np.zeros((2, 6))
    for t, k in enumerate((3, 2)):
        worth = values_of(S, k)
        for i in range(6):
            sides = [max(v for T, v in worth.items() if (i in T) == is_in) for is_in in (True, False)]
            merit[t, i] = np.prod(max(worth.values()) - np.array(sides) + 1e-6 * found.upper)
    assert merit[chosen.part, chosen.variable] == pytest.approx(merit.max(), rel=1e-6)
    assert chosen.is_inside
    assert branch(None, parts, cap=1.0).variable == 0  # nothing is known: the first free one
