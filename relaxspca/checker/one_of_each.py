"""Reduce claims about at most one variable of each group: M has 0 for two variables of one group."""

from __future__ import annotations

import numpy as np

from relaxspca.checker.core import Core


def without_pairs(core: Core) -> Core:
    """Read entries of two variables of one group as 0, if the claim has groups: no support has both."""
    certificate = core.certificate
    if certificate.claim.one_of_each:
        labels = core.labels = certificate.labels
        keep = (labels[:, None] != labels[None, :]) | np.eye(core.n, dtype=bool)
        if certificate.matrix is not None:
            core.matrix = core.arithmetic.array(np.where(keep, certificate.matrix, 0.0))
        else:
            core.matrix = core.block(range(core.n)) * core.arithmetic.array(np.where(keep, 1.0, 0.0))
        core.factor = None
    return core
