"""What to branch on: the search as it is beside other choices of a variable, and more processes.

Every rule sees the same nodes' evaluation; only `relaxspca.search.evaluate._branch` is replaced.
`product` is the rule of the package: the variable whose two children have the least product of
bounds, by what one dual point proves of them. `vector`: the largest free loading of the leading
eigenvector of Sigma - P + Diag c. `sign`: of the free pair that disagrees most with that vector
(Sigma_ij u_i u_j < 0), the variable that `product` prefers. `pseudo-costs`: mean drops seen so far
of either child of a variable, `product` until three free variables have been branched on. Writes
branching, and processes with the seconds on the clock of one process and of two.
"""

from __future__ import annotations

import argparse
import time
from collections import defaultdict
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
from frontier import by_processor, covariance
from tables import write_table

import relaxspca as rs
from relaxspca.search import branch_and_bound, evaluate

RESULTS = Path(__file__).parent / "results"
INSTANCES = (
    ("noise 60 60 0", 15), ("noise 60 60 1", 15), ("noise 100 100 0", 10),
    ("ties 60 6 0", 20), ("ties 60 6 1", 20), ("spiked 60 30 0 10 0.7", 20),
)  # fmt: skip
PARALLEL = (("noise 100 100 0", 15), ("noise 100 100 2", 15), ("ties 120 8 0", 20))
FEW = 3
PARTS = ("branching", "processes")
Rule = Callable[[Any, Any], int]
product: Rule = evaluate._branch


def main() -> None:
    """Write the tables."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--limit", type=float, default=10.0, help="processor seconds a search")
    parser.add_argument("--part", choices=PARTS, nargs="*", default=PARTS)
    options = parser.parse_args()
    if "processes" in options.part:
        processes()
    if "branching" in options.part:
        by_processor()
        branching(options.limit)


def branching(limit: float) -> None:
    """Search every instance by every rule, from the same candidate."""
    rules: dict[str, Callable[[], Any]] = {
        "product": lambda: replaced(product),
        "vector": lambda: replaced(of_vector),
        "sign": lambda: replaced(of_sign),
        "pseudo-costs": learned,
    }
    header = ["matrix", "k", *(f"{rule}: {what}" for rule in rules for what in ("nodes", "s", "gap %"))]
    rows = []
    for name, k in INSTANCES:
        cov = covariance(name)
        start = rs.candidate(cov, k)
        row: list[object] = [name, k]
        for rule in rules.values():
            with rule():
                began = time.process_time()
                found = rs.solve(cov, k, start=start, time_limit=limit)
                spent = round(time.process_time() - began, 2)
            row += [found.node_count, spent, 0 if found.gap < 1e-8 else f"{100 * found.gap:.2g}"]
        rows.append(row)
        print(*row, flush=True)
    note = (
        "`benchmarks/branching.py`: one thread, processor seconds of at most "
        f"{limit:g}, candidate given; matrices as in `benchmarks/frontier.py`."
    )
    write_table(RESULTS / "branching", header, rows, note)


@contextmanager
def replaced(rule: Rule) -> Iterator[None]:
    """Branch by another rule while this is open."""
    evaluate._branch = rule
    try:
        yield
    finally:
        evaluate._branch = product


def leading(work: Any) -> np.ndarray:
    """Return the leading eigenvector of the dual matrix of a node, or of its block."""
    M = np.array(work.Sigma)
    if work.B is not None:
        N = work.B**2
        room = work.size.most(len(N)) - 1
        M += np.diag(np.sort(N, axis=1)[:, -room:].sum(axis=1)) - work.B * work.B.T
    return np.asarray(np.linalg.eigh(M)[1][:, -1])


def of_vector(work: Any, scores: Any) -> int:
    """Return the free variable of the largest loading."""
    u = np.where(work.is_inside, -1.0, np.abs(leading(work)))
    return int(work.variables[int(np.argmax(u))])


def of_sign(work: Any, scores: Any) -> int:
    """Return a variable of the pair of free ones that disagrees most with the leading vector."""
    u, free = leading(work), ~work.is_inside
    products = work.Sigma * np.outer(u, u)
    products[~free], products[:, ~free] = 0.0, 0.0
    np.fill_diagonal(products, 0.0)
    i, j = np.unravel_index(int(np.argmin(products)), products.shape)
    if products[i, j] >= 0 or len(scores[0]) != len(work.variables):
        return product(work, scores)
    merit = [(float(scores[0][at] + scores[1][at]), int(work.variables[at])) for at in (i, j)]
    return min(merit)[1]


@contextmanager
def learned() -> Iterator[None]:
    """Branch by the mean drops of either child of a variable that were seen so far."""
    drops: dict[tuple[int, int], list[float]] = defaultdict(list)
    parents: dict[int, tuple[Any, int, int, float]] = {}
    children, expand = branch_and_bound.Search._children, branch_and_bound.expand

    def noted(self: Any, at: int, node: Any, branch: int) -> Any:
        bound, found = self.tree.proof(at).bound, children(self, at, node, branch)
        for side, (_, child) in enumerate(found):
            parents[id(child)] = (child, branch, side, bound)  # kept alive: an id is used once
        return found

    def expanded(cov: Any, size: Any, node: Any, *others: Any) -> Any:
        outcome = expand(cov, size, node, *others)
        if id(node) in parents:
            _, branch, side, bound = parents[id(node)]
            drops[branch, side].append(bound - max(outcome.proof.bound, others[2]))
        return outcome

    def rule(work: Any, scores: Any) -> int:
        free = work.variables[~work.is_inside].tolist()
        known = {i: float(np.mean(drops[i, 0]) * np.mean(drops[i, 1])) for i in free if seen(i)}
        return max(known, key=known.__getitem__) if len(known) >= FEW else product(work, scores)

    def seen(i: int) -> bool:
        return bool(drops[i, 0] and drops[i, 1])

    branch_and_bound.Search._children, branch_and_bound.expand = noted, expanded  # type: ignore[method-assign]
    try:
        with replaced(rule):
            yield
    finally:
        branch_and_bound.Search._children, branch_and_bound.expand = children, expand  # type: ignore[method-assign]


def processes() -> None:
    """Search with one process and with two."""
    rows = []
    for name, k in PARALLEL:
        cov = covariance(name)
        start = rs.candidate(cov, k)
        rs.solve(covariance("noise 50 50 0"), 20, n_jobs=2)  # starting processes is not timed
        seconds, results = [], []
        for n_jobs in (1, 2):
            began = time.perf_counter()
            results.append(rs.solve(cov, k, start=start, n_jobs=n_jobs))
            seconds.append(time.perf_counter() - began)
        assert results[0].node_count == results[1].node_count
        ratio = round(seconds[0] / seconds[1], 2)
        rows.append((name, k, results[0].node_count, *(round(s, 2) for s in seconds), ratio))
        print(*rows[-1], flush=True)
    note = (
        "`benchmarks/branching.py --part processes`: seconds of the clock, candidate given, two cores; "
        "both searches take the same nodes."
    )
    header = ("matrix", "k", "nodes", "one process", "two processes", "ratio")
    write_table(RESULTS / "processes", header, rows, note)


if __name__ == "__main__":
    main()
