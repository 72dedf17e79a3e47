"""Limit BLAS to one thread for small matrices.

numpy and scipy each bring a BLAS with threads of its own. Used in turn, as quasi-Newton steps on a function of
eigenvalues do, the waiting threads of one block those of the other: on two cores they take ten times as long
as one thread does. Up to many hundred variables there is little to gain from them anyway.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from typing import Any

from relaxspca.numerics.linalg import MANY


@contextmanager
def one_thread(n: int) -> Iterator[None]:
    """Limit BLAS to one thread inside the block, if matrices have at most `MANY` rows, n of them here.

    Examples
    --------
    >>> import numpy as np
    >>> with one_thread(50):
    ...     float(np.linalg.eigvalsh(np.eye(50)).max())
    1.0
    """
    if n > MANY:
        yield
        return
    with _pools().limit(limits=1, user_api="blas"):
        yield


@cache
def _pools() -> Any:
    # Only loaded libraries are limited; other packages' do not run in these loops.
    import scipy.linalg  # noqa: F401
    from threadpoolctl import ThreadpoolController

    return ThreadpoolController()
