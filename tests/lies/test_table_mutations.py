"""Random changes of true certificates of several components: whatever still loads proves no untruth."""

import copy
import random

import numpy as np
from draws import draws
from random_changes import change, change_evidence, change_matrix
from telling_lies import loaded, saved
from true_choices import true_choices
from true_tables import matrix_of, true_tables, truth

from relaxspca.checker import verify

COUNT = draws(250, 3000)


class Truth:
    """The optimum of whatever claim came out, by enumeration."""

    def __init__(self):
        self.known = {}

    def __call__(self, made):
        key = made.digest, made.supports, made.sizes
        if key not in self.known:
            self.known[key] = truth(made, np.random.default_rng(1))
        return self.known[key], 1e-7 * np.abs(matrix_of(made)).sum()


def change_node(document, rng):
    """Change a split, the kind of a leaf, or the kind of supports of a claim: the file stays well formed."""
    tree, claim = document["evidence"]["tree"], document["claim"]
    leaves = [at for at, node in enumerate(tree) if len(node) == 2]
    splits = [at for at, node in enumerate(tree) if len(node) == 5]
    if splits and rng.random() < 0.3:
        at = rng.choice(splits)
        place = rng.choice([1, 2])
        tree[at][place] = max(0, tree[at][place] + rng.choice([-1, 1]))
    elif rng.random() < 0.5:
        tree[rng.choice(leaves)] = rng.choice([["multipliers", None], ["multipliers", 0], ["choices", [0]]])
    else:
        claim["supports"] = rng.choice(["orthogonal", "disjoint", "common"])


def test_no_mutation_proves_what_is_false(tmp_path):
    rng, known = random.Random(11), Truth()
    originals = [saved(made, tmp_path) for _, made in (true_tables() | true_choices()).values()]
    # A matrix of its own needs an enumeration of its own: those are changed where that is quick.
    quick = [document for document in originals if document["claim"]["supports"] != "orthogonal"]
    read = verified = 0
    for count in range(COUNT):
        is_new = rng.random() < 0.1
        document = copy.deepcopy(rng.choice(quick if is_new else originals))
        steps = [change_matrix] if is_new else []
        later = [change_node, change_evidence, change]
        for step in [*steps, *sorted(rng.choices(later, [1, 3, 3], k=rng.choice([1, 1, 2])), key=later.index)]:
            step(document, rng)
        made = loaded(document)
        if made is None or made.claim.kind != "components":
            continue
        read += 1
        verdict = verify(made, exact=count % 20 == 0)
        value, room = known(made)
        assert verdict.proved_upper >= value - room, (verdict, document)
        assert verdict.proved_lower <= value + room, (verdict, document)
        verified += bool(verdict)
    assert read > COUNT // 3
    assert verified > COUNT // 10
