"""Arguments that are looked at even where a call does not use them."""

import numpy as np
import pytest

import relaxspca as rs
from relaxspca.datasets import load_pitprops

COV = load_pitprops()
X = np.random.default_rng(0).normal(size=(20, 4))
CALLS = {
    "candidate": lambda **told: rs.candidate(COV, 2, **told),
    "bootstrap": lambda **told: rs.bootstrap(X, 2, resamples=1, **told),
    "held_out": lambda **told: rs.held_out(X, 2, **told),
}


@pytest.mark.parametrize("name", CALLS)
@pytest.mark.parametrize("rng", ["a", 3])
def test_what_is_no_generator_is_refused(name, rng):
    with pytest.raises(rs.InputError, match=f"rng must be a generator, not {rng!r}: write rng=numpy.random"):
        CALLS[name](rng=rng)


@pytest.mark.parametrize(
    "call",
    [
        lambda k: rs.path(COV, k=k),
        lambda k: rs.held_out(X, k),
        lambda k: rs.certify(COV, ["topdiam", "length"], k=k),
        lambda k: rs.solve(COV, k),
        lambda k: rs.components(COV, k),
    ],
)
@pytest.mark.parametrize("k", [b"\x03", "3"])
def test_text_and_bytes_are_no_list_of_cardinalities(call, k):
    """A list of the bytes would be [3]."""
    with pytest.raises(rs.InputError, match="not "):
        call(k)


def test_components_on_one_support_can_be_judged_in_two_ways():
    few = COV.restrict(range(6))
    found = rs.components(few, 3, 2, joint=True, common=True)
    with pytest.raises(rs.InputError, match="among such components already: .* among all orthogonal"):
        rs.certify(few, found)
    judged = rs.certify(few, found.loadings_array)
    assert judged.attained >= found.lower * (1 - 1e-9)
    assert judged.upper >= rs.components(few, [3, 3], joint=True).lower
