"""What every result can be turned into: text, HTML, tables for papers and programs, a figure and files."""

from __future__ import annotations

import io
import os
import re
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping, Sequence
from html import escape
from pathlib import Path as FilePath
from typing import Any, ClassVar, Generic, TypeVar

from relaxspca.certificate import Certificate
from relaxspca.errors import InputError, in_line
from relaxspca.numerics.latex import latex_escaped, latex_number
from relaxspca.results import tables
from relaxspca.results.digits import printed_with
from relaxspca.results.status import Status
from relaxspca.runtime.files import replace
from relaxspca.runtime.lazy import attribute

Row = TypeVar("Row")


class Printable(ABC):
    """How a result is shown and written: as text, table, LaTeX, HTML, figure and files of certificates."""

    _figure: ClassVar[str] = ""  # the function of relaxspca.plotting behind `plot`, if there is one
    _file: ClassVar[str] = ""  # the name of its certificate's file, in which {0} is the result
    _index: ClassVar[str | None] = None  # the field of records that is the index of frames, if there is one

    @abstractmethod
    def to_records(self) -> list[dict[str, Any]]:
        """Return one flat dict a row, in full precision; bounds are true when read as decimals too."""

    @property
    def is_interrupted(self) -> bool:
        """Whether Ctrl-C came before the work was done; the bounds hold."""
        return getattr(self, "status", None) is Status.INTERRUPTED

    @property
    def statement(self) -> str:
        """What the result says, in a few lines without its tables; every number is true as printed."""
        return "\n".join(self._statement())

    @abstractmethod
    def _statement(self) -> list[str]:
        """Return what the result says, the claim first."""

    def _paper_statement(self) -> list[str]:
        """Return what stands in a caption: the same without what the work took."""
        return self._statement()

    def _notes(self, *, on_paper: bool = False) -> list[str]:
        """Return how the tables are to be read, where that does not go without saying."""
        return []

    def _tables(self) -> list[tables.Table]:
        """Return the tables below the statement."""
        return []

    def _paper_tables(self) -> list[tables.Table]:
        return self._tables()

    def _certificates(self) -> Mapping[str, Certificate]:
        """Return certificates by the name of their file."""
        certificate = getattr(self, "certificate", None)
        return {} if certificate is None else {self._file.format(self): certificate}

    def to_frame(self) -> Any:
        """Return a pandas DataFrame: a line a record, and its loadings in columns ``loading NAME``.

        Raises
        ------
        MissingExtra
            pandas is not installed.
        """
        rows = self._loadings_of_records()
        used = dict.fromkeys(name for loadings in rows for name in loadings)
        columns = [{f"loading {name}": loadings.get(name, 0.0) for name in used} for loadings in rows]
        records = self.to_records()
        pairs = zip(records, columns or [{}] * len(records), strict=True)
        frame = tables.data_frame([record | more for record, more in pairs])
        return frame if self._index is None else frame.set_index(self._index)

    def _loadings_of_records(self) -> Sequence[Mapping[str, float]]:
        """Return the loadings of every record by name; nothing where records are not components."""
        return ()

    def to_csv(self, path: str | os.PathLike[str] | None = None) -> str:
        """Return comma-separated values in full precision, and write them when a path is given."""
        records = self.to_records()
        cells = [[_plain(value) for value in record.values()] for record in records]
        return tables.saved(tables.csv_table(list(records[0]) if records else [], cells), path)

    def to_text(self, *, digits: int | None = None) -> str:
        """Return the statement and the tables as text, values with so many digits (6 unless given)."""
        with printed_with(digits):
            below = [table.markdown(is_read_as_text=True).rstrip() for table in self._tables() if table.rows]
            return "\n".join([*self._statement(), *self._notes(), *below])

    def to_markdown(self, *, digits: int | None = None) -> str:
        """Return the statement and the tables as Markdown, values with so many digits (6 unless given)."""
        with printed_with(digits):
            said = [*self._statement(), *self._notes()]
            lines = "  \n".join(map(tables.in_markdown, said))
            below = [table.markdown() for table in self._tables() if table.rows]
            return "\n".join([lines + "\n", *below])

    def to_latex(
        self, *, caption: str | bool = False, label: str | None = None, digits: int | None = None
    ) -> str:
        r"""Return LaTeX tables, as wide as the line, for the packages booktabs and tabularx.

        What is proved, and of which matrix, stands below them, where the caption does not say it. A long table
        is cut into pieces, between which a page may end; in a float, that is with a caption, it stays whole.

        Parameters
        ----------
        caption : str or bool
            LaTeX text of a caption, in a float; True is what the result states. Without one there is no float.
        label : str, optional
            For ``\ref``, where there is a caption.
        digits : int, optional
            Significant digits of values; by default 6.
        """
        with printed_with(digits):
            whole = [table for table in self._paper_tables() if table.rows]
            pieces = whole if caption else [piece for table in whole for piece in table.pieces()]
            together = "\n\\medskip\n\n".join(piece.latex() for piece in pieces)
            stated = " ".join(self._paper_statement())
            below = [*([] if caption is True else [stated]), *self._notes(on_paper=True)]
        if below and whole:
            together += f"\n{tables.latex_note(_latex_line(' '.join(below)))}"
        if caption is False:
            return f"\\par\\medskip\n{together}\\medskip\n" if whole else ""
        return tables.latex_float(together, _latex_line(stated) if caption is True else caption, label)

    def plot(self, *, ax: Any = None) -> Any:
        """Draw the result with the function of `relaxspca.plotting` that is made for its kind.

        Parameters
        ----------
        ax : matplotlib axes, or None for those of a new figure

        Returns
        -------
        matplotlib figure, or the given axes
            A notebook shows the figure where it is the last line of a cell.

        Raises
        ------
        InputError
            There is no figure of this kind of result.
        """
        if not self._figure:
            raise InputError(f"there is no figure of a {type(self).__name__}: to_frame() gives its numbers")
        drawn = attribute("plotting", self._figure)(self, ax=ax)
        if ax is not None:
            return ax
        return getattr(drawn, "figure", None) or drawn

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write what the ending says: .json the certificate, .csv, .tex, .md, .html the tables, else a figure.

        Without an ending it is a folder, into which every certificate goes.

        Raises
        ------
        InputError
            There is no certificate, or there are several for one file; the ending is of no kind of figure.
        """
        target = FilePath(path)
        texts: dict[str, Callable[[], str]] = {
            ".csv": self.to_csv,
            ".tex": self.to_latex,
            ".md": self.to_markdown,
            ".html": self._repr_html_,
        }
        if target.suffix.lower() in texts:
            tables.saved(texts[target.suffix.lower()](), target)
        elif target.suffix.lower() == ".json":
            certificates = list(self._certificates().values())
            if not certificates:
                raise InputError(f"this {type(self).__name__} has no certificate to save")
            if len(certificates) > 1:
                raise InputError(f"{len(certificates)} certificates do not go into one file: give a folder")
            certificates[0].save(target)
        elif target.suffix:
            drawn, kind, figure = io.BytesIO(), target.suffix[1:].lower(), self.plot()
            if kind not in (kinds := figure.canvas.get_supported_filetypes()):
                raise InputError(f"{target.name}: no figure is written as .{kind}, but as {in_line(kinds)}")
            figure.savefig(drawn, format=kind, bbox_inches="tight")
            replace(target, drawn.getvalue())
        else:
            self.save_certificates(target)

    def save_certificates(self, folder: str | os.PathLike[str]) -> list[FilePath]:
        """Write every certificate into a folder, made if need be, and return the paths."""
        target = FilePath(folder)
        found = {target / f"{name}.json": certificate for name, certificate in self._certificates().items()}
        if found:
            target.mkdir(parents=True, exist_ok=True)
        for path, certificate in found.items():
            certificate.save(path)
        return list(found)

    def __repr__(self) -> str:
        return self.to_text()

    def _repr_html_(self) -> str:
        lines = "<br>".join(map(escape, [*self._statement(), *self._notes()]))
        return f"<p>{lines}</p>" + "".join(table.html() for table in self._tables() if table.rows)


class ListOfRows(Generic[Row]):
    """Rows that can be counted, indexed and gone through."""

    rows: tuple[Row, ...]

    @property
    def is_interrupted(self) -> bool:
        """Whether Ctrl-C came before a row was done; its bounds hold."""
        return any(getattr(row, "is_interrupted", False) for row in self.rows)

    def __iter__(self) -> Iterator[Row]:
        return iter(self.rows)

    def __len__(self) -> int:
        return len(self.rows)

    def __getitem__(self, at: int) -> Row:
        return self.rows[at]


def _latex_line(line: str) -> str:
    """Return a line of text for LaTeX, symbols and powers of ten as mathematics."""
    text = latex_escaped(line).replace("±", r"$\pm$")
    return re.sub(r"(?<![\w.])-?\d[\d.]*e-?\d+", lambda number: f"${latex_number(number[0])}$", text)


def _plain(value: Any) -> str:
    return repr(value) if type(value) is float else str(value)
