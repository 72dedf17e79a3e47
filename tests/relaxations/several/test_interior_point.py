"""The program of listed supports: its maps against their definitions, its bound against a cone program."""

import itertools

import cvxpy as cp
import numpy as np
import pytest
from draws import draws

import relaxspca as rs
from relaxspca.relaxations.several.formula import evaluated
from relaxspca.relaxations.several.interior_point import descend_by_program
from relaxspca.relaxations.several.minimise import start, to_multiplier_matrix
from relaxspca.relaxations.several.program import Program, Stack
from relaxspca.relaxations.several.shape import Part, Shape, everything

NONE = np.zeros(0, dtype=np.int64)
FORCED = (Part(2, np.array([1]), np.array([0, 2, 4])), Part(2, NONE, np.arange(5)))
CASES = {
    "orthogonal": (Shape((2, 2)), None),
    "three": (Shape((3, 2, 2)), None),
    "few places": (Shape((2, 1)), None),
    "forced": (Shape((2, 2)), FORCED),
    "disjoint": (Shape.disjoint((2, 2), 5), None),
    "disjoint, smaller": (Shape.disjoint((3, 3), 5), None),
    "common": (Shape((3,), copies=2), None),
}


def random_covariance(seed):
    data = np.random.default_rng(seed).normal(size=(7, 5))
    return rs.Covariance(data.T @ data / 7)


def by_cone_program(cov, shape, parts):
    """Return the least bound over all Z and y, as written in `relaxations.several.formula`."""
    n = cov.n
    Z, y = cp.Variable((n, n), PSD=True), cp.Variable(n)
    terms, constraints = [], []
    for part in parts:
        tau = cp.Variable()
        terms.append(shape.copies * tau)
        sizes = range(1, part.size + 1) if shape.is_at_most else [part.size]
        for k in sizes:
            for more in itertools.combinations(part.free, k - len(part.inside)):
                T = sorted([*map(int, part.inside), *map(int, more)])
                block = cov.matrix[np.ix_(T, T)] - Z[T, :][:, T]
                constraints.append((tau - cp.sum(y[T])) * np.eye(len(T)) - block >> 0)
    forced = [sum(j in part.inside for part in parts) for j in range(n)]
    places = sum(part.size - len(part.inside) for part in parts)
    paid = []
    for j in range(n):
        least, most = forced[j], sum(j in part.variables for part in parts)
        if shape.is_common:
            ends = [shape.copies]
        else:
            most = min(most, 1) if shape.is_disjoint else most
            ends = {max(least, 1), max(most, 1)}
        excess = cp.max(cp.hstack([Z[j, j] - u * y[j] for u in ends]))
        if least > 0:
            terms.append(excess)
        else:
            paid.append(excess if shape.is_common else cp.pos(excess))
    if paid:
        terms.append(cp.sum_largest(cp.hstack(paid), min(places, len(paid))))
    problem = cp.Problem(cp.Minimize(sum(terms)), constraints)
    return problem.solve(solver=cp.CLARABEL)


@pytest.mark.parametrize("seed", range(draws(1, 2)))
@pytest.mark.parametrize("name", CASES)
def test_its_bound_is_the_least_over_all_multipliers(name, seed):
    shape, parts = CASES[name]
    cov = random_covariance(seed)
    parts = parts or everything(shape, cov.n)
    variables = np.arange(cov.n)
    factors = start(cov.matrix, shape, parts)
    found = evaluated(cov, to_multiplier_matrix(cov.matrix, variables, factors, parts), shape, parts)
    scale = float(np.trace(cov.matrix))
    before = None
    for _ in range(3):
        factors, value, before = descend_by_program(
            cov.matrix, variables, shape, parts, found.parts, factors,
            scale=scale, missing=scale, target=-scale, share=1e-9, before=before,
        )  # fmt: skip
        found = evaluated(cov, to_multiplier_matrix(cov.matrix, variables, factors, parts), shape, parts)
    least = by_cone_program(cov, shape, parts)
    assert value == pytest.approx(least, abs=1e-5 * scale)
    assert found.upper == pytest.approx(value, abs=1e-6 * scale)


def test_a_target_ends_the_steps_and_a_wider_share_stops_them_earlier():
    cov, shape = rs.datasets.load_pitprops(), Shape((4, 4))
    parts, variables = everything(shape, 13), np.arange(13)
    factors = start(cov.matrix, shape, parts)
    found = evaluated(cov, to_multiplier_matrix(cov.matrix, variables, factors, parts), shape, parts)

    def value(target, share):
        return descend_by_program(
            cov.matrix, variables, shape, parts, found.parts, factors,
            scale=5.0, missing=1.0, target=target, share=share,
        )[1]  # fmt: skip

    best = value(5.0, 1e-6)
    assert best < value(5.0, 0.5) < best + 0.5 * (best - 5.0) + 1e-6
    assert best < value(5.4, 0.5) <= 5.4


@pytest.mark.parametrize("shape", [Shape((3, 2)), Shape((3,), copies=2)], ids=["separate", "common"])
def test_its_maps_are_what_they_say(shape):
    rng = np.random.default_rng(0)
    cov = random_covariance(0)
    kinds = everything(shape, 5)
    stacks = [
        Stack(np.array(list(itertools.combinations(range(5), part.size))), np.full(10, g))
        for g, part in enumerate(kinds)
    ]
    program = Program(cov.matrix, np.arange(5), shape, kinds, [1] * len(kinds), stacks)
    v, dv = rng.normal(size=(2, program.size))
    step = [a - b for a, b in zip(program.blocks(v + dv), program.blocks(v), strict=True)]
    change = program.blocks(dv, is_change=True)
    assert all(np.allclose(a, b) for a, b in zip(step, change, strict=True))
    Y = [block + np.swapaxes(block, 1, 2) for block in (rng.normal(size=b.shape) for b in change)]
    assert program.adjoint(Y) @ dv == pytest.approx(sum(np.vdot(a, b) for a, b in zip(Y, change, strict=True)))
    X = [b @ np.swapaxes(b, 1, 2) for b in (rng.normal(size=c.shape) for c in change)]
    P = [b @ np.swapaxes(b, 1, 2) for b in (rng.normal(size=c.shape) for c in change)]
    H = program.hessian(X, P)
    along = program.blocks(v, is_change=True)
    product = sum(
        np.trace(a @ x @ b @ p, axis1=1, axis2=2).sum() for a, x, b, p in zip(along, X, change, P, strict=True)
    )
    assert v @ H @ dv == pytest.approx(product)
    assert np.allclose(H, H.T)
