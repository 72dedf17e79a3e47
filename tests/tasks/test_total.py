"""Several components with a total of cardinalities, against every split and every choice of supports."""

import itertools
from dataclasses import replace

import numpy as np
import pytest
from draws import draws
from two_checkers import NODE, checked

import relaxspca as rs
from relaxspca.errors import InputError
from relaxspca.search.several.splits import best_total, splits
from relaxspca.tasks import total
from tests.small_covariances import draw
from tests.small_tables import best_table

PITPROPS = rs.datasets.load_pitprops()


@pytest.mark.parametrize("disjoint", [False, True])
@pytest.mark.parametrize(
    ("kind", "total", "r"), [("correlation", 4, 2), ("wishart", 4, 2), ("indefinite", 4, 3), ("tied", 6, 2)]
)
def test_the_best_split_is_found_and_bounded(kind, total, r, disjoint):
    S = draw(kind, np.random.default_rng(total), 7 - r)
    found = rs.components(rs.Covariance(S), n_components=r, joint=True, total=total, disjoint=disjoint)
    every = [w for w in itertools.product(range(1, 8 - r), repeat=r) if sum(w) == total]
    every = {tuple(sorted(way, reverse=True)) for way in every}
    best = max(best_table(S, split, is_disjoint=disjoint, starts=2) for split in every)
    room = 1e-9 * abs(best)
    for exact in (True, False):
        verdict = rs.verify(found.certificate, exact=exact)
        assert verdict
        assert verdict.proved_lower <= best + room
        assert verdict.proved_upper >= best - room
    assert found.upper == found.certificate.upper
    assert found.lower == pytest.approx(best, rel=1e-6)
    assert found.upper >= best - room
    assert sum(found.sizes) == total
    assert sum(map(len, found.supports)) <= total
    assert f"{total} loadings in all" in repr(found)


def test_a_claim_about_another_matrix_does_not_stand_beside():
    found, other = (
        rs.components(
            rs.Covariance(draw("wishart", np.random.default_rng(seed), 5)), n_components=2, joint=True, total=3
        )
        for seed in (0, 1)
    )
    made = found.certificate
    with pytest.raises(rs.CertificateError, match="claim 0 beside it is about another matrix"):
        replace(made, beside=(other.certificate.beside[0], *made.beside[1:]))
    renamed = replace(made.beside[0], names=tuple("vwxyz"))
    assert renamed.matrix is made.matrix
    with pytest.raises(rs.CertificateError, match="claim 0 beside it is about another matrix"):
        replace(made, beside=(renamed, *made.beside[1:]))


def test_limits_leave_a_bound_over_all_splits():
    found = rs.components(PITPROPS, n_components=2, joint=True, total=4, node_limit=0)
    whole = rs.components(PITPROPS, n_components=2, joint=True, total=4)
    assert found.status == "node limit"
    assert whole.status == "optimal"
    assert found.lower <= whole.lower <= found.upper


@pytest.mark.parametrize("disjoint", [False, True])
@pytest.mark.parametrize("kind", ["correlation", "wishart", "indefinite", "tied"])
def test_work_that_is_stopped_at_once_knows_what_dense_components_explain(kind, disjoint, tmp_path):
    n, total = draws((5, 5), (6, 8))
    S = draw(kind, np.random.default_rng(3), n)
    cov = rs.Covariance(S)
    found = rs.components(cov, n_components=3, joint=True, total=total, disjoint=disjoint, time_limit=0)
    dense = np.sort(np.linalg.eigvalsh(S))[-3:].sum()
    assert found.upper <= dense + 1e-9 * np.abs(S).max()
    for exact in (True, False):
        assert rs.verify(found.certificate, exact=exact)
    whole = rs.components(cov, n_components=3, joint=True, total=total, disjoint=disjoint)
    assert found.lower <= whole.upper
    assert whole.lower <= found.upper
    found.certificate.save(tmp_path / "c.json")
    if NODE is not None:
        assert checked([tmp_path / "c.json"])[0]["outcome"] == "VERIFIED"


def test_the_dynamic_program_is_the_best_of_all_splits():
    rng = np.random.default_rng(0)
    for _ in range(20):
        r, most = int(rng.integers(1, 4)), int(rng.integers(2, 6))
        total = int(rng.integers(r, r * most + 1))
        uppers = rng.normal(size=most).tolist()
        ways = [w for w in itertools.product(range(1, most + 1), repeat=r) if sum(w) == total]
        value, split = best_total(uppers, total, r)
        assert float(value) == pytest.approx(max(sum(uppers[k - 1] for k in way) for way in ways))
        assert float(value) == pytest.approx(sum(uppers[k - 1] for k in split))
        assert sorted(splits(total, r, most)) == sorted({tuple(sorted(way, reverse=True)) for way in ways})


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"k": 2, "n_components": 4, "joint": True, "total": 20}, "either k"),
        ({"joint": True, "total": 20}, "either k"),
        ({"n_components": 4, "joint": True, "total": 3}, "add up to 4 to 52"),
        ({"n_components": 4, "joint": True, "total": 53}, "add up to 4 to 52"),
        ({"n_components": 4, "joint": True, "total": 4.5}, "total"),
        ({"n_components": 4, "total": 20}, "joint=True"),
        ({"n_components": 4}, "give k"),
    ],
)
def test_totals_that_can_be_read_in_two_ways_are_refused(options, said):
    with pytest.raises(InputError, match=said):
        rs.components(PITPROPS, **options)


def test_an_interrupt_ends_the_work_though_the_split_it_meets_is_proved(monkeypatch):
    cov = rs.datasets.load_pitprops()
    whole, looked_at = total.prove_table, []

    def interrupted(cov, shape, **options):
        looked_at.append(shape.sizes)
        found = whole(cov, shape, **options)
        # Ctrl-C at the second split, whose bound at the root is enough all the same.
        return replace(found, is_interrupted=len(looked_at) == 2)

    monkeypatch.setattr(total, "prove_table", interrupted)
    found = rs.components(cov, total=8, n_components=2, joint=True)
    assert len(looked_at) == 2
    assert found.status == "interrupted"
    assert found.lower < found.upper
    assert rs.verify(found.certificate)


@pytest.mark.usefixtures("short_starts")
def test_too_many_splits_to_prove_each_have_the_bound_of_dense_components(monkeypatch):
    monkeypatch.setattr(total, "MOST_SPLITS", 1)
    cov = rs.Covariance(PITPROPS.matrix[:6, :6])
    found = rs.components(cov, joint=True, total=12, n_components=4, time_limit=5)
    dense = float(np.linalg.eigvalsh(cov.matrix)[-4:].sum())
    assert found.lower <= dense
    assert found.upper <= dense * (1 + 1e-9)  # 5.915; single optima add up to 9.035
    assert rs.verify(found.certificate)
    assert found.is_one_split
    assert "too many ways to split" in repr(found)
    monkeypatch.undo()
    found = rs.components(cov, joint=True, total=12, n_components=4, time_limit=0)
    assert not found.is_one_split
    assert "too many ways to split" not in repr(found)
