"""Certificates of ratios: true ones, lies, mutations, and evidence that is not good. No tolerance."""

import itertools
from fractions import Fraction

import numpy as np
import pytest
from building import changed, ratio
from draws import draws
from exact_ratios import forms, near_best
from lies.test_every_scale import ROWS, evidence
from true_ratios import data, pencil, true_ratios

from relaxspca.applications import subset_selection
from relaxspca.certificate import Budget, Leaf, LeastSquares, Pencil, Split
from relaxspca.errors import CertificateError
from relaxspca.tasks.verify import verify_certificate as verify

TRUE = true_ratios()


HALVES = (Split(0, 0, 1, 2), Leaf("rows"), Leaf("rows"))
LACKING = "is proved, above the claimed upper bound"
LIES = {
    # name: (a true certificate, its changes, the reason)
    "a lower bound above what is attained": ("dense", lambda c: {"lower": c.upper}, "attains only"),
    "an upper bound below what is proved": (
        "dense", lambda c: {"upper": float(np.nextafter(c.evidence.mu, -np.inf))}, "the claimed upper bound"
    ),
    "an upper bound below what is attained": (
        "dense", lambda c: {"lower": c.lower - 2, "upper": c.lower - 1}, "above the claimed upper bound"
    ),
    "evidence of a smaller mu": (
        "dense", lambda c: {"mu": c.evidence.mu - 0.1 * abs(c.evidence.mu)}, "above 0"
    ),
    "evidence in other units": (
        "dense", lambda c: {"exponents": [e + i for i, e in enumerate(c.evidence.exponents)]}, "above 0"
    ),
    "a tree without the other half": ("dense", lambda c: {"tree": HALVES}, "above 0"),
    "one support said to be all": ("dense", lambda c: {"tree": (Leaf("rows"),)}, "above 0"),
    "nothing forced in where it is claimed": ("conditions", lambda c: {"include": [], "exclude": []}, ""),
    "low charges": ("intercept", lambda c: {"points": [changed(c.points[0], N=c.points[0].N / 2)]}, "little"),
    "a B that is not definite": (
        "dense", lambda c: {"denominator": c.subject.denominator - 1e3 * np.eye(7)}, ""
    ),
    "a singular B, and A = B": (
        "all variables",
        lambda c: dict.fromkeys(("numerator", "denominator"), np.ones((7, 7)))
        | {"lower": 0.5, "upper": 1.5, "mu": 1.5},
        "not proved positive definite",
    ),
    "a vector that B does not see": (
        "dense",
        lambda c: {"numerator": np.eye(7), "denominator": -np.eye(7), "mu": -2.0, "upper": 1.0, "lower": -1.0},
        "x'Bx is not above 0",
    ),
    "a constant fitted after all": ("origin", lambda c: {"intercept": True}, ""),
    "no constant fitted after all": ("intercept", lambda c: {"intercept": False}, ""),
    "another response": ("origin", lambda c: {"response": c.subject.response[::-1]}, ""),
    "larger budgets than proved": (
        "budgets",
        lambda c: {"k": 5, "budgets": [changed(own, k=k) for k, own in enumerate(c.claim.budgets, start=2)]},
        "",
    ),
    "another fit": ("fit", lambda c: {"fit": c.evidence.fit * (1 + 1e-3)}, LACKING),
    "a fit without a variable": (
        "fit with intercept", lambda c: {"fit": c.evidence.fit * (np.arange(c.n) > 0)}, LACKING
    ),
    "no fit": ("fit", lambda c: {"fit": None}, LACKING),
    "less than all explain": ("fit", lambda c: {"upper": c.upper * (1 - 1e-8)}, LACKING),
    "another ridge": ("fit with ridge", lambda c: {"ridge": c.subject.ridge / 2}, LACKING),
    "no budgets": ("budgets", lambda c: {"budgets": ()}, ""),
}  # fmt: skip


@pytest.mark.parametrize("exact", [True, False])
@pytest.mark.parametrize("lie", LIES)
def test_every_lie_is_refused_and_the_reason_names_it(lie, exact):
    name, change, reason = LIES[lie]
    verdict = verify(changed(TRUE[name], **change(TRUE[name])), exact=exact)
    assert not verdict
    assert reason in "; ".join(verdict.reasons)


def test_what_is_no_certificate_is_refused():
    made = TRUE["dense"]
    for change in (
        {"k": 8},
        {"exponents": [0]},
        {"exponents": [1001] * 7},
        {"exponents": [0.5] * 7},
        {"exclude": [int(made.indices[0])]},
        {"mu": np.inf},
        {"tree": (Leaf("collatz", 0),)},
        {"tree": (Leaf("listed"),)},
        {"budgets": [Budget([0, 1], 3)]},
        {"budgets": [Budget([0, 1], 2), Budget([1, 2, 3, 4, 5, 6], 1)]},
        {"budgets": [Budget(range(4), 1), Budget(range(4, 7), 1)]},
        {"subject": np.eye(7)},
        {"fit": np.zeros(7)},
    ):
        with pytest.raises(CertificateError):
            changed(made, **change)
    with pytest.raises(CertificateError, match="a coefficient for each variable"):
        changed(TRUE["fit"], fit=np.zeros(7))
    with pytest.raises(CertificateError, match="against a digest"):
        verify(made, against=np.eye(7))
    with pytest.raises(CertificateError, match="not symmetric"):
        Pencil(names="ab", numerator=[[1.0, 2.0], [0.0, 1.0]], denominator=np.eye(2))


def attained(held, T):
    """Return an exact ratio near the largest of a support."""
    if isinstance(held, LeastSquares):
        A, B = forms(held.variables[:, T], held.response, held.intercept)
        return near_best(A, B + np.diag([Fraction(held.ridge)] * len(T)), range(len(T)))
    return near_best(held.numerator, held.denominator, T)


def supports(made):
    parts = [b.variables.tolist() for b in made.claim.budgets] or [list(range(made.n))]
    counts = [b.k for b in made.claim.budgets] or [made.k]
    chosen = [itertools.combinations(part, k) for part, k in zip(parts, counts, strict=True)]
    for found in itertools.product(*chosen):
        T = sorted(itertools.chain(*found))
        if set(made.include.tolist()) <= set(T) and not set(made.exclude.tolist()) & set(T):
            yield T


@pytest.mark.parametrize("seed", range(draws(1, 3)))
def test_nothing_is_proved_below_what_is_attained(seed):
    rng, tight = np.random.default_rng(seed), 0
    for count in range(80):
        n = int(rng.integers(2, 6))
        exponents, names = rng.integers(-3, 4, n), [str(i) for i in range(n)]
        if rng.random() < 0.5:
            A, B = pencil(rng, n)
            held = Pencil(names=names, numerator=A, denominator=B)
        else:
            X, y = data(rng, n, int(rng.integers(2, 9)))
            held = LeastSquares(names=names, variables=X, response=y, intercept=bool(rng.integers(2)))
            C = np.eye(len(y)) - held.intercept / len(y)
            b, B = X.T @ C @ y, X.T @ C @ X
            A = np.outer(b, b)
        budgets, k = (), int(rng.integers(1, n + 1))
        if rng.random() < 0.5:
            parts = np.split(rng.permutation(n), [int(rng.integers(1, n))])
            budgets = tuple(Budget(np.sort(part), int(rng.integers(1, len(part) + 1))) for part in parts)
            k = sum(b.k for b in budgets)
        # From too small for any proof to ample.
        largest = float(np.linalg.eigvals(np.linalg.pinv(B) @ A).real.max())
        mu = largest + abs(largest) * float(rng.choice([-0.5, 0.01, 1.0, 3.0]))
        D = np.ldexp(1.0, exponents)
        M = (A - mu * B) * np.outer(D, D)
        leaf, points = evidence(rng, (M + M.T) / 2, ROWS)
        tree = [leaf] if rng.random() < 0.5 else [Split(0, int(rng.integers(n)), 1, 2), leaf, leaf]
        made = ratio(
            subject=held,
            k=k,
            budgets=budgets,
            lower=-1.7e308,
            upper=-1.7e308,
            indices=[0],
            loadings=np.eye(n)[0],
            mu=mu,
            exponents=exponents.tolist(),
            points=points,
            tree=tree,
        )
        values = [value for T in supports(made) if (value := attained(held, T)) is not None]
        proved = verify(made, exact=count % 4 == 0).proved_upper
        assert proved == np.inf or all(Fraction(proved) >= value for value in values), (seed, count)
        tight += proved == mu
    assert tight > 10  # the evidence is often enough


def test_a_bound_beyond_the_doubles_is_no_crash():
    """In rational arithmetic the excess of a leaf may be larger than every double."""
    A, B = np.diag([2.0**1000, 1.0]), np.eye(2)
    made = ratio(
        subject=Pencil(names="ab", numerator=A, denominator=B), k=2, lower=0.0, upper=1.0, mu=0.0,
        exponents=[1000, 0], indices=[1], loadings=[0.0, 1.0], points=(), tree=(Leaf("rows"),),
    )  # fmt: skip
    for exact in (True, False):
        verdict = verify(made, exact=exact)
        assert not verdict
        assert verdict.proved_upper == np.inf


@pytest.mark.parametrize("where", ["variables", "response"])
def test_means_beyond_the_doubles_are_no_crash(where):
    """Columns whose sum overflows are finite doubles: they are centred exactly, about another number."""
    huge = float(np.finfo(float).max)
    X, y = np.array([[1.0, 0.0], [2.0, 1.0], [4.0, 1.0]]), np.array([1.0, 2.0, 3.0])
    X, y = (X + np.outer([huge, huge, huge], [1.0, 0.0]), y) if where == "variables" else (X, np.full(3, huge))
    made = ratio(
        subject=LeastSquares(names="ab", variables=X, response=y, intercept=True), k=1, lower=0.0, upper=2.0,
        mu=0.0, exponents=[0, 0], indices=[1], loadings=[0.0, 1.0], points=(), tree=(Leaf("rows"),),
    )  # fmt: skip
    centred = [Fraction(v) - sum(map(Fraction, y)) / 3 for v in y]
    energy = sum(v * v for v in centred)
    for exact in (True, False):
        verdict = verify(made, exact=exact)
        assert verdict, verdict
        assert verdict.proved_upper == energy


def by_the_sum_of_squares(tree, *, short=0.0):
    """Return a claim that y'Cy alone proves, or that it is short of."""
    X, y = np.array([[1.0, 0.0], [0.0, 1.0], [1.0, 1.0]]), np.array([1.0, 2.0, 2.0])
    return ratio(
        subject=LeastSquares(names="ab", variables=X, response=y), k=1, lower=1.0, upper=9.0 - short, mu=0.0,
        exponents=[0, 0], indices=[1], loadings=[0.0, 1.0], points=(), tree=tree,
    )  # fmt: skip


@pytest.mark.parametrize("exact", [True, False])
def test_the_sum_of_squares_is_a_bound_that_needs_no_leaf(exact):
    assert verify(by_the_sum_of_squares((Leaf("rows"),)), exact=exact).proved_upper == 9.0
    assert verify(by_the_sum_of_squares((Leaf("rows"),)), exact=exact)
    short = verify(by_the_sum_of_squares((Leaf("rows"),), short=2.0**-40), exact=exact)
    assert short.outcome.name == "INCONCLUSIVE"
    assert "above 0" in str(short)
    broken = verify(by_the_sum_of_squares((Split(0, 0, 1, 1), Leaf("rows"))), exact=exact)
    assert broken.outcome.name == "INCONCLUSIVE"
    assert "reached twice" in str(broken)


@pytest.mark.parametrize("exact", [True, False])
@pytest.mark.parametrize("seed", range(draws(6, 20)))
def test_no_fit_proves_less_than_all_variables_explain(seed, exact):
    rng = np.random.default_rng([seed, 9])
    name = ("fit", "fit with intercept", "fit with ridge")[seed % 3]
    made, held = TRUE[name], TRUE[name].subject
    assert changed(made, ridge=9.0).digest != made.digest
    X = held.variables.copy()
    if seed % 4 > 1:  # nearly dependent columns
        X[:, 1] = X[:, 0] + 2.0**-20 * X[:, 1]
    w = made.evidence.fit + rng.normal(size=made.n) * rng.choice([0, 1e-14, 1e-9, 1e-4, 1.0])
    large = {"exponents": [6] * made.n, "fit": w, "lower": -1e9, "upper": 1e9}
    other = changed(made, subject=changed(held, variables=X), **large)
    best = attained(other.subject, range(made.n))
    assert verify(other, exact=exact).proved_upper >= best * (1 - Fraction(1, 10**9))


def test_where_b_is_all_but_singular_a_fit_bounds_what_is_left(clock):
    """Rounding hides the sign of A - mu B, and the fit of all variables does not."""
    rng = np.random.default_rng(3)
    U, _, W = np.linalg.svd(rng.standard_normal((60, 40)), full_matrices=False)
    X = (U * np.geomspace(1, 1e-6, 40)) @ W
    y = X @ np.where(np.arange(40) < 3, 1.0, 0.0)
    y = y + rng.standard_normal(60) * y.std()
    clock(itertools.count().__next__)  # it goes on whenever it is read
    found = subset_selection(X, y, 3, time_limit=100.0)
    rest = y - X @ np.linalg.lstsq(X, y, rcond=1e-15)[0]
    assert found.lower >= 0.9 * float(rest @ rest) > 0
    assert found.certificate.evidence.fit is not None
    assert verify(found.certificate, exact=False)
