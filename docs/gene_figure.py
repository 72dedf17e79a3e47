"""Draw the figure of the study of genes: python docs/gene_figure.py [FOLDER]; it needs scanpy, for its data."""

import sys
from pathlib import Path

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt
import scanpy

import relaxspca as rs


def main(folder):
    """Draw the mean score of every type of cell on four components of ten genes."""
    cells = scanpy.datasets.pbmc68k_reduced()
    cov, groups = rs.Covariance.from_sparse(cells.raw.X, names=cells.raw.var_names), []
    for _ in range(4):
        groups.append(rs.solve(cov, 10, exclude=[name for group in groups for name in group.support]))
    types = cells.obs["bulk_labels"].to_numpy()
    kinds = sorted(set(types), reverse=True)
    shape = {"figsize": (5.6, 5.2), "dpi": 200, "layout": "constrained"}
    figure, grid = plt.subplots(2, 2, sharey=True, **shape)
    for axis, group in zip(grid.flat, groups, strict=True):
        x = group.candidate.loadings[group.candidate.indices]
        scores = cells.raw[:, list(group.support)].X.toarray() @ x
        axis.barh(kinds, [scores[types == kind].mean() for kind in kinds], color="#9a9a9a", edgecolor="#222222")
        names = list(group.loadings)
        axis.set_title("\n".join((", ".join(names[:2]), ", ".join(names[2:4]) + ", …")), fontsize=9)
        axis.axvline(0, color="#222222", linewidth=0.8)
        axis.tick_params(left=False, labelsize=8)
        axis.spines[["top", "right"]].set_visible(False)
    figure.supxlabel("mean score of the cells", fontsize=9)
    figure.savefig(folder / "genes.png")


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).parent / "_static")
