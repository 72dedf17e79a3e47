r"""Bundle steps in place of quasi-Newton steps on the Perron dual.

A bundle step keeps an orthonormal V of leading eigenvectors of M = Sigma - B o B' + Diag c, some of the trials
before, and minimises lambda_max(V'(M + dM)V) + |D|^2 / 2t, dM linear in the step D of B: its dual is a
small quadratic program over positive semidefinite W of trace one, solved here by accelerated projected
gradients. A trial that gains a tenth of what the model promised is taken and t grows; else t shrinks, and its
eigenvectors make the model better. The eigenvalue is not smoothed; sums of dearest prices are (with kinks in
them steps shrink to nothing: tried), ever less where the steps stall.
`quasi-Newton` is the descent of the package with decreasing smoothing; `both` gives it the first half of the
time and bundle steps the rest. Writes bundle.
"""

from __future__ import annotations

import argparse
import time
from pathlib import Path

import numpy as np
from frontier import covariance
from tables import write_table
from tail import INSTANCES, SHARES, Root

import relaxspca as rs
from relaxspca.problem.size import Cardinality
from relaxspca.relaxations.perron import minimise as perron

RESULTS = Path(__file__).parent / "results"
FEW, MOST = 20, 40  # leading eigenvectors of a trial, and all that a model keeps
INNER = 60  # projected gradient steps of a model
WIDTH, REACH, STALLED = (
    1e-2,
    1e-2,
    1e-2,
)  # first smoothing of the rows, first t, and where it has become too small


def main() -> None:
    """Write the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seconds", type=float, default=8.0, help="processor seconds of a root")
    seconds = parser.parse_args().seconds
    rows = []
    for name, k in INSTANCES:
        cov = covariance(name)
        best = rs.solve(cov, k, time_limit=20.0).lower
        for method in ("quasi-Newton", "bundle", "both"):
            rows.append((name, k, method, *run(cov, k, best, seconds, method)))
            print(*rows[-1], flush=True)
    note = (
        f"`benchmarks/bundle.py`: gap in % of the best value, proved, after shares of {seconds:g} processor "
        "seconds; eigendecompositions are those of bundle trials. Matrices as in `benchmarks/frontier.py`."
    )
    header = (
        "matrix",
        "k",
        "steps by",
        *(f"gap % at {share * seconds:g} s" for share in SHARES),
        "trials",
        "taken",
    )
    write_table(RESULTS / "bundle", header, rows, note)


def run(cov: rs.Covariance, k: int, best: float, seconds: float, method: str) -> tuple[object, ...]:
    """Return the gap at each share of the time, the bundle's trials and how many were taken."""
    if method == "quasi-Newton":
        return (*Root(cov, k, best, seconds).run(method)[:3], "", "")
    root = Root(cov, k, best, seconds / 2 if method == "both" else 0.0)
    first: list[object] = [""] * len(SHARES)
    began = time.process_time()
    if method == "both":
        first[1] = root.run("quasi-Newton")[2]
    bundle = Bundle(cov.matrix / root.scale, k, root.B / np.sqrt(root.scale))
    met = []
    while time.process_time() - began < seconds and bundle.width > 1e-9:
        bundle.step()
        met.append((time.process_time() - began, bundle.value * root.scale))
    gaps = []
    for share, known in zip(SHARES, first, strict=True):
        last = [value for at, value in met if at <= share * seconds * 1.02]
        gaps.append(f"{100 * (last[-1] / best - 1):.3g}" if last else known)
    root.B = bundle.B * np.sqrt(root.scale)
    gaps[-1] = f"{100 * (root.proved() / best - 1):.3g}"
    return (*gaps, len(met), bundle.taken)


class Bundle:
    """The point, the model's eigenvectors and its reach."""

    def __init__(self, Sigma: np.ndarray, k: int, B: np.ndarray) -> None:
        self.Sigma, self.B, self.taken, self.width = Sigma, B, 0, WIDTH
        self.size, self.inside = Cardinality(k), np.zeros(len(Sigma), dtype=bool)
        self._begin()

    def _begin(self) -> None:
        self.reach = REACH
        self.rows = perron._Smoothed(self.Sigma, self.inside, self.size, self.width)
        self.value, self.M, self.share, self.V = self.at(self.B)

    def at(self, B: np.ndarray) -> tuple[float, np.ndarray, np.ndarray, np.ndarray]:
        """Return the bound of B, its matrix, which prices are paid, and the leading eigenvectors."""
        share, prices = self.rows._pay(B * B)
        M = self.Sigma - B * B.T + np.diag(prices)
        values, vectors = np.linalg.eigh(M)
        return float(values[-1]), M, share, vectors[:, -FEW:]

    def step(self) -> None:
        """Minimise the model, try its point, and take it or make the model better."""
        V = self.V
        r = V.shape[1]
        inner = V.T @ self.M @ V
        # The gradient along B of <W, V'M(B)V>, linear in W: 2 B o (diag X 1' o share) - 2 X o B', X = VWV'.
        W = np.eye(r) / r
        ahead, momentum = W, 1.0
        rate = 1 / (self.reach * self._curvature() + 1e-300)
        for _ in range(INNER):
            slope = inner - self.reach * self._adjoint(V, self._gradient(V @ ahead @ V.T))
            following = onto_spectraplex(ahead + rate * slope)
            grown = (1 + np.sqrt(1 + 4 * momentum**2)) / 2
            ahead = following + (momentum - 1) / grown * (following - W)
            W, momentum = following, grown
        gradient = self._gradient(V @ W @ V.T)
        D = -self.reach * gradient
        model = float(np.linalg.eigvalsh(inner + self._adjoint(V, D))[-1])
        promised = self.value - model
        value, M, share, U = self.at(self.B + D)
        if promised < STALLED**2 * self.width or self.reach < STALLED * REACH:
            self.width /= 3
            self._begin()
        elif self.value - value >= 0.1 * promised:
            self.B, self.value, self.M, self.share = self.B + D, value, M, share
            self.V, self.taken = U, self.taken + 1
            self.reach *= 1.5
        else:
            self.V = np.linalg.qr(np.hstack([self.V[:, -(MOST - FEW // 2) :], U[:, -FEW // 2 :]]))[0]
            self.reach /= 2

    def _gradient(self, X: np.ndarray) -> np.ndarray:
        return 2 * self.B * (np.diagonal(X)[:, None] * self.share) - 2 * X * self.B.T

    def _adjoint(self, V: np.ndarray, D: np.ndarray) -> np.ndarray:
        """Return V'dM V for a step D of B."""
        dM = -(D * self.B.T + self.B * D.T) + np.diag(2 * (self.share * self.B * D).sum(axis=1))
        return np.asarray(V.T @ dM @ V)

    def _curvature(self) -> float:
        """Return a bound on the norm of the gradient's square."""
        return float(8 * (self.B**2).max() + 8 * ((self.share * self.B**2).sum(axis=1)).max())


def onto_spectraplex(W: np.ndarray) -> np.ndarray:
    """Return the nearest positive semidefinite matrix of trace one."""
    values, vectors = np.linalg.eigh((W + W.T) / 2)
    ranked = values[::-1]
    excess = (np.cumsum(ranked) - 1) / np.arange(1, len(ranked) + 1)
    level = excess[np.flatnonzero(ranked > excess)[-1]]
    return np.asarray((vectors * np.maximum(values - level, 0.0)) @ vectors.T)


if __name__ == "__main__":
    main()
