"""The bound d + rho k on v_k that follows from a bound d on the penalised problem."""

from __future__ import annotations

from relaxspca.numerics.linalg import round_up

__all__ = ["penalty_line"]


def penalty_line(value: float, rho: float, k: int) -> float:
    r"""Return :math:`d+\rho k` rounded upwards: a bound on :math:`v_k` if :math:`\phi(\rho)\le d`.

    Examples
    --------
    >>> round(penalty_line(1.0, 0.5, 3), 9)
    2.5
    """
    return round_up(value + round_up(rho * k))
