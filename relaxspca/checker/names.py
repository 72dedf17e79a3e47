"""Find the variables of a certificate among those of the reader, by their names."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any


def another_number(certificate: Any, other: Any) -> str:
    """Say that the reader has another number of variables, if that is so, and which are too many."""
    (ours, mine), (theirs, yours) = _variables(certificate), _variables(other)
    more = [name for name in yours if name not in mine]
    if ours == theirs:
        return ""
    advice = f": hold it against yours without {listed(more)}" if theirs - len(more) == ours else ""
    return f"the certificate speaks of {ours} variables, yours are {theirs}{advice}"


def matched(certificate: Any, other: Any) -> tuple[list[int] | None, list[str]]:
    """Return where the certificate's variables stand in the reader's matrix, if they do, and what is amiss."""
    own = certificate.names
    more = () if certificate.eliminated is None else certificate.eliminated.names
    beyond = () if other.eliminated is None else other.eliminated.names
    is_told = other.names is not None and len({*own, *more}) == len(own) + len(more)
    if is_told and other.names is not None:
        at = {name: place for place, name in enumerate(other.names)}
        missing = sorted({*own} - {*at}) + sorted({*more} - {*at, *beyond})
        if not missing:
            return [at[name] for name in own], []
        faults = [f"your matrix has no variable {listed(missing)}, of which the certificate speaks"]
    else:
        faults = ["which of your variables were eliminated cannot be told without names"]
    if more or beyond:
        return None, faults
    return list(range(other.n)), faults if is_told else []


def listed(names: Sequence[str]) -> str:
    """Return the first names, quoted, and how many more there are."""
    more = f" and {len(names) - 3} more" if len(names) > 3 else ""
    return ", ".join(map(repr, names[:3])) + more


def _variables(of: Any) -> tuple[int, tuple[str, ...]]:
    """Return the number of variables of a claim or a matrix, eliminated ones counted, and their names."""
    more = () if of.eliminated is None else of.eliminated.names
    return of.n + len(more), (*(of.names or ()), *more)
