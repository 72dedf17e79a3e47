"""The CBF file, read by a reader that knows nothing of components, and solved by generic solvers."""

from itertools import combinations

import cvxpy as cp
import numpy as np
import pytest
from draws import draws

import relaxspca as rs
from relaxspca.models import write_cbf

COUNTED = {"INT", "OBJFCOORD", "FCOORD", "ACOORD", "BCOORD", "PSDVAR"}


class Program:
    """Read a CBF file with one PSD variable and one kind of scalar variables: the part of the format in use."""

    def __init__(self, path):
        lines = (line for line in path.read_text().splitlines() if line and not line.startswith("#"))
        self.sections = {}
        for name in lines:
            assert name not in self.sections
            head = next(lines).split()
            length = int(head[0]) if name in COUNTED else int(head[1]) if name in ("VAR", "CON") else 0
            self.sections[name] = head, [next(lines).split() for _ in range(length)]

    def problem(self, whole):
        """Return a cvxpy problem; `whole` are values at which the integer variables are held, or None."""
        n = int(self.sections["PSDVAR"][1][0][0])
        (count, _), domains = self.sections["VAR"]
        assert domains == [["L+", count]]
        X, z = cp.Variable((n, n), PSD=True), cp.Variable(int(count), nonneg=True)
        (rows, _), kinds = self.sections["CON"]
        affine = [0.0] * int(rows)
        for row, *entry in self.sections["FCOORD"][1]:
            affine[int(row)] += term(X, *entry)
        for row, i, value in self.sections["ACOORD"][1]:
            affine[int(row)] += float(value) * z[int(i)]
        for row, value in self.sections["BCOORD"][1]:
            affine[int(row)] += float(value)
        cones = [cone for cone, size in kinds for _ in range(int(size))]
        constraints = [] if whole is None else [z == whole]
        constraints += [a == 0 if cone == "L=" else a >= 0 for cone, a in zip(cones, affine, strict=True)]
        assert self.sections["OBJSENSE"][0] == ["MAX"]
        return cp.Problem(cp.Maximize(sum(term(X, *one) for one in self.sections["OBJFCOORD"][1])), constraints)


def term(X, variable, i, j, value):
    """Return what an entry of a symmetric matrix adds: only those of the lower triangle are given."""
    assert (variable, int(i) >= int(j)) == ("0", True)
    return float(value) * (1 if i == j else 2) * X[int(i), int(j)]


def covariance(seed, n):
    A = np.random.default_rng(seed).normal(size=(n + 2, n))
    return rs.Covariance(A.T @ A - 2 * np.eye(n))


@pytest.mark.parametrize("seed", range(draws(1, 3)))
def test_every_choice_of_z_has_the_value_of_its_support(seed, tmp_path):
    cov = covariance(seed, 4)
    write_cbf(cov, 2, tmp_path / "a.cbf")
    program = Program(tmp_path / "a.cbf")
    assert program.sections["INT"] == (["4"], [["0"], ["1"], ["2"], ["3"]])
    for T in combinations(range(4), 2):
        problem = program.problem(np.isin(np.arange(4), T).astype(float))
        value = np.linalg.eigvalsh(cov.submatrix(list(T)))[-1]
        assert problem.solve(solver="CLARABEL") == pytest.approx(value, abs=1e-6)
    over = program.problem(np.array([1.0, 1.0, 1.0, 0.0]))
    over.solve(solver="CLARABEL")
    assert over.status == "infeasible"


@pytest.mark.parametrize("solver", ["CLARABEL", "SCS"])
def test_generic_solvers_find_the_value_of_the_relaxation(solver, tmp_path, cov):
    write_cbf(cov, 5, tmp_path / "a.cbf", relaxed=True)
    program = Program(tmp_path / "a.cbf")
    assert "INT" not in program.sections
    wanted = 3.4061549468 * 1.238533  # the optimum, and the gap of (18) in per cent, 23.8533
    options = {"eps_abs": 1e-7, "eps_rel": 1e-7} if solver == "SCS" else {}
    assert program.problem(None).solve(solver=solver, **options) == pytest.approx(wanted, rel=1e-5)


def test_numbers_come_back_as_they_are_and_the_file_says_of_which_matrix(tmp_path, cov):
    write_cbf(cov, 7, tmp_path / "a.cbf")
    assert cov.digest in (tmp_path / "a.cbf").read_text()
    read = np.zeros((13, 13))
    for _, i, j, value in Program(tmp_path / "a.cbf").sections["OBJFCOORD"][1]:
        read[int(i), int(j)] = read[int(j), int(i)] = float(value)
    assert np.array_equal(read, cov.matrix)
    with pytest.raises(rs.InputError, match="outside 1..13"):
        write_cbf(cov, 14, tmp_path / "b.cbf")
    assert not (tmp_path / "b.cbf").exists()
