"""Check what a certificate is made of: finite doubles, indices, arrays of a shape, texts, distinct names.

Of JSON, which is not trusted, values of a known type are taken, or it is said which one is wrong.
"""

from __future__ import annotations

import json
import math
import os
import stat
from collections import Counter
from collections.abc import Iterable
from pathlib import Path
from typing import Any, NoReturn

import numpy as np
from numpy.typing import ArrayLike, NDArray

from relaxspca.errors import CertificateError

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
MAX_NUMBERS = 1 << 28


def require(condition: bool, message: str) -> None:
    """Raise CertificateError with the message unless the condition holds."""
    if not condition:
        raise CertificateError(message)


def checked_number(name: str, value: Any, *, least: float = -math.inf) -> float:
    """Return a finite float that is at least `least`."""
    if not isinstance(value, int | float | np.integer | np.floating) or isinstance(value, bool):
        raise CertificateError(f"{name} must be a number, not {value!r}")
    try:
        number = float(value)
    except OverflowError:
        number = math.inf
    require(math.isfinite(number), f"{name} is {number!r}: only finite numbers are allowed")
    require(number == value, f"{name} is {value!r}, which is not a double")
    require(number >= least, f"{name} is {number!r}, below {least!r}")
    return number


def checked_indices(name: str, values: ArrayLike) -> Ints:
    """Return read-only strictly increasing non-negative indices."""
    try:
        given = np.asarray(values)
    except ValueError:  # lists of several lengths
        given = np.array(None)
    is_list = given.ndim == 1 and (given.size == 0 or given.dtype.kind in "iu")
    require(is_list, f"{name} must be a list of integers")
    indices = given.astype(np.int64)
    require(bool((indices >= 0).all()), f"{name} has a negative index")
    require(bool((np.diff(indices) > 0).all()), f"{name}: not strictly increasing (a duplicate?)")
    indices.flags.writeable = False
    return indices


def checked_array(name: str, values: ArrayLike | None, shape: tuple[int | None, ...]) -> Floats:
    """Return read-only floats of that shape (None matches any length), all finite and none rounded.

    It is a copy, but for what is read-only and its own already: rows of a path then share their matrix.
    """
    try:
        given = np.asarray(values)
    except ValueError as error:
        raise CertificateError(f"{name} is not an array: {error}") from None
    require(given.dtype.kind in "iuf" and not np.ma.is_masked(values), f"{name} must hold numbers, none masked")
    require_shape(name, given.shape, shape)
    own = type(given) is np.ndarray and given.dtype == np.float64 and given.base is None
    is_shared = own and given.flags.c_contiguous and not given.flags.writeable
    array = given if is_shared else np.array(given, dtype=np.float64, order="C")
    require(bool(np.isfinite(array).all()), f"{name} has an entry that is not finite")
    is_exact = isinstance(values, np.ndarray) and values.dtype == np.float64
    # Python compares whole numbers and doubles by value, where numpy rounds first.
    is_same = is_exact or bool((np.asarray(values, dtype=object) == array).all())
    require(is_same, f"{name} has an entry that is not a double")
    array.flags.writeable = False
    return array


def require_shape(name: str, shape: tuple[int, ...], expected: tuple[int | None, ...]) -> None:
    """Raise CertificateError unless a shape is the one expected, where None is any length."""
    fits = len(shape) == len(expected) and all(
        want in (None, have) for want, have in zip(expected, shape, strict=True)
    )
    wanted = " x ".join("any" if want is None else str(want) for want in expected)
    require(fits, f"{name} has shape {shape}, not {wanted}")


def checked_text(what: str, value: Any) -> str:
    """Return a string that is text: a lone surrogate is none."""
    require(isinstance(value, str), f"{what} must be a string, not {value!r}"[:300])
    try:
        value.encode()
    except UnicodeEncodeError as error:
        raise CertificateError(f"{what} is no text: {error.reason}") from None
    return str(value)


def checked_names(what: str, names: Iterable[object]) -> tuple[str, ...]:
    """Return texts, no two of them the same."""
    found = tuple(checked_text(f"each of {what}", name) for name in names)
    twice = sorted(name for name, count in Counter(found).items() if count > 1)
    require(not twice, f"{what}: two variables have the name {', '.join(map(repr, twice[:3]))}")
    return found


def content_of(path: Path, limit: int) -> bytes:
    """Return the bytes of a regular file, if they are not too many.

    A pipe in the place of a file would be waited for without an end, a device read without one.
    """
    # Without waiting, since a pipe that nobody writes to cannot otherwise even be opened.
    flags = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)
    with open(path, "rb", opener=lambda name, _: os.open(name, flags)) as stream:
        told = os.fstat(stream.fileno())
        require(stat.S_ISREG(told.st_mode), f"{path.name} is not a regular file")
        # Room is made for all that is asked for, at once.
        content = stream.read(min(told.st_size, limit) + 1)
    require(len(content) <= limit, f"{path.name} is larger than {limit} bytes")
    return content


def parse(content: bytes) -> object:
    """Parse ASCII JSON in which keys are unique and every number is an integer."""

    def unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        fields: dict[str, Any] = {}
        for key, value in pairs:
            if key in fields:
                raise CertificateError(f"the key {key!r} is repeated")
            fields[key] = value
        return fields

    def refuse(text: str) -> NoReturn:
        raise CertificateError(f"the number {text!r} is not a hexadecimal string or an integer")

    hooks: Any = {"object_pairs_hook": unique, "parse_float": refuse, "parse_constant": refuse}
    try:
        return json.loads(content.decode("ascii"), **hooks)
    except ValueError as error:
        raise CertificateError(f"not readable as a certificate: not JSON in ASCII: {error}") from None


def fields_of(value: Any, what: str, names: tuple[str, ...], optional: tuple[str, ...] = ()) -> dict[str, Any]:
    """Return an object that has all these fields, perhaps some of the optional ones, and no other."""
    require(isinstance(value, dict), f"{what} must be an object")
    for name in names:
        require(name in value, f"{what} lacks {name!r}")
    for name in value:
        require(name in names + optional, f"{what} has the unknown field {name!r}"[:300])
    return value  # type: ignore[no-any-return]


def list_of(value: Any, what: str) -> list[Any]:
    """Return a list, whatever it holds."""
    require(isinstance(value, list), f"{what} must be a list")
    return value  # type: ignore[no-any-return]


def integers(value: object, what: str) -> Ints:
    """Return a list of whole numbers; `true` is none."""
    found = list_of(value, what)
    is_whole = all(type(x) is int and abs(x) <= MAX_NUMBERS for x in found)
    require(is_whole, f"{what} must be a list of integers of at most {MAX_NUMBERS}")
    return np.array(found, dtype=np.int64)


def real(value: object, what: str) -> float:
    """Return the float of which `value` is the one canonical hexadecimal spelling."""
    text = checked_text(what, value)
    try:
        number = float.fromhex(text)
    except (ValueError, OverflowError):
        number = math.nan
    if not math.isfinite(number):
        raise CertificateError(f"{what} is {text[:40]!r}: only finite hexadecimal floats are allowed")
    if number.hex() != text:
        raise CertificateError(f"{what} is {text[:40]!r}, which is not the canonical {number.hex()!r}")
    return number
