"""What a command prints and gives back: text for people, an object for programs, an exit code."""

from __future__ import annotations

import argparse
import contextlib
import math
import sys
import warnings
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from relaxspca.certificate import Certificate
from relaxspca.command.files import write_files
from relaxspca.errors import counted, in_line
from relaxspca.problem.candidate import Candidate
from relaxspca.results.printable import Printable
from relaxspca.results.result import Result


def encodable(text: str) -> str:
    """Return text in the characters that standard output has."""
    encoding = sys.stdout.encoding or "utf-8"
    for symbol, plain in (("±", "+-"), ("\N{MINUS SIGN}", "-")):
        if symbol.encode(encoding, "replace") == b"?":
            text = text.replace(symbol, plain)
    return text.encode(encoding, "backslashreplace").decode(encoding)


def say_read(taken: str, arguments: argparse.Namespace) -> None:
    """Print how the data were read, before anything is made of them; nothing where JSON is asked for."""
    if arguments.json or sys.stdout is None:
        return
    verb = "Using" if taken.startswith("the built-in") else "Read"
    # What cannot be written now is an error when the answer is printed.
    with contextlib.suppress(OSError):
        sys.stdout.write(encodable(f"{verb} {taken}") + "\n")
        sys.stdout.flush()


@contextlib.contextmanager
def notes_after() -> Iterator[None]:
    """Keep the notes of what is done within, and issue them at its end, whether it fails or not."""
    try:
        with warnings.catch_warnings(record=True) as notes:
            yield
    finally:
        for note in notes:
            warnings.warn(note.message, note.category, stacklevel=2)


@dataclass(frozen=True)
class Output:
    """Text for people, an object for programs, and the exit code."""

    text: str
    data: dict[str, Any]
    code: int = 0


def answer(
    found: Printable,
    taken: str,
    data: dict[str, Any],
    arguments: argparse.Namespace,
    *,
    is_interrupted: bool = False,
    more: Sequence[str] = (),
) -> Output:
    """Write the files that were asked for, and return a result as text and as an object.

    `data_read` has printed what the data were `taken` as already. `is_interrupted` says that Ctrl-C ended work
    that the result does not know of; `more` are lines that follow.
    """
    write_files(found, arguments)
    text = [found.statement if arguments.quiet else repr(found)]
    text += _certificates_saved(found, getattr(arguments, "certificates", None))
    certificate = next(iter(found._certificates().values()), None)
    text += certificate_saved(certificate, getattr(arguments, "certificate", None))
    code = 130 if is_interrupted or found.is_interrupted else 0
    return Output("\n".join([*text, *more]), data | {"taken_as": taken}, code)


def proved_record(found: Result, record: dict[str, Any], file: str | None = None) -> dict[str, Any]:
    """Return the record of a component for JSON, with loadings, conditions and the file of the proof."""
    said, certificate = record | component_record(found.candidate), found.certificate
    for name in ("include", "exclude"):
        if len(getattr(certificate, name)):
            said[name] = [certificate.names[int(i)] for i in getattr(certificate, name)]
    return said if file is None else said | {"certificate": file}


def component_record(found: Candidate) -> dict[str, Any]:
    """Return names, positions and loadings of the variables that a component uses."""
    loadings = dict(zip(found.support, found.loadings[found.indices].tolist(), strict=True))
    return {"support": list(found.support), "indices": found.indices.tolist(), "loadings": loadings}


def plain_record(record: dict[str, Any], names: Sequence[str]) -> dict[str, Any]:
    """Return a record for JSON: variables, which are one cell of a table, are lists there."""
    indices = [int(i) for i in record["indices"].split()]
    return record | {"indices": indices, "support": [names[i] for i in indices]}


def as_json(value: Any) -> Any:
    """Return what JSON can hold: null in the place of a number that is not finite."""
    if isinstance(value, dict):
        return {name: as_json(part) for name, part in value.items()}
    if isinstance(value, list | tuple):
        return [as_json(part) for part in value]
    return None if isinstance(value, float) and not math.isfinite(value) else value


def certificate_saved(certificate: Certificate | None, file: str | None) -> list[str]:
    """Write the certificate where it was asked for, and return the line that says so."""
    if file is None:
        return []
    if certificate is None:
        return [f"Nothing written to {file}: these bounds have no certificate."]
    certificate.save(file)
    return [f"Certificate written to {file} (check it: relaxspca verify {file})."]


def _certificates_saved(found: Printable, folder: str | None) -> list[str]:
    """Write all certificates of a result where it was asked for, and return the line that says so."""
    if folder is None:
        return []
    written = found.save_certificates(folder)
    if not written:
        return [f"Nothing written to {folder}: these bounds have no certificate."]
    said = [f"{counted(len(written), 'certificate')} written to {folder} (check: relaxspca verify {folder})."]
    others = sorted(path.name for path in {*Path(folder).glob("*.json")} - {*written})
    kept = f"{folder} also has {counted(len(others), 'file')} of other runs, which are checked with them"
    return [*said, f"{kept}: {in_line(others)}."] if others else said
