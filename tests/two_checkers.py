"""Run the checkers of certificates, written apart from one specification, side by side on the same files."""

import json
import re
import shutil
import subprocess
from fractions import Fraction
from pathlib import Path

import checker.test_ratio as ratios
import lies.test_lies
import lies.test_restricted_lies
import lies.test_table_lies
import numpy as np
from building import changed
from every_certificate import every_certificate
from telling_lies import saved

from relaxspca.checker.exact import float_above, float_below
from relaxspca.errors import CertificateError
from relaxspca.tasks.verify import verify_certificate as verify

NODE = shutil.which("node")
ROOT = Path(__file__).parents[1]
CHECKER = ROOT / "relaxspca" / "report" / "checker.js"


def node(*arguments, text=None):
    return subprocess.run(
        [NODE, *map(str, arguments)], capture_output=True, encoding="utf-8", input=text, check=False
    )


def checked(paths, *flags):
    """Return what the second checker says of many files, in one process."""
    run = node(CHECKER, "--json", *flags, *paths)
    assert run.stderr == "", run.stderr
    found = [json.loads(line) for line in run.stdout.split("\n")[:-1]]
    assert not any(reason.startswith("the check was stopped") for row in found for reason in row["reasons"]), (
        found
    )
    assert [row["file"] for row in found] == [str(path) for path in paths]
    return found


def python(path, exact=True, against=None):
    """Return (outcome, verdict or None, reason) of the first checker."""
    try:
        verdict = verify(path, exact=exact, against=against)
    except CertificateError as error:
        return "REFUSED", None, str(error)
    return verdict.outcome.name, verdict, "; ".join(verdict.reasons)


def within_a_margin(document, verdict):
    """Say whether the claim lies between the truth and what LAPACK's eigenvalue and its margin prove.

    The second checker tests the claimed bound itself, so it may prove what the first misses by a last digit.
    """
    if verdict is None:
        return False
    stated, subject = document["claim"], document["subject"]
    own = stated.get("list", {})
    claimed = [stated["lower"], stated["upper"], *own.get("upper", [])]
    claimed += [own["others"]] if own else []
    claimed += [subject["eliminated"]["shift"]] if subject.get("eliminated") else []
    # Bounds are printed where they fail; a proved bound just above a claimed lower one refutes nothing.
    said = [
        float(x) for x in re.findall(r"(?:bound is|below -) ?(-?[0-9.e+-]+[0-9])", "; ".join(verdict.reasons))
    ]
    if subject["kind"] == "pencil" and any(0 <= s <= 1e-12 * largest_of_pencil(document) for s in said):
        return True  # the bound on D(A - mu B)D, which has to be 0
    said += [verdict.proved_upper]
    claimed = [float.fromhex(x) for x in claimed]
    entries = [abs(float.fromhex(x)) for x in subject.get("entries", {}).get("hex", [])]
    largest = max(entries, default=0.0) ** (2 if subject.get("storage") == "factor" else 1)
    return any(any(0 <= x - c <= 1e-12 * max(abs(c), abs(x), largest) for c in claimed) for x in said)


def largest_of_pencil(document):
    """Return the largest entry of D(A - mu B)D, of which an eigenvalue is bounded."""
    pencil, evidence = document["subject"], document["evidence"]
    A, B = (np.array([float.fromhex(x) for x in pencil[name]["hex"]]) for name in ("numerator", "denominator"))
    scale = np.ldexp(1.0, evidence["exponents"])
    return np.abs((A - float.fromhex(evidence["mu"]) * B) * np.outer(scale, scale).ravel()).max()


def written(documents, folder):
    """Write documents as files, and return their paths."""
    paths = [folder / f"{at}.json" for at in range(len(documents))]
    for path, document in zip(paths, documents, strict=True):
        path.write_text(json.dumps(document))
    return paths


def agree(paths, documents, python_side=None, held=None):
    """Check that both say the same of every file; return how often each pair of outcomes was met.

    `held` is the file of a matrix to hold them against, and `python_side` what the first checker is given.
    """
    met = {}
    flags = [] if held is None else [f"--against={held}"]
    for path, document, said in zip(paths, documents, checked(paths, *flags), strict=True):
        outcome, verdict, reason = python(path, against=python_side)
        both = (outcome, said["outcome"])
        met[both] = met.get(both, 0) + 1
        apart = both[0] != both[1]
        assert not apart or within_a_margin(document, verdict), (path, both, reason, said["reasons"])
        assert both[0] != "VERIFIED" or both[1] == "VERIFIED", (path, said)
        assert not apart or "REFUSED" not in both, (path, both, reason, said)
        if verdict is None or said["outcome"] == "REFUSED":
            continue
        # What the vector attains is one fraction; Python reports the double below it.
        attained = -np.inf if said["attained"] is None else float_below(Fraction(said["attained"]))
        assert attained == verdict.proved_lower, (path, said, verdict)
        assert said["digest"] == document["subject"]["digest"]
        if held is not None:
            distance = np.inf if said["distance"] is None else float_above(Fraction(said["distance"]))
            assert distance == verdict.comparison.distance, (path, verdict, said)
    return met


def files_of(claims, folder):
    """Save certificates, and return their paths."""
    paths = [folder / f"{at}.json" for at in range(len(claims))]
    for made, path in zip(claims, paths, strict=True):
        made.save(path)
    return paths


def second(claims, folder):
    """Return the outcomes of certificates by the second checker."""
    return [said["outcome"] for said in checked(files_of(claims, folder))]


def true_documents(folder):
    """Return the documents of one true certificate of every kind."""
    return [saved(made, folder) for made in every_certificate().values()]


def known_lies(folder):
    """Yield the document of every lie of the tests about a certificate."""
    for module in (lies.test_lies, lies.test_restricted_lies, lies.test_table_lies):
        for name, lie, _ in module.LIES:
            document = saved(module.TRUE[name], folder)
            lie(document)
            yield document
    for name, lie, _ in ratios.LIES.values():
        yield saved(changed(ratios.TRUE[name], **lie(ratios.TRUE[name])), folder)
