import numpy as np
import pytest

from relaxspca import Covariance, InputError

GOOD = np.array([[2.0, 1.0, 0.5], [1.0, 3.0, 0.0], [0.5, 0.0, 1.0]])


@pytest.mark.parametrize(
    ("variables", "names"),
    [
        ([True, False, True], "ac"),
        (np.array([False, True, True]), "bc"),
        (["c", "a"], "ca"),
        ([2, 0], "ca"),
        (range(3), "abc"),
        (np.array([1], dtype=np.uint8), "b"),
    ],
)
def test_variables_are_restricted_by_mask_name_or_position(variables, names):
    assert Covariance(GOOD, names="abc").restrict(variables).names == tuple(names)


@pytest.mark.parametrize(
    ("variables", "message"),
    [
        ([0, 0], "a is selected twice"),
        (["b", "b"], "b is selected twice"),
        ([-1], "variable -1 is outside 0..2"),
        ([0, 3], "variable 3 is outside 0..2"),
        ([], "no variable is selected"),
        ([False] * 3, "at least one that is true"),
        ([True, False], "a mask needs 3 entries"),
        (["z"], "no variable 'z'; the first names are a, b, c"),
        (["aa"], "no variable 'aa'; do you mean 'a'"),
        ("a", "as a list, not 'a'"),
        (1, "as a list, not 1"),
        ([0, "b"], "several ways"),
        ([True, 1, 0], "several ways"),
        ([0.5], "by whole numbers or by names, not 0.5"),
        ([None], "by whole numbers or by names, not None"),
    ],
)
def test_what_is_no_selection_of_variables_is_named(variables, message):
    with pytest.raises(InputError, match=message):
        Covariance(GOOD, names="abc").restrict(variables)
