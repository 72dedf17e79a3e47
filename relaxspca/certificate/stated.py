"""What certificates of every kind say of themselves, and how they are kept as files."""

from __future__ import annotations

import os
from functools import partial
from pathlib import Path
from types import ModuleType
from typing import Any, ClassVar, Self

import numpy as np

from relaxspca.certificate.description import Description
from relaxspca.certificate.gap import largest_entry_of, relative_width
from relaxspca.certificate.reading import parsed_file
from relaxspca.certificate.values import checked_array, require, set_field
from relaxspca.errors import Paragraph, counted

__all__ = ["Stated", "check_matrix", "check_used"]


class Stated(Paragraph):
    """A claim that is printed, and written to a file.

    Attributes
    ----------
    wording : module that says claims of this kind in one line, in Markdown and in LaTeX.
    reader : function of a document, the path that it was read from, and the class to make.
    writer : function of a certificate of this kind and a path.
    """

    wording: ClassVar[ModuleType]
    reader: ClassVar[Any]
    writer: ClassVar[Any]

    @property
    def claim(self) -> str:
        """The claim in one line, its bounds rounded outwards."""
        return str(self.wording.line(self))

    @property
    def symbol(self) -> str:
        """The symbol of what is bounded."""
        return str(self.wording.symbol(self))

    @property
    def gap(self: Any) -> float:
        """Relative width of the claim, ``(upper - lower) / |lower|``, as `Result.gap`."""
        return relative_width(self.lower, self.upper, largest=self.scale)

    @property
    def scale(self: Any) -> float:
        """Largest modulus of the entries that a support may hold; beside it a bound may be 0."""
        return largest_entry_of(self.matrix, self.factor)

    def __repr__(self: Any) -> str:
        nodes, points = counted(len(self.tree), "node"), counted(len(self.points), "dual point")
        return f"{type(self).__name__}: {self.claim}, {nodes}, {points}"

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> Self:
        """Read a certificate; raise CertificateError when it is none of this kind, whatever the bytes are."""
        found: Self = parsed_file(path, partial(cls.reader, make=cls))
        return found

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the certificate as JSON, with big arrays in an .npz beside it."""
        type(self).writer(self, Path(path))

    def to_markdown(self) -> str:
        """Return the claim as a short Markdown statement with the digest."""
        return str(self.wording.markdown(self))

    def to_latex(self) -> str:
        """Return the claim as a paragraph of LaTeX, with the digest, that needs no package."""
        return str(self.wording.latex(self))


def check_matrix(made: Any) -> None:
    """Check the matrix that a certificate speaks of: its entries or a factor, and what it is."""
    require((made.matrix is None) != (made.factor is None), "give either matrix or factor")
    if made.matrix is not None:
        set_field(made, "matrix", checked_array("matrix", made.matrix, (made.n, made.n)))
        require(np.array_equal(made.matrix, made.matrix.T), "matrix is not symmetric")
    else:
        set_field(made, "factor", checked_array("factor", made.factor, (None, made.n)))
    require(isinstance(made.description, Description), "description is not of class Description")


def check_used(made: Any) -> None:
    """Check that variables to include, to exclude and of the witness go together, and with k if it is given."""
    require(not np.isin(made.include, made.exclude).any(), "a variable is to be included and excluded")
    require(not np.isin(made.indices, made.exclude).any(), "the support has an excluded variable")
    if made.k is None:
        return
    used = len(np.union1d(made.indices, made.include)) if len(made.include) else 0
    require(used <= made.k, f"with those to include the support has {counted(used, 'variable')}")
    left = made.n - len(made.exclude)
    require(made.k <= left, f"only {counted(left, 'variable')} may be used, not {made.k}")
