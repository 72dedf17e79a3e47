"""Topics of a corpus, a few words each, with the proof that no other words do better.

Without arguments a corpus is made from a seed. With arguments: counts as a scipy.sparse .npz (or Matrix
Market) and a text file with one word a line.

    python examples/topics.py [COUNTS VOCABULARY] [-k 5] [--topics 5]
"""

from __future__ import annotations

import argparse

import numpy as np

import relaxspca as rs
from relaxspca.datasets.text import make_topic_model, read_counts


def main() -> None:
    """Print the topics with their certified gaps."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("counts", nargs="?")
    parser.add_argument("vocabulary", nargs="?")
    parser.add_argument("--topics", type=int, default=5)
    parser.add_argument("-k", type=int, default=5)
    options = parser.parse_args()
    if options.counts is None:
        model = make_topic_model(5000, topics=5, words=5, offset=20.0)
        counts, words = model.draw(20_000, rng=np.random.default_rng(1)), model.vocabulary
    else:
        counts, words = read_counts(options.counts, options.vocabulary)
    cov = rs.Covariance.from_chunks(counts, names=words)
    used: list[str] = []
    proved = 0
    for _ in range(options.topics):
        topic = rs.solve(cov, options.k, exclude=used, gap=1e-4, time_limit=60.0)
        used += topic.support
        is_verified = bool(rs.verify(topic.certificate))
        checked = "checked" if is_verified else "NOT verified"
        print(
            f"{', '.join(topic.loadings)}\n    variance {topic.lower:.6g}, at most "
            f"{100 * topic.gap:.2g} % below the best of all words left ({checked})"
        )
        proved += topic.gap <= 1e-4 and is_verified
    print(f"verdict: {proved} of {options.topics} topics are proved best to within 0.01 %")


if __name__ == "__main__":
    main()
