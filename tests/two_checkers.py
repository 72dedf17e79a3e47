"""Run the checkers of certificates, written apart from one specification, side by side on the same files."""

import atexit
import json
import re
import shutil
import subprocess
from collections import Counter
from fractions import Fraction
from functools import cache
from pathlib import Path

import checker.test_ratio as ratios
import lies.test_lies
import lies.test_restricted_lies
import lies.test_table_lies
import numpy as np
from building import changed
from every_certificate import every_certificate
from telling_lies import saved

from relaxspca.checker.exact import float_below
from relaxspca.errors import CertificateError
from relaxspca.tasks.verify import verify_certificate as verify

NODE = shutil.which("node")
ROOT = Path(__file__).parents[1]
CHECKER = ROOT / "relaxspca" / "report" / "checker.js"


def node(*arguments, text=None):
    return subprocess.run(
        [NODE, *map(str, arguments)], capture_output=True, encoding="utf-8", input=text, check=False
    )


# The checker as it runs from the command line, one command after the other; each answer ends in the exit code.
SESSION = """
const fs = require("fs");
const text = fs.readFileSync(process.argv[1], "utf8");
const main = new Function("require", "module", `${text}; return main;`)(require, {});
process.stderr.write = (said) => process.stdout.write(said);
(async () => {
  for await (const line of require("readline").createInterface({ input: process.stdin })) {
    const code = await main(JSON.parse(line));
    process.stdout.write(`\\0${code}\\n`);
  }
})();
"""


@cache
def session():
    process = subprocess.Popen(
        [NODE, "-e", SESSION, CHECKER], stdin=subprocess.PIPE, stdout=subprocess.PIPE, encoding="utf-8"
    )
    atexit.register(process.communicate)
    return process


def answered(*words):
    """Return the exit code of the second checker and all that it prints: one process runs for all tests."""
    session().stdin.write(json.dumps([*map(str, words)]) + "\n")
    session().stdin.flush()
    text = ""
    for line in session().stdout:
        if line.startswith("\0"):
            return int(line[1:]), text
        text += line
    raise AssertionError(text)  # the process ended


def checked(paths, *flags):
    """Return what the second checker says of many files, in one process."""
    _, text = answered("--json", *flags, *paths)
    found = [json.loads(line) for line in text.split("\n")[:-1]]
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


def pairs(paths, documents):
    """Check that both say the same of every file; return what the first says and what the second does."""
    found = []
    for path, document, said in zip(paths, documents, checked(paths), strict=True):
        outcome, verdict, reason = python(path)
        both = (outcome, said["outcome"])
        found.append(both)
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
    return found


def agree(paths, documents):
    """Check that both say the same of every file; return how often each pair of outcomes was met."""
    return Counter(pairs(paths, documents))


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
