"""Write what the study of a whole matrix prints: python docs/whole_matrix.py DATA/leukemia7129.npz."""

import sys
from pathlib import Path

import numpy as np

import relaxspca as rs


def main(path):
    """Write what the study of 7129 genes prints beside the pages, which are built without the data."""
    arrays = np.load(path)
    cov = rs.Covariance.from_data(arrays["X"], names=arrays["names"], correlation=True)
    best = rs.solve(cov, 10)
    near = rs.near_optimal(cov, 10, within=0.002)
    dense = np.linalg.svd(cov.factor, full_matrices=False)[2][0]
    largest = np.argsort(-abs(dense))[:10]
    judged = rs.certify(cov, np.where(np.isin(range(cov.n), largest), dense, 0.0))
    together = rs.components(cov, [5, 5, 5], joint=True, time_limit=120)
    said = [best, near.statement, rs.stability(best).statement, judged.statement, together]
    folder = Path(__file__).parent / "_static"
    (folder / "whole_matrix.txt").write_text("\n\n".join(map(str, said)) + "\n")
    for name, result in (("ten", best), ("three", together)):
        print(name, rs.verify(result.certificate))


if __name__ == "__main__":
    main(Path(sys.argv[1]))
