"""The figure of the correlations among the variables of a component."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from relaxspca.plotting.style import BLUE, VERMILLION, axes_or_new, literal
from relaxspca.problem.candidate import Candidate

if TYPE_CHECKING:
    from relaxspca.problem.covariance import Covariance


def plot_graph(cov: Covariance, candidate: Candidate, *, ax: Any = None, least: float = 0.2) -> Any:
    """Draw the correlations among the variables in use as a graph.

    Parameters
    ----------
    cov : Covariance
    candidate : Candidate
    ax : matplotlib axes, or None for those of a new figure
    least : float
        Smallest modulus of a correlation that is drawn.

    Returns
    -------
    matplotlib.axes.Axes
        The width of an edge is the modulus of the correlation; dashed edges are negative. The area of a vertex
        is the modulus of the loading.

    Examples
    --------
    >>> import relaxspca as rs
    >>> cov = rs.datasets.load_pitprops()
    >>> axes = plot_graph(cov, rs.candidate(cov, 3))
    >>> [label.get_text() for label in axes.texts]
    ['topdiam', 'length', 'bowdist']
    """
    import networkx as nx

    axes = axes_or_new(ax, 4.6, 4.6)
    support = candidate.indices
    block = cov.submatrix(support)
    deviations = np.sqrt(np.maximum(np.diagonal(block), 0.0))
    products = np.outer(deviations, deviations)
    # A variable without variance is correlated with none.
    correlations = np.where(products > 0, block / np.where(products > 0, products, 1.0), 0.0)
    graph = nx.Graph()
    graph.add_nodes_from(range(len(support)))
    graph.add_edges_from(
        (i, j) for i in range(len(support)) for j in range(i) if abs(correlations[i, j]) >= least
    )
    layout = nx.circular_layout(graph)
    for sign, colour, style in ((1, BLUE, "solid"), (-1, VERMILLION, "dashed")):
        edges = [(i, j) for i, j in graph.edges if sign * correlations[i, j] > 0]
        widths = [0.3 + 4 * abs(correlations[edge]) for edge in edges]
        nx.draw_networkx_edges(
            graph, layout, edgelist=edges, width=widths, edge_color=colour, style=style, ax=axes
        )
        if edges:
            axes.plot([], [], color=colour, linestyle=style, label="positive" if sign > 0 else "negative")
    sizes = 40 + 500 * np.abs(candidate.loadings[support])
    nx.draw_networkx_nodes(graph, layout, node_size=sizes, node_color="black", ax=axes)
    for vertex, (x, y) in layout.items():
        side = "left" if x > 0.05 else "right" if x < -0.05 else "center"
        level = "bottom" if y > 0.9 else "top" if y < -0.9 else "center"
        axes.text(1.13 * x, 1.13 * y, literal(cov.names[support[vertex]]), ha=side, va=level, fontsize=9)
    axes.set_xlim(-1.9, 1.9)
    axes.set_ylim(-1.8, 1.4)
    axes.set_axis_off()
    if graph.edges:
        title = f"correlation, modulus {least:g} or more"
        axes.legend(title=title, frameon=False, fontsize=9, title_fontsize=9, loc="lower center", ncols=2)
    return axes
