"""Tables as they are printed: half of a symmetric matrix in papers, blocks of columns by R."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from decimal import Decimal
from itertools import combinations, product
from math import isnan
from typing import NamedTuple

import numpy as np

from relaxspca.errors import InputError, counted, in_line
from relaxspca.problem.symmetry import FEWEST, are_counts
from relaxspca.reading.cells import is_missing, is_number, number_of
from relaxspca.reading.contents import Contents, named

DASHES = ("-", "--", "–", "—", "−")  # in the place of what is not printed
# What papers print beside correlations, above a column of it.
BESIDE = ("m", "mean", "means", "sd", "s.d.", "std", "std.", "n", "α", "alpha", "range", "skew", "kurtosis")
COUNTED = re.compile(r"\(?\d+[.)]\s")  # "2. Income" in one cell
STARS = "*†‡"  # behind correlations that are significant
Rows = list[list[str]]
WORD = re.compile(r"\S+")
FINITE = re.compile(r"-?\d*\.?\d+(e[-+]\d{2,3})?")  # as R prints it


class _Half(NamedTuple):
    rows: list[list[float]]  # the numbers of each line
    names: list[str]  # none, or what stands before them
    is_lower: bool
    has_diagonal: bool


def triangle_of(rows: list[list[str]], decimal: str, *, is_told: bool) -> Contents | None:
    """Return the whole matrix of which a table of cells holds one half; None where it is no half.

    Cells of the other half may be missing or left out, and dashes may stand on the diagonal or in its place
    nothing at all. Names may stand before the numbers, in the first line, or in both places. Columns called
    M, SD and the like are left out. A half that need not be one of correlations is an error, unless it
    `is_told` to be of a covariance matrix; so is a title or a note beside it.

    Examples
    --------
    >>> half = [["", "a", "b", "c"], ["a", "1"], ["b", ".5", "1"], ["c", ".2", ".3", "1"]]
    >>> triangle_of(half, ".", is_told=False).matrix.tolist()
    [[1.0, 0.5, 0.2], [0.5, 1.0, 0.3], [0.2, 0.3, 1.0]]
    """
    rows, left_out = _without_statistics(rows, decimal)
    if not FEWEST <= len(rows) <= max(map(len, rows)) + 2:
        return None
    fits, header = _fitting(rows, decimal)
    if fits:
        found = _contents(fits, header, is_told=is_told)
        return replace(found, note="; ".join(filter(None, (found.note, left_out))))
    if len({sum(not is_missing(cell) for cell in row) for row in rows}) >= FEWEST:
        for above, below in ((1, 0), (0, 1), (1, 1)):
            if _fitting(rows[above : len(rows) - below], decimal)[0]:
                line = " ".join(filter(None, rows[0 if above else -1]))
                raise InputError(f"the line {line[:60]!r} is no part of the triangle of numbers: delete it")
    return None


def _fitting(rows: list[list[str]], decimal: str) -> tuple[list[_Half], list[str] | None]:
    """Return every way to read lines as half of a matrix, and the names in a line above it, if there is one."""
    bare = [[cell for cell in row if cell not in DASHES] for row in rows]
    titles = [cell for cell in bare[0] if not is_missing(cell)]
    for above, body, whole in ((titles, bare[1:], rows[1:]), (None, bare, rows)):
        halves = _halves(body, whole, decimal) if len(body) >= FEWEST else []
        if fits := [half for half in halves if above is None or _fits(above, half)]:
            return fits, above
    return [], None


def without_stars(rows: list[list[str]], decimal: str) -> list[list[str]]:
    """Return cells without the stars behind numbers."""
    bare = [[(cell.rstrip(STARS), cell) for cell in row] for row in rows]
    return [[short if is_number(short, decimal) else cell for short, cell in row] for row in bare]


def _without_statistics(rows: list[list[str]], decimal: str) -> tuple[list[list[str]], str]:
    """Leave out the columns of means, deviations and the like, before or behind a triangle; say which."""
    titles, body = rows[0], rows[1:]
    at = [j for j, title in enumerate(titles) if title.lower() in BESIDE]
    named = [title for title in titles if not is_missing(title)]
    if not at or not body or at != list(range(at[0], at[0] + len(at))) or len(at) == len(named):
        return rows, ""
    count, is_last = len(at), named[-1] == titles[at[-1]]
    if all(len(row) == len(titles) for row in body):
        kept = [[*row[: at[0]], *row[at[-1] + 1 :]] for row in body]
    else:
        kept = [_without_run([cell for cell in row if cell], count, is_last, decimal) for row in body]
    if not all(kept):
        return rows, ""
    return [[*titles[: at[0]], *titles[at[-1] + 1 :]], *kept], f"left out: {in_line([titles[j] for j in at])}"


def _without_run(row: list[str], count: int, is_last: bool, decimal: str) -> list[str]:
    """Return a line without its last numbers, or the first behind its name; nothing where there are too few."""
    for start in [len(row) - count] if is_last else range(1, len(row) - count + 1):
        run = row[max(start, 0) : start + count]
        if len(run) == count and all(is_number(cell, decimal) for cell in run):
            return [*row[:start], *row[start + count :]]
    return []


def _halves(body: list[list[str]], whole: list[list[str]], decimal: str) -> list[_Half]:
    """Return every way to read lines as half of a matrix."""
    n, found = len(body), []
    for is_lower, has_diagonal in product((True, False), repeat=2):
        sizes = [(i if is_lower else n - 1 - i) + has_diagonal for i in range(n)]
        parts = [_cut(*lines, is_lower) for lines in zip(body, whole, sizes, strict=True)]
        cells = [part[1] for part in parts if part is not None]
        names = [_name(part[0], i, decimal) for i, part in enumerate(parts) if part is not None]
        called = [name for name in names if name]
        if len(cells) < n or None in names or len(called) not in (0, n):
            continue
        numbers = [[number_of(cell, decimal) for cell in row] for row in cells]
        # Ones where no diagonal is printed are a diagonal, and the line without a number is a title.
        are_others = has_diagonal or any(row[-1 if is_lower else 0] != 1 for row in numbers if row)
        if are_others and not any(isnan(value) for row in numbers for value in row):
            found.append(_Half(numbers, called, is_lower, has_diagonal))
    return found


def _name(words: list[str], row: int, decimal: str) -> str | None:
    """Return the words before the numbers of a line as a name; None where a number stands among them.

    A count may: "2. Income" is the name of the second row.
    """
    words = [*words[0].split(maxsplit=1), *words[1:]] if words and COUNTED.match(words[0]) else words
    is_counted = bool(words) and words[0].strip("().") in (str(row), str(row + 1))
    others = words[1:] if is_counted else words
    return None if any(is_number(word, decimal) for word in others) else " ".join(others or words)


def _cut(row: list[str], whole: list[str], size: int, is_lower: bool) -> tuple[list[str], list[str]] | None:
    """Return the words and the numbers of a line, if it has that many and lacks only what is beyond them."""
    filled = [cell for cell in row if not is_missing(cell)]
    if len(filled) < size:
        return None
    name, numbers = filled[: len(filled) - size], filled[len(filled) - size :]
    places = [i for i, cell in enumerate(whole) if not is_missing(cell) and cell not in DASHES][len(name) :]
    is_one_run = places == list(range(places[0], places[0] + size)) if places else True
    is_at_its_end = is_lower or not places or places[-1] == len(whole) - 1
    return (name, numbers) if is_one_run and is_at_its_end else None


def _fits(titles: list[str], half: _Half) -> bool:
    """Say whether a first line has a name for each variable, and perhaps one above the names of the rows."""
    n = len(half.rows)
    is_short = not half.has_diagonal and _are_counts(titles[-(n - 1) :])  # the last column has no number
    return len(titles) == n or (bool(half.names) and len(titles) == (n - 1 if is_short else n + 1))


def _contents(halves: list[_Half], titles: list[str] | None, *, is_told: bool) -> Contents:
    """Return the matrix of the only half, or of that with a diagonal of ones."""
    of_ones = [half for half in halves if _is_correlation(half)]
    if len(of_ones) != 1 and not (is_told and len(halves) == 1 and halves[0].has_diagonal):
        if len(halves) > 1:
            raise InputError("its rows make a triangle that can be read in two ways: write the whole matrix")
        raise InputError(
            "its rows make a triangle whose diagonal is not 1: if it is one half of a covariance matrix, say "
            "--covariance (data=False)"
        )
    half = of_ones[0] if of_ones else halves[0]
    matrix, names = np.eye(len(half.rows)), _names(half, titles or [])
    for i, numbers in enumerate(half.rows):
        start = 0 if half.is_lower else i + (not half.has_diagonal)
        places = slice(start, start + len(numbers))
        matrix[i, places] = matrix[places, i] = numbers
    note = f"from its {'lower' if half.is_lower else 'upper'} triangle"
    note += ", whose diagonal is taken as 1" * (not half.has_diagonal)
    return Contents(matrix, named(names) if names else None, note=note)


def _is_correlation(half: _Half) -> bool:
    at = -1 if half.is_lower else 0
    is_one = not half.has_diagonal or all(abs(row[at] - 1) <= 1e-6 for row in half.rows)
    return is_one and all(abs(value) <= 1 + 1e-6 for row in half.rows for value in row)


def _names(half: _Half, titles: list[str]) -> list[str]:
    """Return the names of the variables: those of the first line, of the rows, or of both."""
    n = len(half.rows)
    titles = titles[-n:]
    if not titles or _are_counts(titles) or (half.names and _are_counts(titles[1:])):
        return half.names or titles
    if half.names and not _are_counts(half.names) and half.names != titles:
        i = next(i for i in range(n) if half.names[i] != titles[i])
        raise InputError(
            f"row {i + 1} is called {half.names[i]!r}, but column {i + 1} is called {titles[i]!r}: give both "
            f"the same names ({in_line(titles[:3])}, ...)"
        )
    return titles


def _are_counts(names: list[str]) -> bool:
    """Say whether names are 1, 2, 3, ... or 1., 2., 3., ..., which printed tables have above their columns."""
    return are_counts([name.strip("().") for name in names])


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
    names, labels = [name for block in blocks for name in block[0]], _block_labels(blocks[0])
    is_plain = names == [f"[,{j + 1}]" for j in range(len(names))]  # what R calls those without names
    is_plain &= labels == [f"[{i + 1},]" for i in range(len(labels))]
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
    blocks = [[_block_names(lines[i : i + size]), *rows[i + 1 : i + size]] for i in heads]
    labels = _block_labels(blocks[0])
    are_alike = all(_is_block(block) and _block_labels(block) == labels for block in blocks)
    return blocks if are_alike else None


def _block_names(block: Sequence[str]) -> list[str]:
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


def _block_labels(block: Rows) -> list[str]:
    return [" ".join(row[: -len(block[0])]) for row in block[1:]]


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
