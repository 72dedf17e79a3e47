"""The fields of a file, declared once, in the classes: ``y: Annotated[Floats, array("variables")]``.

A codec turns what stands in a file into a value, and checks it like any value of Python. A field has the same
name in the file, or that of its codec.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache, reduce
from typing import Any, NamedTuple, get_type_hints

import numpy as np

from relaxspca.certificate import values
from relaxspca.certificate.values import list_of, require


@dataclass(frozen=True)
class Scope:
    """What is known where a value is read or checked: how arrays are unpacked, and earlier values by name."""

    unpack: Callable[[object, str, tuple[int | None, ...]], Any] | None
    known: dict[str, Any]

    def length(self, of: Length) -> int | None:
        """Return a length: that of what has a name, or the number that has it; None is any length."""
        found = of(self) if callable(of) else of
        if isinstance(found, str):
            name, *parts = found.split(".")
            found = reduce(lambda value, part: getattr(value, part, None), parts, self.known[name])
        return found if found is None or isinstance(found, int) else len(found)


Length = str | Callable[[Scope], int | None] | None


def _as_it_is(value: Any, what: str, scope: Scope) -> Any:
    return value


class Codec(NamedTuple):
    """How a value is checked, and how what stands in a file becomes a value, which is checked then.

    With `is_list` the numbers of an array are a list in the file.
    """

    check: Callable[[Any, str, Scope], Any]
    read: Callable[[Any, str, Scope], Any] = _as_it_is
    is_optional: bool = False
    name: str = ""
    is_list: bool = False


class Declared:
    """A class whose annotations say how its fields are read and checked, and so how they are written."""

    def __post_init__(self) -> None:
        """Set each field to what its codec makes of it; raise CertificateError where that is nothing."""
        make: Any = type(self)
        scope = Scope(None, dict.fromkeys(("claim", "subject")))
        for key, codec in declared(make).items():
            value = getattr(self, key)
            may_be_none = codec.is_optional and getattr(make, key, ...) is None
            if value is not None or not may_be_none:
                value = codec.check(value, f"{key} of {make.__name__}", scope)
                object.__setattr__(self, key, value)
            scope.known[key] = value


@cache
def declared(make: type) -> dict[str, Codec]:
    """Return the codecs of the fields of a class that are in the file, in their order."""
    hints = get_type_hints(make, include_extras=True)
    return {key: codec for key, hint in hints.items() for codec in getattr(hint, "__metadata__", ())}


def read_object(make: Any, document: object, what: str, scope: Scope) -> Any:
    """Return the object of a class that a document holds: all its fields, and no other; a root has no name."""
    table = {codec.name or key: (key, codec) for key, codec in declared(make).items()}
    needed = tuple(name for name, (_, codec) in table.items() if not codec.is_optional)
    given = values.fields_of(document, what or "certificate", needed, tuple(table))
    here, made = Scope(scope.unpack, dict(scope.known)), dict[str, Any]()
    for name, (key, codec) in table.items():
        if name in given:
            value = made[key] = codec.read(given[name], f"{name} of {what}".removesuffix(" of "), here)
            require(not (codec.is_optional and not says(value)), f"{what} leaves {name} out if it is empty")
            here.known[name] = value
    return make(**made)


def read_row(make: Any, row: list[Any], what: str, scope: Scope) -> Any:
    """Return the object of a class whose fields are a list in the file, the optional ones last."""
    names = [*declared(make)]
    require(len(row) <= len(names), f"{what} has {len(row)} entries, more than {len(names)}")
    return read_object(make, dict(zip(names, row, strict=False)), what, scope)


def says(value: Any) -> bool:
    """Say whether a field has a value that is written: not None, False or empty."""
    return value is not None and value is not False and (not hasattr(value, "__len__") or len(value) > 0)


def _plain(check: Callable[[str, Any], Any], read: Callable[[Any, str], Any] | None = None) -> Codec:
    """Return the codec of values for which nothing else has to be known."""
    own = _as_it_is if read is None else lambda value, what, scope: read(value, what)
    return Codec(lambda value, what, scope: check(what, value), own)


def _truth(what: str, value: object) -> bool:
    require(isinstance(value, bool | np.bool_), f"{what} must be true or false, not {value!r}")
    return bool(value)


TEXT = _plain(values.checked_text)
NAMES = _plain(values.checked_names, list_of)
TRUTH = _plain(_truth)
INDICES = _plain(values.checked_indices, values.integers)


def number(*, least: float = -np.inf) -> Codec:
    """Return the codec of finite doubles that are at least `least`."""
    return _plain(lambda what, value: values.checked_number(what, value, least=least), values.real)


NUMBER = number()


def whole(*, least: int = 0, most: int = values.MAX_NUMBERS) -> Codec:
    """Return the codec of whole numbers of a range."""

    def check(what: str, value: Any) -> int:
        is_whole = isinstance(value, int | np.integer) and not isinstance(value, bool)
        fits = is_whole and least <= value <= most
        require(fits, f"{what} must be an integer of at least {least} and at most {most}, not {value!r}"[:300])
        return int(value)

    return _plain(check)


def array(*shape: Length, least: float = -np.inf, is_symmetric: bool = False) -> Codec:
    """Return the codec of arrays of a shape, of numbers that are at least `least`."""

    def read(value: object, what: str, scope: Scope) -> Any:
        assert scope.unpack is not None
        return scope.unpack(value, what, tuple(map(scope.length, shape)))

    def check(value: Any, what: str, scope: Scope) -> Any:
        found = values.checked_array(what, value, tuple(map(scope.length, shape)))
        lowest = float(found.min(initial=np.inf))
        require(lowest >= least, f"{what} has the entry {lowest!r}, below {least!r}")
        require(not is_symmetric or np.array_equal(found, found.T), f"{what} is not symmetric")
        return found

    return Codec(check, read)


def numbers(of: str) -> Codec:
    """Return the codec of an array that is a list in the file, as long as another field."""
    return Codec(array(of).check, many(NUMBER).read, is_list=True)


def many(of: Codec, *, least: int = 0) -> Codec:
    """Return the codec of lists of something, of a length that is at least `least`."""

    def check(value: Any, what: str, scope: Scope) -> tuple[Any, ...]:
        found = tuple(of.check(x, what, scope) for x in value)
        require(len(found) >= least, f"{what} must have at least {least} entry")
        return found

    return Codec(check, lambda value, what, scope: tuple(of.read(x, what, scope) for x in list_of(value, what)))


def left_out(of: Codec, name: str = "") -> Codec:
    """Return the codec of what is left out of the file where it says nothing."""
    return of._replace(is_optional=True, name=name)


def or_null(of: Codec) -> Codec:
    """Return the codec of what may be null."""
    return Codec(
        lambda value, what, scope: None if value is None else of.check(value, what, scope),
        lambda value, what, scope: None if value is None else of.read(value, what, scope),
    )


def instance(kinds: tuple[type, ...], read: Callable[..., Any]) -> Codec:
    """Return the codec of objects of some classes."""

    def check(value: Any, what: str, scope: Scope) -> Any:
        names = " nor ".join(make.__name__ for make in kinds)
        require(isinstance(value, kinds), f"{what}: a {type(value).__name__} is no {names}")
        return value

    return Codec(check, read)


def one(make: type) -> Codec:
    """Return the codec of objects of a class."""
    return instance((make,), lambda value, what, scope: read_object(make, value, what, scope))


def later(find: Callable[[], type]) -> Codec:
    """Return the codec of objects of a class that is imported where there is one."""
    return Codec(lambda *given: one(find()).check(*given), lambda *given: one(find()).read(*given))


def either(choice: Callable[[Any], tuple[Any, ...]]) -> Codec:
    """Return the codec of objects of some classes, each of a `kind`: those that a value of a kind may be of."""

    def read(value: Any, what: str, scope: Scope) -> Any:
        kind: Any = value.get("kind") if isinstance(value, dict) else None
        kinds = {make.kind: make for make in choice(kind)}
        is_known = isinstance(kind, str) and kind in kinds
        require(is_known, f"unknown kind {kind!r} of {what}: known are {', '.join(kinds)}"[:300])
        rest = {name: own for name, own in value.items() if name != "kind"}
        return read_object(kinds[kind], rest, f"{kind} in {what}", scope)

    def check(value: Any, *given: Any) -> Any:
        own = choice(getattr(value, "kind", None))
        return instance(own if isinstance(value, own) else choice(None), read).check(value, *given)

    return Codec(check, read)
