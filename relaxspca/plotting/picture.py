"""A figure that a notebook shows as it is, without a magic command."""

from __future__ import annotations

import io

from matplotlib.figure import Figure


class Picture(Figure):
    """A matplotlib figure with a picture for IPython, which has none for figures until it is told to."""

    def _repr_png_(self) -> bytes:
        drawn = io.BytesIO()
        self.savefig(drawn, format="png", dpi=110, bbox_inches="tight")
        return drawn.getvalue()
