"""Close nodes, and force variables in, by the largest eigenvalue of the node's whole block of Sigma."""

from __future__ import annotations

import numpy as np

from relaxspca.numerics.linalg import FEW, is_proved_below
from relaxspca.search.node import Workspace
from relaxspca.search.proof_tree import Proof

MOST_EXACT = 60  # variables up to which the eigenvalue without each is computed for branching


def screen_by_eigenvalue(work: Workspace) -> None:
    """Close a node whose whole block is below the target, or force in each variable that it needs to exceed it.

    Parameters
    ----------
    work : Workspace, changed in place.

    Notes
    -----
    For a ratio this is the bound of Furnival and Wilson (Technometrics 16, 1974): a subset is no better than
    all of the variables it is chosen from. It helps where variables are nearly collinear and row charges give
    weak bounds.
    """
    m = len(work.variables)
    if is_proved_below(work.Sigma, work.target, work.rounding):
        work.improve(Proof("spectral", None, work.target))
        return
    if m > FEW:
        return
    shifted = work.Sigma - work.target * np.eye(m)
    try:
        inverse = np.diagonal(np.linalg.inv(shifted))
    except np.linalg.LinAlgError:
        return
    # If one eigenvalue exceeds the target, the block without variable i has none above it iff this is positive.
    without = np.full(m, np.inf)
    for i in np.flatnonzero(~work.is_inside & (inverse > 0)):
        kept = np.arange(m) != i
        if is_proved_below(work.Sigma[np.ix_(kept, kept)], work.target, work.rounding):
            without[i] = work.target
    work.fix(np.full(m, np.inf), without, "spectral", None)


def screened_branch(work: Workspace) -> int | None:
    """Return the free variable whose removal lowers the largest eigenvalue most; None for large nodes."""
    free = np.flatnonzero(~work.is_inside)
    if len(work.variables) > MOST_EXACT:
        return None
    values = [float(np.linalg.eigvalsh(np.delete(np.delete(work.Sigma, i, 0), i, 1))[-1]) for i in free]
    return int(work.variables[free[int(np.argmin(values))]])
