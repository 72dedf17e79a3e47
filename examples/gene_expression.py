"""Many more variables than observations: the thin factor is kept and n x n is never formed.

Without an argument the data are made from a seed: 62 samples of 500 genes, 10 of which vary together.

python examples/gene_expression.py [DATA]
"""

import sys

import relaxspca as rs

if len(sys.argv) > 1:
    cov = rs.read(sys.argv[1])
else:
    cov = rs.datasets.make_spiked(500, 10, strength=30.0, n_samples=62)
print(f"{cov}\nrank {cov.rank}, thin factor kept: {cov.is_factored}")

result = rs.solve(cov, 10, time_limit=60)
print(result)
verdict = rs.verify(result.certificate)
print(f"verdict: {result.status}; {verdict.outcome.value} ({verdict.arithmetic})")
raise SystemExit(not verdict)
