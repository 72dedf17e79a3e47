"""See whether this process computes with doubles as IEEE 754 has them: the checker's one assumption."""

from __future__ import annotations

import numpy as np

SOUND = "IEEE binary64, rounding to nearest, subnormal numbers kept"


def floating_environment() -> tuple[str, list[str]]:
    """Return what the floating-point environment is, in words, and what is wrong with it.

    Old fast-math libraries set a flag of the processor that replaces subnormal numbers by 0, for every library
    of the process; others change the rounding. Numbers are computed in arrays, as the checker computes.
    """
    tiny, normal, one = (np.full(5, x) for x in (2.0**-1074, 2.0**-1022, 1.0))
    flushed = (normal * 0.5 == 0) | (tiny + 0.0 == 0) | (tiny == 0) | (normal[:1] @ (one[:1] * 0.5) == 0)
    above, below = one + 2.0**-53, one + 3 * 2.0**-54
    is_nearest = (above == 1) & (below == 1 + 2.0**-52) & (-above == -1) & (-one - 3 * 2.0**-54 == -below)
    wrong = []
    if flushed.any():
        wrong.append("subnormal numbers are replaced by 0 in this process")
    if not is_nearest.all():
        wrong.append("sums are not rounded to nearest in this process")
    advice = "some library has set a flag of the processor: verify in a process that does not load it"
    return (SOUND, []) if not wrong else ("; ".join(wrong), [f"{fault}; {advice}" for fault in wrong])
