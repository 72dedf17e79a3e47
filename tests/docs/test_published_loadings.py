"""The loadings of Zou, Hastie and Tibshirani (2006) on the page about several components, found again."""

import re
from pathlib import Path

import numpy as np

PAGE = Path(__file__).parents[2] / "docs" / "several_components.md"
PENALTIES = (0.06, 0.16, 0.1, 0.5, 0.5, 0.5)  # of the example of the R package elasticnet


def lasso(G, b, penalty):
    """Minimise x'Gx + 1e-6 x'x - 2b'x + penalty |x|_1 by coordinates."""
    x = np.zeros(len(b))
    for _ in range(5000):
        before = x.copy()
        for j in range(len(b)):
            rest = b[j] - G[j] @ x + G[j, j] * x[j]
            x[j] = np.sign(rest) * max(abs(rest) - penalty / 2, 0) / (G[j, j] + 1e-6)
        if np.abs(x - before).max() < 1e-6:
            break
    return x


def alternated(G, penalties):
    """Run the algorithm of the paper, section 3.3, until nothing moves by a thousandth."""
    r = len(penalties)
    A, last = np.linalg.eigh(G)[1][:, ::-1][:, :r], np.full((len(G), r), np.inf)
    for _ in range(200):
        B = np.column_stack([lasso(G, G @ A[:, j], penalties[j]) for j in range(r)])
        U, _, V = np.linalg.svd(G @ B, full_matrices=False)
        A, X = U @ V, B / np.linalg.norm(B, axis=0)
        if np.abs(X - last).max() < 1e-3:
            break
        last = X
    return X


def test_the_algorithm_of_the_paper_gives_the_loadings_of_the_page(cov):
    """Signs are free; where to stop decides the third digit."""
    block = re.search(r"zou = (\{.*?\n\})", PAGE.read_text(), re.DOTALL).group(1)
    table = eval(block, {"__builtins__": {}})  # noqa: S307  a dict of numbers of our own page
    found = alternated(cov.matrix, PENALTIES)
    for x, printed in zip(found.T, table.values(), strict=True):
        shown = np.array([printed.get(name, 0.0) for name in cov.names])
        assert min(np.abs(x - shown).max(), np.abs(x + shown).max()) < 1.6e-3
