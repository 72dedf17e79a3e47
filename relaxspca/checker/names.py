"""Find the variables of a certificate among those of the reader, by their names."""

from typing import Any


def another_number(certificate: Any, other: Any) -> str:
    """Say that the reader has another number of variables, if that is so, and which are too many."""
    (own, more), (yours, beyond) = _names(certificate), _names(other)
    ours, theirs = certificate.n + len(more), other.n + len(beyond)
    known = {*own, *more}
    extra = [name for name in (*yours, *beyond) if name not in known]
    advice = f": hold it against yours without {_listed(extra)}" if theirs - len(extra) == ours else ""
    return "" if ours == theirs else f"the certificate is about {ours} variables, yours are {theirs}{advice}"


def matched(certificate: Any, other: Any) -> tuple[list[int] | None, list[str]]:
    """Return where the certificate's variables stand in the reader's matrix, if they do, and what is amiss."""
    (own, more), (yours, beyond) = _names(certificate), _names(other)
    by_position = None if more or beyond else list(range(other.n))
    if not yours or len({*own, *more}) < len(own) + len(more):
        said = "which of your variables were eliminated cannot be told without names"
        return by_position, [said] if by_position is None else []
    at = {name: place for place, name in enumerate(yours)}
    missing = sorted({*own} - {*at}) + sorted({*more} - {*at, *beyond})
    if missing:
        return by_position, [f"your matrix has no variable {_listed(missing)}, which the certificate has"]
    return [at[name] for name in own], []


def _names(of: Any) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the names of the variables, and of those eliminated."""
    return of.names or (), () if of.eliminated is None else of.eliminated.names


def _listed(names: list[str]) -> str:
    """Return the first names, quoted, and how many more there are."""
    return ", ".join(map(repr, names[:3])) + (f" and {len(names) - 3} more" if len(names) > 3 else "")
