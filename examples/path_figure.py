"""Draw bounds and supports over the number of variables, as for a paper.

python examples/path_figure.py [FOLDER]
"""

import sys
import tempfile
from pathlib import Path

import relaxspca as rs
from relaxspca.plotting import plot_supports

folder = Path(sys.argv[1] if len(sys.argv) > 1 else tempfile.mkdtemp())
folder.mkdir(parents=True, exist_ok=True)

path = rs.path(rs.datasets.load_pitprops(), k=range(1, 14))
path.plot().savefig(folder / "bounds.pdf")
plot_supports(path).figure.savefig(folder / "supports.pdf")
(folder / "table.tex").write_text(path.to_latex())
print(f"bounds.pdf, supports.pdf and table.tex are in {folder}")

proved = sum(row.certified for row in path.rows)
print(f"verdict: {proved} of {len(path)} components are proved optimal")
raise SystemExit(proved < len(path))
