"""Many components of many variables, one after another: how far a number of seconds goes.

A seeded factor model, 1000 variables and 50 components of 5 variables each, every one proved to a gap of 1 %
for what the earlier ones leave. Prints components, seconds and the largest memory; progress is on stderr.
"""

from __future__ import annotations

import argparse
import resource
import signal
import time

import numpy as np

import relaxspca as rs


def main() -> None:
    """Run until all components are found or the time is over."""
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--variables", type=int, default=1000)
    arguments.add_argument("--components", type=int, default=50)
    arguments.add_argument("--seconds", type=int, default=300, help="wall clock (default 300)")
    options = arguments.parse_args()
    rng = np.random.default_rng(0)
    L = rng.normal(size=(options.variables, 20)) * (rng.random((options.variables, 20)) < 0.05)
    cov = rs.Covariance(L @ L.T + np.diag(rng.uniform(0.5, 1.0, options.variables)))
    signal.signal(signal.SIGALRM, signal.default_int_handler)
    signal.alarm(options.seconds)
    wall, processor = time.perf_counter(), time.process_time()
    found = rs.components(cov, 5, options.components, gap=0.01, verbose=True)
    signal.alarm(0)
    reached = sum(result.gap <= 0.01 for result in found.results)
    seconds = time.process_time() - processor
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(f"{len(found.candidates)} of {options.components} components, {reached} within 1 %")
    print(f"{seconds:.1f} s of processor time, {time.perf_counter() - wall:.1f} s in all")
    print(f"{memory:.0f} MiB at most")


if __name__ == "__main__":
    main()
