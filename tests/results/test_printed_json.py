"""The JSON of the command line, read as exact decimals, is held against results and against the truth."""

import json
from fractions import Fraction

import numpy as np
import pytest
from commands import write_csv
from draws import draws
from exact_subsets import problem
from exact_truth import Truth
from printed import CASES, records, tables_of

import relaxspca as rs
from relaxspca.applications import subset_path

pytestmark = pytest.mark.usefixtures("short_starts")
SOME = [*draws((20,), range(0, 60, 3)), *range(60, len(CASES), draws(2, 1))]
FEW = [*draws((1,), range(1, 60, 8)), *range(60, len(CASES), draws(4, 2))]


@pytest.fixture
def told(tmp_path, printed):
    """Return a function that runs a command on matrices and reads its JSON."""

    def run(command, *matrices, words):
        names = "abcdefgh"
        files = [write_csv(tmp_path / f"{at}.csv", names[: M.shape[1]], M) for at, M in enumerate(matrices)]
        return json.loads(printed(command, *files, *words, "--json"), parse_float=Fraction)

    return run


@pytest.mark.parametrize("case", SOME)
def test_lists_and_stability_have_the_bounds_of_their_results(case, told):
    """Those are held against the truth elsewhere; read as decimals, bounds may only be wider."""
    S, cov = CASES[case], rs.Covariance(CASES[case])
    for k in (1, 2):
        words = ["--covariance", "-k", str(k)]
        found = rs.near_optimal(cov, k, within=0.3, costs=True)
        said = told("near-optimal", S, words=[*words, "--within", "0.3", "--costs"])
        for row, record in zip(said["supports"], records(found), strict=True):
            assert (row["lower"], row["upper"]) == (Fraction(record["lower"]), Fraction(record["upper"]))
        assert said["others"] is None or said["others"] >= found.upper
        assert said["radius"] is None or said["radius"] <= found.radius
        for name, (low, high) in found.costs.items():
            ends = said["costs"]["abcd"[cov.names.index(name)]]
            assert ends[0] is None or ends[0] <= low
            assert ends[1] is None or ends[1] >= high
        found, said = rs.stability(rs.solve(cov, k)), told("stability", S, words=words)
        assert said["lower"] <= found.lower
        assert said["runner_up"] is None or said["runner_up"] >= found.runner_up
        for measure, radius in said["radii"].items():
            assert radius is None or radius <= found.radii[measure]


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
    for sizes, more in (([3, 2], []), ([2, 1], ["--disjoint"])):
        best = truth.best(sizes, is_disjoint=bool(more))
        chosen = ["--covariance", "-k", ",".join(map(str, sizes)), "--joint", *more]
        said = told("components", S, words=chosen)
        assert said["lower"] <= best[1]
        assert said["upper"] >= best[0]
    best = truth.best([2, 2])
    loadings = tmp_path / "L.csv"
    said = told("components", S, words=[*words, "--loadings", str(loadings)])
    assert said["joint_upper"] is None or said["joint_upper"] >= best[0]
    one = Truth(S)
    check_bounds(one, 2, said["components"][0])
    said = told("certify", S, words=["--covariance", "--loadings", str(loadings)])
    sizes = [len(record["support"]) for record in said["components"]]
    best = truth.best(sizes)
    assert said["lower"] <= best[1]
    assert said["upper"] >= best[0]
    for size, record in zip(sizes, said["components"], strict=True):
        check_bounds(one, size, {end: record[f"first_{end}"] for end in ("lower", "upper")})


def check_bounds(truth, k, record):
    assert truth.is_lower(k, record["lower"])
    assert truth.is_upper(k, record["upper"])
