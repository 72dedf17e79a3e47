"""Parse JSON that is not trusted, and take values of a known type out of it, or say which one is wrong."""

from __future__ import annotations

import json
import math
from typing import Any, NoReturn

import numpy as np

from relaxspca.certificate.values import Ints, checked_text, require
from relaxspca.errors import CertificateError

MAX_NUMBERS = 1 << 28


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


def fields_of(
    value: object, what: str, names: tuple[str, ...], optional: tuple[str, ...] = ()
) -> dict[str, Any]:
    """Return an object that has all these fields, perhaps some of the optional ones, and no other."""
    if not isinstance(value, dict):
        raise CertificateError(f"{what} must be an object")
    for name in names:
        require(name in value, f"{what} lacks {name!r}")
    for name in value:
        require(name in names + optional, f"{what} has the unknown field {name!r}"[:300])
    return value


def list_of(value: object, what: str) -> list[Any]:
    """Return a list, whatever it holds."""
    if not isinstance(value, list):
        raise CertificateError(f"{what} must be a list")
    return value


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
