"""What a certificate says of itself in words, Markdown and LaTeX is true as printed."""

import re
import shutil
from decimal import Decimal
from fractions import Fraction

import numpy as np
import pytest
from building import changed
from scripts import typeset
from true_certificates import certificate, covariance, optimum, top, true_certificates
from true_tables import long_components

import relaxspca as rs
from relaxspca.certificate import Description, Leaf
from relaxspca.checker import verify
from relaxspca.problem.gap import relative_gap

TRUE = {name: made for name, (_, made) in true_certificates().items()}
PAGE = r"""\documentclass{article}
\usepackage[utf8]{inputenc}
\begin{document}
%s
\end{document}
"""


def forms(made):
    return made.to_markdown(), made.to_latex(), str(verify(made))


def wide(ratio):
    """Return the claim that the best component falls short of the bound by a fraction of its own value."""
    S = covariance(5, seed=4)
    value = optimum(S, 2)[0]
    upper = max(value * (1 + ratio), value)
    return changed(certificate(S, 2, [Leaf("rows")]), lower=value * (1 - 1e-15), upper=upper)


@pytest.mark.parametrize(
    ("ratio", "said"),
    [
        (1e-9, "optimal to within a relative 1.1e-9|optimal to within a relative 1.0e-9"),
        (1e-5, r"exceeds that bound by at most 0.00101 % of it"),
        (0.105, r"exceeds that bound by at most 10.6 % of it"),
        (1e4, r"exceeds that bound by at most \d+ *;|exceeds that bound by at most \d+\."),
    ],
)
def test_optimal_is_said_only_with_its_relative_width_and_only_where_that_is_small(ratio, said):
    text = wide(ratio).to_markdown()
    assert re.search(said, text), text
    assert ("optimal" in text) == (ratio < 1e-6)
    assert ("optimal" in wide(ratio).to_latex()) == (ratio < 1e-6)


def test_the_width_is_that_of_results():
    result = rs.solve(rs.datasets.load_pitprops(), 5)
    assert relative_gap(result.certificate.lower, result.certificate.upper, result.certificate) == result.gap
    width = Fraction(result.certificate.upper) - Fraction(result.certificate.lower)
    printed = re.search(r"within a relative ([\d.e-]+)\.", result.certificate.to_markdown()).group(1)
    assert Fraction(printed) >= width / Fraction(result.certificate.lower)


@pytest.mark.parametrize("rho", [0.1234564, 0.2, 1e-9, 0.125, 1 / 3, 123456.789])
def test_a_penalty_is_printed_exactly_or_said_to_be_the_double_of_what_is_printed(rho):
    S = covariance(3, seed=1)
    fields = {"k": None, "rho": rho, "indices": [], "loadings": np.zeros(3), "lower": 0.0}
    made = certificate(S, 1, [Leaf("rows")], upper=1e6, **fields)
    for text in forms(made):
        number = re.search(r"(?:phi|varphi)\((?:double\()?([^)]*)\)", text).group(1)
        number = number.replace("\\cdot10^{", "e").replace("}", "")
        assert float(number) == rho
        assert Decimal(number) == Decimal(rho) or "double" in text
    assert "The empty set of variables" in made.to_markdown()


def test_every_form_says_of_which_matrix_and_never_covariance_of_a_correlation(cov):
    found = rs.components(cov, [3, 2])
    for made, after in ((found.results[0].certificate, ""), (found.results[1].certificate, "1 component was")):
        for text in forms(made):
            assert "correlation matrix" in text
            assert "covariance" not in text
            assert after in text
            assert made.digest[-8:] in text
    plain = TRUE["perron"]
    assert all("symmetric matrix" in text for text in forms(plain))
    of = changed(plain, **{"description": Description("covariance", observations=1)})
    assert all("covariance matrix of 1 observation" in text for text in forms(of))


@pytest.mark.parametrize("name", ["eliminated", "penalised eliminated"])
def test_the_condition_of_eliminated_variables_is_printed_and_a_true_one(name):
    made = TRUE[name]
    for text in (*forms(made), made.to_latex()):
        assert "at most the variances stated" in text
        assert "no eigenvalue below 0" in text
    shifted = changed(made, **{"eliminated": type(made.eliminated)(("y",), np.array([0.1]), 1 / 3)})
    printed = re.search(r"no eigenvalue below -([\d.]+)", shifted.to_markdown()).group(1)
    assert Fraction(printed.rstrip(".")) <= Fraction(1 / 3)  # a condition may be stricter than the proof needs


@pytest.mark.skipif(shutil.which("pdflatex") is None, reason="needs pdflatex")
def test_latex_compiles_without_packages_and_stays_within_the_margins(tmp_path):
    names = ["50%_x", "a^b~c\\d", "{brace}", "$money$", "#1 & co", "x" * 90, "<é|ü>"]
    S = covariance(7, seed=1)
    fields = {"names": names, "indices": list(range(7)), "loadings": np.ones(7), "lower": 0.0}
    odd = certificate(S, 7, [Leaf("rows")], upper=top(S), **fields)
    chosen = [TRUE[name] for name in ("perron", "described", "eliminated", "penalised psi", "enumeration")]
    found = rs.components(rs.datasets.load_pitprops(), [5, 4]).results
    pages = "\n\n".join(made.to_latex() for made in [odd, *chosen, *(r.certificate for r in found)])
    assert "Overfull" not in typeset(tmp_path, PAGE % pages)


def test_a_name_with_a_comma_is_one_name_in_latex():
    cov = rs.Covariance([[1, 0.5, 0.1], [0.5, 1, 0.2], [0.1, 0.2, 1]], names=["wing, left", "b", "c"])
    for made in (rs.solve(cov, 2).certificate, rs.components(cov, [2, 1], joint=True).certificate):
        assert '"wing, left", b' in made.to_latex()


def test_statements_are_true_as_printed_and_carry_the_digest():
    made = TRUE["enumeration"]
    for text, at_most in ((made.to_markdown(), "(±"), (made.to_latex(), r"\pm")):
        assert made.digest in text.replace("\\hskip 0pt plus 2pt\\relax ", "")
        centre, radius = re.search(r"= ([\d.]+) (?:\(±|\\pm )([^ ,)\n]+)", text).groups()
        assert at_most in text
        radius = radius.removesuffix(".").replace("\\cdot10^{", "e").replace("}", "")
        low, high = (Fraction(centre) + sign * Fraction(radius) for sign in (-1, 1))
        assert low <= Fraction(made.lower) <= Fraction(made.upper) <= high
        assert all(name in text for name in made.support)
    assert r"optimal to within a relative $1.1\cdot10^{-9}$" in made.to_latex()
    changes = {"names": ["50%_x", *made.names[1:]], "indices": [0], "loadings": np.eye(6)[0]}
    odd = changed(made, **changes)
    assert r"50\%\_x" in odd.to_latex()


def test_many_equal_cardinalities_are_printed_in_short():
    made = long_components(6, 6, spread=0)
    for sizes, said in (
        ([5] * 6, "w(5 x 6)"),
        ([6, 5, 5, 5, 5, 5], "w(6,5 x 5)"),
        ([6, 6, 5, 5, 5, 5], "w(6,6,5,5,5,5)"),
    ):
        claim = changed(made, sizes=sizes)
        assert claim.symbol == said
        assert f" <= {said} <= " in claim.statement
        assert rf"and ${said}$ the largest sum".replace(" x ", r"\times") in claim.to_latex()
