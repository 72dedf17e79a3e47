"""Tables as R prints them: in blocks of columns, where the lines would be too long."""

from __future__ import annotations

import re
from collections.abc import Sequence
from decimal import Decimal
from itertools import combinations

from relaxspca.errors import counted
from relaxspca.reading.cells import is_missing, is_number

Rows = list[list[str]]
WORD = re.compile(r"\S+")
FINITE = re.compile(r"-?\d*\.?\d+(e[-+]\d{2,3})?")  # as R prints it


def printed_by_r(lines: Sequence[str]) -> tuple[Rows, str] | None:
    """Return the rows of a table that R printed, the blocks side by side, and in words how it was read.

    Each block has a line of names and a line for each row, which begins with its name; the rows are the same in
    all blocks. A name ends where the cells below it end, and may have spaces. Lines that begin with > are what
    was typed. R prints the columns of a matrix with different numbers of decimals: where all pairs of opposite
    entries of a square matrix agree up to the rounding of the shorter one, the longer one is taken for both.

    None is returned for any other text, and for a table of one block that can be read as it is.

    Examples
    --------
    >>> printed_by_r(["> cor(x)", "   a   b", "a 1.0 .25", "b  .2   1", "    c", "a .20", "b .30"])[0]
    [['', 'a', 'b', 'c'], ['a', '1.0', '.25', '.20'], ['b', '.2', '1', '.30']]
    >>> printed_by_r(["     [,1] [,2]", "[1,]  1.0 0.25", "[2,]  0.2 1.00"])
    ([['1.0', '0.25'], ['0.25', '1.00']], 'printed by R in 1 block of columns')
    >>> printed_by_r(["  life sat age", "1      1.5  20", "2      0.5  31"])[0][0]
    ['', 'life sat', 'age']
    """
    printed = [line for line in lines if not line.startswith(">")]
    rows = [line.split() for line in printed]
    blocks = _blocks(rows, printed)
    if blocks is None:
        return None
    names, labels = [name for block in blocks for name in block[0]], _labels(blocks[0])
    is_plain = names == _bracketed(names, "[,{}]") and labels == _bracketed(labels, "[{},]")
    has_spaces = any(" " in label for label in labels) and not any(map(is_number, labels))
    has_spaces |= any(" " in name for name in names)
    has_spaces &= len({len(line.rstrip()) for line in printed}) == 1  # what stands above a triangle is no name
    if len(blocks) < 2 and len(rows) == len(lines) and not is_plain and not has_spaces:
        return None
    values = [
        [cell for block in blocks for cell in block[i][-len(block[0]) :]] for i in range(1, len(blocks[0]))
    ]
    if names == labels or is_plain:
        values = _with_finer_halves(values)
    note = f"printed by R in {counted(len(blocks), 'block')} of columns"
    if is_plain:
        return values, note
    return [["", *names], *([label, *row] for label, row in zip(labels, values, strict=True))], note


def _blocks(rows: Rows, lines: Sequence[str]) -> list[Rows] | None:
    """Cut rows into blocks that begin with names and have the same labels; None for any other rows."""
    heads = [i for i, row in enumerate(rows) if not any(is_number(cell) or is_missing(cell) for cell in row)]
    if heads[:1] != [0]:  # a name has a number in it; nothing stands above the names of rows
        heads = [i for i, line in enumerate(lines) if line.startswith(" ")]
    size = heads[1] if len(heads) > 1 else len(rows)
    if size < 2 or heads != list(range(0, len(rows), size)) or len(rows) % size:
        return None
    blocks = [[_names(lines[i : i + size]), *rows[i + 1 : i + size]] for i in heads]
    are_whole = all(map(_is_block, blocks))
    return blocks if are_whole and all(_labels(block) == _labels(blocks[0]) for block in blocks) else None


def _names(block: Sequence[str]) -> list[str]:
    """Return the names of a block, each up to where the cells below end; its words if these do not end so."""
    words = list(WORD.finditer(block[0]))
    free = words[0].start()  # what names of rows take
    ends = [{cell.end() for cell in WORD.finditer(line) if cell.end() >= free} for line in block[1:]]
    are_even = all(found == ends[0] for found in ends) and words[-1].end() in ends[0]
    if not are_even or "\t" in "".join(block) or not ends[0] <= {word.end() for word in words}:
        return block[0].split()
    names = [""]
    for word in words:
        names[-1] = f"{names[-1]} {word[0]}".lstrip()
        names += [""] if word.end() in ends[0] else []
    return names[:-1]


def _is_block(block: Rows) -> bool:
    width = len(block[0])
    numbers = [cell for row in block[1:] for cell in row[-width:]]
    are_long = all(len(row) > width for row in block[1:]) and not any(map(is_number, block[0]))
    return are_long and all(is_number(cell) or is_missing(cell) for cell in numbers)


def _labels(block: Rows) -> list[str]:
    return [" ".join(row[: -len(block[0])]) for row in block[1:]]


def _bracketed(words: list[str], pattern: str) -> list[str]:
    """Return what R calls rows or columns that have no names."""
    return [pattern.format(i + 1) for i in range(len(words))]


def _with_finer_halves(values: Rows) -> Rows:
    """Return a square matrix with the longer of opposite cells for both, if the others are their roundings."""
    n = len(values)
    if any(len(row) != n or not all(map(FINITE.fullmatch, row)) for row in values):
        return values
    made = [list(row) for row in values]
    for i, j in combinations(range(n), 2):
        coarse, fine = sorted((Decimal(values[i][j]), Decimal(values[j][i])), key=_exponent, reverse=True)
        if abs(coarse - fine) > Decimal(5).scaleb(_exponent(coarse) - 1):
            return values
        made[i][j] = made[j][i] = str(fine)
    return made


def _exponent(number: Decimal) -> int:
    return int(number.as_tuple().exponent)
