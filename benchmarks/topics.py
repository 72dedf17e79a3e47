"""Five topics of five words from the basehock counts (1993 documents, 4862 words), each with its gap.

Run it as::

    python benchmarks/topics.py [--data ../shared/data/basehock_counts.npz] [-k 5] [--topics 5]
"""

from __future__ import annotations

import argparse
import resource
import time
from pathlib import Path

from relaxspca.applications import topics
from relaxspca.datasets.text import read_counts
from relaxspca.verify import verify


def main() -> None:
    """Print every topic, its bounds and the time."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--data", type=Path, default=Path("../shared/data/basehock_counts.npz"))
    parser.add_argument("--vocabulary", type=Path)
    parser.add_argument("--topics", type=int, default=5)
    parser.add_argument("--time-limit", type=float, default=20.0)
    parser.add_argument("-k", type=int, default=5)
    options = parser.parse_args()
    start = time.perf_counter()
    counts, words = read_counts(options.data, options.vocabulary)
    found = topics(
        counts, options.k, options.topics, vocabulary=words, tol=1e-4, time_limit=options.time_limit
    )
    seconds = time.perf_counter() - start
    for topic in found:
        verdict = verify(topic.certificate)
        print(f"{topic.lower:.8g} <= v_{options.k} <= {topic.upper:.8g}, gap {100 * topic.gap:.2g} %, "
              f"{topic.seconds:.1f} s, {topic.certificate.n} words in the proof and "
              f"{topic.certificate.eliminated.count} eliminated; {verdict.outcome.value}")
        print("   ", ", ".join(topic.words))
    print(f"{len(found)} topics in {seconds:.1f} s, peak memory "
          f"{resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20:.2f} GiB")


if __name__ == "__main__":
    main()
