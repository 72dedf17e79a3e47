"""Prove a whole path in parallel: one process a cardinality, and the same proofs as with one.

python examples/distributed_path.py
"""

from joblib import Parallel, delayed
from sklearn.datasets import load_wine

import relaxspca as rs

if __name__ == "__main__":
    cov = rs.Covariance.from_data(load_wine(as_frame=True).data, correlation=True)
    sizes = range(1, cov.n + 1)
    results = Parallel(n_jobs=2)(delayed(rs.solve)(cov, k) for k in sizes)
    for result in results:
        print(f"k = {result.k}: {result.status}, {', '.join(result.support)}")

    alone = rs.solve(cov, 5).certificate
    same = alone.upper == results[4].certificate.upper and alone.tree == results[4].certificate.tree
    verified = sum(bool(rs.verify(result.certificate)) for result in results)
    print(f"verdict: {verified} of {cov.n} verified; the proof for k = 5 is the same as alone: {same}")
    raise SystemExit(verified < cov.n or not same)
