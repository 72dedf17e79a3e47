"""Claims about ratios held against the reader's own matrices or data: brute force, lies, names and words."""

import itertools
from fractions import Fraction

import numpy as np
import pytest
from building import changed
from commands import run, write_csv
from draws import draws
from exact_ratios import forms, near_best
from true_ratios import pencil

import relaxspca as rs
from relaxspca.applications import subset_selection
from relaxspca.certificate import LeastSquares, Pencil
from relaxspca.checker.exact import Exact
from relaxspca.errors import CertificateError
from relaxspca.tasks.verify import verify_certificate as verify

pytestmark = pytest.mark.filterwarnings("ignore::relaxspca.DataWarning")
EXACT = Exact()
SIZES = (0.0, 1e-14, 1e-9, 1e-4, 1e-1, 3.0)


def symmetric(rng, n):
    E = rng.standard_normal((n, n))
    return E + E.T


def ratios(A, B, k):
    """Return an exact ratio near the largest of every support of k variables on which B is definite."""
    found = (near_best(A, B, T) for T in itertools.combinations(range(len(A)), k))
    return [value for value in found if value is not None]


@pytest.mark.parametrize("exact", [True, False])
@pytest.mark.parametrize("seed", range(draws(4, 12)))
def test_what_follows_for_other_matrices_holds_of_every_support(seed, exact):
    rng = np.random.default_rng([seed, 1])
    n, k = int(rng.integers(2, 6)), int(rng.integers(1, 3))
    A, B = pencil(rng, n)
    made = rs.generalized(A, B, k).certificate
    scale = np.sqrt(np.diagonal(B))
    for size in SIZES:
        U = A + (seed % 2) * size * abs(A).max() * symmetric(rng, n) / n  # or the denominator alone is another
        V = B + size * np.outer(scale, scale) * symmetric(rng, n) / n
        found = verify(made, exact=exact, against=(U, V)).comparison
        attained, definite = ratios(U, V, k), np.linalg.eigvalsh(V)[0] > 0
        if definite:  # the best vectors of supports are rounded, that of the file may be the better one
            assert found.lower <= max(attained) + Fraction(abs(max(attained))) / 10**12
        if found.upper < np.inf:
            assert definite
            assert max(attained) <= Fraction(found.upper)
        if size <= 1e-9:  # and it is hardly wider than what is proved of the file
            assert found.upper <= made.upper + 1e5 * max(size, 1e-14) * (1 + abs(made.upper))
            assert found.lower >= made.lower - 1e5 * max(size, 1e-14) * (1 + abs(made.lower))


@pytest.mark.parametrize("exact", [True, False])
@pytest.mark.parametrize("seed", range(draws(4, 12)))
def test_what_follows_for_other_data_holds_of_every_subset(seed, exact):
    rng = np.random.default_rng([seed, 2])
    n, k, p = int(rng.integers(2, 6)), int(rng.integers(1, 3)), 12
    X = rng.standard_normal((p, n)) + 2
    y = X @ rng.standard_normal(n) + rng.standard_normal(p)
    made = subset_selection(X, y, k, intercept=bool(seed % 2)).certificate
    for size in SIZES:
        rows = rng.permutation(p)
        U = (X + size * rng.standard_normal((p, n)))[rows]
        v = (y + size * rng.standard_normal(p))[rows]
        found = verify(made, exact=exact, against=(U, v)).comparison
        attained = max(ratios(*forms(U, v, seed % 2), k))
        assert Fraction(found.lower) * (1 - Fraction(1, 10**12)) <= attained <= Fraction(found.upper)
        assert found.upper <= float(forms(v[:, None], v, seed % 2)[1][0, 0]) * (1 + 1e-12)
        if size <= 1e-9:
            assert found.upper <= made.upper * (1 + 1e6 * max(size, 1e-14))


def named():
    A, B = pencil(np.random.default_rng(5), 4)
    names = ["a", "b", "c", "d"]
    return (
        A,
        B,
        names,
        rs.generalized(rs.Covariance(A, names=names), rs.Covariance(B, names=names), 2).certificate,
    )


def test_variables_are_matched_by_name():
    A, B, names, made = named()
    pd = pytest.importorskip("pandas")
    order, other = [2, 0, 3, 1], [3, 2, 1, 0]
    U = pd.DataFrame(A, names, names).iloc[order, order]
    V = pd.DataFrame(B, names, names).iloc[other, other]
    verdict = verify(made, against=(U, V))
    assert verdict
    assert verdict.comparison.note == "what you gave is identical to what was certified (compared by names)"
    assert verdict.comparison.note in verdict.details
    assert (verdict.comparison.distance, verdict.comparison.upper) == (0.0, verdict.proved_upper)
    assert verify(made, against=made)
    without = verify(made, against=(A, B))
    assert without
    assert "compared by position" in without.comparison.note
    other = {"a": "z"}
    renamed = verify(made, against=tuple(table.rename(columns=other, index=other) for table in (U, V)))
    assert renamed.outcome.name == "INCONCLUSIVE"
    assert "your matrix has no variable 'a'" in str(renamed)


def test_a_claim_that_is_false_of_the_readers_matrices_is_refuted():
    A, B, _, made = named()
    for exact in (True, False):
        larger = verify(made, exact=exact, against=(A + B, B))  # every ratio larger by 1
        assert larger.outcome.name == "REFUTED"
        assert larger.comparison.lower == pytest.approx(made.lower + 1)
        smaller = verify(made, exact=exact, against=(A - 1e3 * B, B))
        assert smaller.outcome.name == "REFUTED" or smaller.comparison.upper >= made.lower
        other = verify(made, exact=exact, against=(A * (1 + 1e-4), B * (1 + 1e-4)))  # the same ratios
        assert other.outcome.name == "INCONCLUSIVE"
        assert "more than rounding" in str(other)
        assert other.comparison.lower <= made.lower * (1 + 1e-9)
        rounded = verify(made, exact=exact, against=(A * (1 + 1e-12), B))
        assert rounded
        assert rounded.comparison.upper > made.upper
        indefinite = verify(made, exact=exact, against=(A, B - 2 * np.linalg.eigvalsh(B)[-1] * np.eye(4)))
        assert not indefinite
        assert indefinite.comparison.upper == np.inf
    assert verify(made, against=(np.eye(3), np.eye(3))).outcome.name == "REFUTED"
    assert verify(made, against="sha256:" + 64 * "0").outcome.name == "REFUTED"


def test_a_certificate_that_proves_nothing_says_nothing_of_the_readers_matrices():
    A, B, _, made = named()
    lying = changed(made, mu=made.evidence.mu - 1, lower=made.lower - 3, upper=made.upper - 2)
    found = verify(lying, against=(A + 1e-3 * B, B))
    assert not found
    assert found.comparison.upper >= made.lower
    assert found.comparison.lower == pytest.approx(made.lower + 1e-3)


def test_what_is_no_pair_is_refused():
    A, B, _, made = named()
    X, y = np.random.default_rng(0).standard_normal((9, 4)), np.arange(9.0)
    subset = subset_selection(X, y, 2).certificate
    for claim, given in (
        (made, A),
        (made, (A,)),
        (made, LeastSquares(names=made.names, variables=X, response=y)),
        (subset, Pencil(names=made.names, numerator=A, denominator=B)),
        (subset, rs.Covariance(B)),
    ):
        with pytest.raises(CertificateError, match="held against a digest or the pair"):
            verify(claim, against=given)
    with pytest.raises(CertificateError, match="not symmetric"):
        verify(made, against=(X[:4], B))
    with pytest.raises(CertificateError, match="response of LeastSquares has shape"):
        verify(subset, against=(X, y[:5]))
    with pytest.raises(CertificateError, match="of different variables"):
        verify(made, against=(rs.Covariance(B, names="abcd"), rs.Covariance(B, names="abce")))


def test_from_the_command_line(tmp_path, monkeypatch, capsys, printed):
    monkeypatch.chdir(tmp_path)
    rng = np.random.default_rng(4)
    X = rng.standard_normal((20, 3)) + 1
    rows = np.column_stack([X[:, 0] - X[:, 2] + 0.1 * rng.standard_normal(20), X])
    write_csv(tmp_path / "t.csv", ["charge", *"abc"], rows.tolist())
    write_csv(tmp_path / "r.csv", ["charge", *"abc"], rows.round(3).tolist())
    write_csv(tmp_path / "A.csv", "ab", [[2, 1], [1, 1]])
    write_csv(tmp_path / "B.csv", "ab", [[1, 0], [0, 2]])
    printed(*["subset", "t.csv", "--response", "charge", "-k", "2", "--intercept", "--certificate", "c.json"])
    printed(*["generalized", "A.csv", "B.csv", "--covariance", "-k", "1", "--certificate", "d.json"])
    for words, code, said in (
        ("c.json --against t.csv --response charge", 0, "identical to what was certified (compared by names)"),
        ("c.json --against r.csv --response charge", 1, "differs in A - mu B by at most"),
        ("c.json --against t.csv", 2, "--response NAME"),
        ("c.json --response charge", 2, ""),
        ("c.json --against x --response y --denominator z", 2, ""),
        ("d.json --against A.csv --denominator B.csv --covariance", 0, "1 of 1 verified"),
        ("d.json --against B.csv --denominator A.csv --covariance", 1, "more than rounding"),
    ):
        found = run(capsys, "verify", *words.split())
        assert (found[0], said in found[1]) == (code, True), words


def test_tables_whose_labels_contradict_each_other_are_refused():
    pd = pytest.importorskip("pandas")
    X = np.array([[1.0, 0.0], [0.0, 2.0], [1.0, 1.0], [3.0, 1.0]])
    y = np.array([1.0, 0.0, 1.0, 2.0])
    fit = subset_selection(X, y, 1, names=["a", "b"]).certificate
    table = pd.DataFrame(X, columns=["a", "b"])
    assert verify(fit, against=(table, pd.Series(y)))
    with pytest.raises(CertificateError, match="the rows of X and y have different labels"):
        verify(fit, against=(table, pd.Series(y)[::-1]))
    with pytest.raises(CertificateError, match="two columns of X have the same name"):
        verify(fit, against=(table.set_axis(["a", "a"], axis=1), pd.Series(y)))
    A, B = np.array([[2.0, 1.0], [1.0, 2.0]]), np.eye(2)
    ratio = rs.generalized(rs.Covariance(A, names=["a", "b"]), B, 1).certificate
    turned = pd.DataFrame(A, index=["b", "a"], columns=["a", "b"])
    with pytest.raises(CertificateError, match="rows and columns of the covariance have different labels"):
        verify(ratio, against=(turned, B))


def test_columns_that_repeat_others_are_named_where_they_are_too_many():
    rng = np.random.default_rng(0)
    X, y = rng.standard_normal((8, 3)), rng.standard_normal(8)
    X[:, 1] = X[:, 0]
    found = subset_selection(X, y, 1, names=["a", "again", "b"]).certificate
    verdict = verify(found, against=(dict(zip(["a", "again", "b"], X.T, strict=True)), y))
    assert "yours are 3: hold it against yours without 'again'" in str(verdict)
    again = verify(found, against=({"b": X[:, 2], "a": X[:, 0]}, y))
    assert again
    assert "identical to what was certified (compared by names)" in again.comparison.note
