"""The JSON of the command line, read as exact decimals, is held against the truth in rational arithmetic."""

import json
from fractions import Fraction

import numpy as np
import pytest
from commands import write_csv
from draws import draws
from exact_subsets import problem
from exact_truth import Supports, Truth
from printed import CASES, records, tables_of

import relaxspca as rs
from relaxspca.applications import subset_path
from relaxspca.command.cli import main

pytestmark = pytest.mark.usefixtures("short_starts")
SOME = [*draws((20,), range(0, 60, 3)), *range(60, len(CASES), draws(2, 1))]
FEW = [*draws((1,), range(1, 60, 8)), *range(60, len(CASES), draws(4, 2))]


@pytest.fixture
def told(tmp_path, capsys):
    """Return a function that runs a command on matrices and reads its JSON."""

    def run(command, *matrices, words):
        names = "abcdefgh"
        files = [write_csv(tmp_path / f"{at}.csv", names[: M.shape[1]], M) for at, M in enumerate(matrices)]
        assert main([command, *files, *words, "--json"]) == 0
        return json.loads(capsys.readouterr().out, parse_float=Fraction)

    return run


def check_bounds(truth, k, lower, upper):
    assert truth.is_lower(k, lower)
    assert truth.is_upper(k, upper)


@pytest.mark.parametrize("case", SOME)
def test_lists(case, told):
    S = CASES[case]
    for k in (1, 2):
        truth = Supports(S, k)
        said = told("near-optimal", S, words=["--covariance", "-k", str(k), "--within", "0.3", "--costs"])
        listed = [tuple(record["indices"]) for record in said["supports"]]
        for T, record in zip(listed, said["supports"], strict=True):
            assert record["lower"] <= truth.values[T][1]
            assert record["upper"] >= truth.values[T][0]
        rest = [T for T in truth.values if T not in listed]
        assert not rest or said["others"] is None or said["others"] >= truth.best(rest)[0]
        rivals = [T for T in truth.values if listed[0] != T]
        if rivals and said["radius"]:
            assert truth.best(rivals)[0] + 2 * Fraction(said["radius"]) <= truth.values[listed[0]][1]
        for name, (low, high) in said["costs"].items():
            i = "abcd".index(name)
            opposite = [T for T in truth.values if (i in T) != (i in listed[0])]
            if opposite:
                assert low is None or low <= truth.best()[1] - truth.best(opposite)[0]
                assert high is None or high >= truth.best()[0] - truth.best(opposite)[1]


@pytest.mark.parametrize("case", SOME)
def test_stability(case, told):
    S = CASES[case]
    for k in (1, 2):
        truth = Supports(S, k)
        said = told("stability", S, words=["--covariance", "-k", str(k)])
        mine = tuple("abcd".index(name) for name in said["support"])
        others = [T for T in truth.values if mine != T]
        assert said["lower"] <= truth.values[mine][1]
        assert not others or said["runner_up"] >= truth.best(others)[0]
        exact = rs.stability(rs.solve(rs.Covariance(S), k)).radii  # attacked elsewhere
        for measure, radius in said["radii"].items():
            assert radius is None or radius <= Fraction(exact[measure])


@pytest.mark.parametrize("case", SOME)
def test_components_paths_ratios_and_fits_have_the_bounds_of_their_records(case, told):
    """Records are held against the truth elsewhere."""
    S, (M, y) = CASES[case], problem(case)
    X = np.random.default_rng(case).normal(size=(9, len(S)))
    cov, B, words, rho = rs.Covariance(S), X.T @ X / 9, ["--covariance", "-k"], 0.1234564 * np.abs(S).max()
    for said, found in (
        (told("solve", S, words=[*words, "2"]), rs.solve(cov, 2)),
        (told("path", S, words=[*words, "1-3"]), rs.path(cov, k=[1, 2, 3])),
        (told("path", S, words=["--covariance", "--rho", repr(float(rho))]), rs.path(cov, rho=float(rho))),
        (told("generalized", S, B, words=[*words, "2"]), rs.generalized(S, B, 2)),
        (told("subset", np.column_stack([M, y]), words=["--response", "e", "-k", "3"]), subset_path(M, y, [3])),
    ):
        for row, record in zip(said.get("rows", [said]), records(found), strict=True):
            assert (row["lower"], row["upper"]) == (Fraction(record["lower"]), Fraction(record["upper"]))


@pytest.mark.parametrize("case", FEW)
def test_tables(case, told, tmp_path):
    S, truth = CASES[case], tables_of(case)
    words = ["--covariance", "-k", "2,2"]
    for sizes, more in (([2, 2], []), ([3, 2], []), ([2, 1], ["--disjoint"])):
        best = truth.best(sizes, is_disjoint=bool(more))
        chosen = ["--covariance", "-k", ",".join(map(str, sizes)), "--joint", *more]
        said = told("components", S, words=chosen)
        assert said["lower"] <= best[1]
        assert said["upper"] >= best[0]
    best = truth.best([2, 2])
    loadings = tmp_path / "L.csv"
    said = told("components", S, words=[*words, "--loadings", str(loadings)])
    assert said["joint_upper"] is None or said["joint_upper"] >= best[0]
    exact = rs.components(rs.Covariance(S), [2, 2]).joint_upper
    assert exact is None or said["joint_upper"] >= Fraction(exact)
    check_bounds(Truth(S), 2, said["components"][0]["lower"], said["components"][0]["upper"])
    said = told("certify", S, words=["--covariance", "--loadings", str(loadings)])
    sizes = [len(record["support"]) for record in said["components"]]
    best = truth.best(sizes)
    assert said["lower"] <= best[1]
    assert said["upper"] >= best[0]
    one = Truth(S)
    for size, record in zip(sizes, said["components"], strict=True):
        check_bounds(one, size, record["first_lower"], record["first_upper"])
