"""The second checker makes components orthogonal as the first does, and takes divisors that are right."""

import json
import math
import random

import numpy as np
import pytest
from building import changed
from draws import IS_DEEP
from telling_lies import saved
from true_tables import long_components
from two_checkers import CHECKER, NODE, agree, checked, node, written

from relaxspca.checker import witness

pytestmark = pytest.mark.skipif(NODE is None, reason="node is not installed")

DIVISORS = """
const {parts} = require(process.argv[1]);
const told = JSON.parse(require("fs").readFileSync(0, "utf8"));
process.stdout.write(JSON.stringify(told.map(([a, b]) => parts.gcd(BigInt(a), BigInt(b)).toString())));
"""


def pairs():
    """Yield random numbers with and without common divisors, neighbours, powers of 2, Fibonacci numbers."""
    rng = random.Random(4)
    for bits in (1, 30, 52, 53, 54, 63, 64, 65, 66, 104, 128, 500, 5000):
        for _ in range(12):
            a, b, c = (rng.getrandbits(rng.randint(1, bits)) for _ in range(3))
            yield from (
                (a, b),
                (a * c, b * c),
                (a, a),
                (a, a + 1),
                (a * c, c),
                (0, a),
                (a << 70, (b << 70) + 1),
            )
        yield from ((2**bits, 2**bits - 1), (2**bits + 1, 2**bits), (2**bits, 2 ** (bits // 2)))
    a, b = 1, 1
    for _ in range(700):  # all quotients are 1
        a, b = a + b, a
    yield from ((a, b), (a + 1, b), (6 * a, 10 * b), (a**2, a * b))


def test_greatest_common_divisors_are_those_of_python():
    asked = list(pairs())
    run = node("-e", DIVISORS, CHECKER, text=json.dumps([[str(a), str(b)] for a, b in asked]))
    assert run.stderr == ""
    assert [int(x) for x in json.loads(run.stdout)] == [math.gcd(a, b) for a, b in asked]


def test_long_components_attain_the_same_fraction(tmp_path):
    documents = [saved(long_components(*shape), tmp_path) for shape in ((6, 4, 0), (5, 4, 60), (9, 6, 0))]
    assert agree(written(documents, tmp_path), documents) == {("VERIFIED", "VERIFIED"): 3}


@pytest.mark.skipif(not IS_DEEP, reason="three seconds of long numbers")
def test_components_that_are_too_long_are_given_up_for_the_reason_of_the_first_checker(tmp_path):
    """What that says of the same file: tests/checker/test_orthogonal.py."""
    path = tmp_path / "long.json"
    long_components(12, 8, 300).save(path)
    (said,) = checked([path])
    assert (said["outcome"], said["attained"]) == ("INCONCLUSIVE", None)
    assert said["reasons"] == [f"orthogonal components take numbers of more than {witness.MOST_BITS} bits"]


def test_what_is_equal_is_said_once(tmp_path):
    made = long_components(8, 6, 0)
    shared = {"indices": [range(8)] * 6, "loadings": np.eye(8)[:, :6], "supports": "common", "sizes": [8] * 6}
    every = "x0, x1, x2, x3, x4, x5, x6, x7"
    for changes, said in (
        ({}, ("(orthonormal) of 7 variables each <= ", "components of x1, x2, x3, x4, x5, x6, x7; of x0, ")),
        ({"sizes": [8, 7, 7, 7, 7, 7]}, ("(orthonormal) of 8, 7, 7, 7, 7, 7 variables <= ",)),
        (shared, ("(of one common support) of 8 variables <= ", f"is attained by components of {every}")),
    ):
        changed(made, **changes).save(tmp_path / "c.json")
        (row,) = checked([tmp_path / "c.json"])
        assert row["outcome"] == "VERIFIED"
        assert all(words in row["statement"] for words in said)
        assert row["statement"].count(every) == ("supports" in changes)
