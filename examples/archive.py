"""Check an archive of certificates, find out what it claims, and catch a forged one.

python examples/archive.py [FOLDER]
"""

import sys
import tempfile
from dataclasses import replace
from pathlib import Path

import relaxspca as rs
from relaxspca.report.archive import verify_many

if len(sys.argv) > 1:
    folder = Path(sys.argv[1])
else:
    folder = Path(tempfile.mkdtemp())
    rs.path(rs.datasets.load_pitprops(), k=range(9, 14)).save_certificates(folder)

rows = verify_many([folder])
for row in rows:
    print(f"{row.outcome:<12} n = {row.n}, k = {row.k}, width {row.width:.1e}, by {row.kind}")

# Claim more than was proved: the widest one is said to be optimal on the spot.
widest = rs.Certificate.load(max((row for row in rows if row.verified), key=lambda row: row.width).path)
forged = rs.verify(replace(widest, claim=replace(widest.claim, upper=widest.lower)))
print(f"forged: {forged.outcome.value}: {'; '.join(forged.reasons)}")

verified = sum(row.verified for row in rows)
print(f"verdict: {verified} of {len(rows)} verified, and the forged one {'too' if forged else 'is not'}")
raise SystemExit(verified < len(rows) or bool(forged))
