"""The fields of a file, declared once, in the classes: ``y: Annotated[Floats, array("variables")]``.

By its codec a field is read and checked. The name of a field is that in the file, or the codec has another one.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache, partial
from typing import Any, NamedTuple, get_type_hints

import numpy as np

from relaxspca.certificate.arrays import Unpacker
from relaxspca.certificate.strict import MAX_NUMBERS, fields_of, integer, integers, list_of, real, string
from relaxspca.certificate.values import (
    checked_array,
    checked_index,
    checked_indices,
    checked_names,
    checked_number,
    require,
    set_field,
)
from relaxspca.errors import CertificateError

__all__ = ["Codec", "Declared", "read_object"]


@dataclass(frozen=True)
class Scope:
    """What is known where a value is read or checked: how arrays are unpacked, and earlier values by name."""

    unpack: Unpacker | None
    known: dict[str, Any]

    def length(self, of: str | int | None) -> int | None:
        """Return a length: of what has that name, the number that has it, or as it is; None is any length."""
        found = self.known[of] if isinstance(of, str) else of
        return found if found is None or isinstance(found, int) else len(found)


class Codec(NamedTuple):
    """How a value is read from a file, and how one of Python is checked.

    With `is_list` the numbers of an array are a list in the file.
    """

    read: Callable[[Any, str, Scope], Any]
    check: Callable[[Any, str, Scope], Any]
    is_optional: bool = False
    name: str = ""
    is_list: bool = False


class Declared:
    """A class whose annotations say how its fields are read and checked, and so how written."""

    def __post_init__(self) -> None:
        """Set each field to what its codec makes of it; raise CertificateError where that is nothing."""
        make: Any = type(self)
        scope = Scope(None, dict.fromkeys(("names", "listed", "k")))
        for key, codec in declared(make).items():
            value = getattr(self, key)
            may_be_none = codec.is_optional and getattr(make, key, ...) is None
            if value is not None or not may_be_none:
                value = codec.check(value, f"{key} of {make.__name__}", scope)
                set_field(self, key, value)
            scope.known[key] = value


@cache
def declared(make: type) -> dict[str, Codec]:
    """Return the codecs of the fields of a class that are in the file, in their order."""
    hints = get_type_hints(make, include_extras=True)
    return {key: codec for key, hint in hints.items() for codec in getattr(hint, "__metadata__", ())}


def read_object(make: Any, document: object, what: str, scope: Scope) -> Any:
    """Return the object of a class that a document holds: all its fields, and no other."""
    keys = {codec.name or key: key for key, codec in declared(make).items()}
    table = {name: declared(make)[key] for name, key in keys.items()}
    needed = tuple(name for name, codec in table.items() if not codec.is_optional)
    given = fields_of(document, what, needed, tuple({*table} - {*needed}))
    here, values = Scope(scope.unpack, dict(scope.known)), dict[str, Any]()
    for name, codec in table.items():
        if name in given:
            value = values[keys[name]] = codec.read(given[name], f"{name} of {what}", here)
            require(not (codec.is_optional and not says(value)), f"{what} leaves {name} out if it is empty")
            here.known[name] = value
    return make(**values)


def read_row(make: Any, row: list[Any], what: str, scope: Scope) -> Any:
    """Return the object of a class whose fields are a list in the file, the optional ones last."""
    table = declared(make)
    least = sum(not codec.is_optional for codec in table.values())
    require(least <= len(row) <= len(table), f"{what} has {len(row)} entries, not {least}")
    pairs = zip(table.items(), row, strict=False)
    return make(**{key: codec.read(value, f"{key} of {what}", scope) for (key, codec), value in pairs})


def says(value: Any) -> bool:
    """Say whether a field has a value that is written: not None, False or empty."""
    return value is not None and value is not False and (not hasattr(value, "__len__") or len(value) > 0)


def _truth(value: object, what: str, scope: Scope) -> bool:
    if not isinstance(value, bool | np.bool_):
        raise CertificateError(f"{what} must be true or false, not {value!r}")
    return bool(value)


def _plain(read: Callable[[Any, str], Any], check: Callable[[str, Any], Any]) -> Codec:
    """Return the codec of values for which nothing else has to be known."""
    return Codec(lambda value, what, scope: read(value, what), lambda value, what, scope: check(what, value))


TEXT = _plain(string, lambda what, value: str(*checked_names(what, [value])))
NAMES = _plain(lambda value, what: tuple(string(name, what) for name in list_of(value, what)), checked_names)
TRUTH = Codec(_truth, _truth)
INDICES = _plain(integers, checked_indices)


def number(*, least: float = -np.inf) -> Codec:
    """Return the codec of finite doubles that are at least `least`."""
    return _plain(real, partial(checked_number, least=least))


NUMBER = number()


def whole(most: int = MAX_NUMBERS, *, is_signed: bool = False) -> Codec:
    """Return the codec of whole numbers of at most this modulus."""

    def check(what: str, value: Any) -> int:
        negative = is_signed and isinstance(value, int | np.integer) and value < 0
        found = -checked_index(what, -value) if negative else checked_index(what, value)
        require(abs(found) <= most, f"{what} is {found}, in modulus more than {most}")
        return found

    return _plain(partial(integer, most=most), check)


def array(*shape: str | int | None) -> Codec:
    """Return the codec of arrays of a shape: lengths, names of fields of that length, or None for any."""

    def read(value: object, what: str, scope: Scope) -> Any:
        assert scope.unpack is not None
        return scope.unpack(value, what, tuple(map(scope.length, shape)))

    def check(value: Any, what: str, scope: Scope) -> Any:
        return checked_array(what, value, tuple(map(scope.length, shape)))

    return Codec(read, check)


def numbers(of: str) -> Codec:
    """Return the codec of an array that is a list in the file, as long as another field."""
    return Codec(many(NUMBER).read, array(of).check, is_list=True)


def many(of: Codec) -> Codec:
    """Return the codec of lists of something."""
    return Codec(
        lambda value, what, scope: tuple(of.read(x, what, scope) for x in list_of(value, what)),
        lambda value, what, scope: tuple(of.check(x, what, scope) for x in value),
    )


def left_out(of: Codec, name: str = "") -> Codec:
    """Return the codec of what is left out of the file where it says nothing."""
    return of._replace(is_optional=True, name=name)


def or_null(of: Codec) -> Codec:
    """Return the codec of what may be null."""
    return Codec(
        lambda value, what, scope: None if value is None else of.read(value, what, scope),
        lambda value, what, scope: None if value is None else of.check(value, what, scope),
    )


def instance(kinds: tuple[type, ...], read: Callable[..., Any]) -> Codec:
    """Return the codec of objects of some classes."""

    def check(value: Any, what: str, scope: Scope) -> Any:
        names = " nor ".join(make.__name__ for make in kinds)
        require(isinstance(value, kinds), f"{what}: a {type(value).__name__} is no {names}")
        return value

    return Codec(read, check)


def one(make: type) -> Codec:
    """Return the codec of objects of a class."""
    return instance((make,), lambda value, what, scope: read_object(make, value, what, scope))


def either(*makes: Any) -> Codec:
    """Return the codec of objects with the `kind` of a class; of two, that whose last field is there."""
    kinds: dict[str, list[Any]] = {}
    for make in makes:
        kinds.setdefault(make.kind, []).append(make)

    def read(value: object, what: str, scope: Scope) -> Any:
        kind = value.get("kind") if isinstance(value, dict) else None
        if not isinstance(value, dict) or not isinstance(kind, str) or kind not in kinds:
            raise CertificateError(f"unknown kind {kind!r} of {what}: known are {', '.join(kinds)}"[:300])
        rest = {name: own for name, own in value.items() if name != "kind"}
        fitting = [make for make in kinds[kind] if [*declared(make)][-1] in rest]
        return read_object((fitting or kinds[kind])[0], rest, f"{kind} in {what}", scope)

    return instance(makes, read)
