"""Convert scikit-learn's random_state to a numpy generator."""

from __future__ import annotations

from typing import Any

import numpy as np
from sklearn.utils import check_random_state


def generator(random_state: Any) -> np.random.Generator:
    """Return a numpy generator; None gives a fixed seed, so that fits are repeatable.

    Examples
    --------
    >>> bool(generator(None).random() == generator(None).random())
    True
    """
    if random_state is None:
        return np.random.default_rng(0)
    return np.random.default_rng(check_random_state(random_state).randint(2**31 - 1))
