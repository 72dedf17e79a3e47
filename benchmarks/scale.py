"""Certify the first component of a corpus of 2,000,000 documents and 100,000 words, in two passes over files.

The corpus is made from a seed and written in 20 files of 100,000 documents (about 24 million nonzero
counts in all) to a temporary folder; that is not part of the time. Then: two passes, a component of
k = 10 words with its bound over all words, and the check of the certificate.

    python benchmarks/scale.py [--documents 2000000] [--words 100000] [-k 10] [--offset 0] [--dask SCHEDULER]
"""

from __future__ import annotations

import argparse
import resource
import tempfile
import time
from pathlib import Path

import numpy as np
from scipy import sparse
from tables import write_table

import relaxspca as rs
from relaxspca.checker import verify
from relaxspca.datasets.text import TopicModel, make_topic_model

BLOCK = 100_000


def main() -> None:
    """Make the corpus, run every step, and print and write what it took."""
    options = _options()
    model = make_topic_model(options.words, topics=20, words=10, mean_length=13.5, offset=options.offset)
    with tempfile.TemporaryDirectory() as folder:
        nonzeros = _write(model, options.documents, Path(folder))
        print(f"{options.documents} documents x {options.words} words, {nonzeros} nonzeros")
        # Of the processor, but where workers have clocks of their own.
        clock = time.perf_counter if options.dask else time.process_time
        start = clock()
        cov = rs.Covariance.from_chunks(
            folder, names=model.vocabulary, limit=options.limit, client=options.dask
        )
        read = clock()
        certificate = rs.solve(cov, options.k, gap=1e-6, time_limit=options.time_limit).certificate
        proved = clock()
        verdict = verify(certificate)
        checked = clock()
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20
    rows = [
        ["documents", options.documents],
        ["words", options.words],
        ["nonzero counts", nonzeros],
        ["seconds, two passes", read - start],
        ["seconds, component and bound", proved - read],
        ["seconds, check", checked - proved],
        ["seconds, in all", checked - start],
        ["GiB, peak, making the corpus included", memory],
        ["words in the Gram matrix", cov.n],
        ["words in the proof", certificate.n],
        ["words eliminated", certificate.eliminated.count],
        ["lower", certificate.lower],
        ["upper", certificate.upper],
        ["relative gap", certificate.upper / certificate.lower - 1],
        ["checker", verdict.outcome.name.lower()],
        ["component", ", ".join(certificate.support)],
    ]
    for row in rows:
        print(*row, sep=": ")
    write_table(options.output / "scale", ["", f"k = {options.k}"], rows)


def _write(model: TopicModel, documents: int, folder: Path) -> int:
    """Write the corpus in blocks and return its number of nonzero counts."""
    nonzeros = 0
    for number, start in enumerate(range(0, documents, BLOCK)):
        block = model.draw(min(BLOCK, documents - start), rng=np.random.default_rng([2, number]))
        nonzeros += block.nnz
        sparse.save_npz(folder / f"part{number:05d}.npz", block, compressed=False)
    return nonzeros


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--documents", type=int, default=2_000_000)
    parser.add_argument("--words", type=int, default=100_000)
    parser.add_argument("--limit", type=int, default=2000)
    parser.add_argument("--offset", type=float, default=0.0, help="stop words as good as taken out")
    parser.add_argument("--time-limit", type=float, default=60.0)
    parser.add_argument("--dask", default=None)
    parser.add_argument("--output", type=Path, default=Path(__file__).parent / "results")
    parser.add_argument("-k", type=int, default=10)
    return parser.parse_args()


if __name__ == "__main__":
    main()
