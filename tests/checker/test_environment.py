"""The floating-point environment is tested before anything is verified."""

import ctypes
import platform
import struct
import sys

import numpy as np
import pytest
from true_certificates import certificate

from relaxspca.certificate import Leaf
from relaxspca.checker import Outcome, verify
from relaxspca.checker.verdict import SOUND, floating_environment

FLUSH = 0x8040  # flush to zero, and subnormal operands are zero
is_testable = sys.platform == "linux" and platform.machine() == "x86_64"


@pytest.fixture
def control():
    """Yield a function that changes the processor's floating-point control word for a while."""
    library = ctypes.CDLL("libm.so.6")
    old, new = ctypes.create_string_buffer(64), ctypes.create_string_buffer(64)
    library.fegetenv(old)

    def change(*, add=0, rounding=None):
        ctypes.memmove(new, old, 64)
        struct.pack_into("<I", new, 28, struct.unpack_from("<I", old, 28)[0] | add)
        library.fesetenv(new)
        if rounding is not None:
            library.fesetround(rounding)

    try:
        yield change
    finally:
        library.fesetenv(old)


def test_this_process_is_sound():
    assert floating_environment() == (SOUND, [])
    assert SOUND in str(verify(certificate(np.eye(2), 1, [Leaf("rows")], upper=2.0)))


@pytest.mark.skipif(not is_testable, reason="the control word of x86-64 under Linux")
@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"add": FLUSH}, "subnormal"),
        ({"add": 0x8000}, "subnormal"),
        ({"add": 0x0040}, "subnormal"),
        ({"rounding": 0x400}, "nearest"),
        ({"rounding": 0x800}, "nearest"),
        ({"rounding": 0xC00}, "nearest"),
    ],
)
def test_a_changed_environment_verifies_nothing(control, change, reason):
    tiny = 2.0**-1060
    fields = {"lower": 0.0, "loadings": [1.0, 0.0], "indices": [0]}
    lie = certificate(np.diag([tiny, 0.5 * tiny]), 1, [Leaf("rows")], upper=1.0, **fields)
    control(**change)
    verdicts = [verify(lie, exact=exact) for exact in (True, False)]
    control()
    for verdict in verdicts:
        assert verdict.outcome is Outcome.INCONCLUSIVE
        assert reason in verdict.reasons[0]
        assert reason in verdict.environment
    assert floating_environment() == (SOUND, [])
