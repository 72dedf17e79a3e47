"""What certificates of every kind say of themselves, and how they are kept as files."""

from __future__ import annotations

import os
from pathlib import Path
from types import ModuleType
from typing import Any, ClassVar

from relaxspca.errors import counted

__all__ = ["Stated"]


class Stated:
    """A claim that is printed, and written to a file.

    Attributes
    ----------
    wording : module that says claims of this kind in one line, in Markdown and in LaTeX.
    writer : function of a certificate of this kind and a path.
    """

    wording: ClassVar[ModuleType]
    writer: ClassVar[Any]
    points: Any
    tree: Any

    @property
    def claim(self) -> str:
        """The claim in one line, its bounds rounded outwards."""
        return str(self.wording.line(self))

    @property
    def symbol(self) -> str:
        """The symbol of what is bounded."""
        return str(self.wording.symbol(self))

    def __repr__(self) -> str:
        nodes, points = counted(len(self.tree), "node"), counted(len(self.points), "dual point")
        return f"{type(self).__name__}: {self.claim}, {nodes}, {points}"

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the certificate as JSON, with big arrays in an .npz beside it."""
        type(self).writer(self, Path(path))

    def to_markdown(self) -> str:
        """Return the claim as a short Markdown statement with the digest."""
        return str(self.wording.markdown(self))

    def to_latex(self) -> str:
        """Return the claim as a paragraph of LaTeX, with the digest, that needs no package."""
        return str(self.wording.latex(self))
