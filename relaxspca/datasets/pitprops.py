"""The pitprops correlation matrix, the field's oldest test problem."""

from importlib.resources import files

import numpy as np

from relaxspca.problem.covariance import Covariance


def load_pitprops() -> Covariance:
    """Return the 13 x 13 correlation matrix of 180 pit props.

    Returns
    -------
    Covariance
        Correlations (no unit), printed to three digits in [1]_.

    References
    ----------
    .. [1] J. N. R. Jeffers, Two case studies in the application of principal component analysis,
       Applied Statistics 16:225-236, 1967.

    Examples
    --------
    >>> load_pitprops()
    Correlation matrix: 13 variables (topdiam, length, moist, testsg, ovensg, ringtop, ...), trace 13
    """
    text = (files("relaxspca.datasets") / "pitprops.csv").read_text(encoding="utf-8").splitlines()
    rows = [[float(entry) for entry in line.split(",")] for line in text[1:]]
    return Covariance(np.array(rows), names=text[0].split(","))
