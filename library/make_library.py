"""Make the library of instances, or verify it again.

    python library/make_library.py                     verify every claim that is here
    python library/make_library.py --data DIR          with the matrices of the literature, where DIR has them
    python library/make_library.py --make --data DIR   search what has no line yet and, again, what is open
    python library/make_library.py --cbf OUT           write every instance at hand as CBF, for other solvers

An instance is a matrix, a case a matrix and a cardinality k. A line of INDEX.csv has the best value known, the
proved upper bound and what they rest on. A claim in `claims/` is the certificate, compressed; that of a matrix
which may not be passed on lacks the entries: they come from DIR, and the digest says whether they are the
right ones. A proof that is too long to be kept is made again by the same search. The exit status is 1 where a
claim is not verified, 0 otherwise.
"""

from __future__ import annotations

import argparse
import csv
import sys
import time
from collections.abc import Iterator
from pathlib import Path

from claims import read_claim, write_claim
from instances import INSTANCES, Instance, elsewhere

import relaxspca as rs
from relaxspca.certificate import Leaf
from relaxspca.numerics.decimals import percent_up, rounded_down, rounded_up

FOLDER = Path(__file__).parent
INDEX = FOLDER / "INDEX.csv"
PAGE = FOLDER.parent / "docs" / "library.md"
MARK = "<!-- what follows is written by library/make_library.py -->\n"
COLUMNS = [
    "instance",
    "family",
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
Line = dict[str, str]


def main(arguments: list[str] | None = None) -> int:
    """Do what the arguments say."""
    parser = argparse.ArgumentParser(description="Make or verify the library of instances.")
    parser.add_argument("--data", type=Path, help="folder with the matrices of the literature")
    parser.add_argument("--make", action="store_true", help="search what is missing or open")
    parser.add_argument("--only", nargs="*", help="instances, by the beginning of their names")
    parser.add_argument("--time-limit", type=float, default=60.0, help="seconds for each search")
    parser.add_argument("--cbf", type=Path, help="folder for CBF files")
    options = parser.parse_args(arguments)
    chosen = [i for i in INSTANCES if not options.only or i.name.startswith(tuple(options.only))]
    if options.cbf:
        return write_cbf(chosen, options.data, options.cbf)
    if options.make:
        make(chosen, options.data, options.time_limit)
    return verify(chosen, options.data)


def make(chosen: list[Instance], data: Path | None, time_limit: float) -> None:
    """Search every case that has no line or is open, keep what is better, and write the index after each."""
    lines = read_index()
    for instance in chosen:
        cov = None
        for k in instance.cardinalities:
            known = lines.get((instance.name, k))
            if known is not None and known["status"] == "optimal":
                continue
            cov = instance.build(data) if cov is None else cov
            if cov is None:
                print(f"{instance.name}: the matrix is not at hand, skipped")
                break
            line = searched(instance, cov, k, time_limit)
            if known is None or float(line["gap"]) < float(known["gap"]):
                lines[instance.name, k] = line
                write_index(lines)
            print(f"{instance.name} k={k}: gap {float(line['gap']):.2g}, {line['seconds']} s", flush=True)


def searched(instance: Instance, cov: rs.Covariance, k: int, time_limit: float) -> Line:
    """Solve one case, write its claim, and return its line."""
    began = time.process_time()
    result = rs.solve(cov, k, time_limit=time_limit)
    seconds = time.process_time() - began
    certificate = result.certificate
    assert certificate is not None
    # A claim about the variables that rows leave, with the others eliminated, has another digest: not kept.
    is_whole = certificate.digest == cov.digest
    path, is_ours = path_of(instance.name, k), instance.family != "literature"
    kept = is_whole and write_claim(certificate, path, with_matrix=is_ours)
    record = result.to_records()[0]
    return {
        "instance": instance.name,
        "family": instance.family,
        "n": str(cov.n),
        "k": str(k),
        "lower": str(record["lower"]),
        "upper": str(record["upper"]),
        "status": "optimal" if result.status == "optimal" else "open",
        "gap": repr(result.gap),
        "support": " ".join(map(str, result.indices)),
        "digest": cov.digest,
        "claim": "kept" if kept else "made again",
        **measured(instance.name, k, certificate),
        "seconds": f"{seconds:.1f}",
        "elsewhere": elsewhere(instance.name, k),
        "source": instance.source,
    }


def measured(name: str, k: int, certificate: rs.Certificate) -> Line:
    """Return the leaves of a proof, and its bytes where it is kept."""
    path = path_of(name, k)
    leaves = sum(isinstance(node, Leaf) for node in certificate.tree)
    return {"bytes": str(path.stat().st_size) if path.exists() else "", "leaves": str(leaves)}


def verify(chosen: list[Instance], data: Path | None) -> int:
    """Check every claim that is kept, and that the index says no more than they prove."""
    lines, wrong, counts = read_index(), 0, {"verified": 0, "without the matrix": 0, "not kept": 0}
    for instance in chosen:
        cov = instance.build(data) if instance.family == "literature" else None
        for line in (lines[name, k] for name, k in lines if name == instance.name):
            reason = checked(line, cov)
            line["elsewhere"] = elsewhere(instance.name, int(line["k"]))
            if reason in counts:
                counts[reason] += 1
            else:
                wrong += 1
                print(f"{instance.name} k={line['k']}: {reason}")
    write_index(lines)
    write_page(lines)
    print(", ".join(f"{count} {what}" for what, count in counts.items()) + f"; {wrong} wrong")
    return 1 if wrong else 0


def checked(line: Line, cov: rs.Covariance | None) -> str:
    """Return "verified", or why not."""
    path = path_of(line["instance"], int(line["k"]))
    if line["claim"] != "kept":
        return "not kept"
    try:
        certificate = read_claim(path, cov)
    except rs.CertificateError as error:
        return str(error)
    if certificate is None:
        return "without the matrix"
    verdict = rs.verify(certificate, exact=False)
    if not verdict:
        return f"{verdict.outcome}: {'; '.join(verdict.reasons)}"
    if certificate.digest != line["digest"] or certificate.k != int(line["k"]):
        return "the claim is about another matrix or another k than the index says"
    if float(line["lower"]) > certificate.lower or float(line["upper"]) < certificate.upper:
        return "the index says more than the claim proves"
    line |= measured(line["instance"], int(line["k"]), certificate)
    return "verified"


def write_cbf(chosen: list[Instance], data: Path | None, out: Path, largest: int = 150) -> int:
    """Write the cases at hand as mixed-integer semidefinite programs; returns the exit status."""
    out.mkdir(parents=True, exist_ok=True)
    for instance in chosen:
        cov = instance.build(data)
        for k in instance.cardinalities if cov is not None and cov.n <= largest else ():
            rs.models.write_cbf(cov, k, out / f"{instance.name}_k{k:03d}.cbf")
    print(
        f"{len(list(out.glob('*.cbf')))} files in {out}; matrices of more than {largest} variables are left out"
    )
    return 0


def write_page(lines: dict[tuple[str, int], Line]) -> None:
    """Write the table of the documentation: what is open first, the widest gap on top."""
    ordered = sorted(lines.values(), key=lambda line: (-float(line["gap"]), line["instance"], int(line["k"])))
    open_lines = [line for line in ordered if line["status"] != "optimal"]
    proved = [line for line in ordered if line["status"] == "optimal"]
    names = {line["instance"] for line in ordered}
    text = [
        f"{len(names)} matrices, {len(ordered)} cases: {len(proved)} proved, {len(open_lines)} open.",
        "",
        "## Open",
        "",
        *table(open_lines, with_gap=True),
        "",
        "## Proved",
        "",
        *table(sorted(proved, key=lambda line: (line["instance"], int(line["k"]))), with_gap=False),
    ]
    front = PAGE.read_text(encoding="utf-8").partition(MARK)[0]
    PAGE.write_text(front + MARK + "\n" + "\n".join(text) + "\n", encoding="utf-8")


def table(lines: list[Line], *, with_gap: bool) -> Iterator[str]:
    """Yield a Markdown table."""
    yield (
        "| instance | n | k | best known | proved upper bound |"
        + (" gap |" if with_gap else "")
        + " seconds | claim | bytes | leaves | elsewhere |"
    )
    yield "|---|--:|--:|--:|--:|" + ("--:|" if with_gap else "") + "--:|---|--:|--:|---|"
    for line in lines:
        lower, upper = rounded_down(float(line["lower"]), 9), rounded_up(float(line["upper"]), 9)
        gap = f" {percent_up(float(line['gap']))}&nbsp;% |" if with_gap else ""
        yield (
            f"| {line['instance']} | {line['n']} | {line['k']} | {lower} | {upper} |{gap} {line['seconds']} "
            f"| {line['claim'].replace(' ', '&nbsp;')} | {line['bytes']} | {line['leaves']} "
            f"| {line['elsewhere']} |"
        )


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
