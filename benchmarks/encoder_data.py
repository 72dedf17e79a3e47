"""The data sets of the encoder and regression benchmarks."""

from __future__ import annotations

from typing import Any

import numpy as np
from matrices import DATA

from relaxspca import Covariance
from relaxspca.datasets import load_pitprops


def curve_covariances() -> dict[str, Covariance]:
    """Return the covariances of the loss curves; colon500 only where the file is."""
    from sklearn.datasets import load_breast_cancer, load_digits

    found = {"pitprops": load_pitprops()}
    colon = DATA / "colon500.npz"
    if colon.exists():
        found["colon500"] = Covariance(np.load(colon)["S"])
    found["breast_cancer"] = Covariance.from_data(load_breast_cancer().data, correlation=True)
    found["digits"] = Covariance.from_data(load_digits().data)
    return found


def classification_sets(openml: list[str]) -> dict[str, tuple[Any, Any]]:
    """Return features and classes; ``openml`` names data sets to fetch (and cache) with scikit-learn."""
    from sklearn.datasets import fetch_openml, load_breast_cancer, load_digits, load_wine, make_classification

    digits = load_digits()
    one_or_five = np.isin(digits.target, (1, 5))
    found = {
        "breast_cancer": load_breast_cancer(return_X_y=True),
        "wine": load_wine(return_X_y=True),
        "digits 1 vs 5": (digits.data[one_or_five], digits.target[one_or_five]),
        "digits": (digits.data, digits.target),
        # scikit-learn's generator is the one that made the Madelon set; here it makes a smaller one.
        "madelon-like": make_classification(
            n_samples=600,
            n_features=200,
            n_informative=5,
            n_redundant=15,
            n_clusters_per_class=8,
            random_state=0,
        ),
    }
    for name in openml:
        found[name] = fetch_openml(name, return_X_y=True, as_frame=False, parser="liac-arff")
    return found


def regression_sets(openml: list[str]) -> dict[str, tuple[Any, Any]]:
    """Return features and targets (m, p); the word counts only where the file is."""
    from scipy import sparse
    from sklearn.datasets import fetch_openml, load_breast_cancer, load_diabetes, load_digits, load_wine

    diabetes, cancer, wine, digits = load_diabetes(), load_breast_cancer(), load_wine(), load_digits()
    found: dict[str, tuple[Any, Any]] = {
        "diabetes": (diabetes.data, diabetes.target[:, None]),
        "breast_cancer": (cancer.data, 2.0 * cancer.target[:, None] - 1.0),
        "wine": (wine.data, np.eye(3)[wine.target]),
        "digits": (digits.data, np.eye(10)[digits.target]),
    }
    words = DATA / "basehock_counts.npz"
    if words.exists():
        counts = sparse.load_npz(words).toarray()
        # Targets: the ten most frequent words, to be told from all others.
        order = np.argsort(-counts.sum(axis=0), kind="stable")
        found["words"] = (counts[:, np.sort(order[10:1010])].astype(float), counts[:, order[:10]].astype(float))
    for name in openml:
        X, y = fetch_openml(name, return_X_y=True, as_frame=False, parser="liac-arff")
        found[name] = (np.asarray(X, dtype=float), np.asarray(y, dtype=float).reshape(len(y), -1))
    return found
