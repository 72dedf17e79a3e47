"""What a report says of several components."""

from __future__ import annotations

from html import escape
from typing import Any

from relaxspca.plotting import plot_components
from relaxspca.results.certified_table import CertifiedTable
from relaxspca.results.component_table import ComponentTable

__all__ = ["table_content"]

NOTE = (
    "“Cumulative” is what the span of the components so far explains (Shen and Huang 2008), for orthogonal "
    "components the sum of their variances; “adjusted” counts what each score adds to the previous ones (Zou, "
    "Hastie and Tibshirani 2006; see Camacho et al., arXiv 1907.03989, for a criticism). "
)


def table_content(found: ComponentTable) -> dict[str, Any]:
    """Return the fields of `relaxspca.report.content.Content` for several components.

    Parameters
    ----------
    found : Components, JointComponents or CertifiedTable

    Returns
    -------
    dict
        The statement as HTML, the table of loadings, its figures and the certificates.
    """
    lines = [*map(escape, found.statement.splitlines())]
    certificate = next(iter(found._certificates().values()), None)
    if certificate is not None:
        lines.append(f"The matrix has the digest <code>{certificate.digest}</code>.")
    # What is said of each component stands below its loadings.
    judged = found._verdicts() if isinstance(found, CertifiedTable) else {}
    table = found._loadings_table(more=[*found._below(), *([title, *cells] for title, cells in judged.items())])
    figures: list[Any] = [("Loadings of the components.", lambda: plot_components(found).figure)]
    return {
        "statement": "<br>".join(lines),
        "header": [escape(cell) for cell in table.header],
        "cells": table.rows,
        "numbers": table.right,
        "rule": table.rule,
        "figures": figures,
        "certificates": dict(found._certificates()),
        "note": NOTE,
    }
