"""Every LaTeX output is pasted into a document and set, in the width of a journal's column of text."""

import re
import shutil

import numpy as np
import pytest
from command.test_answers import ANSWERS
from scripts import typeset

import relaxspca as rs
from relaxspca.numerics.percent import percent_up

PREAMBLE = r"""\documentclass{article}
\usepackage[textwidth=%spt]{geometry}
\usepackage{booktabs,tabularx}
\begin{document}
"""
NAMES = [
    "height_of_the_plant_in_cm",
    "50%_quantile",
    r"a\b",
    "x^2",
    "{weight}",
    "#3",
    "cost & price",
    "[c]~d",
    "*--<e>",
]


def outputs():
    rng = np.random.default_rng(0)
    wide = rs.Covariance(np.corrcoef(rng.normal(size=(30, 9)), rowvar=False), names=NAMES)
    pitprops = rs.datasets.load_pitprops()
    found = [
        rs.solve(wide, 4),
        rs.solve(wide, 4, node_limit=0),
        rs.solve(pitprops, rho=0.1234564),
        rs.certify(wide, wide.names[:3]),
        rs.path(pitprops, k=range(1, 14), time_limit=0),
        rs.path(wide, rho=[0.1, 0.1234567890123]),
        rs.compare(pitprops, 5, methods=["greedy", "elastic_net", "generalized_power_l1"]),
        rs.components(pitprops, [7, 4, 4, 1, 1, 1], time_limit=0),
        rs.components(wide, [3] * 8, gap=1.0),
        rs.components(wide, [3, 2], joint=True, node_limit=1),
        rs.certify(wide, rs.components(wide, [3] * 8, gap=1.0), time_limit=0),
        rs.certify(wide, rs.components(wide, [3, 2], time_limit=0), node_limit=0),
        rs.components(wide, 4, 2, joint=True, common=True, time_limit=0),
        rs.near_optimal(wide, 4, within=0.1, costs=True),
        rs.near_optimal(wide, 4, within=0.3, exclude=[NAMES[1]], limit=3),
        rs.stability(rs.solve(wide, 4)),
        rs.stability(rs.near_optimal(pitprops, 10, within=0.02), decimals=3),
        rs.generalized(wide, np.diag(np.arange(1.0, 10.0)), 4),
        rs.path(wide, share_of_dense=0.7),
        rs.path(wide, k=[3, 4], time_limit=0),
        rs.upper_bound(wide, 4),
    ]
    certificates = [result.certificate for result in found if isinstance(result, rs.results.Result)]
    texts = [certificate.to_latex() for certificate in certificates]
    for number, result in enumerate(found):
        texts += [result.to_latex(), result.to_latex(caption=True, label=f"t{number}")]
    return texts


@pytest.mark.usefixtures("short_starts")
@pytest.mark.skipif(shutil.which("pdflatex") is None, reason="needs pdflatex")
def test_every_output_is_set_within_the_text(tmp_path):
    body = "\n\\clearpage\n".join(rf"\noindent {text}" for text in outputs())
    # That of a wide column, narrower than the 345 points of the class article.
    assert re.findall(r"Overfull \\hbox.*\n.*", set_in(tmp_path, 315, body)) == []


@pytest.mark.usefixtures("short_starts", "unlisted")
@pytest.mark.skipif(shutil.which("pdflatex") is None, reason="needs pdflatex")
def test_tables_of_six_components_are_set_within_a_column_of_two(tmp_path, cov):
    # The first is not the best of its kind: what is said of it needs the most room.
    table = rs.components(cov, [5, 4, 4, 2, 2, 1], time_limit=0).loadings_array.copy()
    table[[2, 3], 0] = [-0.6, 0.1]
    found = [rs.certify(cov, table, time_limit=0), rs.components(cov, [6] * 6, joint=True, time_limit=0)]
    texts = [text for one in found for text in (one.to_latex(), one.to_latex(caption=True))]
    assert "not optimal (+" in texts[0]
    column = 229.5  # points, in the class article
    assert "Overfull" not in set_in(tmp_path, column, "\n\\clearpage\n".join(texts))
    for text in texts:
        titles = [line for line in text.splitlines() if line.startswith("variable & PC")]
        assert titles == [r"variable & PC 1 & PC 2 & PC 3 \\", r"variable & PC 4 & PC 5 & PC 6 \\"]
    rows = [line.split(" & ") for line in texts[0].splitlines() if line.split(" & ")[0] in cov.names]
    shown = [[cell.strip(" \\$") for cell in cells] for _, *cells in rows]
    loadings = [f"{x:.3f}" for x in found[0].loadings_array.T.ravel() if x]
    assert sorted(cell for cells in shown for cell in cells if cell) == sorted(loadings)


def set_in(folder, width, body):
    """Return what pdflatex says of a text in this width."""
    return typeset(folder, PREAMBLE % width + body + "\n\\end{document}\n")


@pytest.mark.skipif(shutil.which("pdflatex") is None, reason="needs pdflatex")
def test_greek_letters_and_small_digits_in_names_are_set(tmp_path):
    greek = [chr(code) for code in (*range(0x391, 0x3AA), *range(0x3B1, 0x3CA)) if code != 0x3A2]
    names = [*greek, "CO₂", "s⁻¹", "m²", "µm", "x ≤ 1", "é", "a™"]
    cov = rs.Covariance(np.eye(len(names)) + 1, names=names)
    found = rs.solve(cov, cov.n)
    text = found.to_latex() + found.certificate.to_latex()
    assert r"CO$_{2}$" in text
    assert r"$\lambda$, $\mu$" in text
    set_in(tmp_path, 345, text)


@pytest.mark.skipif(shutil.which("pdflatex") is None, reason="needs pdflatex")
def test_a_table_longer_than_a_page_is_cut_into_pieces_that_hold_every_row(tmp_path):
    X = np.random.default_rng(0).normal(size=(20, 90))
    found = rs.components(rs.Covariance.from_data(X), [40, 40], time_limit=0)
    used = {name for support in found.support for name in support}
    assert 40 < len(used) <= 72
    path = rs.path(rs.datasets.load_pitprops(), k=range(1, 6)).to_latex()
    assert "Overfull" not in set_in(tmp_path, 345, f"Text.\n\n{found.to_latex()}\n\\clearpage\nText.\n\n{path}")
    rows = re.findall(r"^(x\d+) & ", found.to_latex(), flags=re.MULTILINE)
    assert sorted(rows) == sorted(used)
    assert found.to_latex().count("variable & PC 1") == 2
    assert found.to_latex(caption="Ours").count("variable & PC 1") == 1


def test_tables_are_as_wide_as_the_line_and_captions_are_numbers_of_mathematics():
    found = rs.path(rs.datasets.load_pitprops(), k=[2, 3])
    assert r"\noindent" + "\n" + r"\begin{tabularx}{\linewidth}" in found.to_latex()
    float_ = rs.solve(rs.datasets.load_pitprops(), 2).to_latex(caption=True, label="tab:a")
    assert r"\caption{Largest variance with at most 2 of 13 variables: 1.95400 (rounded;" in float_
    assert re.search(r"relative gap \$[\d.]+\\cdot10\^\{-\d+\}\$", float_)
    assert r"\label{tab:a}" in float_
    assert found.to_latex(caption="Ours").count(r"\caption{Ours}") == 1


OTHERS = ("subset", "ratio", "generalized", "bootstrap", "held-out")  # are not about a covariance matrix
BELOW = {  # what stands below the table of an answer
    "solve": r"subject to knots included.*: 1\.96080 \(rounded; .*Proved optimal",
    "certify": r"moist, testsg: not optimal, a better component explains 34 \\% more",
    "path": "3 proved optimal",
    "components, conditions": r"These components are jointly optimal \(relative gap",
    "subset": "Least residual sum of squares with at most 2",
    "list of subsets": "on 5 variables and an intercept",
    "generalized": "with at most 2 of 13 variables",
    "list of ratios": "x'Ax / x'Bx of 13 variables",
}


@pytest.mark.parametrize("name", [name for name in ANSWERS if name != "no variable"])
def test_a_table_without_a_caption_says_what_is_proved_and_of_which_matrix(name):
    found = ANSWERS[name][1]()
    caption = found.to_latex(caption=True)
    assert re.search(r"\\caption\{(.*)\}", caption)[1] in found.to_latex()
    is_of_matrix = not any(word in name for word in OTHERS)
    assert not is_of_matrix or "correlation matrix" in caption
    for given in (False, "Ours"):
        below = found.to_latex(caption=given).split(r"\bottomrule")[-1]
        assert re.search(BELOW.get(name, ""), below), below
        assert ("correlation matrix" in below) == is_of_matrix
        assert "symmetric matrix" not in below
        assert not is_of_matrix or re.search("(of|for .*) 13 variables|of 3 groups", below)
        assert not is_of_matrix or not re.search(r"\d nodes?", below)


def test_what_is_open_is_said_with_its_gap(cov):
    left = rs.solve(cov, 5, node_limit=0)
    assert rf"the optimum is larger by at most {percent_up(left.gap)} \%" in left.to_latex()


def test_what_explains_a_table_stands_with_it_and_is_so(cov):
    components = rs.components(cov, [2, 2])
    assert "Each component is proved optimal given the previous ones" in components.to_latex()
    judged = rs.certify(cov, components)
    for text in (repr(judged), judged.to_latex(), judged.to_latex(caption="Ours")):
        assert "This choice of variables is jointly optimal" in text
        assert '"Given earlier PCs": after projection deflation, with the loadings as they are' in text
    compared, path = rs.compare(cov, 2, methods=["greedy"]), rs.path(cov, rho=[0.3])
    listed = rs.near_optimal(cov, 8, within=0.1)
    assert len(listed.supports) > 20
    assert "The first 20 are shown; --latex (to_latex) has all." in repr(listed)
    assert all(f"${at}$ & " in listed.to_latex() for at in range(1, len(listed.supports) + 1))
    for caption in (False, True):
        assert "Shortfalls are relative to the optimum" in compared.to_latex(caption=caption)
        assert "gaps are relative to it" in path.to_latex(caption=caption)
        assert "are shown" not in listed.to_latex(caption=caption)
    alike = rs.components(rs.Covariance(np.eye(300)), [1, 1])
    assert "| % of total | 0.333 | 0.333 |" in repr(alike)  # two decimals would say little
    # A table of variables is cut too.
    listed = rs.near_optimal(rs.Covariance(np.diag(np.arange(25.0, 0, -1))), 21, within=0, limit=2)
    for found in (listed, rs.bootstrap(np.random.default_rng(0).normal(size=(9, 25)), 1, resamples=1)):
        assert "The first 20 are shown; --" in repr(found)
