"""What a bound on the penalised problem says of every cardinality."""

from __future__ import annotations

from relaxspca.numerics.linalg import round_up

__all__ = ["penalty_line"]


def penalty_line(value: float, rho: float, k: int) -> float:
    r"""Return :math:`d+\rho k` rounded upwards: what a value d at a penalty bounds for k variables.

    Examples
    --------
    >>> round(penalty_line(1.0, 0.5, 3), 9)
    2.5
    """
    return round_up(value + round_up(rho * k))
