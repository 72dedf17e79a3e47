"""The JSON of the command line, read as exact decimals, is held against the truth in rational arithmetic."""

import json
from fractions import Fraction

import numpy as np
import pytest
from draws import draws
from exact_subsets import least, problem
from exact_truth import Spectrum, Supports, Truth, ratio_is_upper
from printed import CASES, tables_of

import relaxspca as rs
from relaxspca.command.cli import main

pytestmark = pytest.mark.usefixtures("short_starts")
SOME = [*draws((20,), range(0, 60, 3)), *range(60, len(CASES), draws(2, 1))]
FEW = [*draws((1,), range(1, 60, 8)), *range(60, len(CASES), draws(4, 2))]


@pytest.fixture
def told(tmp_path, capsys):
    """Return a function that runs a command on matrices and reads its JSON."""

    def run(command, *matrices, words):
        files = []
        for at, M in enumerate(matrices):
            lines = [",".join("abcdefgh"[: M.shape[1]])]
            lines += [",".join(repr(float(value)) for value in row) for row in M]
            files.append(tmp_path / f"{at}.csv")
            files[-1].write_text("\n".join(lines))
        assert main([command, *map(str, files), *words, "--json"]) == 0
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
def test_ratios(case, told):
    X = np.random.default_rng(case).normal(size=(9, len(CASES[case])))
    A, B = np.asarray(CASES[case]), X.T @ X / 9
    exact = [[[Fraction(float(x)) for x in row] for row in M] for M in (A, B)]
    for words in (["-k", "1"], ["-k", "2"], ["-k", "2", "--gap", "0.2"]):
        said = told("generalized", A, B, words=["--covariance", *words])
        assert ratio_is_upper(*exact, int(words[1]), said["upper"])
        hair = Fraction(1, 10**25) * max(abs(said["lower"]), Fraction(1, 10**300))
        assert not ratio_is_upper(*exact, int(words[1]), said["lower"] - hair)


@pytest.mark.parametrize("case", SOME)
def test_paths(case, told):
    S, truth = CASES[case], Truth(CASES[case])
    largest = float(np.abs(S).max())
    said = told("path", S, words=["--covariance", "-k", "1-3"])
    assert [row["k"] for row in said["rows"]] == [1, 2, 3]
    for row in said["rows"]:
        check_bounds(truth, row["k"], row["lower"], row["upper"])
    said = told("path", S, words=["--covariance", "--rho", f"{0.1234564 * largest!r},{largest!r}"])
    for row in said["rows"]:
        assert truth.is_upper_of_penalised(Fraction(row["rho"]), row["upper"])
        assert truth.is_lower_of_penalised(Fraction(row["rho"]), row["lower"])
    dense = Spectrum(truth.S).largest()
    if dense[1] > 0:
        said = told("path", S, words=["--covariance", "--share-of-dense", "0.7"])
        for row in said["rows"]:
            check_bounds(truth, row["k"], row["lower"], row["upper"])
        if said["is_smallest_proved"] and said["smallest_k"] > 1:
            assert truth.is_upper(said["smallest_k"] - 1, Fraction(0.7) * dense[1])


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


@pytest.mark.parametrize("seed", range(draws(4, 12)))
def test_subsets(seed, told):
    M, y = problem(seed)
    for intercept in (False, True):
        words = ["--response", "e", "-k", "1-3", *(["--intercept"] if intercept else [])]
        found = told("subset", np.column_stack([M, y]), words=words)["rows"]
        assert [row["k"] for row in found] == [1, 2, 3]
        for row in found:
            assert row["lower"] <= least(M, y, row["k"], intercept=intercept) <= row["upper"]
