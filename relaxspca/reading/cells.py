"""What a cell of text is: a number, in any spelling that has one meaning only; missing; or neither."""

from __future__ import annotations

import math
import re

MISSING = frozenset(["", "NA", "na", "N/A", "n/a", "#N/A", "<NA>", "NULL", "null", "None", ".", "?"])
COMMAS = "decimals seem to stand behind a comma (--decimal , or decimal=',')"
DECIMAL_COMMA = re.compile(r"[-+]?\d+,\d+([eE][-+]?\d+)?")
INVISIBLE = re.compile("[\u200b-\u200f\u2060\ufeff\u00ad]")
MINUS = re.compile("[\u2212\u2013\u2010-\u2012\ufe63\uff0d](?=[.,]?\\d)")  # as it is typeset
SPACES = " \u00a0\u2007\u2009\u202f"
# Fortran writes D before exponents; without decimals 1D5 may be a label.
DIGITS = r"[-+]?(\d+{0}?\d*|{0}\d+)([eE][-+]?\d+)?|[-+]?(\d+{0}\d*|{0}\d+)[dD][-+]?\d+"
# Thousands: one mark throughout, three digits behind each.
GROUPED = r"[-+]?[1-9]\d{{0,2}}(?P<by>[{1}'’{2}])\d{{3}}((?P=by)\d{{3}})*(?P<decimals>{0}\d*)?"
SPELLINGS = {
    decimal: (re.compile(DIGITS.format(mark)), re.compile(GROUPED.format(mark, other, SPACES)))
    for decimal, mark, other in ((".", r"\.", ","), (",", ",", "."))
}
# A number in a spelling that has several meanings, or that has something beside it.
BEFORE = r"(?:[A-Z]{0,3}[$€£¥]\s?|[^\w\s#.,+/:-]{1,3}\s?|[A-Z]{3}\s)?"
BY = f"[.,'’_{SPACES}]"
LONG = rf"\d*\.\d+[-+]\d{{3}}|(?:\d{{1,3}}(?:{BY}\d{{2,3}})*{BY}\d{{3}}|\d+)(?:[.,]\d*)?|[.,]\d+"
EXPONENT = r"(?:\s?[eEdD]\s?[-+]?\d+|\s?[x×*·]\s?10\^?[-+⁻]?[\d⁰¹²³⁴-⁹]+)"
UNIT = r"\s?(?P<unit>[^\s\d#.,:;/+_-][^\d\s]{0,7}[\d²³]?(?:\s[^\s\d]{1,8})?)|[-+]|\s?(?:±|\+/-|\(|\[).*"
LIKE = re.compile(rf"[-+]?{BEFORE}[-+]?\s?(?:{LONG}){EXPONENT}?(?:{UNIT})?")


def written_plainly(cell: str, decimal: str = ".") -> str:
    """Return a number as Python writes it where its spelling has one meaning, and any other cell as it is.

    Examples
    --------
    >>> [written_plainly(cell) for cell in ("−1.5", "1,234.5", "1'234", "1.5D+02", "1,234")]
    ['-1.5', '1234.5', '1234', '1.5e+02', '1,234']
    >>> [written_plainly(cell, ",") for cell in ("1.234.567", "2,5", "1.234")]
    ['1234567', '2.5', '1.234']
    """
    digits, thousands = SPELLINGS[decimal]
    bare = _bare(cell)
    if digits.fullmatch(bare):
        return bare.lower().replace("d", "e").replace(decimal, ".")
    grouped = thousands.fullmatch(bare)
    if grouped is None:
        return cell
    is_either = grouped["by"] in ".," and bare.count(grouped["by"]) == 1 and grouped["decimals"] is None
    return cell if is_either else bare.replace(grouped["by"], "").replace(decimal, ".")


def number_of(cell: str, decimal: str = ".") -> float:
    """Return the number that a cell holds, infinite perhaps; nan where it holds none, or one of two."""
    if decimal == "." or "." not in cell:
        try:
            # Python, but nobody else, reads 2020_1 as a number.
            return float(cell.replace(decimal, ".")) if "_" not in cell else math.nan
        except ValueError:
            pass
    found = written_plainly(cell, decimal)
    return float(found) if found != cell else math.nan


def is_number(cell: str, decimal: str = ".") -> bool:
    """Say whether a cell is a number that can be read, infinite perhaps, but not NaN."""
    return not math.isnan(number_of(cell, decimal))


def is_missing(cell: str) -> bool:
    """Say whether a cell is empty or one of the usual words for a missing value."""
    return cell in MISSING or cell.strip("+-").lower() == "nan"


def is_like_number(cell: str) -> bool:
    """Say whether a cell is a number, however it is written, and whatever stands beside it.

    Examples
    --------
    >>> [is_like_number(cell) for cell in ("(1.5)", "15 cm", "$5", "1,234", "<0.1", "1.5 ± 0.2", "5%")]
    [True, True, True, True, True, True, True]
    >>> [is_like_number(cell) for cell in ("oak", "#1", "S1", "2020-01-05", "05.01.2020", "10:30", "S1.5")]
    [False, False, False, False, False, False, False]
    """
    return _like(cell) is not None or cell.isnumeric()


def unit_of(cell: str) -> str:
    """Return the letters beside what is like a number; none where there are only signs.

    Examples
    --------
    >>> unit_of("15 cm"), unit_of("(1.5)"), unit_of("1,234")
    ('cm', '', '')
    """
    found = _like(cell)
    unit = (found and found["unit"]) or ""
    return unit if any(map(str.isalpha, unit)) else ""


def is_text(cell: str, decimal: str = ".") -> bool:
    """Say whether a cell is neither a number, however written, nor missing."""
    return not (is_missing(cell) or is_number(cell, decimal) or is_like_number(cell))


def has_decimal_comma(cell: str) -> bool:
    """Say whether a cell is a number such as 0,5 or 1,000."""
    return DECIMAL_COMMA.fullmatch(cell.strip()) is not None


def fault_of(cell: str, decimal: str = ".") -> str:
    """Return what to write in place of a cell that is like a number."""
    if decimal == "," and is_number(cell):
        return "decimals are to stand behind a comma: write 1234,5 without thousands separators"
    if decimal == "." and ("," in cell or is_number(cell, ",")):
        return (
            "write numbers with a decimal point and without thousands separators, or say that decimals stand "
            "behind a comma (--decimal ',', decimal=',')"
        )
    if cell.startswith("("):
        return "it may be negative, as in accounts, or not: write the number alone, with its sign"
    return "write the number alone, or drop the column (--exclude, exclude=[...])"


def _bare(cell: str) -> str:
    return MINUS.sub("-", INVISIBLE.sub("", cell)).strip()


def _like(cell: str) -> re.Match[str] | None:
    return LIKE.fullmatch(_bare(cell))
