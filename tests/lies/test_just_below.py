"""Claims whose upper bound lies just below what a vector attains are not verified, whatever their evidence."""

import json
import random

import numpy as np
from draws import draws
from false_claims import false_claim, kind_of, searched

from relaxspca.checker import Outcome, verify
from relaxspca.errors import CertificateError

COUNT = draws(8, 2000)
KINDS = {
    "k", "rho", "k list", "k one_of_each", "k whole_groups", "k nonnegative", "orthogonal", "disjoint",
    "common", "pencil", "pencil budgets", "least_squares",
}  # fmt: skip


def test_no_false_claim_is_verified(tmp_path):
    rng, read, seen, path = random.Random(1), 0, set(), tmp_path / "c.json"
    for made in searched(np.random.default_rng(1)):
        verdict = verify(made)
        assert verdict
        made.save(path)
        document = json.loads(path.read_text())
        seen.add(kind_of(document))
        for _ in range(COUNT):
            path.write_text(json.dumps(false_claim(document, verdict.proved_lower, rng)))
            try:
                outcome = verify(path).outcome
            except CertificateError:
                continue
            read += 1
            assert outcome is not Outcome.VERIFIED, path.read_text()
    assert seen >= KINDS
    assert read > 5 * COUNT
