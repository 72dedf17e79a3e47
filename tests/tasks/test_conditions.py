"""Variables that must be used and variables that must not, against enumeration, and what contradicts itself."""

import itertools

import numpy as np
import pytest
from building import changed
from draws import draws
from small_covariances import KINDS, covariance, draw, optimum_at_penalty

import relaxspca as rs
from relaxspca.candidates import METHODS


def drawn(kind, seed):
    """Return a matrix, a cardinality and conditions that do not contradict each other."""
    rng = np.random.default_rng([seed, 77])
    n = int(rng.integers(2, 11))
    k = int(rng.integers(1, n + 1))
    order = rng.permutation(n).tolist()
    count = int(rng.integers(0, k + 1))
    left_out = int(rng.integers(0, n - max(count, 1) + 1))
    return draw(kind, rng, n), k, sorted(order[:count]), sorted(order[count : count + left_out])


def best_value(S, k, include, exclude):
    size = min(k, len(S) - len(exclude))
    supports = itertools.combinations(range(len(S)), size)
    meet = [T for T in supports if set(include) <= set(T) and not set(exclude) & set(T)]
    return max(np.linalg.eigvalsh(S[np.ix_(T, T)])[-1] for T in meet)


@pytest.mark.parametrize("kind", KINDS)
def test_conditions_equal_enumeration_and_stay_true_when_stopped(kind):
    for seed in range(draws(6, 24)):
        S, k, include, exclude = drawn(kind, seed)
        cov, best = covariance(S), best_value(S, k, include, exclude)
        room = 1e-13 * len(S) * np.abs(S).max()
        result = rs.solve(cov, k, include=include, exclude=exclude)
        assert result.lower <= best + room
        assert best - room <= result.upper <= result.lower + 3e-9 * abs(best) + room
        chosen = set(result.candidate.indices.tolist())
        assert chosen >= set(include)
        assert not chosen & set(exclude)
        assert rs.verify(result.certificate), seed
        stopped = rs.solve(cov, k, include=include, exclude=exclude, node_limit=seed % 4)
        assert stopped.lower <= best + room
        assert stopped.upper >= best - room
        assert rs.verify(stopped.certificate), seed


def best_at_penalty(S, rho, include, exclude):
    """Return the largest lambda_max(S_TT) - rho |T|, every variable of T paid for."""
    sizes = range(max(1, len(include)), len(S) - len(exclude) + 1)
    best = max(best_value(S, k, include, exclude) - rho * k for k in sizes)
    return best if include else max(best, 0.0)


@pytest.mark.parametrize("kind", KINDS)
def test_conditions_at_a_penalty_equal_enumeration_and_stay_true_when_stopped(kind):
    for seed in range(draws(5, 20)):
        S, _, include, exclude = drawn(kind, seed)
        S, include, exclude = S[:9, :9], [i for i in include if i < 9], [i for i in exclude if i < 9]
        if len(exclude) == len(S):
            continue
        cov, rho = covariance(S), np.abs(S).max() * [0.0, 0.05, 0.3, 0.7, 2.0][seed % 5]
        best = best_at_penalty(S, rho, include, exclude)
        room = 1e-13 * len(S) * (np.abs(S).max() + rho)
        result = rs.solve(cov, rho=rho, include=include, exclude=exclude)
        assert result.lower <= best + room
        assert best - room <= result.upper <= result.lower + 3e-9 * (abs(best) + np.abs(S).max()) + room
        chosen = set(result.candidate.indices.tolist())
        assert chosen >= set(include)
        assert not chosen & set(exclude)
        assert rs.verify(result.certificate), seed
        stopped = rs.solve(cov, rho=rho, include=include, exclude=exclude, node_limit=seed % 3)
        assert stopped.lower <= best + room
        assert stopped.upper >= best - room
        assert rs.verify(stopped.certificate), seed


def test_a_variable_to_include_is_paid_for_where_its_loading_is_0(tmp_path):
    cov = covariance(np.diag([3.0, 2.0, 1.0]))
    result = rs.solve(cov, rho=0.5, include=["x2"])
    assert result.support == ("x0", "x2")
    assert result.candidate.loadings.tolist() == [1.0, 0.0, 0.0]
    assert result.lower == pytest.approx(2.0)
    result.certificate.save(tmp_path / "c.json")
    made = rs.Certificate.load(tmp_path / "c.json")
    for text in (made.statement, made.to_markdown(), made.to_latex(), str(rs.verify(made))):
        assert "paid for even where the loading is 0" in text
    assert "x2 included (penalised even where the loading is 0)" in result.statement
    # x0 alone attains the same: the claim counts what is to be included beside the support of the vector.
    alone = changed(made, indices=[0], loadings=[1.0, 0.0, 0.0])
    assert rs.verify(alone)
    assert not rs.verify(changed(alone, include=[1, 2]))
    dear = rs.solve(cov, rho=5.0, include=["x2"])
    assert dear.support == ("x2",)
    assert dear.upper == pytest.approx(-4.0)
    assert rs.verify(dear.certificate, against=cov)


@pytest.mark.parametrize("kind", KINDS)
def test_exclusions_at_a_penalty_equal_enumeration(kind):
    for seed in range(draws(2, 4)):
        S, _, _, exclude = drawn(kind, seed)
        left = [i for i in range(len(S)) if i not in exclude]
        rho = 0.3 * np.abs(S).max() * seed / 4
        best = optimum_at_penalty(S[np.ix_(left, left)], rho)
        result = rs.solve(covariance(S), rho=rho, exclude=exclude)
        room = 1e-13 * len(S) * (np.abs(S).max() + rho)
        assert result.lower <= best + room
        assert best - room <= result.upper
        assert rs.verify(result.certificate)
        assert not set(result.candidate.indices.tolist()) & set(exclude)


def test_names_and_positions_are_the_same_conditions():
    cov = rs.datasets.load_pitprops()
    by_name = rs.solve(cov, 4, include=["knots"], exclude=["topdiam", "length"])
    by_position = rs.solve(cov, 4, include=[11], exclude=[0, 1])
    assert cov.names[11] == "knots"
    assert by_name.support == by_position.support
    assert by_name.certificate.include.tolist() == [11]
    assert by_name.certificate.exclude.tolist() == [0, 1]


def test_a_certificate_says_its_conditions_in_words_and_in_its_file(tmp_path):
    cov = rs.datasets.load_pitprops()
    made = rs.solve(cov, 4, include=["knots"], exclude=["topdiam"]).certificate
    for text in (made.statement, made.to_markdown(), made.to_latex(), str(rs.verify(made))):
        assert "knots" in text
        assert "without topdiam" in text
    made.save(tmp_path / "c.json")
    again = rs.Certificate.load(tmp_path / "c.json")
    assert again.statement == made.statement
    assert rs.verify(again, against=cov)


def test_too_few_variables_left_lower_the_cardinality():
    cov = rs.datasets.load_pitprops()
    result = rs.solve(cov, 5, exclude=range(3, 13))
    assert result.candidate.indices.tolist() == [0, 1, 2]
    assert result.certificate.k == 3


@pytest.mark.parametrize(
    ("conditions", "said"),
    [
        ({"k": 2, "include": [0, 1, 2]}, "include at most k"),
        (
            {"k": 2, "include": [0], "exclude": [0]},
            "topdiam is both included and excluded: take it out of include or of exclude",
        ),
        ({"k": 2, "exclude": range(13)}, "every variable is excluded"),
        ({"k": 2, "include": ["nobody"]}, "there is no variable 'nobody'"),
        ({"k": 2, "exclude": [13]}, "variable 13 is outside 0..12"),
        ({"k": 2, "exclude": "knots"}, "as a list"),
    ],
)
def test_contradictions_are_named(conditions, said):
    with pytest.raises(rs.InputError, match=said):
        rs.solve(rs.datasets.load_pitprops(), **conditions)


def test_a_start_has_to_meet_the_conditions():
    cov = rs.datasets.load_pitprops()
    start = rs.Candidate.from_support(cov, [0, 1])
    with pytest.raises(rs.InputError, match="topdiam, which is excluded"):
        rs.solve(cov, 3, start=start, exclude=["topdiam"])
    with pytest.raises(rs.InputError, match="more than k"):
        rs.solve(cov, 2, start=start, include=["knots"])
    assert "knots" in rs.solve(cov, 3, start=start, include=["knots"]).support


def test_wide_data_are_reduced_under_conditions(monkeypatch):
    import relaxspca.search.reduced as reduced

    monkeypatch.setattr(reduced, "LARGEST_BLOCK", 30)
    rng = np.random.default_rng(3)
    X = rng.normal(size=(50, 60)) * np.linspace(0.1, 1, 60)
    X[:, -6:] += rng.normal(size=(50, 1)) * 3
    cov = rs.Covariance.from_data(X)
    include, exclude = [56], [59, 3]
    left = [i for i in range(60) if i not in exclude]
    whole = rs.solve(cov, 3, include=include, exclude=exclude)
    direct = rs.solve(cov.restrict(left), 3, include=[cov.names[56]])
    assert whole.certificate.eliminated is not None
    assert whole.lower == pytest.approx(direct.lower)
    assert whole.upper == pytest.approx(direct.upper)
    assert cov.names[56] in whole.support
    assert rs.verify(whole.certificate)


@pytest.mark.parametrize("method", METHODS)
def test_every_candidate_method_respects_conditions(method):
    cov = rs.datasets.load_pitprops()
    found = rs.candidate(cov, 4, method=method, include=[11, 2], exclude=[0])
    assert {2, 11} <= set(found.indices.tolist())
    assert 0 not in found.indices
    assert found.k <= 4


def test_certify_judges_among_the_supports_that_meet_the_conditions():
    cov = rs.datasets.load_pitprops()
    conditions = {"include": ["knots"], "exclude": ["topdiam"]}
    best = rs.solve(cov, 3, **conditions)
    judged = rs.certify(cov, best.candidate, **conditions)
    assert judged.status == "optimal"
    assert judged.certificate.include.tolist() == [11]
    assert rs.verify(judged.certificate)
    worse = rs.certify(cov, ["moist", "knots"], k=3, **conditions)
    assert worse.status == "improvable"
    assert worse.better.support == best.support
    assert worse.lower <= best.lower <= worse.upper
    # Of two variables of which one is to be included, and is not: is it compared at two or at three?
    with pytest.raises(rs.InputError, match="does not use knots, which is to be included: give k"):
        rs.certify(cov, ["moist", "testsg"], include=["knots"])
    assert rs.certify(cov, ["moist", "testsg"], k=3, include=["knots"]).status == "improvable"
    with pytest.raises(rs.InputError, match="uses topdiam, which is excluded"):
        rs.certify(cov, ["topdiam", "knots"], **conditions)
    with pytest.raises(rs.InputError, match="judged by a search"):
        rs.certify(cov, best.candidate, relaxation="psi", **conditions)


def test_solve_says_that_others_tie_where_an_exchange_shows_it():
    tied = rs.solve(rs.Covariance([[1, 0.5, 0.5], [0.5, 1, 0.5], [0.5, 0.5, 1]]), 2)
    assert len(tied.ties) == 2
    assert "Not the only optimum: 2 other sets of variables attain as much" in tied.statement
    alone = rs.solve(rs.datasets.load_pitprops(), 5)
    assert alone.ties == ()
    assert "Uniqueness not checked" in alone.statement


def test_a_result_says_its_conditions():
    cov = rs.datasets.load_pitprops()
    said = "subject to knots included, topdiam excluded"
    assert said in rs.solve(cov, 3, include=["knots"], exclude=["topdiam"]).statement
    assert said in rs.path(cov, k=[3], include=["knots"], exclude=["topdiam"]).statement


def test_every_component_meets_the_conditions():
    cov = rs.datasets.load_pitprops()
    conditions = {"include": ["knots"], "exclude": ["topdiam"]}
    proved = rs.components(cov, [3, 2], **conditions)
    for result in proved.results:
        assert "knots" in result.support
        assert "topdiam" not in result.support
        assert rs.verify(result.certificate)
    assert proved.results[0].lower == rs.solve(cov, 3, **conditions).lower
    for found in rs.components(cov, [3, 2], prove=False, **conditions).candidates:
        assert {"knots"} <= set(found.support)
    with pytest.raises(rs.InputError, match="go with joint=True"):
        rs.components(cov, [3, 2], joint=True, **conditions)


@pytest.mark.parametrize("kind", KINDS)
def test_a_path_of_penalties_excludes_variables(kind):
    rng = np.random.default_rng([3, 71])
    S = draw(kind, rng, 7)
    left = [0, 2, 3, 5, 6]
    penalties = [0.05 * np.abs(S).max(), 0.4 * np.abs(S).max()]
    found = rs.path(covariance(S), rho=penalties, exclude=[1, 4], tol=1e-9)
    for rho, row in zip(penalties, found.rows, strict=True):
        best = optimum_at_penalty(S[np.ix_(left, left)], rho)
        room = 1e-12 * len(S) * (np.abs(S).max() + rho) + 1e-8 * abs(best)
        assert abs(row.upper - best) <= room
        assert not {1, 4} & set(row.candidate.indices.tolist())
        assert row.certificate.exclude.tolist() == [1, 4]
        assert rs.verify(row.certificate)
    held = rs.path(covariance(S), rho=penalties, include=[2], exclude=[1, 4], tol=1e-9)
    for rho, row in zip(penalties, held.rows, strict=True):
        best = best_at_penalty(S, rho, [2], [1, 4])
        assert abs(row.upper - best) <= 1e-12 * len(S) * (np.abs(S).max() + rho) + 1e-8 * abs(best)
        assert 2 in row.candidate.indices
        assert rs.verify(row.certificate)


def test_compare_judges_methods_that_meet_the_conditions():
    cov = rs.datasets.load_pitprops()
    told = {"include": ["knots"], "exclude": ["topdiam"]}
    found = rs.compare(cov, 4, methods=["greedy", "thresholding", "elastic_net"], **told)
    exact = rs.solve(cov, 4, **told)
    assert found.upper == pytest.approx(exact.upper, rel=1e-9)
    assert "subject to knots included, topdiam excluded" in repr(found)
    for row in found.rows:
        assert "knots" in row.support
        assert "topdiam" not in row.support
    assert found.result.certificate.include.tolist() == exact.certificate.include.tolist()
    given = rs.compare(cov, 13, methods=["greedy"], exclude=["topdiam"], upper=10.0)
    assert given.k == 12
    assert "topdiam excluded" in repr(given)
