"""Make the library of instances, or verify it again.

    python library/make_library.py                     verify every claim that is here
    python library/make_library.py --data DIR          with the matrices of the literature, where DIR has them
    python library/make_library.py --make --data DIR   search what has no line yet and, again, what is open
    python library/make_library.py --make --again      also what is proved: a proof half as long is kept
    python library/make_library.py --cbf OUT           write every instance at hand as CBF, for other solvers

An instance is a matrix or data, a case an instance and a cardinality k. A line of INDEX.csv has the best value
known, the proved upper bound and what they rest on. A claim in `claims/` is the certificate, compressed. Where
the numbers of a matrix are not kept it lacks the entries: they come from DIR or from the recipe, and the digest
says whether they are the right ones. A proof that is too long to be kept is made again by the same search. What
other programs report stands in elsewhere.csv. The exit status is 1 where a claim is not verified, 0 otherwise.
"""

from __future__ import annotations

import argparse
import csv
import os
import sys
import time
from collections.abc import Iterator
from pathlib import Path

# Before numpy is loaded: with more threads a design that is built again has other last bits.
os.environ.setdefault("OMP_NUM_THREADS", "1")

from claims import packed_claim, read_claim
from instances import INSTANCES, Instance
from problems import KINDS, Component, Problem

import relaxspca as rs
from relaxspca.certificate import Leaf
from relaxspca.numerics.decimals import rounded_down, rounded_up
from relaxspca.numerics.percent import percent_up
from relaxspca.problem.gap import relative_gap

FOLDER = Path(__file__).parent
INDEX = FOLDER / "INDEX.csv"
ELSEWHERE = FOLDER / "elsewhere.csv"
PAGE = FOLDER.parent / "docs" / "library.md"
MARK = "<!-- what follows is written by library/make_library.py -->\n"
COLUMNS = [
    "instance",
    "family",
    "problem",
    "n",
    "k",
    "lower",
    "upper",
    "status",
    "gap",
    "support",
    "digest",
    "claim",
    "bytes",
    "leaves",
    "seconds",
    "elsewhere",
    "source",
]
LARGEST = {"component": 400_000, "best subset": 102_400, "canonical correlation": 102_400}  # bytes of a claim
SPOKEN = {
    "component": ("Components", "variance"),
    "best subset": ("Best subsets", "explained sum of squares"),
    "canonical correlation": ("Canonical correlations", "correlation"),
}
SAME = 1e-6  # relative: published values are rounded
Line = dict[str, str]


def main(arguments: list[str] | None = None) -> int:
    """Do what the arguments say."""
    parser = argparse.ArgumentParser(description="Make or verify the library of instances.")
    parser.add_argument("--data", type=Path, help="folder with the matrices of the literature")
    parser.add_argument("--make", action="store_true", help="search what is missing or open")
    parser.add_argument("--again", action="store_true", help="with --make: search what is proved, too")
    parser.add_argument("--only", nargs="*", help="instances, by how their names begin")
    parser.add_argument("--time-limit", type=float, default=60.0, help="seconds for each search")
    parser.add_argument("--cbf", type=Path, help="folder for CBF files")
    options = parser.parse_args(arguments)
    chosen = [i for i in INSTANCES if not options.only or i.name.startswith(tuple(options.only))]
    if options.cbf:
        return write_cbf(chosen, options.data, options.cbf)
    if options.make:
        make(chosen, options.data, options.time_limit, again=options.again)
    return verify(chosen, options.data)


def make(chosen: list[Instance], data: Path | None, time_limit: float, *, again: bool) -> None:
    """Search every case that has no line or is open, keep what is better, and write the index after each."""
    lines, values = read_index(), elsewhere()
    for instance in chosen:
        problem = None
        for k in instance.cardinalities:
            known = lines.get((instance.name, k))
            if known is not None and known["status"] == "optimal" and not again:
                continue
            problem = instance.build(data) if problem is None else problem
            if problem is None:
                print(f"{instance.name}: the matrix is not at hand, skipped")
                break
            line, packed = searched(instance, problem, k, time_limit)
            if known is None or is_better(line, known):
                store(path_of(instance.name, k), packed)
                lines[instance.name, k] = line | {"elsewhere": values.get((instance.name, k), "")}
                write_index(lines)
            print(f"{instance.name} k={k}: gap {float(line['gap']):.2g}, {line['seconds']} s", flush=True)


def is_better(line: Line, known: Line) -> bool:
    """Say whether a search proved more, or the same by a proof that is kept and half as long as the known."""
    if "optimal" not in (line["status"], known["status"]):
        return float(line["gap"]) < float(known["gap"])
    if line["status"] != known["status"]:
        return line["status"] == "optimal"
    return not known["bytes"] or bool(line["bytes"]) and 2 * int(line["bytes"]) < int(known["bytes"])


def searched(instance: Instance, problem: Problem, k: int, time_limit: float) -> tuple[Line, bytes | None]:
    """Solve one case, and return its line, and its claim unless that is too long to be kept."""
    began = time.process_time()
    result = problem.solved(k, time_limit)
    seconds = time.process_time() - began
    certificate = result.certificate
    assert certificate is not None
    packed = packed_claim(certificate, with_matrix=instance.keeps_entries)
    # A claim about the variables that rows leave, with the others eliminated, has another digest: not kept.
    is_kept = certificate.digest == problem.digest and len(packed) <= LARGEST[instance.kind]
    line = {
        "instance": instance.name,
        "family": instance.family,
        "problem": instance.kind,
        "n": str(problem.n),
        "k": str(k),
        "lower": repr(certificate.lower),
        "upper": repr(certificate.upper),
        "status": "optimal" if result.status == "optimal" else "open",
        "gap": repr(relative_gap(certificate.lower, certificate.upper, certificate)),
        "support": " ".join(map(str, result.indices)),
        "digest": problem.digest,
        "claim": claim_of(instance) if is_kept else "made again",
        "bytes": str(len(packed)) if is_kept else "",
        "leaves": str(leaves(certificate)),
        "seconds": f"{seconds:.1f}",
        "source": instance.source,
    }
    return line, packed if is_kept else None


def claim_of(instance: Instance) -> str:
    """Return how a claim of an instance is kept."""
    return "kept" if instance.keeps_entries else "kept without its matrix"


def store(path: Path, packed: bytes | None) -> None:
    """Write a claim, or see that there is none."""
    path.unlink(missing_ok=True)
    if packed is not None:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(packed)


def leaves(certificate: rs.Certificate) -> int:
    """Return the number of leaves of a proof."""
    return sum(isinstance(node, Leaf) for node in certificate.tree)


def verify(chosen: list[Instance], data: Path | None) -> int:
    """Check every claim that is kept, and that the index says no more than they prove."""
    lines, wrong, counts = read_index(), 0, {"verified": 0, "without the matrix": 0, "not kept": 0}
    values = elsewhere()
    for instance in chosen:
        problem = None if instance.keeps_entries else instance.build(data)
        for line in (lines[name, k] for name, k in lines if name == instance.name):
            # A design that is built again may have other last bits: then its matrix is not at hand.
            is_other = problem and instance.family == "random" and problem.digest != line["digest"]
            reason = checked(line, None if is_other else problem)
            line["elsewhere"] = values.get((instance.name, int(line["k"])), "")
            if reason in counts:
                counts[reason] += 1
            else:
                wrong += 1
                print(f"{instance.name} k={line['k']}: {reason}")
    write_index(lines)
    write_page(lines)
    print(", ".join(f"{count} {what}" for what, count in counts.items()) + f"; {wrong} wrong")
    return 1 if wrong else 0


def checked(line: Line, problem: Problem | None) -> str:
    """Return "verified", or why not."""
    path = path_of(line["instance"], int(line["k"]))
    if line["claim"] == "made again":
        return "not kept"
    try:
        certificate = read_claim(path, problem)
    except rs.CertificateError as error:
        return str(error)
    if certificate is None:
        return "without the matrix"
    verdict = rs.verify(certificate, exact=False)
    if not verdict:
        return f"{verdict.outcome}: {'; '.join(verdict.reasons)}"
    parts = 2 if line["problem"] == "canonical correlation" else 1
    if certificate.digest != line["digest"] or certificate.k != parts * int(line["k"]):
        return "the claim is about another matrix or another k than the index says"
    if float(line["lower"]) > certificate.lower or float(line["upper"]) < certificate.upper:
        return "the index says more than the claim proves"
    line |= {"bytes": str(path.stat().st_size), "leaves": str(leaves(certificate))}
    return "verified"


def write_cbf(chosen: list[Instance], data: Path | None, out: Path, largest: int = 150) -> int:
    """Write the cases at hand as mixed-integer semidefinite programs; returns the exit status."""
    out.mkdir(parents=True, exist_ok=True)
    for instance in chosen:
        problem = instance.build(data) if instance.kind == "component" else None
        for k in instance.cardinalities if isinstance(problem, Component) and problem.n <= largest else ():
            rs.models.write_cbf(problem.cov, k, out / f"{instance.name}_k{k:03d}.cbf")
    print(
        f"{len(list(out.glob('*.cbf')))} files in {out}; matrices of more than {largest} variables are left out"
    )
    return 0


def write_page(lines: dict[tuple[str, int], Line]) -> None:
    """Write the tables of the documentation: what is open first, the widest gap on top."""
    ordered = sorted(lines.values(), key=lambda line: (-float(line["gap"]), line["instance"], int(line["k"])))
    is_open = [line for line in ordered if line["status"] != "optimal"]
    proved = [line for line in ordered if line["status"] == "optimal"]
    proved.sort(key=lambda line: (line["instance"], int(line["k"])))
    count = len({line["instance"] for line in ordered})
    text = [f"{count} instances, {len(ordered)} cases: {len(proved)} proved, {len(is_open)} open.", ""]
    for title, some in (("Open", is_open), ("Proved", proved)):
        for kind in KINDS.values():
            of_kind = [line for line in some if line["problem"] == kind]
            if of_kind:
                heading, value = SPOKEN[kind]
                told = f"{title}: {heading.lower()} ({value})"
                text += [f"## {told}", "", "{.small}", *table(of_kind, with_gap=title == "Open"), ""]
    front = PAGE.read_text(encoding="utf-8").partition(MARK)[0]
    PAGE.write_text(front + MARK + "\n" + "\n".join(text), encoding="utf-8")


def table(lines: list[Line], *, with_gap: bool) -> Iterator[str]:
    """Yield a Markdown table."""
    yield (
        "| instance | n | k | best known | proved bound |"
        + (" gap |" if with_gap else "")
        + " seconds | bytes | leaves | elsewhere |"
    )
    yield "|---|--:|--:|--:|--:|" + ("--:|" if with_gap else "") + "--:|--:|--:|---|"
    for line in lines:
        lower, upper = rounded_down(float(line["lower"]), 9), rounded_up(float(line["upper"]), 9)
        gap = f" {percent_up(float(line['gap']))}&nbsp;% |" if with_gap else ""
        other = line["elsewhere"] or "none known"
        if line["elsewhere"] and float(other.split()[0]) > (1 + SAME) * float(line["lower"]):
            other = f"**{other}**"
        yield (
            f"| {line['instance']} | {line['n']} | {line['k']} | {lower} | {upper} |{gap} {line['seconds']} "
            f"| {line['bytes'] or '–'} | {line['leaves']} | {other} |"
        )


def elsewhere() -> dict[tuple[str, int], str]:
    """Return the best value that other programs report of each case, and which they are."""
    found: dict[tuple[str, int], list[Line]] = {}
    with ELSEWHERE.open(encoding="utf-8", newline="") as stream:
        for row in csv.DictReader(stream):
            found.setdefault((row["instance"], int(row["k"])), []).append(row)
    return {case: told(rows) for case, rows in found.items()}


def told(rows: list[Line]) -> str:
    """Return the best value in words, with the programs that reach it and what they leave open."""
    best = max(float(row["value"]) for row in rows)
    reach = [row for row in rows if float(row["value"]) >= best - SAME * abs(best)]
    reach.sort(key=lambda row: (row["open"] == "", row["open"] != "closed", row["who"].lower()))
    states = {"": "", "closed": ": closed"}
    names = [row["who"] + states.get(row["open"], f": {row['open']} open") for row in reach]
    return f"{best:.8g} ({'; '.join(names)})"


def read_index() -> dict[tuple[str, int], Line]:
    """Return the lines of the index by instance and k."""
    if not INDEX.exists():
        return {}
    with INDEX.open(encoding="utf-8", newline="") as stream:
        rows = ({name: row.get(name) or "" for name in COLUMNS} for row in csv.DictReader(stream))
        return {(row["instance"], int(row["k"])): row for row in rows}


def write_index(lines: dict[tuple[str, int], Line]) -> None:
    """Write the index, sorted."""
    with INDEX.open("w", newline="", encoding="utf-8") as stream:
        writer = csv.DictWriter(stream, COLUMNS, lineterminator="\n")
        writer.writeheader()
        writer.writerows(lines[key] for key in sorted(lines))


def path_of(name: str, k: int) -> Path:
    """Return where the claim of a case lies."""
    return FOLDER / "claims" / name / f"k{k:03d}.json.gz"


if __name__ == "__main__":
    sys.exit(main())
