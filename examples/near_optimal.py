"""Is it the only answer? List all supports nearly as good as the best, and what each variable is worth.

python examples/near_optimal.py [FIGURE]
"""

import sys
import tempfile
from pathlib import Path

import relaxspca as rs

figure = Path(sys.argv[1] if len(sys.argv) > 1 else Path(tempfile.mkdtemp()) / "near_optimal.png")

# docs/_static/near_optimal.png is this figure.
found = rs.near_optimal(rs.datasets.load_pitprops(), 10, within=0.02, costs=True)
found.plot().savefig(figure, dpi=170)
print(found)
print(f"the figure is {figure}")

verdict = rs.verify(found.certificate)
core = ", ".join(found.core)
print(f"verdict: {len(found.supports)} supports, and no other: {bool(verdict)}; core: {core}")
raise SystemExit(not verdict)
