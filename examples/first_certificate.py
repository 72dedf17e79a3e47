"""Prove the best five variables of the pit props, save the proof, and check the file.

python examples/first_certificate.py
"""

import tempfile
from pathlib import Path

import relaxspca as rs

cov = rs.datasets.load_pitprops()
result = rs.solve(cov, 5)
print(result)

with tempfile.TemporaryDirectory() as folder:
    file = Path(folder) / "pitprops5.json"
    result.certificate.save(file)
    verdict = rs.verify(file, against=cov)

print(f"verdict: {verdict.outcome.value} ({verdict.arithmetic} arithmetic)")
raise SystemExit(not verdict)
