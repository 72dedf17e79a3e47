"""One changed digit in a certificate: the page says proved only of what is true, and of all else why not."""

import collections
import itertools
import json
import random
import re
from pathlib import Path

import numpy as np
import pytest
from report.test_browser import CHROMIUM, opened
from two_checkers import python, within_a_margin

import relaxspca as rs
from relaxspca.report.browser import claim_cell, self_check

PITPROPS = sorted((Path(__file__).parents[2] / "certificates" / "pitprops").glob("*.json"))
EACH = 5  # changes of every kind in every certificate
STATES = {"VERIFIED": "proved", "REFUTED": "refuted", "INCONCLUSIVE": "inconclusive", "REFUSED": "refused"}


def places(document):
    """Return (container, key) of the numbers of a certificate, by what they are."""
    points = document["evidence"]["points"]
    lists = {
        "loading": [vector["loadings"] for vector in document["witness"]["components"]],
        "price": [point["weights"]["hex"] for point in points if "weights" in point],
        "entry": [document["subject"]["entries"]["hex"]],
    }
    found = {name: [(row, at) for row in rows for at in range(len(row))] for name, rows in lists.items()}
    return found | {
        "bound": [(document["claim"], "lower"), (document["claim"], "upper")],
        "digest": [(document["subject"], "digest")],
    }


def with_one_digit_changed(text, kind, rng):
    """Return the text with one digit of one number changed, or None where there is no such number."""
    document = json.loads(text)
    slots = [(row, key) for row, key in places(document)[kind] if re.search(r"[.:]", row[key])]
    if not slots:
        return None
    row, key = rng.choice(slots)
    digits = re.search(r"[.:]([0-9a-f]+)", row[key])
    # The bounds of a certificate agree in their first digits, so that changes there cross.
    first = digits.end(1) - 4 if kind == "bound" and rng.random() < 0.6 else digits.start(1)
    at = rng.randrange(max(first, digits.start(1)), digits.end(1))
    other = rng.choice(sorted({*"0123456789abcdef"} - {row[key][at]}))
    row[key] = f"{row[key][:at]}{other}{row[key][at + 1 :]}"
    return json.dumps(document)


def best(k):
    """Return the largest explained variance of k variables, by enumeration."""
    S = rs.datasets.load_pitprops().matrix
    T = np.array(list(itertools.combinations(range(len(S)), k)))
    return np.linalg.eigvalsh(S[T[:, :, None], T[:, None, :]])[:, -1].max()


@pytest.mark.skipif(CHROMIUM is None, reason="chromium is not installed")
def test_one_changed_digit(tmp_path):
    rng, files, kinds = random.Random(0), {}, {}
    for path in PITPROPS:
        for kind, at in itertools.product(("bound", "price", "entry", "digest", "loading"), range(EACH)):
            text = with_one_digit_changed(path.read_text(), kind, rng)
            if text is not None:
                name = f"{path.stem}_{kind}_{at}"
                files[name], kinds[name] = tmp_path / f"{name}.json", kind
                files[name].write_text(text)
    cells = "".join(f"<p>{claim_cell(name)}</p>" for name in files)
    said = opened(f"<body>{cells}{self_check(files)}</body>", tmp_path, count=len(files))
    assert list(said) == list(files)
    met, truth = collections.Counter(), {}
    for name, words in said.items():
        state, _, reason = words.partition(" ")
        document = json.loads(files[name].read_text())
        outcome, verdict, why = python(files[name])
        assert state == STATES[outcome] or within_a_margin(document, verdict), (name, words, why)
        met[kinds[name], state] += 1
        if state == "proved":
            claim = {key: document["claim"][key] for key in ("k", "lower", "upper")}
            value = truth.setdefault(claim["k"], best(claim["k"]))
            assert float.fromhex(claim["lower"]) <= value + 1e-12, name
            assert float.fromhex(claim["upper"]) >= value - 1e-12, name
        else:
            assert re.match(r"(refuted|not proved|not proved, the file is refused): \w[\w ]+", reason), words
    # What the digest binds cannot be changed; a bound may be, to one that is false, unproved or true.
    assert {state for kind, state in met if kind in ("entry", "digest")} == {"refused"}, met
    assert {state for kind, state in met if kind == "bound"} >= {"proved", "refused"}, (
        met
    )  # a lower bound above the upper one is no claim
    assert all(sum(met[kind, state] for state in STATES.values()) >= 40 for kind in kinds.values()), met
