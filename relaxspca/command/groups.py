"""The words --groups, --most and --nonnegative, as users write them: groups, and loadings of one sign."""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from relaxspca.command.words import names_in
from relaxspca.errors import InputError
from relaxspca.reading.delimited import cut_cells, lines_about

HEADERS = (["variable", "group"], ["name", "group"])


def groups_told(arguments: argparse.Namespace, names: Iterable[str]) -> dict[str, Any]:
    """Return what these words say, in the words of Python; a header line of a file has none of the `names`.

    Examples
    --------
    >>> words = argparse.Namespace(groups=["size=a,b", "c=c"], most=1)
    >>> groups_told(words, "abc")
    {'groups': {'size': ['a', 'b'], 'c': ['c']}, 'most': 1}
    """
    found: dict[str, list[str]] = {}
    for word in arguments.groups:
        for name, members in _read(word, set(names)).items():
            if name in found:
                raise InputError(f"the group {name!r} is given twice")
            found[name] = members
    more = {"most": getattr(arguments, "most", None), "nonnegative": getattr(arguments, "nonnegative", None)}
    told: dict[str, Any] = {"groups": found or None} | more
    return {name: value for name, value in told.items() if value is not None and value is not False}


def groups_record(told: dict[str, Any]) -> dict[str, Any]:
    """Return for JSON which vectors a claim is restricted to by what these words say."""
    if "groups" in told:
        return {"restriction": "whole_groups" if "most" in told else "one_of_each", "groups": told["groups"]}
    return {"restriction": "nonnegative"} if told else {}


def _read(word: str, names: set[str]) -> dict[str, list[str]]:
    """Return the groups that one word names: a file, where there is one, or NAME=A,B."""
    path = Path(word)
    if path.is_file():
        return _from_file(path, names)
    name, equals, members = word.partition("=")
    if not equals or not name.strip():
        raise InputError(
            f"--groups takes NAME=A,B with names of variables, or a file of groups; there is no file {word!r}"
        )
    return {name.strip(): [member for member in names_in(members) if member]}


def _from_file(path: Path, names: set[str]) -> dict[str, list[str]]:
    if path.suffix.lower() == ".json":
        return _from_json(path)
    try:
        lines = [line for _, line in lines_about(path, names)]
    except (OSError, InputError) as error:
        raise InputError(f"{path} holds no group: {error}") from None
    separator = next((mark for mark in "\t;," if mark in lines[0]), ",")
    rows = cut_cells(lines, separator)
    if [cell.lower() for cell in rows[0]] in HEADERS and rows[0][0] not in names:
        rows = rows[1:]
    found: dict[str, list[str]] = {}
    for row in rows:
        if len(row) != 2 or not all(row):
            raise InputError(f"{path}: each line is a variable and its group, not {separator.join(row)!r}")
        found.setdefault(row[1], []).append(row[0])
    if not found:
        raise InputError(f"{path} holds no group")
    return found


def _from_json(path: Path) -> dict[str, list[str]]:
    try:
        found = json.loads(path.read_text(encoding="utf-8-sig"))
    except (OSError, ValueError) as error:
        raise InputError(f"{path}: not JSON: {error}") from None
    is_lists = isinstance(found, dict) and all(
        isinstance(group, list) and all(isinstance(name, str) for name in group) for group in found.values()
    )
    if not is_lists or not found:
        raise InputError(f'{path}: give an object of lists of names, such as {{"size": ["length", "girth"]}}')
    return {str(name): list(group) for name, group in found.items()}
