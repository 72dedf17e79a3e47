"""The verified checker proves what is true; skipped where there is no Rocq."""

import itertools
import subprocess
from pathlib import Path

import in_rocq
import numpy as np
import pytest
import translate
from building import changed, ones, ratio
from draws import IS_DEEP, draws
from every_certificate import every_certificate
from formal.test_false_claims import RESTRICTED
from lies.test_false_restrictions import restricted_tables
from single import SingleTranslation
from true_certificates import covariance
from true_ratios import ratio_of

import relaxspca as rs
from relaxspca.applications import near_optimal_subsets, subset_selection
from relaxspca.certificate import (
    Budget,
    Leaf,
    ListedSupports,
    Pencil,
    Restrict,
    RowsPoint,
    Split,
    load_certificate,
)
from relaxspca.checker import verify
from relaxspca.checker.exact import Exact
from relaxspca.checker.ratio import forms

ROOT = Path(__file__).parents[2]
SMALL = draws(12_000, np.inf)
ARCHIVE = sorted(p for p in (ROOT / "certificates").rglob("*.json") if not p.name.endswith(".schema.json"))
ARCHIVE = [path for path in ARCHIVE if path.stat().st_size < SMALL]
TRUE = every_certificate() | restricted_tables() | RESTRICTED
FULL = [[-4.0, 1, -1, -3], [1, -4, 3, 1], [-1, 3, 0, 0], [-3, 1, 0, -6]]  # weights prove sets of 3 variables
PENALTY = "a penalty with groups, signs, a list or eliminated variables"
NOT_COVERED = {"penalised include eliminated": PENALTY, "penalised eliminated": PENALTY}


@pytest.mark.parametrize("path", ARCHIVE, ids=lambda path: f"{path.parent.name}-{path.stem}")
def test_the_archive_is_proved(path, verdict):
    """All of it is said to be covered: `make prove` fails where a file is not."""
    made = load_certificate(path)
    found, lines = verdict(made)
    assert found == "proved", lines
    assert lines[1].endswith(f"of {made.digest}")


@pytest.mark.parametrize("name", TRUE)
def test_true_certificates_are_proved(name, verdict):
    """And no better bound is: test_false_claims.py."""
    made = TRUE[name]
    found, lines = verdict(made)
    if name in NOT_COVERED:
        assert (found, lines) == ("not covered", [NOT_COVERED[name]])
        return
    assert found == "proved", lines


@pytest.mark.parametrize("seed", range(draws(3, 12)))
def test_what_solve_writes_is_proved(seed, verdict):
    """Covariances of few observations, indefinite matrices, any scale; every option of `solve`."""
    rng = np.random.default_rng(seed)
    n = int(rng.integers(5, 12))
    S = covariance(n, seed, samples=int(rng.integers(2, 20))) * 2.0 ** int(rng.integers(-60, 60))
    if seed % 3 == 0:
        S = S - np.diag(np.diag(S))
    cov = rs.Covariance(S)
    include, exclude = ([f"x{i}"] for i in rng.permutation(n)[:2])
    k, n_groups = int(rng.integers(1, n - 1)), draws(60, 160)
    X = rng.standard_normal((60, n_groups))
    X += 3 * rng.standard_normal((60, 1)) * (np.arange(n_groups) < 5)
    made = [
        rs.solve(cov, k=k),
        rs.solve(cov, rho=float(np.abs(S).max() / 8)),
        rs.solve(cov, k=k, include=include, exclude=exclude),
        rs.near_optimal(cov, k, within=0.1, exclude=exclude),
        rs.solve(cov, min(k, n - 2), groups={"a": ["x0", "x1"], "b": ["x2", "x3"]}),
        rs.solve(cov, k, nonnegative=True),
        rs.solve(rs.Covariance(FULL), 3, nonnegative=True),
        rs.solve(rs.Covariance.from_data(X), groups={f"g{i}": [i] for i in range(n_groups)}, most=3),
    ]
    assert any(isinstance(node, Restrict) for node in made[-1].certificate.tree)
    for result in made:
        found, lines = verdict(result.certificate)
        assert found == "proved", (result.certificate, lines)


def test_weights_need_not_speak_of_what_a_full_budget_leaves_out(verdict):
    """Beside variable 0 no support has variable 1, which is free, and not of the point."""
    made = ratio(
        subject=Pencil(names=[*"abcd"], numerator=np.diag([4.0, 1, 3, 1]), denominator=np.eye(4)),
        k=2, budgets=(Budget([0, 1], 1), Budget([2, 3], 1)), lower=4.0, upper=4.0, mu=4.0, exponents=[0] * 4,
        indices=[0], loadings=np.eye(4)[0], points=[ones(4, [0, 2, 3])],
        tree=[Split(0, 0, 1, 2), Restrict(0, 0, 0.0, (2,), 3), Leaf("rows"), Leaf("rows")],
    )  # fmt: skip
    assert verify(made, exact=True)
    found, lines = verdict(made)
    assert found == "proved", lines


def listed_ratios(seed):
    """Return a list of sets for a ratio, and one of subsets that fit, with a constant or without."""
    rng = np.random.default_rng(seed)
    data = rng.standard_normal((14, 6)) * 2.0 ** rng.integers(-3, 4, 6)
    A, response = rng.standard_normal((6, 6)), data @ rng.standard_normal(6) + rng.standard_normal(14)
    found = rs.near_optimal((A + A.T, data.T @ data), 2, within=0.5, exclude=[int(rng.integers(6))])
    fits = near_optimal_subsets(data, response, 3, within=0.5, intercept=seed % 2 == 1)
    return found.certificate, fits.certificate


@pytest.mark.parametrize("seed", range(draws(4, 20)))
def test_lists_of_ratios_are_proved_and_no_false_ones(seed, verdict):
    """What no support beside the list exceeds, and what each support of it has, is found by enumeration."""
    for made in listed_ratios(seed):
        listed = made.claim.listed
        A, B = (np.array(form, dtype=float) for form in forms(made.subject, Exact()))
        free = [i for i in range(made.n) if i not in made.exclude]
        values = {T: ratio_of(A, B, T)[0] for T in itertools.combinations(free, made.k)}
        inside = {tuple(T.tolist()) for T in listed.supports}
        best = max((values[T] for T in values if T not in inside), default=0.0)
        assert best <= listed.others * (1 + 1e-9)
        found, lines = verdict(made)
        assert found == "proved", lines
        words = translate.translate(made).split()
        lower = [values[tuple(T.tolist())] for T in listed.supports]
        room = 1e-6 * np.abs(lower)
        bounds = [{"lower": lower + a * room, "upper": lower + (a + 1) * room} for a in (-2, 1)]
        bounds += [{"others": best - 1e-6 * abs(best)}] if best else []
        lies = [changed(made, listed=changed(listed, **fields)) for fields in bounds]
        if len(listed.supports) > 1:  # the best support is left out
            rest = ListedSupports(listed.supports[1:], listed.lower[1:], listed.upper[1:], listed.others)
            lies += [changed(made, listed=rest, witness=changed(made.witness, listed=made.witness.listed[1:]))]
        for lie in lies:
            assert [verdict(lie, evidence)[0] for evidence in (None, words)] == ["REFUSED"] * 2


@pytest.mark.usefixtures("short_starts")
def test_parts_of_a_table_are_bounded_by_rows(verdict, monkeypatch):
    """Where there are more supports than are tried rows pay."""
    for module in ("relaxations.several.formula", "relaxations.several.minimise", "search.several.node"):
        monkeypatch.setattr(f"relaxspca.{module}.MOST", 3)
    made = rs.components(rs.Covariance(covariance(8, seed=5)), [3, 3], joint=True, node_limit=1).certificate
    assert any(isinstance(point, RowsPoint) for point in made.points)
    found, lines = verdict(made)
    assert found == "proved", lines


@pytest.mark.usefixtures("short_starts")
@pytest.mark.parametrize("kind", ["orthogonal", "disjoint"])
def test_several_components_are_proved_under_conditions(kind, verdict):
    """And not without one of them, where other components are better."""
    cov = rs.Covariance(covariance(7, seed=2))
    options = {"joint": True, "disjoint": kind == "disjoint"}
    used = {i for vector in rs.components(cov, [2, 2], **options).certificate.indices for i in vector}
    (i, j, *_), exclude = [t for t in range(7) if t not in used], [min(used)]
    include = [[i], [j]]
    made = rs.components(cov, [2, 2], include=include, exclude=exclude, **options).certificate
    found, lines = verdict(made)
    assert found == "proved", lines
    assert f"without x{exclude[0]}" in lines
    words = translate.translate(made).split()
    for left in ({"include": include}, {"exclude": exclude}, {}):
        better = rs.components(cov, [2, 2], **left, **options).certificate
        assert better.lower > made.upper
        lie = changed(made, include=better.claim.include, exclude=better.claim.exclude)
        assert [verdict(lie, evidence)[0] for evidence in (None, words)] == ["REFUSED"] * 2


@pytest.mark.parametrize("exponent", [-60, -14, 0, 9, 40])
def test_a_fit_is_proved_at_every_scale_and_its_ridge_counts(exponent, verdict):
    """D1 was a crash where all exponents of two are positive. With half of the ridge a fit explains more."""
    data, ridge = np.random.default_rng(3).standard_normal((20, 8)) * 2.0**exponent, 4.0**exponent
    options = {"ridge": 0.0}, {"ridge": ridge}, {"ridge": ridge / 2}
    fits = (subset_selection(data[:, 1:], data @ np.ones(8), 3, intercept=exponent > 0, **o) for o in options)
    plain, made, better = (fit.certificate for fit in fits)
    assert [verdict(claim)[0] for claim in (plain, made)] == ["proved"] * 2
    assert better.lower > made.upper
    words, lie = translate.translate(made).split(), changed(made, ridge=ridge / 2)
    assert [verdict(lie, evidence)[0] for evidence in (None, words)] == ["REFUSED"] * 2


@pytest.mark.skipif(not IS_DEEP, reason="`make prove` has the kernel prove a certificate")
def test_rocq_itself_proves_a_small_certificate(checker, tmp_path):
    """The kernel runs the checker, without extraction, OCaml or Zarith, and uses no axiom."""
    made = TRUE["tree"]
    command = ["coqc", "-q", "-w", "none", "-R", str(checker.parent), "SparseEigenvalue"]
    made.save(tmp_path / "c.json")
    text, D = in_rocq.theorem(tmp_path / "c.json", checker), SingleTranslation(made)
    low = D.whole(made.lower)
    lie = text.replace(f"({low}) ({D.upper})", f"({low}) ({low - 1})")
    assert lie != text
    for name, said, status in (("Honest", text, 0), ("Lie", lie, 1)):
        path = tmp_path / f"{name}.v"
        path.write_text(said)
        found = subprocess.run([*command, str(path)], capture_output=True, text=True, check=False)
        assert found.returncode == status
        assert ("Closed under the global context" in found.stdout) == (status == 0)
