"""The minimiser of the joint bound reaches what cone programs reach."""

import numpy as np
import pytest
from draws import draws

import relaxspca as rs
from relaxspca.relaxations.several.minimise import minimise
from relaxspca.relaxations.several.shape import Part, Shape, everything
from relaxspca.relaxations.several.smooth import Factors, Smoothed

PITPROPS = rs.datasets.load_pitprops()


@pytest.mark.parametrize(
    ("shape", "best", "cone"),
    [
        # The cone programs of separate supports (5, 5) and (5, 2), solved once.
        *draws([], [(Shape((5, 5)), 5.710358, 5.85024)]),
        (Shape((5, 2)), 5.288155, 5.28816),
        # A common support: optimum by enumeration, and the gap of the cone program with column multipliers.
        *draws([], [(Shape((5,), copies=2), 4.39105, 4.39105 * 1.025)]),
    ],
)
def test_the_root_bound_is_near_the_cone_program(shape, best, cone):
    _, upper, _ = minimise(PITPROPS, shape, lower=best, may_list=False)
    assert best * (1 - 1e-6) <= upper <= cone * (1 + 0.004)


@pytest.mark.parametrize(
    "shape", [Shape((3, 2)), Shape((3,), copies=2), Shape((2, 3), is_disjoint=True)], ids=repr
)
def test_the_gradient_is_that_of_the_smoothed_bound(shape):
    rng = np.random.default_rng(1)
    parts = (Part(shape.sizes[0], np.array([1]), np.array([0, 3, 4, 5])), *everything(shape, 6)[1:])
    variables = np.unique(np.concatenate([part.variables for part in parts]))
    S = PITPROPS.matrix[np.ix_(variables, variables)]
    m = len(variables)
    rows = [rng.normal(size=(len(part.variables),) * 2) for part in parts]
    for B in rows:
        np.fill_diagonal(B, 0.0)
    factors = Factors(rng.normal(size=(m, 3)), rng.random(m), tuple(rows))
    objective = Smoothed(S, variables, shape, parts, factors, 0.3)
    x = objective.pack(factors)
    gradient = objective(x)[1]
    for _ in range(5):
        way = rng.normal(size=len(x))
        slope = (objective(x + 1e-4 * way)[0] - objective(x - 1e-4 * way)[0]) / 2e-4
        assert slope == pytest.approx(float(gradient @ way), rel=1e-4, abs=1e-4)
