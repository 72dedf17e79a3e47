"""The fields of a file, declared once: `FIELDS` is what `reading` and `writing` go by.

Each field has the name that it has in the file, how its value is read and written, and perhaps another name in
Python. An optional field is left out of the file where it says nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

from relaxspca.certificate.arrays import Packer, Unpacker
from relaxspca.certificate.claim import Budget, Claim, ListedSupports
from relaxspca.certificate.description import MOST, Deflation, Description
from relaxspca.certificate.eliminated import Eliminated
from relaxspca.certificate.evidence import (
    Evidence,
    FactorPoint,
    Leaf,
    MultiplierPoint,
    Restrict,
    RowsPoint,
    Single,
    Split,
    WeightsPoint,
)
from relaxspca.certificate.strict import MAX_NUMBERS, fields_of, integer, integers, list_of, real, string
from relaxspca.certificate.subject import LeastSquares, Matrix, Pencil
from relaxspca.certificate.values import require
from relaxspca.certificate.witness import Vector, Witness
from relaxspca.errors import CertificateError

__all__ = ["FIELDS", "Field", "read_object", "written"]


@dataclass(frozen=True)
class Scope:
    """What is known where a value is read: how arrays are unpacked, and what was read before it, by name."""

    unpack: Unpacker
    known: dict[str, Any]

    def length(self, of: str | int | None) -> int | None:
        """Return a length: of what has that name, the number that has it, or as it is."""
        found = self.known[of] if isinstance(of, str) else of
        return found if found is None or isinstance(found, int) else len(found)


class Codec(NamedTuple):
    """How a value is read, given its name for messages, and how it is written."""

    read: Callable[[Any, str, Scope], Any]
    write: Callable[[Any, Packer], Any]


class Field(NamedTuple):
    """A field of an object of the file."""

    name: str
    codec: Codec
    is_optional: bool = False
    attribute: str = ""

    @property
    def key(self) -> str:
        """The name in Python."""
        return self.attribute or self.name


def read_object(make: Any, document: object, what: str, scope: Scope) -> Any:
    """Return the object of a class that a document holds: all its fields, and no other."""
    table = FIELDS[make]
    needed = tuple(field.name for field in table if not field.is_optional)
    given = fields_of(document, what, needed, tuple(field.name for field in table if field.is_optional))
    here, values = Scope(scope.unpack, dict(scope.known)), dict[str, Any]()
    for field in table:
        if field.name in given:
            value = values[field.key] = field.codec.read(given[field.name], f"{field.name} of {what}", here)
            require(
                not (field.is_optional and _is_nothing(value)), f"{what} leaves {field.name} out if it is empty"
            )
            here.known[field.name] = value
    return make(**values)


def written(value: Any, pack: Packer) -> dict[str, Any]:
    """Return what stands for an object in the file."""
    document = {}
    for field in FIELDS[type(value)]:
        own = getattr(value, field.key)
        if not (field.is_optional and _is_nothing(own)):
            document[field.name] = field.codec.write(own, pack)
    return document


def _is_nothing(value: Any) -> bool:
    return value is None or value is False or (hasattr(value, "__len__") and len(value) == 0)


def _truth(value: object, what: str, scope: Scope) -> bool:
    if type(value) is not bool:
        raise CertificateError(f"{what} must be true or false")
    return value


def _as_is(value: Any, pack: Packer) -> Any:
    return value


TEXT = Codec(lambda value, what, scope: string(value, what), _as_is)
NUMBER = Codec(lambda value, what, scope: real(value, what), lambda value, pack: float(value).hex())
TRUTH = Codec(_truth, _as_is)
INDICES = Codec(lambda value, what, scope: integers(value, what), lambda value, pack: [int(i) for i in value])


def whole(most: int = MAX_NUMBERS) -> Codec:
    """Return the codec of whole numbers."""
    return Codec(lambda value, what, scope: integer(value, what, most), lambda value, pack: int(value))


def array(*shape: str | int | None) -> Codec:
    """Return the codec of arrays of a shape: lengths, names of fields of that length, or None for any."""

    def read(value: object, what: str, scope: Scope) -> Any:
        return scope.unpack(value, what, tuple(map(scope.length, shape)))

    return Codec(read, lambda value, pack: pack(value))


def _entries(value: object, what: str, scope: Scope) -> Any:
    """Return the entries of a matrix, or of a factor, which has any number of rows."""
    rows = scope.length("names") if scope.known["storage"] == "dense" else None
    return scope.unpack(value, what, (rows, scope.length("names")))


def many(of: Codec) -> Codec:
    """Return the codec of lists of something."""
    return Codec(
        lambda value, what, scope: tuple(of.read(x, what, scope) for x in list_of(value, what)),
        lambda value, pack: [of.write(x, pack) for x in value],
    )


def or_null(of: Codec) -> Codec:
    """Return the codec of what may be null."""
    return Codec(
        lambda value, what, scope: None if value is None else of.read(value, what, scope),
        lambda value, pack: None if value is None else of.write(value, pack),
    )


def one(make: type) -> Codec:
    """Return the codec of objects of a class."""
    return Codec(lambda value, what, scope: read_object(make, value, what, scope), written)


def either(kinds: Mapping[str, tuple[type, ...]]) -> Codec:
    """Return the codec of objects with a `kind`; of two classes, that whose last field is there."""
    names = {make: kind for kind, classes in kinds.items() for make in classes}

    def read(value: object, what: str, scope: Scope) -> Any:
        kind = value.get("kind") if isinstance(value, dict) else None
        if not isinstance(value, dict) or not isinstance(kind, str) or kind not in kinds:
            raise CertificateError(f"unknown kind {kind!r} of {what}: known are {', '.join(kinds)}"[:300])
        rest = {name: own for name, own in value.items() if name != "kind"}
        fitting = [make for make in kinds[kind] if FIELDS[make][-1].name in rest]
        return read_object((fitting or kinds[kind])[0], rest, f"{kind} in {what}", scope)

    return Codec(read, lambda value, pack: {"kind": names[type(value)]} | written(value, pack))


def _read_node(value: object, what: str, scope: Scope) -> Split | Restrict | Leaf:
    node = list_of(value, "a node")
    kind = node[0] if node else None
    if kind == "split" and len(node) == 5:
        return Split(*(integer(x, "split") for x in node[1:]))
    if kind == "restrict" and len(node) in (6, 7):
        part, point, level, kept, child, *multipliers = node[1:]
        return Restrict(
            part=integer(part, "part"),
            point=None if point is None else integer(point, "point of a restrict node"),
            level=real(level, "level"),
            kept=tuple(integers(kept, "kept").tolist()),
            child=integer(child, "child"),
            multipliers=integer(multipliers[0], "multipliers") if multipliers else None,
        )
    if len(node) == 2:
        if kind == "choices":
            return Leaf(kind, tuple(integers(node[1], "points of a choices leaf").tolist()))
        return Leaf(string(kind, "leaf kind"), None if node[1] is None else integer(node[1], "leaf point"))
    raise CertificateError(f"{node!r} is neither a split nor a restrict node nor a leaf"[:200])


def _written_node(node: Split | Restrict | Leaf, pack: Packer) -> list[Any]:
    if isinstance(node, Split):
        return ["split", node.part, node.variable, node.inside, node.outside]
    if isinstance(node, Restrict):
        beside = [] if node.multipliers is None else [node.multipliers]
        return ["restrict", node.part, node.point, node.level.hex(), [*node.kept], node.child, *beside]
    return [node.kind, [*node.points] if node.kind == "choices" else node.point]


def _forced(value: object, what: str, scope: Scope) -> Any:
    """Return the variables to include: of several components a list for each part."""
    listed = list_of(value, what)
    if listed and isinstance(listed[0], list):
        found = tuple(integers(part, what) for part in listed)
        require(any(len(part) for part in found), f"{what} is empty: a claim without it leaves it out")
        return found
    return integers(listed, what)


def _written_forced(value: Any, pack: Packer) -> list[Any]:
    return [part.tolist() for part in value] if isinstance(value, tuple) else [int(i) for i in value]


NODE = Codec(_read_node, _written_node)
FORCED = Codec(_forced, _written_forced)
POINT = either({"rows": (RowsPoint, WeightsPoint), "factor": (FactorPoint,), "multipliers": (MultiplierPoint,)})
VARIABLES = Field("variables", INDICES)

FIELDS: dict[Any, tuple[Field, ...]] = {
    Deflation: (
        Field("method", TEXT),
        Field("digest", TEXT),
        Field("names", many(TEXT)),
        Field("loadings", array("names", None)),
    ),
    Description: (
        Field("kind", TEXT),
        Field("observations", or_null(whole(MOST))),
        Field("is_centred", or_null(TRUTH)),
        Field("deflation", or_null(one(Deflation))),
    ),
    Eliminated: (
        Field("names", many(TEXT)),
        Field("variances", array("names")),
        Field("shift", NUMBER),
    ),
    Matrix: (
        Field("names", many(TEXT)),
        Field("storage", TEXT),
        Field("entries", Codec(_entries, lambda value, pack: pack(value))),
        Field("description", one(Description)),
        Field("eliminated", or_null(one(Eliminated))),
    ),
    Pencil: (
        Field("names", many(TEXT)),
        Field("numerator", array("names", "names")),
        Field("denominator", array("names", "names")),
    ),
    LeastSquares: (
        Field("names", many(TEXT)),
        Field("variables", array(None, "names")),
        Field("response", array("variables")),
        Field("intercept", TRUTH),
        Field("ridge", NUMBER),
    ),
    Budget: (VARIABLES, Field("k", whole())),
    ListedSupports: (
        Field("supports", many(INDICES)),
        Field("lower", many(NUMBER)),
        Field("upper", many(NUMBER)),
        Field("others", NUMBER),
    ),
    Claim: (
        Field("kind", TEXT),
        Field("k", whole(), True),
        Field("rho", NUMBER, True),
        Field("sizes", many(whole()), True),
        Field("supports", TEXT, True),
        Field("lower", NUMBER),
        Field("upper", NUMBER),
        Field("include", FORCED, True),
        Field("exclude", INDICES, True),
        Field("one_of_each", many(INDICES), True),
        Field("whole_groups", many(INDICES), True),
        Field("nonnegative", TRUTH, True),
        Field("budgets", many(one(Budget)), True),
        Field("list", one(ListedSupports), True, "listed"),
    ),
    Vector: (Field("support", INDICES), Field("loadings", many(NUMBER))),
    Witness: (
        Field("components", many(one(Vector))),
        Field("list", array("listed", "k"), True, "listed"),
    ),
    RowsPoint: (
        VARIABLES,
        Field("P", array("variables", "variables")),
        Field("N", array("variables", "variables")),
    ),
    WeightsPoint: (VARIABLES, Field("weights", array("variables"))),
    FactorPoint: (
        VARIABLES,
        Field("rho", NUMBER),
        Field("vectors", array(None, "variables")),
        Field("factor", or_null(array("vectors", "variables"))),
        Field("shift", NUMBER),
    ),
    MultiplierPoint: (
        VARIABLES,
        Field("M", array("variables", "variables")),
        Field("y", array("variables")),
        Field("rows", many(or_null(whole()))),
    ),
    Single: (Field("k", whole()), Field("tree", many(NODE))),
    Evidence: (
        Field("points", many(POINT)),
        Field("tree", many(NODE)),
        Field("elimination", NODE, True),
        Field("singles", many(one(Single)), True),
        Field("mu", NUMBER, True),
        Field("exponents", many(whole()), True),
        Field("fit", array("names"), True),
    ),
}
SUBJECT = either({"matrix": (Matrix,), "pencil": (Pencil,), "least_squares": (LeastSquares,)})
