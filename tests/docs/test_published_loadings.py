"""The loadings of Zou, Hastie and Tibshirani (2006) on the page about several components, found again."""

import numpy as np
from published import ZOU

from relaxspca.candidates.elastic_net import spca

PENALTIES = (0.06, 0.16, 0.1, 0.5, 0.5, 0.5)  # of the example of the R package elasticnet


def test_the_algorithm_of_the_paper_gives_the_loadings_of_the_page(cov):
    """Signs are free; where to stop decides the third digit."""
    found = spca(cov, 6, penalties=PENALTIES, tol=1e-3)
    for x, printed in zip(found.T, ZOU.values(), strict=True):
        shown = np.array([printed.get(name, 0.0) for name in cov.names])
        assert min(np.abs(x - shown).max(), np.abs(x + shown).max()) < 1.6e-3
