"""Newton steps in place of quasi-Newton steps on the smoothed Perron dual, and a compiled kernel.

Newton: every stage of decreasing smoothing at the root is minimised by L-BFGS, as in the package,
or by truncated Newton steps (conjugate gradients; a Hessian times a vector is the exact derivative
of the gradient, from the eigenvectors at hand, so that it costs no further eigenvalue). Bounds
after each share of the time are the proved ones. Kernel: what of an evaluation is LAPACK's, and how
much quicker it is when its sums of dearest prices are compiled by numba. Writes tail_newton and,
where numba is installed, tail_kernel.
"""

from __future__ import annotations

import argparse
import time
from pathlib import Path
from typing import Any

import numpy as np
from frontier import covariance
from tables import write_table

import relaxspca as rs
from relaxspca.numerics.linalg import magnitude
from relaxspca.problem.size import Cardinality
from relaxspca.relaxations.perron import minimise as perron
from relaxspca.relaxations.perron.formula import upper_bound
from relaxspca.relaxations.perron.weights import balance
from relaxspca.relaxations.soft_top import SoftTop

RESULTS = Path(__file__).parent / "results"
INSTANCES = (("ties 24 4 0", 8), ("noise 30 30 2", 20), ("noise 60 60 0", 15), ("noise 100 100 0", 20))
SHARES = (0.25, 0.5, 1.0)
SIZES = (15, 30, 60, 100, 200)
PARTS = ("newton", "kernel")


def main() -> None:
    """Write the tables."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=8.0, help="processor seconds of a root")
    parser.add_argument("--part", choices=PARTS, nargs="*", default=PARTS)
    options = parser.parse_args()
    if "newton" in options.part:
        newton(options.seconds)
    if "kernel" in options.part:
        kernel()


def newton(seconds: float) -> None:
    """Minimise the root both ways, for as long."""
    rows = []
    for name, k in INSTANCES:
        cov = covariance(name)
        best = rs.solve(cov, k, time_limit=20.0).lower
        for method in ("quasi-Newton", "Newton"):
            found = Root(cov, k, best, seconds).run(method)
            rows.append((name, k, method, *found))
            print(*rows[-1], flush=True)
    note = (
        f"`benchmarks/tail.py`: gap in % of the best value after shares of {seconds:g} processor seconds, "
        "proved at the end of each stage (smoothing divided by 3); steps are iterations, products Hessians "
        "times a vector. Matrices as in `benchmarks/frontier.py`."
    )
    header = ("matrix", "k", "steps by", *(f"gap % at {share * seconds:g} s" for share in SHARES))
    write_table(RESULTS / "tail_newton", (*header, "stages", "steps", "products"), rows, note)


class Root:
    """The whole matrix, its smoothed bound at decreasing smoothing, and what was proved when."""

    def __init__(self, cov: rs.Covariance, k: int, best: float, seconds: float) -> None:
        self.cov, self.k, self.best, self.seconds = cov, k, best, seconds
        self.size, self.inside = Cardinality(k), np.zeros(cov.n, dtype=bool)
        weights = balance(cov.matrix, self.inside, self.size, iterations=60).weights
        self.B = perron.start_from_weights(cov.matrix, weights)
        self.scale = magnitude(cov.matrix, best)
        self.steps = self.products = 0

    def run(self, method: str) -> tuple[object, ...]:
        """Return the gap at each share of the time, the stages and the steps."""
        import scipy.optimize

        began, met = time.process_time(), [(0.0, self.proved())]
        smoothing, stages = 0.3 * (met[0][1] / self.best - 1), 0
        while time.process_time() - began < self.seconds and smoothing > 1e-9:
            objective = perron._Smoothed(
                self.cov.matrix / self.scale, self.inside, self.size.in_unit(self.scale), smoothing
            )
            start = self.B[objective.off_diagonal] / np.sqrt(self.scale)

            def pause(intermediate_result: Any) -> None:  # scipy goes by the name
                self.steps += 1
                if time.process_time() - began > self.seconds:
                    raise StopIteration

            if method == "Newton":
                options: Any = {"maxiter": 60, "xtol": 1e-9}
                result = scipy.optimize.minimize(
                    objective, start, jac=True, method="Newton-CG", hessp=self.product(objective),
                    callback=pause, options=options,
                )  # fmt: skip
            else:
                options = {"maxiter": 200, "maxcor": 20, "ftol": 1e-13, "gtol": 1e-10}
                result = scipy.optimize.minimize(
                    objective, start, jac=True, method="L-BFGS-B", callback=pause, options=options
                )
            self.B = objective.unpack(result.x) * np.sqrt(self.scale)
            met.append((time.process_time() - began, min(met[-1][1], self.proved())))
            smoothing, stages = smoothing / 3, stages + 1
        gaps = []
        for share in SHARES:
            last = [bound for at, bound in met if at <= share * self.seconds * 1.05]
            gaps.append(f"{100 * (last[-1] / self.best - 1):.3g}")
        return (*gaps, stages, self.steps, self.products)

    def proved(self) -> float:
        """Return the bound that B proves."""
        return float(upper_bound(self.cov, perron.to_point(np.arange(self.cov.n), self.B), self.k))

    def product(self, objective: Any) -> Any:
        """Return the derivative of the gradient along a vector, at a point whose eigenvectors are kept."""
        held: dict[bytes, Any] = {}
        width = objective.soft_largest.width

        def at(x: np.ndarray) -> Any:
            if x.tobytes() not in held:
                held.clear()
                B = objective.unpack(x)
                share, prices = objective._pay(B * B)
                M = objective.Sigma - B * B.T + np.diag(prices)
                values, U = np.linalg.eigh(M)
                p = np.exp((values - values[-1]) / width)
                held[x.tobytes()] = (B, share, values, U, p / p.sum())
            return held[x.tobytes()]

        def times(x: np.ndarray, direction: np.ndarray) -> np.ndarray:
            self.products += 1
            B, share, values, U, p = at(x)
            D = objective.unpack(direction)
            dN = 2 * B * D
            slope = share * (1 - share) / (width / 4)
            slope *= objective.payable
            dtau = (slope * dN).sum(axis=1) / (slope.sum(axis=1) + 1e-300)
            dshare = slope * (dN - dtau[:, None])
            dM = -(D * B.T + B * D.T) + np.diag((share * dN).sum(axis=1))
            inner = U.T @ dM @ U
            apart = values[:, None] - values[None, :]
            with np.errstate(divide="ignore", invalid="ignore"):
                rates = np.where(np.abs(apart) > 1e-9, (p[:, None] - p[None, :]) / apart, p[:, None] / width)
            X, dX = (U * p) @ U.T, U @ (rates * inner) @ U.T
            dX -= X * (p * np.diagonal(inner)).sum() / width
            g = 2 * D * (np.diagonal(X)[:, None] * share) - 2 * X * D.T
            g += 2 * B * (np.diagonal(dX)[:, None] * share + np.diagonal(X)[:, None] * dshare) - 2 * dX * B.T
            return np.asarray(g[objective.off_diagonal])

        return times


def kernel() -> None:
    """Compare an evaluation as it is with one whose dearest prices are compiled."""
    try:
        import numba
    except ImportError:
        print("numba is not installed: tail_kernel is left out")
        return
    rows = []
    compiled = numba.njit(fastmath=False)(_top)
    usual = SoftTop.__call__
    for n in SIZES:
        cov = covariance(f"noise {n} {n} 0")
        k = max(2, n // 5)
        size, inside = Cardinality(k), np.zeros(n, dtype=bool)
        weights = balance(cov.matrix, inside, size, iterations=60).weights
        B = perron.start_from_weights(cov.matrix, weights)
        objective = perron._Smoothed(cov.matrix, inside, size, 1e-2)
        entries = B[objective.off_diagonal] * (1 + 1e-3)
        as_is, value = median(lambda o=objective, x=entries: o(x)[0])
        decomposed, _ = median(lambda M=cov.matrix: np.linalg.eigh(M))

        def quick(self: Any, prices: np.ndarray) -> Any:
            if self.tau is None:
                ranked = -np.sort(-np.where(self.payable, prices, -np.inf), axis=1)
                self.tau = ranked[np.arange(len(prices)), self.slots.astype(int) - 1].copy()
            return compiled(prices, self.payable, self.slots, self.tau, self.width)

        try:
            SoftTop.__call__ = quick  # type: ignore[method-assign]
            fast, same = median(lambda o=objective, x=entries: o(x)[0])
        finally:
            SoftTop.__call__ = usual  # type: ignore[method-assign]
        assert abs(same - value) <= 1e-6 * abs(value), (same, value)
        rows.append((n, k, *(round(1e3 * s, 3) for s in (as_is, decomposed, fast)), round(as_is / fast, 2)))
        print(*rows[-1], flush=True)
    note = (
        "`benchmarks/tail.py --part kernel`: one evaluation of the smoothed bound and its gradient, median "
        "processor milliseconds; compiled: sums and shares of the dearest prices by numba."
    )
    header = ("n", "k", "as it is, ms", "eigh alone, ms", "compiled, ms", "as it is / compiled")
    write_table(RESULTS / "tail_kernel", header, rows, note)


def _top(prices: Any, payable: Any, slots: Any, tau: Any, width: float) -> Any:
    """Return smooth sums of the dearest prices and their shares; the thresholds by Newton, warm."""
    m, n = prices.shape
    total, share = np.zeros(m), np.zeros((m, n))
    for i in range(m):
        for _ in range(26):
            mass = slope = 0.0
            for j in range(n):
                s = 1 / (1 + np.exp(-(prices[i, j] - tau[i]) / width)) if payable[i, j] else 0.0
                share[i, j] = s
                mass += s
                slope += s * (1 - s)
            if abs(mass - slots[i]) < 1e-7:
                break
            step = (mass - slots[i]) * width / (slope + 1e-9)
            tau[i] += min(max(step, -4 * width), 4 * width)
        soft = 0.0
        for j in range(n):
            if payable[i, j]:
                z = (prices[i, j] - tau[i]) / width
                soft += max(z, 0.0) + np.log1p(np.exp(-abs(z)))
        total[i] = width * soft + slots[i] * tau[i]
    return total, share


def median(work: Any) -> tuple[float, Any]:
    """Return the median processor seconds of a function, warm, and what it returns."""
    result = work()
    seconds = []
    for _ in range(15):
        began = time.process_time()
        for _ in range(5):
            result = work()
        seconds.append((time.process_time() - began) / 5)
    return float(np.median(seconds)), result


if __name__ == "__main__":
    main()
