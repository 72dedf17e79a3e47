"""Five topics of five words from the basehock counts (1993 documents, 4862 words), each with its gap.

Run it as::

    python benchmarks/topics.py [--data basehock_counts.npz] [-k 5] [--topics 5]
"""

from __future__ import annotations

import argparse
import resource
import time
from pathlib import Path

from frontier import by_processor
from tables import write_table

from relaxspca.applications import topics
from relaxspca.checker import verify
from relaxspca.datasets.text import read_counts

COUNTS = Path(__file__).resolve().parents[2] / "shared" / "data" / "basehock_counts.npz"


def main() -> None:
    """Print and write every topic, its bounds and the time."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--data", type=Path, default=COUNTS)
    parser.add_argument("--vocabulary", type=Path)
    parser.add_argument("--topics", type=int, default=5)
    parser.add_argument("--time-limit", type=float, default=20.0)
    parser.add_argument("-k", type=int, default=5)
    parser.add_argument("--output", type=Path, default=Path(__file__).parent / "results")
    options = parser.parse_args()
    if not options.data.exists():
        print(f"no file {options.data}")
        return
    by_processor()
    start = time.process_time()
    counts, words = read_counts(options.data, options.vocabulary)
    found = topics(counts, options.k, options.topics, vocabulary=words, tol=1e-4, time_limit=options.time_limit)
    seconds = time.process_time() - start
    rows = []
    for topic in found:
        left = topic.certificate.eliminated
        row = [", ".join(topic.words), topic.lower, topic.upper, 100 * topic.gap, topic.seconds]
        row += [topic.certificate.n, 0 if left is None else left.count]
        rows.append([*row, verify(topic.certificate).outcome.name.lower()])
        print(*rows[-1], sep="  ", flush=True)
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20
    header = ["words", "lower", "upper", "gap %", "seconds", "in the proof", "eliminated", "checker"]
    note = (
        f"{options.data.name}, k = {options.k}: {len(found)} topics in {seconds:.1f} processor seconds "
        f"with reading, peak memory {memory:.2f} GiB."
    )
    print(note)
    write_table(options.output / "topics", header, rows, note)


if __name__ == "__main__":
    main()
