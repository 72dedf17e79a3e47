import math
from decimal import Decimal
from fractions import Fraction

import pytest
from draws import examples
from hypothesis import example, given
from hypothesis import strategies as st

from relaxspca.numerics.decimals import exact_decimal, float_above, interval, rounded
from relaxspca.numerics.latex import latex_interval, latex_number
from relaxspca.numerics.percent import decimal_above, decimal_below, percent_down, percent_up

FLOATS = st.floats(allow_nan=False, allow_infinity=False)


@examples(500)
@given(
    lower=FLOATS,
    width=st.sampled_from([0, 1, 3, 10**4, 10**9, 10**17]) | st.integers(0, 10**18),
    digits=st.integers(1, 17),
)
# Rounded to nearest, 10 digits of this lower bound were above the upper bound.
@example(lower=3.4061549467, width=2_935_863, digits=10)
def test_an_interval_holds_as_printed(lower, width, digits):
    upper = lower
    for _ in range(min(width, 3)):
        upper = math.nextafter(upper, math.inf)
    if width > 3:
        upper = lower + abs(lower) * width * 1e-17
    if math.isinf(upper):
        return
    printed = interval(lower, upper, digits)
    low, high = Fraction(lower), Fraction(upper)
    assert Fraction(printed.lower) <= low <= high <= Fraction(printed.upper)
    if printed.centre is not None:
        centre, radius = Fraction(printed.centre), Fraction(printed.radius)
        assert centre - radius <= low <= high <= centre + radius
        assert radius <= (high - low) + abs(centre) * Fraction(10) ** (1 - digits)


@pytest.mark.parametrize(
    ("lower", "upper", "text"),
    [
        (3.40615494678, 3.40615494681, "v = 3.40615494680 (±2e-11)"),
        (2.0, 2.0, "v = 2"),
        (0.0, 0.0, "v = 0"),
        (-1e-9, 0.0, "-1.001e-9 <= v <= 0"),
        (0.999, 1.001, "0.998999 <= v <= 1.001000"),
        (1.0, math.inf, "1.00000000000 <= v <= inf"),
        (1e300, 2e300, "1.000e300 <= v <= 2.001e300"),
    ],
)
def test_an_interval_reads_well(lower, upper, text):
    assert interval(lower, upper).text("v") == text


@examples(300)
@given(value=FLOATS)
def test_shortest_decimals_of_records_are_bounds(value):
    below, above = Decimal(repr(decimal_below(value))), Decimal(repr(decimal_above(value)))
    assert below <= Decimal(value) <= above
    assert decimal_below(value) in (value, math.nextafter(value, -math.inf))
    assert decimal_above(value) in (value, math.nextafter(value, math.inf))
    assert float(exact_decimal(value)) == value


@examples(300)
@given(value=st.floats(1e-300, 1e300), digits=st.integers(1, 5))
def test_percentages_are_bounds(value, digits):
    assert Fraction(percent_down(value, digits)) <= 100 * Fraction(value) <= Fraction(percent_up(value, digits))
    assert abs(Fraction(rounded(value, digits)) / Fraction(value) - 1) <= Fraction(10) ** (1 - digits)


@examples(200)
@given(value=st.fractions())
def test_a_float_above_is_the_next_one(value):
    above = float_above(value)
    assert Fraction(math.nextafter(above, -math.inf)) < value <= Fraction(above)


def test_latex_has_powers_of_ten():
    assert latex_number("-1.25e-300") == r"-1.25\cdot10^{-300}"
    assert latex_number("inf") == r"\infty"
    assert latex_interval(interval(1.0, 1.0 + 1e-9), "v_1") == r"v_1 = 1.0000000005 \pm 5.1\cdot10^{-10}"
    assert latex_interval(interval(1.0, 2.0), "v_1") == r"1.000 \le v_1 \le 2.000"
