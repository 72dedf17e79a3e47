"""Print what the study of a whole matrix prints: python docs/whole_matrix.py FOLDER/riboflavin4088.npz.

The pages are built without that file, so the output stands in docs/studies.md.
"""

import sys

import numpy as np

import relaxspca as rs


def main(path):
    """Print the output of every step of the study."""
    arrays = np.load(path)
    cov = rs.Covariance.from_data(arrays["X"], names=arrays["names"], correlation=True)
    best = rs.solve(cov, 10)
    print(best, rs.verify(best.certificate).outcome.value, sep="\n", end="\n\n")
    near = rs.near_optimal(cov, 10, within=0.001)
    print(near.statement, rs.stability(best).statement, sep="\n", end="\n\n")

    loadings = np.linalg.svd(cov.factor, full_matrices=False)[2][0]
    loadings[np.argsort(-abs(loadings))[10:]] = 0
    print(rs.certify(cov, loadings).statement, end="\n\n")

    together = rs.components(cov, [5, 5, 5], joint=True, time_limit=120)
    print(together, rs.verify(together.certificate).outcome.value, sep="\n")


if __name__ == "__main__":
    main(sys.argv[1])
