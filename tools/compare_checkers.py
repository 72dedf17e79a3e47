"""Send random certificates, changed ones, lies and hostile files through all checkers, and count what they say.

    python tools/compare_checkers.py [COUNT] [SEED]        COUNT files of each family, 2000 if not said
    python tools/compare_checkers.py COUNT SEED false      only claims that are false, COUNT of them, by kind
    ... false SECONDS                                      the same, as many as are made in so many seconds

The checkers are the package's in rational arithmetic, the same in floating point rounded outward, the one in
JavaScript (node), and, for claims that its theorems cover, the one verified in Rocq (`make prove` builds it).
The first and the third must say the same, unless the claim lies between the truth and the margin of an
eigenvalue. What the second verifies the first must; what the first verifies the fourth must prove, once the
claim has a billionth of room; what one proves, none may refute. (The fourth chooses charges of psi points
itself, and may prove more.) All else is a disagreement, which is printed, and the exit status is 1. The last
lines say how much wider the bounds in floating point are.

None may verify a claim that is false. Of these there are three sources: small claims at any scale
(`tools/false_certificates.py`), claims just below what their evidence proves (`tools/nearly_attained.py`), and
certificates of searches, changed (`tools/false_claims.py`).
"""

import collections
import itertools
import json
import math
import random
import sys
import tempfile
import time
from pathlib import Path

import numpy as np

ROOT = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT / "tests"), str(ROOT / "formal"), str(ROOT / "tools"), str(ROOT)]

import lies.test_every_scale as scales  # noqa: E402
import pandas as pd  # noqa: E402
import prove  # noqa: E402
from building import changed as rebuilt  # noqa: E402
from building import component  # noqa: E402
from false_certificates import false_certificates  # noqa: E402
from false_claims import false_claim, kind_of, searched  # noqa: E402
from hostile_files import hostile  # noqa: E402
from nearly_attained import nearly_attained  # noqa: E402
from random_changes import changed  # noqa: E402
from two_checkers import (  # noqa: E402
    checked,
    known_lies,
    python,
    saved,
    true_documents,
    within_a_margin,
)

from relaxspca.certificate import Split, load_certificate  # noqa: E402
from relaxspca.checker import verify  # noqa: E402
from relaxspca.errors import CertificateError  # noqa: E402

BATCH = 500
LARGEST = float(np.finfo(float).max)
SMALL, NEAR = 0.4, 0.4  # of the false claims are small ones at any scale, and nearly attained ones
EVERY = 10  # of so many false claims one goes to the verified checker, which takes a process


def random_claims(rng, folder, count):
    """Yield claims at a bound that is just proved, and just below it, at any scale, with any evidence."""
    while count > 0:
        n = int(rng.integers(1, 7))
        k, scale = int(rng.integers(1, n + 1)), rng.choice(scales.SCALES)
        with np.errstate(under="ignore", over="ignore"):
            S = scales.symmetric(rng, n) * scale
            leaf, points = scales.evidence(rng, S, k)
        tree = [leaf] if n == 1 or rng.random() < 0.5 else [Split(0, int(rng.integers(n)), 1, 2), leaf, leaf]
        penalty = rng.exponential() * np.abs(S).max() if rng.random() < 0.3 else None
        made = component(
            n=n, names="abcdef"[:n], matrix=S, k=k if penalty is None else None, rho=penalty,
            lower=-LARGEST, upper=-LARGEST, indices=[0], loadings=np.eye(n)[0], points=points, tree=tree,
        )  # fmt: skip
        bound = verify(made, exact=True).proved_upper
        if not np.isfinite(bound):
            continue
        for upper in (bound, bound - max(abs(bound) * 1e-9, 1e-300)):
            if np.isfinite(upper):
                rebuilt(made, upper=upper).save(folder / "made.json")
                yield (folder / "made.json").read_text()
                count -= 1


def false_claims(seed, folder):
    """Yield (kind, text) of false claims without an end."""
    rng = random.Random(seed)
    small, near, known = false_certificates(rng), nearly_attained(rng), []
    for document in [
        *(saved(made, folder) for made in searched(np.random.default_rng(seed))),
        *true_documents(folder),
    ]:
        (folder / "true.json").write_text(json.dumps(document))
        known.append((document, verify(folder / "true.json").proved_lower))
    while True:
        (source,) = rng.choices([small, near, None], [SMALL, NEAR, 1 - SMALL - NEAR])
        if source is not None:
            kind, document = next(source)
        else:
            true = rng.choice(known)
            kind, document = f"{kind_of(true[0])} (searched)", false_claim(*true, rng)
        yield kind, json.dumps(document)


def all_refuse(count, seed, folder, seconds, has_verified):
    """Send false claims through all checkers; print what they say by kind, and return what went wrong."""
    begun, table, failures = time.perf_counter(), collections.defaultdict(collections.Counter), []
    made, done = false_claims(seed, folder), 0
    while done < count and time.perf_counter() - begun < seconds:
        some = list(itertools.islice(made, min(BATCH, count - done)))
        paths = [folder / f"{at}.json" for at in range(len(some))]
        for path, (_, text) in zip(paths, some, strict=True):
            path.write_text(text, encoding="ascii")
        for at, (path, (kind, text), said) in enumerate(zip(paths, some, checked(paths), strict=True)):
            found = [*in_both(path), said["outcome"]]
            if has_verified and at % EVERY == 0 and found[0] != "REFUSED":
                found.append(prove.verdict_on(path)[0].upper())
            table[kind][" ".join(found)] += 1
            is_read_by_some = {x == "REFUSED" for x in found[:3]} == {True, False}
            if is_read_by_some or not {"VERIFIED", "PROVED"}.isdisjoint(found):
                failures.append((kind, found, text))
        done += len(some)
    write_false(table, time.perf_counter() - begun)
    return failures


def in_both(path):
    """Return what the package's checker says in rationals and in floating point."""
    try:
        made = load_certificate(path)
    except CertificateError:
        return ["REFUSED", "REFUSED"]
    return [verify(made, exact=exact).outcome.name for exact in (True, False)]


def write_false(table, seconds):
    """Print how many false claims of each kind there were, and what was said of them."""
    columns = [
        "files",
        "no certificate",
        "inconclusive",
        "refuted",
        "contradictions",
        "VERIFIED",
        "refused in Rocq",
        "not covered",
    ]
    print("kind | " + " | ".join(columns))
    totals = collections.Counter()
    for kind, met in sorted(table.items()):
        row = collections.Counter()
        for said, times in met.items():
            words = said.split()
            row["files"] += times
            row["no certificate"] += times * (words[0] == "REFUSED")
            row["refuted"] += times * (words[0] == "REFUTED")
            row["inconclusive"] += times * (words[0] == "INCONCLUSIVE")
            row["contradictions"] += times * ({*words} >= {"VERIFIED", "REFUTED"})
            row["VERIFIED"] += times * bool({*words} & {"VERIFIED", "PROVED"})
            row["refused in Rocq"] += times * (words[-1] == "REFUSED" and words[0] != "REFUSED")
            row["not covered"] += times * (words[-1] == "COVERED")
        totals += row
        print(kind, *(row[name] for name in columns), sep=" | ")
    print("all", *(totals[name] for name in columns), sep=" | ")
    print(f"{seconds:.0f} s, {time.process_time():.0f} s of this process")


def families(count, seed, folder):
    """Yield (name, texts) of files."""
    rng, arrays = random.Random(seed), np.random.default_rng(seed)
    originals = true_documents(folder)
    yield "true", (json.dumps(document) for document in originals)
    yield "lies", map(json.dumps, known_lies(folder))
    yield "random claims", random_claims(arrays, folder, count)
    yield "changed", (json.dumps(changed(rng.choice(originals), rng)) for _ in range(count))
    yield "hostile", (hostile(rng.choice(originals), rng) for _ in range(count))


def tables(arrays, count):
    """Yield matrices of readers: the same, in another order, a little or much different, or of other names."""
    from true_certificates import covariance

    S = covariance(6, seed=1)
    more = np.pad(S, (0, 2))
    more[6:, 6:] = [[0.0625, 0.01], [0.01, 0.125]]
    for _ in range(count):
        size = int(arrays.choice([5, 6, 6, 6, 7, 8]))
        names = np.array([*(f"x{i}" for i in range(6)), "y", "z"][:size])
        M = more[:size, :size] + arrays.normal(size=(size, size)) * arrays.choice(
            [0, 0, 1e-16, 1e-9, 1e-6, 1e-4, 1]
        )
        M = M * arrays.choice([1, 1, 1, 0.5, 2, -1, 1e-300])
        M = (M + M.T) / 2  # the second checker reads no others as a matrix
        if arrays.random() < 0.2:
            names[arrays.integers(size)] = "other"
        order = arrays.permutation(size) if arrays.random() < 0.5 else np.arange(size)
        yield pd.DataFrame(M[np.ix_(order, order)], names[order], names[order])


def said_by_the_verified_one(made, folder):
    """Return PROVED, or REFUSED, or nothing for claims that the theorems do not cover."""
    made.save(folder / "verified.json")
    verdict, _ = prove.verdict_on(folder / "verified.json")
    return None if verdict == prove.NOT_COVERED else verdict.upper()


def with_room(made):
    """Return a claim with a billionth more room above."""
    largest = np.abs(made.matrix if made.factor is None else made.factor.T @ made.factor).max()
    return rebuilt(made, upper=made.upper + 1e-9 * max(abs(made.upper), largest) + 2.0**-1022)


def compare(texts, folder, has_verified, widths, *, python_side=None, held=None):
    """Return how often outcomes were met together, and what disagrees."""
    met, apart = collections.Counter(), []
    paths = [folder / f"{at}.json" for at in range(len(texts))]
    for path, text in zip(paths, texts, strict=True):
        path.write_text(text, encoding="utf-8")
    flags = [] if held is None else [f"--against={held}"]
    for path, text, said in zip(paths, texts, checked(paths, *flags), strict=True):
        exact, verdict, reason = python(path, True, python_side)
        rounded, wide, _ = python(path, False, python_side)
        found = [exact, rounded, said["outcome"]]
        formal = None
        may_cover = has_verified and held is None and verdict is not None
        if may_cover:
            made = load_certificate(path)
            formal = said_by_the_verified_one(made, folder)
            if formal == "REFUSED" and exact == "VERIFIED":
                formal = "ROOM" if said_by_the_verified_one(with_room(made), folder) == "PROVED" else formal
            found += [] if formal is None else [formal]
        met[" ".join(found)] += 1
        near = verdict is not None and within_a_margin(json.loads(text), verdict)
        is_apart = exact != said["outcome"] or ({exact, rounded} >= {"VERIFIED", "REFUTED"})
        is_apart |= (exact == "REFUSED") != (rounded == "REFUSED")
        is_apart |= rounded == "VERIFIED" and exact != "VERIFIED"
        is_apart &= not near
        is_apart |= (formal == "PROVED" and exact == "REFUTED") or (formal == "REFUSED" and exact == "VERIFIED")
        if is_apart:
            apart.append((found, reason, said["reasons"], text[:200] if len(text) > 4000 else text))
        if verdict is not None and 1e-250 < abs(verdict.proved_upper) < 1e250 > abs(wide.proved_upper):
            widths.append((wide.proved_upper - verdict.proved_upper) / abs(verdict.proved_upper))
    return met, apart


def main(arguments):
    """Print a table of outcomes for each family, and every disagreement."""
    numbers = [int(x) for x in arguments[:2]]
    count, seed = [*numbers, *[2000, 1][len(numbers) :]]
    only_false, seconds = arguments[2:3] == ["false"], float(arguments[3]) if len(arguments) > 3 else math.inf
    has_verified = prove.CHECKER.exists()
    print(f"verdicts of: exact, rounded outward, JavaScript{', verified' if has_verified else ''}")
    failures, widths = [], {}
    with tempfile.TemporaryDirectory() as room:
        folder = Path(room)
        failures += all_refuse(count, seed, folder, seconds, has_verified)
        for name, texts in () if only_false else families(count, seed, folder):
            begun, met, total = time.perf_counter(), collections.Counter(), 0
            waiting = list(texts)
            for start in range(0, len(waiting), BATCH):
                found, apart = compare(
                    waiting[start : start + BATCH], folder, has_verified, widths.setdefault(name, [])
                )
                met += found
                failures += apart
                total += found.total()
            report(name, met, total, time.perf_counter() - begun)
        if not only_false:
            failures += held_against_matrices(count, seed, folder)
    if widths:
        print("\nwidths (rounded - exact) / |exact| of the bounds proved, quantiles 0, 1/2, 0.9, 0.99, 1:")
    for name, wide in widths.items():
        if wide:
            quantiles = "  ".join(f"{x:.1e}" for x in np.quantile(wide, [0, 0.5, 0.9, 0.99, 1]))
            print(f"  {name} ({len(wide)}): {quantiles}")
    print(f"{len(failures)} disagreements")
    for failure in failures:
        print(*failure, sep="\n  ")
    return int(bool(failures))


def held_against_matrices(count, seed, folder):
    """Hold true certificates against matrices of readers; return what disagrees."""
    begun, met, failures = time.perf_counter(), collections.Counter(), []
    documents = [json.dumps(d) for d in true_documents(folder) if d["subject"]["kind"] == "matrix"]
    for frame in tables(np.random.default_rng(seed), max(1, count // len(documents))):
        frame.map(lambda x: format(x, ".17g")).to_csv(folder / "mine.csv")
        held = folder / "mine.csv"
        found, apart = compare(documents, folder, False, [], python_side=frame, held=held)
        met += found
        failures += apart
    report("against a matrix", met, met.total(), time.perf_counter() - begun)
    return failures


def report(name, met, total, seconds):
    """Print how often outcomes were met together."""
    print(f"\n{name}: {total} files in {seconds:.0f} s")
    for outcomes, times in met.most_common():
        print(f"  {times:6}  {outcomes}")


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
